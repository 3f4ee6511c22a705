import { fork } from "node:child_process";
import type { Bench } from "@/tests/bench/benchmark";

/** A request. Plain data, because it is sent to another process. */
export type Call = {
  method: string;
  path: string;
  /** A call without one is a stranger's. */
  cookie?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, except a string, which is sent as it is. */
  body?: unknown;
  /** Adds a `body` of this many characters to that JSON. */
  fill?: number;
  /** Its time ends with the first bytes of the answer: the first event of a stream. */
  isStream?: true;
};

/** How calls are sent, in their order and then from the first again. */
export type Pattern =
  /** One every `ms`, answered or not: a stall then counts as often as users would have asked. */
  | { kind: "every"; ms: number }
  /** Each connection sends the next call as soon as it has an answer. */
  | { kind: "loop"; connections: number }
  /** `size` calls at once, every `ms`. */
  | { kind: "bursts"; size: number; ms: number }
  /** All calls at once, one time. */
  | { kind: "once" }
  /** Each socket sends the first call and never reads. */
  | { kind: "unread"; sockets: number }
  /** Each socket sends the first call's head and then a byte of a body every `ms`. */
  | { kind: "drip"; sockets: number; ms: number };

export type Traffic = {
  name: string;
  pattern: Pattern;
  calls: Call[];
};

/** Milliseconds of each answer, and how many answers had each status. Words stand for what has no status. */
export type Answers = { times: number[]; statuses: Record<string, number> };

export type TrafficProcess = {
  begin(url: string, traffic: Traffic[]): void;
  /** Sends no more, waits for the answers that are open, and resolves with all of them by the traffic's name. */
  end(): Promise<Record<string, Answers>>;
};

/**
 * Starts a process that sends requests. The samples and the engine run in ours and would disturb its clock; so would other
 * traffic. It ends with ours.
 */
export async function startTraffic({ shutdown }: Bench): Promise<TrafficProcess> {
  const child = fork("tests/bench/fairness/traffic-main.ts", { serialization: "advanced" });
  await shutdown.add(() => void child.kill("SIGKILL"));
  return {
    begin(url, traffic) {
      // If it is gone, `end` says so.
      child.send({ url, traffic }, () => undefined);
    },
    end() {
      return new Promise((resolve, reject) => {
        const lost = () => reject(new Error("The process that sends the requests has ended."));
        child.once("exit", lost);
        child.once("message", (answers) => {
          child.off("exit", lost);
          resolve(answers as Record<string, Answers>);
        });
        child.send("end", (error) => error && lost());
      });
    },
  };
}

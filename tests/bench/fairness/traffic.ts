import { fork } from "node:child_process";
import type { Bench } from "@/tests/bench/benchmark";

/** A request; objects of JSON alone, because it is sent to another process. */
export type Call = {
  method: string;
  path: string;
  /** Of its user; without it a stranger's. */
  cookie?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, a string as it is. */
  body?: unknown;
  /** So many characters of text as the `body` of that JSON. */
  fill?: number;
  /** Takes the time until the first bytes of the answer alone: the first event of a stream. */
  isStream?: true;
};

/** How calls are sent, one after the other and then from the first again. */
export type Pattern =
  /** One each so often, whether the last is answered or not, so that a stall counts as often as people would have asked. */
  | { kind: "every"; ms: number }
  /** So many connections, each with the next call as soon as it is answered. */
  | { kind: "loop"; connections: number }
  /** So many calls at once, each so often. */
  | { kind: "bursts"; size: number; ms: number }
  /** All calls at once, one time. */
  | { kind: "once" }
  /** So many sockets that ask and never read. */
  | { kind: "unread"; sockets: number }
  /** So many sockets, each of which sends its body a byte at a time. */
  | { kind: "drip"; sockets: number; ms: number };

export type Traffic = {
  name: string;
  pattern: Pattern;
  calls: Call[];
};

/** Milliseconds of each answer, and how many there were of each status; what has none is described in words. */
export type Answers = { times: number[]; statuses: Record<string, number> };

export type TrafficProcess = {
  begin(url: string, traffic: Traffic[]): void;
  /** Sends no more, waits for the answers that are open, and resolves with all of them by the traffic's name. */
  end(): Promise<Record<string, Answers>>;
};

/**
 * A process that sends requests, so that neither the samples and the engine in ours nor other traffic disturb its clock. It
 * ends with ours.
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

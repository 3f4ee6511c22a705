import { fork } from "node:child_process";
import type OpenAI from "openai";
import type { Bench } from "@/tests/bench/benchmark";

/** A part of the benchmark in a process of its own, so that its CPU time is its own too. */
export type Part<Ready = unknown> = {
  pid: number;
  ready: Ready;
  /** One question at a time. */
  ask<Answer>(question: unknown): Promise<Answer>;
};

/** A round of a peer: a call that the app made, so many times. */
export type PeerRound = { name: string; items: number; concurrency: number; body: OpenAI.ChatCompletionCreateParams };

/** Starts a part of part-main.ts; resolves with what it says when it is ready. It ends with the benchmark. */
export async function startPart<Ready>({ shutdown }: Bench, name: string, options: object): Promise<Part<Ready>> {
  const child = fork("tests/bench/queue/part-main.ts", [name, JSON.stringify(options)]);
  await shutdown.add(() => void child.kill("SIGKILL"));
  const next = <Message>() =>
    new Promise<Message>((resolve, reject) => {
      const lost = () => reject(new Error(`The process of the ${name} has ended.`));
      child.once("exit", lost);
      child.once("message", (message) => {
        child.off("exit", lost);
        resolve(message as Message);
      });
    });
  return {
    pid: child.pid ?? 0,
    ready: await next(),
    ask(question) {
      child.send(question as object);
      return next();
    },
  };
}

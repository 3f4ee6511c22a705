import { EventSourceParserStream } from "eventsource-parser/stream";
import type { QueueChanges } from "@/lib/features/work/schema";
import type { Caller } from "@/tests/support/app";

export type FollowedStream<T> = {
  status: number;
  /** The next changes; undefined at the end of the stream. */
  next(): Promise<T | undefined>;
  /** Reads on until some changes pass, and returns them. */
  until(passes: (changes: T) => boolean): Promise<T>;
  /** Reads on to the end. */
  ended(): Promise<void>;
  close(): Promise<void>;
};

/** Follows the queues of the caller's user. */
export function followQueue(caller: Caller, since?: string): Promise<FollowedStream<QueueChanges>> {
  return followStream(caller, since ? `/api/queue/events?since=${since}` : "/api/queue/events");
}

export async function followStream<T>(caller: Caller, url: string): Promise<FollowedStream<T>> {
  const { status, body } = await caller.respond("GET", url, undefined, { accept: "text/event-stream" });
  const reader = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();

  async function next(): Promise<T | undefined> {
    const read = await reader?.read();
    return read?.value ? (JSON.parse(read.value.data) as T) : undefined;
  }
  return {
    status,
    next,
    async until(passes) {
      for (;;) {
        const changes = await next();
        if (!changes) throw new Error("The stream has ended.");
        if (passes(changes)) return changes;
      }
    },
    async ended() {
      while (await next());
    },
    close: async () => reader?.cancel(),
  };
}

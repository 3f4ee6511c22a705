import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { eventsOf } from "@/lib/client/event-stream";
import { keys } from "@/lib/client/query-keys";
import { withChanges } from "@/lib/features/work/client/changes";
import type { QueueChanges, QueueStatus } from "@/lib/features/work/schema";

/** One tab of a browser reads the stream, the one that holds this lock, and passes on what it reads by a channel of this name. */
const NAME = "content-planner:queue";
/** The wait before the stream is opened again doubles up to the longest. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** The wait where there is no stream. */
const NO_STREAM_MS = 5 * 60_000;
/** A stream that lasted so long was a good one. */
const LASTED_MS = 10_000;

type Message = { userId: string; changes: QueueChanges };

/**
 * Keeps the cached status of the queues true to the second, in this tab and the user's others, by the server's stream. Where
 * there is none, or the browser lacks what it takes, the status is only polled.
 */
export function useLiveQueue(userId: string | undefined, isWanted: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!userId || !isWanted || !("locks" in navigator) || typeof BroadcastChannel === "undefined") return;
    const channel = new BroadcastChannel(NAME);
    const end = new AbortController();
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.userId === userId) apply(client, data.changes);
    };
    const read = (changes: QueueChanges) => {
      apply(client, changes);
      channel.postMessage({ userId, changes } satisfies Message);
    };
    navigator.locks
      .request(NAME, { signal: end.signal }, () => follow(client, read, end.signal))
      // Another tab has the lock, and this one does not want it any more.
      .catch(() => undefined);
    return () => {
      end.abort();
      channel.close();
    };
  }, [client, userId, isWanted]);
}

function apply(client: QueryClient, changes: QueueChanges): void {
  client.setQueryData<QueueStatus>(keys.queueStatus(), (before) => {
    if (before) return before.now > changes.now ? before : withChanges(before, changes);
    return changes.whole ? withChanges(changes, changes) : undefined;
  });
}

/** Reads the stream until `signal` says so, from where it broke off. */
async function follow(client: QueryClient, read: (changes: QueueChanges) => void, signal: AbortSignal): Promise<void> {
  for (let waitMs = FIRST_WAIT_MS; !signal.aborted; ) {
    const begunAt = Date.now();
    try {
      const since = client.getQueryData<QueueStatus>(keys.queueStatus())?.now;
      const events = await eventsOf(`/api/queue/events${since ? `?since=${encodeURIComponent(since)}` : ""}`, signal);
      if (!events) {
        // This server has no stream, or none at the moment.
        await pause(NO_STREAM_MS, signal);
        continue;
      }
      for await (const { event, data } of events) if (event === "changes") read(data as QueueChanges);
    } catch {
      // It is opened again below. What ends the session is noticed by the other calls.
    }
    waitMs = Date.now() - begunAt > LASTED_MS ? FIRST_WAIT_MS : Math.min(2 * waitMs, LONGEST_WAIT_MS);
    await pause(waitMs, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

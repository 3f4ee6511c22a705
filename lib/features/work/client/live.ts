import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { followChanges } from "@/lib/client/event-stream";
import { keys } from "@/lib/client/query-keys";
import { withChanges } from "@/lib/features/work/client/changes";
import type { QueueChanges, QueueStatus } from "@/lib/features/work/schema";

/** One tab of a browser reads the stream, the one that holds this lock, and passes on what it reads by a channel of this name. */
const NAME = "content-planner:queue";

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
      .request(NAME, { signal: end.signal }, () => followChanges(() => eventsUrl(client), read, end))
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

/** From where the stream broke off. */
function eventsUrl(client: QueryClient): string {
  const since = client.getQueryData<QueueStatus>(keys.queueStatus())?.now;
  return `/api/queue/events${since ? `?since=${encodeURIComponent(since)}` : ""}`;
}

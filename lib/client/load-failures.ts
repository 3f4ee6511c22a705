import { type Query, QueryCache } from "@tanstack/react-query";
import { ApiError, isNotFound } from "@/lib/client/api";
import { queryAt } from "@/lib/client/changes";
import { toastError, toasts } from "@/lib/client/toast";

/**
 * Notifies about failed loads: beside the screen's own sentence where there is no data yet, and alone where older data
 * stands. Once until it loads again, since the queue status is polled.
 */
export function tellingQueryCache(): QueryCache {
  const told = new WeakSet<object>();
  return new QueryCache({
    onSuccess(_data, query) {
      // The notification no longer holds.
      if (told.delete(query)) toasts.withdraw(subjectOf(query));
    },
    onError(error, query) {
      // In both cases the whole screen changes and says so.
      const isSignedOut = error instanceof ApiError && error.status === 401;
      if (isSignedOut || isNotFound(error) || told.has(query)) return;
      told.add(query);
      tellFailure(error, query);
    },
  });
}

function tellFailure(error: Error, query: Query<unknown, unknown>): void {
  const isOlderShown = query.state.data !== undefined;
  toastError(error, {
    title: queryAt(String(query.queryKey[0]))?.failed ?? "This did not load",
    fallback: "The server did not answer as expected.",
    note: isOlderShown ? "What you see may be out of date." : undefined,
    subject: subjectOf(query),
  });
}

function subjectOf({ queryHash }: Query<unknown, unknown>): string {
  return `load:${queryHash}`;
}

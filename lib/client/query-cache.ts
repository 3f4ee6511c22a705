import { type Query, QueryCache } from "@tanstack/react-query";
import { ApiError, isNotFound } from "@/lib/client/api";
import { operationOf } from "@/lib/client/changes";
import { toastError, toasts } from "@/lib/client/toast";

/**
 * Toasts each query that fails, because a list does not say that it is old. It does so once until the query loads again,
 * because the queue status is polled.
 */
export function createQueryCache(): QueryCache {
  const toasted = new WeakSet<object>();
  return new QueryCache({
    onSuccess(_data, query) {
      if (toasted.delete(query)) toasts.withdraw(subjectOf(query));
    },
    onError(error, query) {
      // Here the whole screen changes and says so.
      const isSignedOut = error instanceof ApiError && error.status === 401;
      const isHarmless = query.meta?.isStaleHarmless === true && query.state.data !== undefined;
      if (isSignedOut || isNotFound(error) || isHarmless || toasted.has(query)) return;
      toasted.add(query);
      toastFailure(error, query);
    },
  });
}

function toastFailure(error: Error, query: Query<unknown, unknown>): void {
  const hasOlderData = query.state.data !== undefined;
  toastError(error, {
    title: operationOf({ method: "GET", url: String(query.queryKey[0]) })?.shows?.failed ?? "This did not load",
    fallback: "The server did not answer as expected.",
    note: hasOlderData ? "What you see may be out of date." : undefined,
    subject: subjectOf(query),
  });
}

function subjectOf({ queryHash }: Query<unknown, unknown>): string {
  return `load:${queryHash}`;
}

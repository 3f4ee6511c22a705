import { type Query, QueryCache } from "@tanstack/react-query";
import { ApiError, isNotFound } from "@/lib/client/api";
import { queryAt } from "@/lib/client/changes";
import { toastError, toasts } from "@/lib/client/toast";

/**
 * Says when something did not load: besides the screen's own sentence where nothing is there yet, and as the only one where
 * older data stands. Once, until it loads again: the queues are asked for every ten seconds.
 */
export function tellingQueryCache(): QueryCache {
  const told = new WeakSet<object>();
  return new QueryCache({
    onSuccess(_data, query) {
      // What was said of it does not hold any more.
      if (told.delete(query)) toasts.withdraw(subjectOf(query));
    },
    onError(error, query) {
      // Both change the whole screen, which says it better.
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

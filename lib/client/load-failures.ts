import { type Query, QueryCache } from "@tanstack/react-query";
import { ApiError, isNotFound } from "@/lib/client/api";
import { queryAt } from "@/lib/client/changes";
import { toastError } from "@/lib/client/toast";

/**
 * Says when something did not load: besides the screen's own sentence where nothing is there yet, and as the only one where
 * older data stands. Once, until it loads again: the queues are asked for every ten seconds.
 */
export function tellingQueryCache(): QueryCache {
  const told = new WeakSet<object>();
  return new QueryCache({
    onSuccess: (_data, query) => void told.delete(query),
    onError(error, query) {
      // Both change the whole screen, which says it better.
      const isSignedOut = error instanceof ApiError && error.status === 401;
      if (isSignedOut || isNotFound(error) || told.has(query)) return;
      told.add(query);
      tellFailure(error, query);
    },
  });
}

function tellFailure(error: Error, { queryKey, state }: Query<unknown, unknown>): void {
  const title = queryAt(String(queryKey[0]))?.failed ?? "This did not load";
  const isOlderShown = state.data !== undefined;
  toastError(error, { title, fallback: isOlderShown ? OLDER_SHOWN : NOTHING_SHOWN });
}

const OLDER_SHOWN =
  "The server did not answer as expected. What you see may be out of date; load the page again to see.";
const NOTHING_SHOWN = "The server did not answer as expected. Nothing was changed; please try again.";

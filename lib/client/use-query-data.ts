"use client";

import { notifyManager, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

/**
 * The cached data of a query, without creating the query as useQuery would: in the shell that would come before the page
 * hydrates its data, and the server would render the page as loading.
 */
export function useQueryData<T>(queryKey: QueryKey, enabled = true): T | undefined {
  const client = useQueryClient();
  const subscribe = useCallback(
    (onChange: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [client],
  );
  const read = () => (enabled ? client.getQueryData<T>(queryKey) : undefined);
  return useSyncExternalStore(subscribe, read, () => undefined);
}

"use client";

import { notifyManager, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

/**
 * What the cache holds under a key, for parts of the shell. The cache is only listened to: asking with useQuery would make
 * the query before the page hands over its data, and the server would then draw the page as loading.
 */
export function useCached<T>(queryKey: readonly unknown[], enabled = true): T | undefined {
  const client = useQueryClient();
  const listen = useCallback(
    (changed: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(changed)),
    [client],
  );
  const read = () => (enabled ? client.getQueryData<T>(queryKey) : undefined);
  return useSyncExternalStore(listen, read, () => undefined);
}

"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { currentUserId } from "@/lib/client/current-user";
import { screenKey } from "@/lib/client/screen-memory";
import { type Lifetime, readTab, watchTab, writeTab } from "@/lib/client/tab-storage";

/**
 * Ids of what is open or chosen on the screen at this path, as it was left; null where nothing was kept. The first render
 * after a reload has none, as the server's.
 */
export function useRememberedIds(
  path: string,
  name: string,
  lifetime: Lifetime = "tab",
): [ids: string[] | null, remember: (ids: Iterable<string>) => void] {
  const key = screenKey(path, currentUserId(useQueryClient()), name);
  const stored = useSyncExternalStore(
    watchTab,
    () => readTab(key),
    () => null,
  );
  const ids = useMemo(() => idsOf(stored), [stored]);
  const remember = useCallback(
    (next: Iterable<string>) => writeTab(key, JSON.stringify([...next]), lifetime),
    [key, lifetime],
  );
  return [ids, remember];
}

/** Anybody may have written to the browser's storage. */
function idsOf(stored: string | null): string[] | null {
  try {
    const ids: unknown = JSON.parse(stored ?? "null");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : null;
  } catch {
    return null;
  }
}

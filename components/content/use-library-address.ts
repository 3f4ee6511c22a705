"use client";

import { useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { addressOf, filtersOf } from "@/components/content/library-query";
import type { LibraryFilters } from "@/lib/features/content/client";

/**
 * The library's filters, which live in the address so that it can be kept, shared and come back to. `turn` counts the times
 * they changed by something else than its fields (a link, the way back, a reset): what is typed then and not yet searched
 * for is void.
 */
export function useLibraryAddress() {
  const address = useSearchParams().toString();
  const [drawn, setDrawn] = useState(address);
  // Written by the fields and not drawn yet: the router follows a moment later, and may skip some.
  const [awaited, setAwaited] = useState<string[]>([]);
  const [turn, setTurn] = useState(0);
  const filters = useMemo(() => filtersOf(Object.fromEntries(new URLSearchParams(address))), [address]);

  if (address !== drawn) {
    const place = awaited.indexOf(address);
    setDrawn(address);
    setAwaited(place < 0 ? [] : awaited.slice(place + 1));
    if (place < 0) setTurn(turn + 1);
  }

  function change(changed: Partial<LibraryFilters>) {
    // The address as it is now: a search may begin after another filter has changed.
    const now = filtersOf(Object.fromEntries(new URLSearchParams(window.location.search)));
    const query = addressOf({ ...now, ...changed });
    const next = query.slice(1);
    setAwaited((written) => (next === (written.at(-1) ?? drawn) ? written : [...written, next]));
    write(query);
  }

  function reset() {
    setTurn((n) => n + 1);
    setAwaited([]);
    write("");
  }

  return { filters, turn, change, reset };
}

function write(query: string): void {
  window.history.replaceState(null, "", `${window.location.pathname}${query}`);
}

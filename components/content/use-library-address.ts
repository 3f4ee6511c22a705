"use client";

import { useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { addressOf, filtersOf } from "@/components/content/library-query";
import type { LibraryFilters } from "@/lib/features/content/client";

/**
 * The library's filters, which are in the address so that it can be bookmarked and shared. `turn` counts changes that do not
 * come from the filter bar (a link, the back button, a reset); they discard a search that is typed but not started.
 */
export function useLibraryAddress() {
  const address = useSearchParams().toString();
  const [rendered, setRendered] = useState(address);
  // Addresses we wrote that the router has not rendered yet; it may skip some.
  const [written, setWritten] = useState<string[]>([]);
  const [turn, setTurn] = useState(0);
  const filters = useMemo(() => filtersOf(Object.fromEntries(new URLSearchParams(address))), [address]);

  if (address !== rendered) {
    const place = written.indexOf(address);
    setRendered(address);
    setWritten(place < 0 ? [] : written.slice(place + 1));
    if (place < 0) setTurn(turn + 1);
  }

  function change(changed: Partial<LibraryFilters>) {
    // The latest address: another filter may have changed since the last render.
    const now = filtersOf(Object.fromEntries(new URLSearchParams(window.location.search)));
    const query = addressOf({ ...now, ...changed });
    const next = query.slice(1);
    setWritten((written) => (next === (written.at(-1) ?? rendered) ? written : [...written, next]));
    write(query);
  }

  function reset() {
    setTurn((n) => n + 1);
    setWritten([]);
    write("");
  }

  return { filters, turn, change, reset };
}

function write(query: string): void {
  window.history.replaceState(null, "", `${window.location.pathname}${query}`);
}

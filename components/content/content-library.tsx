"use client";

import { useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { LibraryFilterBar } from "@/components/content/library-filter-bar";
import { LibraryGroups } from "@/components/content/library-groups";
import { addressOf, filtersOf } from "@/components/content/library-query";
import { PageHeader } from "@/components/shared/page-header";
import type { LibraryFilters } from "@/lib/features/content/client";

/** The Content Library. Its filters live in the address, so that it can be kept, shared and come back to. */
export function ContentLibrary() {
  const address = useSearchParams().toString();
  const filters = useMemo(() => filtersOf(Object.fromEntries(new URLSearchParams(address))), [address]);
  // Counts resets: what is typed and not yet searched for is cleared with the rest.
  const [resets, setResets] = useState(0);

  function change(changed: Partial<LibraryFilters>) {
    // The address as it is now: a search may begin after another filter has changed.
    const now = filtersOf(Object.fromEntries(new URLSearchParams(window.location.search)));
    show({ ...now, ...changed });
  }

  function show(next: LibraryFilters) {
    window.history.replaceState(null, "", `${window.location.pathname}${addressOf(next)}`);
  }

  function reset() {
    setResets((n) => n + 1);
    show({});
  }

  return (
    <>
      <PageHeader title="Content Library" />
      <LibraryFilterBar resets={resets} filters={filters} onChange={change} onReset={reset} />
      <h2 className="sr-only">Content by project</h2>
      <LibraryGroups filters={filters} onReset={reset} />
    </>
  );
}

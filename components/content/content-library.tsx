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
  const params = useSearchParams();
  const [resets, setResets] = useState(0);
  const filters = useMemo(() => filtersOf(Object.fromEntries(params)), [params]);

  function change(changed: Partial<LibraryFilters>) {
    // The address as it is now: a search may begin after another filter has changed.
    const now = filtersOf(Object.fromEntries(new URLSearchParams(window.location.search)));
    show({ ...now, ...changed });
  }

  function show(next: LibraryFilters) {
    window.history.replaceState(null, "", `${window.location.pathname}${addressOf(next)}`);
  }

  function showAll() {
    show({});
    // The search field keeps what is typed to itself: a new one is empty.
    setResets(resets + 1);
  }

  return (
    <>
      <PageHeader title="Content Library" />
      <LibraryFilterBar key={resets} filters={filters} onChange={change} onReset={() => show({})} />
      <h2 className="sr-only">Content by project</h2>
      <LibraryGroups filters={filters} onReset={showAll} />
    </>
  );
}

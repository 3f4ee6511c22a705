"use client";

import { LibraryFilterBar } from "@/components/content/library-filter-bar";
import { LibraryGroups } from "@/components/content/library-groups";
import { useLibraryAddress } from "@/components/content/use-library-address";
import { PageHeader } from "@/components/shared/page-header";

/** All of the user's content by project and topic, filtered by search, project and status, and by what a link adds. */
export function ContentLibrary() {
  const { filters, turn, change, reset } = useLibraryAddress();
  return (
    <>
      <PageHeader title="Content Library" />
      <LibraryFilterBar turn={turn} filters={filters} onChange={change} onReset={reset} />
      <h2 className="sr-only">Content by project</h2>
      <LibraryGroups filters={filters} onReset={reset} />
    </>
  );
}

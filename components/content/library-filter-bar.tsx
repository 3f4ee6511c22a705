"use client";

import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import type { LibraryFilters } from "@/lib/features/content/client";
import type { ContentStatus } from "@/lib/features/content/schema";
import { projectsQuery } from "@/lib/features/projects/client";

/** Time after the last key before the search begins, in milliseconds. */
const DEBOUNCE_MS = 300;
/** A select has no empty value. */
const ALL = "all";

const STATUSES: Record<ContentStatus, string> = {
  draft: "Draft",
  review: "Under Review",
  published: "Published",
  unpublished: "Unpublished",
  wp_draft: "WordPress Draft",
  wp_published: "WordPress Published",
  wp_failed: "WordPress Failed",
};

/** Search, project and status of the library, and a way to clear all three. `resets` counts how often they were. */
export function LibraryFilterBar({
  filters,
  resets,
  onChange,
  onReset,
}: {
  filters: LibraryFilters;
  resets: number;
  onChange: (change: Partial<LibraryFilters>) => void;
  onReset: () => void;
}) {
  const { data: projects } = useQuery(projectsQuery());
  return (
    // Not a form: there is nothing to send, and in one each select would carry a hidden native one with all projects.
    // biome-ignore lint/a11y/useSemanticElements: <search> is not in every browser yet.
    <div
      role="search"
      aria-label="Filter content"
      className="my-6 grid grid-cols-2 gap-2 max-md:my-4 md:grid-cols-[1fr_1fr_auto] xl:grid-cols-[minmax(200px,1fr)_232px_208px_auto]"
    >
      {/* Anew and empty after each reset, which the address has not followed yet: what is only typed goes with the rest. */}
      <SearchField
        key={resets}
        search={resets === 0 ? (filters.search ?? "") : ""}
        onSearch={(search) => onChange({ search })}
      />
      <Select
        value={filters.projectId === undefined ? ALL : String(filters.projectId)}
        onValueChange={(value) => onChange({ projectId: value === ALL ? undefined : Number(value) })}
      >
        <SelectTrigger aria-label="Project">
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value={ALL}>All Projects</SelectItem>
          {projects?.map(({ id, title }) => (
            <SelectItem key={id} value={String(id)}>
              <bdi>{title || `Project ${id}`}</bdi>
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
      <Select
        value={filters.status ?? ALL}
        onValueChange={(value) => onChange({ status: value === ALL ? undefined : (value as ContentStatus) })}
      >
        <SelectTrigger aria-label="Status">
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value={ALL}>All Statuses</SelectItem>
          {Object.entries(STATUSES).map(([status, label]) => (
            <SelectItem key={status} value={status}>
              {label}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
      <Button variant="ghost" className="max-md:col-span-full xl:-mr-3.5" onClick={onReset}>
        Reset Filters
      </Button>
    </div>
  );
}

/** Searches when the typing pauses. The text is held here: a key must not draw the whole library anew. */
function SearchField({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const [text, setText] = useState(search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function type(value: string) {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(value.trim()), DEBOUNCE_MS);
  }

  return (
    <span className="relative col-span-full xl:col-span-1">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
      />
      <Input
        type="search"
        dir="auto"
        value={text}
        placeholder="Search content..."
        aria-label="Search content"
        onChange={(event) => type(event.target.value)}
        className="pl-9"
      />
    </span>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import type { LibraryFilters } from "@/lib/features/content/client";
import { SEARCH_MAX } from "@/lib/features/content/rules";
import { CONTENT_STATES, CONTENT_STATUSES, type ContentStatus } from "@/lib/features/content/states";
import { projectsQuery } from "@/lib/features/projects/client";

/** Time after the last key before the search begins, in milliseconds. */
const DEBOUNCE_MS = 300;
/** A select has no empty value. */
const ALL = "all";

/** Search, project and status of the library, and a way to clear all three. `turn`: see use-library-address.ts. */
export function LibraryFilterBar({
  filters,
  turn,
  onChange,
  onReset,
}: {
  filters: LibraryFilters;
  turn: number;
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
      <SearchField search={filters.search ?? ""} turn={turn} onSearch={(search) => onChange({ search })} />
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
          {CONTENT_STATUSES.map((status) => (
            <SelectItem key={status} value={status}>
              {CONTENT_STATES[status].filter}
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

/**
 * Shows what the list is filtered by, or what is typed over it, and searches when the typing pauses or the field is left. The text is held here:
 * a key must not draw the whole library again.
 */
function SearchField({ search, turn, onSearch }: { search: string; turn: number; onSearch: (search: string) => void }) {
  const [typed, setTyped] = useState<{ text: string; turn: number; isSent: boolean } | null>(null);
  const text = typed?.turn === turn ? typed.text : null;
  const waiting = typed?.isSent ? null : text;

  function begin() {
    if (waiting === null) return;
    setTyped({ text: waiting, turn, isSent: true });
    onSearch(waiting.trim());
  }

  /** What takes the focus may lead elsewhere: a search that began after it would take the person back. */
  function leave(to: Element | null) {
    // Searching now would replace the row between press and release.
    if (to?.closest("[role='list']") && to.matches(":active"))
      window.addEventListener("click", endPress, { once: true });
    else begin();
  }

  function endPress({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) {
    const isLink = target instanceof Element && target.closest("a[href]") !== null;
    if (isLink && !(ctrlKey || metaKey || shiftKey)) setTyped(null);
    else beginLate();
  }

  const beginLate = useEffectEvent(begin);
  useEffect(() => {
    if (waiting === null) return;
    const timer = setTimeout(() => beginLate(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [waiting]);

  return (
    <span className="relative col-span-full xl:col-span-1">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
      />
      <Input
        type="search"
        dir="auto"
        maxLength={SEARCH_MAX}
        value={text ?? search}
        placeholder="Search content..."
        aria-label="Search content"
        onChange={(event) => setTyped({ text: event.target.value, turn, isSent: false })}
        onBlur={({ relatedTarget }) => leave(relatedTarget)}
        className="pl-9"
      />
    </span>
  );
}

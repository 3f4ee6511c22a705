"use client";

import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { FilterSelect } from "@/components/content/filter-select";
import { LinkedFilters } from "@/components/content/linked-filters";
import { ReasonButton } from "@/components/shared/reason-button";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import type { LibraryFilters } from "@/lib/features/content/client";
import { SEARCH_MAX } from "@/lib/features/content/rules";
import { CONTENT_STATES, CONTENT_STATUSES, type ContentStatus } from "@/lib/features/content/states";
import { projectsQuery } from "@/lib/features/projects/client";

const DEBOUNCE_MS = 300;
/** Stands for no filter: a select has no empty value. */
const ALL = "all";

const STATUS_OPTIONS = [
  { value: ALL, label: "All Statuses" },
  ...CONTENT_STATUSES.map((status) => ({ value: status, label: CONTENT_STATES[status].filter })),
];

/** The library's search, project, status and newer-here filters, those of a link, and their reset. `turn`: see use-library-address.ts. */
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
  const [isTyping, setTyping] = useState(false);
  return (
    // This is not a form, in which Radix would add a hidden native select with all projects.
    // biome-ignore lint/a11y/useSemanticElements: <search> is not in every browser yet.
    <div
      role="search"
      aria-label="Filter content"
      className="my-6 grid grid-cols-2 gap-2 max-md:my-4 md:grid-cols-[1fr_1fr_auto_auto] xl:grid-cols-[minmax(200px,1fr)_232px_208px_auto_auto]"
    >
      <SearchField
        value={filters.search ?? ""}
        turn={turn}
        onTyping={setTyping}
        onSearch={(search) => onChange({ search })}
      />
      <FilterSelect
        label="Project"
        value={filters.projectId === undefined ? ALL : String(filters.projectId)}
        options={[{ value: ALL, label: "All Projects" }, ...(projects ?? []).map(projectOption)]}
        // A topic of a link is of one project.
        onValueChange={(value) =>
          onChange({ projectId: value === ALL ? undefined : Number(value), topicId: undefined })
        }
      />
      <FilterSelect
        label="Status"
        value={filters.status ?? ALL}
        options={STATUS_OPTIONS}
        onValueChange={(value) => onChange({ status: value === ALL ? undefined : (value as ContentStatus) })}
      />
      <Button
        variant="outline"
        aria-pressed={filters.newerHere !== undefined}
        title="Live pieces whose text here is newer than the post on your site"
        className="aria-pressed:border-transparent aria-pressed:bg-accent aria-pressed:text-accent-foreground"
        onClick={() => onChange({ newerHere: filters.newerHere ? undefined : "true" })}
      >
        Newer here
      </Button>
      <ReasonButton
        variant="ghost"
        className="xl:-mr-3.5"
        disabledReason={Object.keys(filters).length === 0 && !isTyping && "No filter is set"}
        onClick={() => {
          setTyping(false);
          onReset();
        }}
      >
        Reset Filters
      </ReasonButton>
      <LinkedFilters filters={filters} onChange={onChange} />
    </div>
  );
}

function projectOption({ id, title }: { id: number; title: string }) {
  return { value: String(id), label: <bdi>{title || `Project ${id}`}</bdi> };
}

/** Searches when typing pauses or the field loses focus. It holds the text, so that a key does not re-render the library. */
function SearchField({
  value,
  turn,
  onTyping,
  onSearch,
}: {
  value: string;
  turn: number;
  /** Called when a text begins to wait for its search, and when it waits no more. */
  onTyping: (isTyping: boolean) => void;
  onSearch: (search: string) => void;
}) {
  const [typed, setTyped] = useState<{ text: string; turn: number; isSent: boolean } | null>(null);
  const text = typed?.turn === turn ? typed.text : null;
  const pending = typed?.isSent ? null : text;

  function search() {
    if (pending === null) return;
    setTyped({ text: pending, turn, isSent: true });
    onTyping(false);
    onSearch(pending.trim());
  }

  /** Focus may move to a link. A search after its click would undo the navigation. */
  function searchOnBlur(focused: Element | null) {
    // Searching now would replace the pressed row before its click.
    if (focused?.closest("[role='list']") && focused.matches(":active"))
      window.addEventListener("click", searchAfterClick, { once: true });
    else search();
  }

  function searchAfterClick({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) {
    const isLink = target instanceof Element && target.closest("a[href]") !== null;
    if (isLink && !(ctrlKey || metaKey || shiftKey)) setTyped(null);
    else searchLater();
  }

  const searchLater = useEffectEvent(search);
  useEffect(() => {
    if (pending === null) return;
    const timer = setTimeout(() => searchLater(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [pending]);

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
        value={text ?? value}
        placeholder="Search content..."
        aria-label="Search content"
        onChange={(event) => {
          setTyped({ text: event.target.value, turn, isSent: false });
          onTyping(true);
        }}
        onBlur={({ relatedTarget }) => searchOnBlur(relatedTarget)}
        className="pl-9"
      />
    </span>
  );
}

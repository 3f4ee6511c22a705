"use client";

import { keepPreviousData } from "@tanstack/react-query";
import Link from "next/link";
import { useCallback, useMemo, useRef } from "react";
import { GroupPlaceholders } from "@/components/content/group-placeholders";
import { type LibraryItem, type LibraryTopic, libraryItems } from "@/components/content/library-items";
import { LibraryLine } from "@/components/content/library-line";
import { addressOf } from "@/components/content/library-query";
import { RowLoader, useLibraryRows } from "@/components/content/library-rows";
import { NothingLinked } from "@/components/content/linked-filters";
import { EmptyState } from "@/components/shared/empty-state";
import { ErrorState } from "@/components/shared/error-state";
import { useVirtualWindow } from "@/components/shared/use-virtual-window";
import { Button } from "@/components/ui/button";
import { useOptimisticQuery } from "@/lib/client/optimistic";
import { useRememberedIds } from "@/lib/client/use-remembered-ids";
import { type LibraryFilters, libraryGroupsQuery } from "@/lib/features/content/client";
import type { ContentGroup } from "@/lib/features/content/schema";
import { useReviews } from "@/lib/features/publishing/client/reviews";
import { isPublishable } from "@/lib/features/publishing/rules";
import { cn } from "@/lib/utils/cn";

/** Projects open initially: the newest, or the first matches of a filter. */
const OPEN_INITIALLY = 1;
const OPEN_MATCHES = 3;

/** The library's content by project; several projects may be open. */
export function LibraryGroups({ filters, onReset }: { filters: LibraryFilters; onReset: () => void }) {
  const groups = useOptimisticQuery({ ...libraryGroupsQuery(filters), placeholderData: keepPreviousData });
  const isFiltered = Object.keys(filters).length > 0;
  if (groups.isError && !groups.data) {
    return (
      <ErrorState
        title="Error fetching content"
        error={groups.error}
        pending={groups.isFetching}
        onRetry={() => groups.refetch()}
      />
    );
  }
  if (!groups.data) return <GroupPlaceholders />;
  if (groups.data.length === 0) {
    return (
      <EmptyState
        title="No content found"
        description={
          <>
            <NothingLinked filters={filters} />
            <span>Try adjusting your filters or create new content</span>
          </>
        }
        action={
          isFiltered ? (
            <Button variant="outline" onClick={onReset}>
              Show all content
            </Button>
          ) : (
            <Button asChild variant="outline">
              <Link href="/">Go to Projects</Link>
            </Button>
          )
        }
      />
    );
  }
  return (
    <div className={cn("transition-opacity", groups.isPlaceholderData && "opacity-60")} aria-busy={groups.isFetching}>
      {/* Each filter's list starts with its own first projects open. */}
      <Groups key={JSON.stringify(filters)} groups={groups.data} filters={filters} isFiltered={isFiltered} />
    </div>
  );
}

/** Estimated heights on wide screens, in pixels. */
const HEIGHTS: Record<LibraryItem["kind"], number> = { project: 53, topic: 69, row: 41, placeholder: 41, failure: 120 };

function Groups({
  groups,
  filters,
  isFiltered,
}: {
  groups: ContentGroup[];
  filters: LibraryFilters;
  isFiltered: boolean;
}) {
  const [chosen, remember] = useRememberedIds("/content", `open${addressOf(filters)}`);
  const rowsOf = useLibraryRows(filters);
  const open = useMemo(
    () =>
      new Set(
        chosen?.map(Number) ??
          groups.slice(0, isFiltered ? OPEN_MATCHES : OPEN_INITIALLY).map(({ projectId }) => projectId),
      ),
    [chosen, groups, isFiltered],
  );
  const items = useMemo(() => libraryItems(groups, (id) => open.has(id), rowsOf), [groups, open, rowsOf]);
  const { first, end, before, after, isScrolling, listRef, follower, measure } = useVirtualWindow({
    count: items.length,
    keyOf: useCallback((index: number) => items[index]?.key ?? String(index), [items]),
    estimate: useCallback((index: number) => HEIGHTS[items[index]?.kind ?? "row"], [items]),
  });
  const rendered = items.slice(first, end);
  const loaded = useSettled(topicsOf(rendered), isScrolling);
  const { reviews } = useReviews(
    useMemo(() => textsOf(items), [items]),
    useSettled(new Set(textsOf(rendered)), isScrolling),
  );

  const toggle = useCallback(
    (projectId: number) => {
      const next = new Set(open);
      if (!next.delete(projectId)) next.add(projectId);
      remember([...next].map(String));
    },
    [open, remember],
  );

  return (
    // biome-ignore lint/a11y/useSemanticElements: only a part of the list is rendered.
    <div ref={listRef} role="list" className="border-b" style={{ paddingTop: before, paddingBottom: after }}>
      {follower}
      {rendered.map((item, at) => (
        <LibraryLine
          key={item.key}
          ref={measure}
          item={item}
          index={first + at}
          total={items.length}
          filters={filters}
          score={item.kind === "row" ? reviews.get(item.piece.id)?.score : undefined}
          onToggle={toggle}
        />
      ))}
      {loaded.map(({ topic, wantsMore }) => (
        <RowLoader key={topic.topicId} filters={filters} topic={topic} wantsMore={wantsMore} />
      ))}
    </div>
  );
}

type Wanted = { topic: LibraryTopic; wantsMore: boolean };

/** The topics of these lines; those with a placeholder need more rows. */
function topicsOf(rendered: LibraryItem[]): Wanted[] {
  const wanted = new Map<number, Wanted>();
  for (const item of rendered) {
    if (item.kind === "project") continue;
    const wantsMore = item.kind === "placeholder" || wanted.get(item.topic.topicId)?.wantsMore === true;
    wanted.set(item.topic.topicId, { topic: item.topic, wantsMore });
  }
  return [...wanted.values()];
}

/** The pieces among these lines that have a text. */
function textsOf(items: LibraryItem[]): string[] {
  return items.flatMap((item) => (item.kind === "row" && isPublishable(item.piece) ? item.piece.id : []));
}

/** Loads nothing that is scrolled past: during scrolling, what is wanted stays that of before. */
function useSettled<T>(wanted: T, isScrolling: boolean): T {
  const settled = useRef(wanted);
  if (!isScrolling) settled.current = wanted;
  return settled.current;
}

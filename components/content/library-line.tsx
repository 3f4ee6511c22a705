"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { memo, type ReactNode, type Ref } from "react";
import type { LibraryItem, LibraryTopic } from "@/components/content/library-items";
import { LibraryRow } from "@/components/content/library-row";
import { TopicAiActions, type TopicStep } from "@/components/generation/topic-ai-actions";
import { ErrorState } from "@/components/shared/error-state";
import { Badge } from "@/components/ui/badge";
import { Skeleton } from "@/components/ui/skeleton";
import { placeRow } from "@/lib/client/page-place";
import { type LibraryFilters, libraryRowsQuery } from "@/lib/features/content/client";
import type { ContentGroup } from "@/lib/features/content/schema";
import { cn } from "@/lib/utils/cn";

/** The sides of a topic's card, which on phones spans the screen. */
const CARD = "border-x bg-card max-md:-mx-4 max-md:border-x-0";

/** One line of the library. Memoised: scrolling re-renders the list, not its lines. */
export const LibraryLine = memo(function LibraryLine({
  ref,
  item,
  index,
  total,
  filters,
  score,
  onToggle,
}: {
  ref: Ref<HTMLDivElement>;
  item: LibraryItem;
  index: number;
  total: number;
  filters: LibraryFilters;
  score: number | null | undefined;
  onToggle: (projectId: number) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: only a part of the list is rendered.
    <div
      ref={ref}
      data-index={index}
      {...placeRow(item.key)}
      role="listitem"
      aria-setsize={total}
      aria-posinset={index + 1}
      className={item.kind !== "project" && item.kind !== "topic" && item.endsProject ? "pb-6" : undefined}
    >
      {item.kind === "project" ? (
        <ProjectHead group={item.group} isOpen={item.isOpen} onToggle={onToggle} />
      ) : item.kind === "topic" ? (
        <TopicHead topic={item.topic} next={item.next} />
      ) : (
        <div className={cn(CARD, item.endsTopic && "rounded-b-md border-b max-md:rounded-none")}>
          {item.kind === "row" ? (
            <LibraryRow piece={item.piece} score={score} />
          ) : item.kind === "placeholder" ? (
            <div className="flex h-(--row) items-center border-t px-4 max-xl:h-[65px] max-md:h-[93px]">
              <span className="sr-only">Loading</span>
              <Skeleton className="h-4 w-2/5" />
            </div>
          ) : (
            <RowsFailure topic={item.topic} filters={filters} />
          )}
        </div>
      )}
    </div>
  );
});

function ProjectHead({
  group: { projectId, title, count },
  isOpen,
  onToggle,
}: {
  group: ContentGroup;
  isOpen: boolean;
  onToggle: (projectId: number) => void;
}) {
  return (
    <h3 className="border-t">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onToggle(projectId)}
        className="flex min-h-13 w-full min-w-0 items-center gap-3 py-3 text-left font-medium hover:bg-hover focus-visible:-outline-offset-2 max-md:min-h-14"
      >
        <ChevronRight
          aria-hidden="true"
          className={cn(
            "size-4 shrink-0 text-muted-foreground transition-transform duration-160",
            isOpen && "rotate-90",
          )}
        />
        <span
          dir="auto"
          className="wrap-anywhere min-w-0 font-serif text-lg tracking-[-0.008em] max-md:text-md md:truncate"
          title={title}
        >
          {title || `Project ${projectId}`}
        </span>
        <Badge variant="count" className="shrink-0 max-md:ml-auto">
          {count}
          <span className="sr-only"> {count === 1 ? "item" : "items"}</span>
        </Badge>
      </button>
    </h3>
  );
}

function TopicHead({ topic, next }: { topic: LibraryTopic; next: TopicStep }) {
  const name = topic.name || `Topic ${topic.topicId}`;
  return (
    <div className="pt-4">
      <div
        className={cn(
          CARD,
          "flex min-h-13 items-center gap-2 rounded-t-md border-t py-2 pr-2 pl-4 max-sm:flex-wrap max-md:rounded-none max-sm:pt-3",
        )}
      >
        <h4 className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere] max-sm:basis-full">
          <span dir="auto">{name}</span>{" "}
          <span className="ml-1 font-normal text-muted-foreground tabular-nums">{topic.count}</span>
        </h4>
        <TopicAiActions topic={{ id: topic.topicId, projectId: topic.projectId }} name={name} next={next} />
      </div>
    </div>
  );
}

/** The first or the next rows of a topic failed to load. */
function RowsFailure({ topic, filters }: { topic: LibraryTopic; filters: LibraryFilters }): ReactNode {
  const rows = useInfiniteQuery(libraryRowsQuery(filters, topic.projectId, topic.topicId));
  return (
    <div className="border-t p-4">
      <ErrorState
        title="Failed to fetch content"
        error={rows.error}
        pending={rows.isFetching}
        onRetry={() => (rows.data ? rows.fetchNextPage() : rows.refetch())}
      />
    </div>
  );
}

"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { LibraryRow } from "@/components/content/library-row";
import { TopicAiActions } from "@/components/generation/topic-ai-actions";
import { ErrorState } from "@/components/shared/error-state";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { type LibraryFilters, libraryRowsQuery } from "@/lib/features/content/client";
import type { ContentGroup } from "@/lib/features/content/schema";

type Topic = ContentGroup["topics"][number];

/** Placeholders shown at most while the rows load. */
const MAX_PLACEHOLDERS = 50;

/** A topic's card in the library; its rows are loaded when it comes on screen. */
export function LibraryTopic({
  projectId,
  topic,
  filters,
}: {
  projectId: number;
  topic: Topic;
  filters: LibraryFilters;
}) {
  const name = topic.name || `Topic ${topic.topicId}`;
  return (
    <Card className="my-4 max-md:-mx-4 max-md:rounded-none max-md:border-x-0">
      <div className="flex min-h-13 items-center gap-2 py-2 pr-2 pl-4">
        <h4 className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">
          {name} <span className="ml-1 font-normal text-muted-foreground tabular-nums">{topic.count}</span>
        </h4>
        <TopicAiActions topic={{ id: topic.topicId, projectId }} name={name} />
      </div>
      <Rows projectId={projectId} topic={topic} filters={filters} />
    </Card>
  );
}

function Rows({ projectId, topic, filters }: { projectId: number; topic: Topic; filters: LibraryFilters }) {
  const rows = useInfiniteQuery(libraryRowsQuery(filters, projectId, topic.topicId));
  if (rows.isError && !rows.data) {
    return (
      <div className="px-4 pb-4">
        <ErrorState
          title="Failed to fetch content"
          error={rows.error}
          pending={rows.isFetching}
          onRetry={() => rows.refetch()}
        />
      </div>
    );
  }
  if (!rows.data) return <Placeholders count={Math.min(topic.count, MAX_PLACEHOLDERS)} />;
  return (
    <>
      <ul>
        {rows.data.pages
          .flatMap((page) => page.items)
          .map((piece) => (
            <LibraryRow key={piece.id} piece={piece} />
          ))}
      </ul>
      {rows.hasNextPage ? (
        <div className="border-t px-4 py-2">
          <Button variant="ghost" size="sm" pending={rows.isFetchingNextPage} onClick={() => rows.fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** As high as the rows that are coming. */
function Placeholders({ count }: { count: number }) {
  return (
    <ul aria-label="Content is loading">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else and never move.
        <li key={index} className="flex h-(--row) items-center gap-3 border-t px-4 max-xl:h-[65px] max-md:h-[93px]">
          <Skeleton className="h-4 w-2/5" />
        </li>
      ))}
    </ul>
  );
}

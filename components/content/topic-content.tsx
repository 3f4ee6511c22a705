"use client";

import { Lightbulb, Plus } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { TopicContentRow } from "@/components/content/topic-content-row";
import { TopicAiActions } from "@/components/generation/topic-ai-actions";
import { ErrorState } from "@/components/shared/error-state";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import { useVirtualWindow } from "@/components/shared/use-virtual-window";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { useOptimisticInfiniteQuery, useOptimisticQuery } from "@/lib/client/optimistic";
import { topicContentQuery } from "@/lib/features/content/client";
import type { ContentSummary } from "@/lib/features/content/schema";
import { topicsQuery } from "@/lib/features/topics/client";
import type { TopicOut } from "@/lib/features/topics/schema";

/** Placeholders shown at most while the pieces load. */
const MAX_PLACEHOLDERS = 10;

const AddContentDialog = lazyDialog(() =>
  import("@/components/content/add-content-dialog").then((module) => module.AddContentDialog),
);

const IdeasDialog = lazyDialog(() =>
  import("@/components/generation/ideas-dialog").then((module) => module.IdeasDialog),
);

/** The pieces under a topic, with buttons above them, which the specified text of an empty list points to. */
export function TopicContent({ topic }: { topic: TopicOut }) {
  const [isAdding, setAdding] = useState(false);
  const [isGenerating, setGenerating] = useState(false);
  const { data: topics = [topic] } = useOptimisticQuery(topicsQuery(topic.projectId));
  return (
    <section aria-label={`Content of ${topic.name}`} className="mt-7">
      <div className="mb-2 flex min-h-7 flex-wrap items-center gap-2">
        <h4 className="font-medium max-md:basis-full md:flex-1">
          Content <span className="ml-1 font-normal text-muted-foreground tabular-nums">{topic.contentCount}</span>
        </h4>
        <Button
          variant="ghost"
          size="sm"
          className="max-md:flex-1 max-md:border-border-strong max-md:px-2"
          onClick={() => setAdding(true)}
        >
          <Plus aria-hidden="true" className="max-md:hidden" />
          Add Content
        </Button>
        <Button variant="outline" size="sm" className="max-md:flex-1 max-md:px-2" onClick={() => setGenerating(true)}>
          <Lightbulb aria-hidden="true" className="max-md:hidden" />
          Create Ideas
        </Button>
      </div>
      <QueueButtons topic={topic} />
      <Pieces topic={topic} />
      <AddContentDialog topic={topic} open={isAdding} onOpenChange={setAdding} />
      <IdeasDialog
        projectId={topic.projectId}
        topics={topics}
        topicId={topic.id}
        open={isGenerating}
        onOpenChange={setGenerating}
      />
    </section>
  );
}

/** What the AI can do for all of the topic's pieces at once. When a job has done it all, the line stays, so that no row moves. */
function QueueButtons({ topic }: { topic: TopicOut }) {
  const { unoutlinedCount: outlines, unwrittenCount: content } = topic;
  const isNeeded = Boolean(outlines || content);
  const [isKept, setKept] = useState(isNeeded);
  if (isNeeded && !isKept) setKept(true);
  if (!isKept) return null;
  return (
    <div className="mb-2 flex min-h-(--control-sm) md:-ml-2.5">
      {isNeeded ? (
        <TopicAiActions
          topic={topic}
          name={`the content of ${topic.name}`}
          next={outlines ? "outlines" : "content"}
          counts={{ outlines, content }}
        />
      ) : null}
    </div>
  );
}

function Pieces({ topic }: { topic: TopicOut }) {
  const pieces = useOptimisticInfiniteQuery(topicContentQuery(topic.projectId, topic.id));
  const rows = useMemo(() => pieces.data?.pages.flatMap((page) => page.items) ?? [], [pieces.data]);
  if (pieces.isError && !pieces.data) {
    return (
      <ErrorState
        title="Failed to fetch content"
        error={pieces.error}
        pending={pieces.isFetching}
        onRetry={() => pieces.refetch()}
      />
    );
  }
  if (!pieces.data) return <Placeholders count={Math.min(topic.contentCount, MAX_PLACEHOLDERS)} />;
  if (rows.length === 0) {
    return (
      <p className="border-t py-3 text-muted-foreground">
        No content pieces yet. Click the button above to generate content ideas.
      </p>
    );
  }
  return (
    <>
      <Rows pieces={rows} />
      {pieces.hasNextPage ? (
        <Button
          variant="outline"
          size="sm"
          className="mt-3"
          pending={pieces.isFetchingNextPage}
          onClick={() => pieces.fetchNextPage()}
        >
          Show more
        </Button>
      ) : null}
    </>
  );
}

/** The height of a row on wide screens, in pixels. */
const ROW_HEIGHT = 41;

function Rows({ pieces }: { pieces: ContentSummary[] }) {
  const { first, end, before, after, listRef, follower, measure } = useVirtualWindow({
    count: pieces.length,
    keyOf: useCallback((index: number) => pieces[index]?.id ?? String(index), [pieces]),
    estimate: useCallback(() => ROW_HEIGHT, []),
  });
  return (
    <div ref={listRef} className="border-t" style={{ paddingTop: before, paddingBottom: after }}>
      {follower}
      <ul>
        {pieces.slice(first, end).map((piece, at) => (
          <TopicContentRow key={piece.id} piece={piece} ref={measure} index={first + at} />
        ))}
      </ul>
    </div>
  );
}

function Placeholders({ count }: { count: number }) {
  return (
    <ul className="border-t" aria-label="Content is loading">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no id and never move.
        <li key={index} className="flex min-h-(--row) items-center not-last:border-b">
          <Skeleton className="h-4 w-3/5" />
        </li>
      ))}
    </ul>
  );
}

"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { PieceSections } from "@/components/publishing/piece-sections";
import { PublishButtons } from "@/components/publishing/publish-buttons";
import { PublishingJob } from "@/components/publishing/publishing-job";
import { type Section, sectionsByTopic } from "@/components/publishing/section-lines";
import { withChecked, withoutMissing } from "@/components/publishing/selection";
import { EmptyState } from "@/components/shared/empty-state";
import { ErrorState } from "@/components/shared/error-state";
import type { PageAction } from "@/components/shared/page-actions";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { useRememberedIds } from "@/lib/client/use-remembered-ids";
import type { ContentSummary } from "@/lib/features/content/schema";
import { usePublishing } from "@/lib/features/publishing/client";
import type { TopicOut } from "@/lib/features/topics/schema";
import { cn } from "@/lib/utils/cn";

type Topics = UseQueryResult<TopicOut[]>;

/** A project's publishable pieces, by topic and as one list, with the bulk actions. */
export function PublishableContent({
  projectId,
  pieces,
  topics,
  pageActions,
}: {
  projectId: number;
  pieces: ContentSummary[];
  topics: Topics;
  pageActions: PageAction[];
}) {
  const publishing = usePublishing(projectId);
  const path = `/wp-publishing/${projectId}`;
  const [chosen, choose] = useRememberedIds(path, "selected", "page");
  const [tab, rememberTab] = useRememberedIds(path, "tab");
  const selected = withoutMissing(
    new Set(chosen),
    pieces.map(({ id }) => id),
  );
  const select = (ids: string[], checked: boolean) => choose(withChecked(selected, ids, checked));
  const names = useMemo(() => new Map(topics.data?.map(({ id, name }) => [id, name])), [topics.data]);
  const topicNameOf = (topicId: number) => names.get(topicId) || undefined;
  const byTopic = useMemo(() => sectionsByTopic(topics.data ?? [], pieces), [topics.data, pieces]);
  const all = useMemo(() => [{ key: "all", label: "all content", topic: null, pieces }], [pieces]);
  /** On phones the list begins at the tabs' line. */
  const listed = pieces.length > 0 && "max-md:pt-0";
  const table = { topicNameOf, selected, onSelect: select, publishing };
  return (
    <>
      <PublishButtons
        projectId={projectId}
        pieces={pieces}
        topicNameOf={topicNameOf}
        selected={selected}
        publishing={publishing}
        pageActions={pageActions}
        onStarted={() => choose([])}
      />
      <PublishingJob projectId={projectId} />
      <Tabs value={tab?.[0] === "all" ? "all" : "topic"} onValueChange={(value) => rememberTab([value])}>
        <TabsList className="max-md:-mx-4 max-md:px-4">
          <TabsTrigger value="topic">By Topic</TabsTrigger>
          <TabsTrigger value="all">All Content</TabsTrigger>
        </TabsList>
        <TabsContent value="topic" className={cn("grid grid-cols-1 gap-6 pt-6", topics.data && listed)}>
          <ByTopic pieces={pieces} topics={topics} sections={byTopic} table={table} />
        </TabsContent>
        <TabsContent value="all" className={cn("pt-6", listed)}>
          {pieces.length === 0 ? <NothingPublishable /> : <PieceSections sections={all} withTopic {...table} />}
        </TabsContent>
      </Tabs>
    </>
  );
}

function ByTopic({
  pieces,
  topics,
  sections,
  table,
}: {
  pieces: ContentSummary[];
  topics: Topics;
  sections: Section[];
  table: Omit<Parameters<typeof PieceSections>[0], "sections" | "withTopic">;
}) {
  const unorganized = <p className="text-muted-foreground">No content organized by topics.</p>;
  if (topics.data === undefined) {
    const { error, isFetching, refetch } = topics;
    return (
      <>
        <ErrorState title="Failed to fetch topics" error={error} pending={isFetching} onRetry={refetch} />
        {unorganized}
      </>
    );
  }
  if (pieces.length > 0) return <PieceSections sections={sections} {...table} />;
  return (
    <>
      <NothingPublishable />
      {topics.data.length === 0 ? unorganized : null}
    </>
  );
}

function NothingPublishable() {
  return (
    <EmptyState
      title="No publishable content found in this project."
      description="Create content with body text to publish it to WordPress."
    />
  );
}

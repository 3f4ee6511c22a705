"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useMemo, useState } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { CredentialsNotice, hasCredentials } from "@/components/publishing/credentials-notice";
import { PieceSections } from "@/components/publishing/piece-sections";
import { PublishButtons } from "@/components/publishing/publish-buttons";
import { sectionsByTopic } from "@/components/publishing/section-lines";
import { stillThere, withChecked } from "@/components/publishing/selection";
import { EmptyState } from "@/components/shared/empty-state";
import { ErrorState } from "@/components/shared/error-state";
import type { PageAction } from "@/components/shared/page-actions";
import { backAction, PageHeader } from "@/components/shared/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { keys } from "@/lib/client/query-keys";
import type { ContentSummary } from "@/lib/features/content/schema";
import type { ProjectOut } from "@/lib/features/projects/schema";
import { publishableQuery } from "@/lib/features/publishing/client";
import { topicsQuery } from "@/lib/features/topics/client";
import type { TopicOut } from "@/lib/features/topics/schema";

/** Publishing of one project. */
export function ProjectPublishing({ projectId }: { projectId: number }) {
  const { user } = useAuth();
  const client = useQueryClient();
  const project = useQuery<ProjectOut>({ queryKey: keys.project(projectId) });
  const pieces = useQuery(publishableQuery(projectId));
  const topics = useQuery(topicsQuery(projectId));
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: keys.projectContent(projectId) }),
      client.invalidateQueries({ queryKey: keys.topics(projectId) }),
    ]);
  const error = pieces.error ?? topics.error;
  const isReady = !error && pieces.data !== undefined && topics.data !== undefined;
  const ways: PageAction[] = [
    backAction({ href: `/projects/${projectId}`, label: "Back to Project" }),
    {
      label: "Refresh",
      variant: "outline",
      icon: <RotateCw aria-hidden="true" />,
      pending: pieces.isFetching,
      onSelect: refresh,
    },
  ];
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        title={project.data?.title || `Project ${projectId}`}
        description="WordPress Publishing"
        actions={ways}
        isBarElsewhere={isReady}
      />
      {hasCredentials(user) ? null : <CredentialsNotice />}
      {error ? (
        <ErrorState title="Failed to fetch content" error={error} pending={pieces.isFetching} onRetry={refresh} />
      ) : pieces.data && topics.data ? (
        <Publishable projectId={projectId} pieces={pieces.data} topics={topics.data} ways={ways} />
      ) : (
        <div role="status" aria-label="Loading the content" className="grid gap-4">
          <Skeleton className="h-9 w-80 max-w-full" />
          <Skeleton className="h-60" />
        </div>
      )}
    </div>
  );
}

function Publishable({
  projectId,
  pieces,
  topics,
  ways,
}: {
  projectId: number;
  pieces: ContentSummary[];
  topics: TopicOut[];
  ways: PageAction[];
}) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = stillThere(
    chosen,
    pieces.map(({ id }) => id),
  );
  const select = (ids: string[], checked: boolean) => setChosen(withChecked(selected, ids, checked));
  const names = useMemo(() => new Map(topics.map(({ id, name }) => [id, name])), [topics]);
  const topicNameOf = (topicId: number) => names.get(topicId) || `Topic ${topicId}`;
  const byTopic = useMemo(() => sectionsByTopic(topics, pieces), [topics, pieces]);
  const all = useMemo(() => [{ key: "all", label: "all content", topic: null, pieces }], [pieces]);
  const table = { topicNameOf, selected, onSelect: select };
  return (
    <>
      <PublishButtons
        projectId={projectId}
        pieces={pieces}
        selected={selected}
        topicNameOf={topicNameOf}
        ways={ways}
        onPublished={() => setChosen(new Set())}
      />
      <Tabs defaultValue="topic">
        <TabsList className="max-md:-mx-4 max-md:px-4">
          <TabsTrigger value="topic">By Topic</TabsTrigger>
          <TabsTrigger value="all">All Content</TabsTrigger>
        </TabsList>
        <TabsContent value="topic" className="pt-6">
          {pieces.length === 0 ? (
            <NothingPublishable />
          ) : byTopic.length === 0 ? (
            <p>No content organized by topics.</p>
          ) : (
            <PieceSections sections={byTopic} {...table} />
          )}
        </TabsContent>
        <TabsContent value="all" className="pt-6">
          {pieces.length === 0 ? <NothingPublishable /> : <PieceSections sections={all} withTopic {...table} />}
        </TabsContent>
      </Tabs>
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

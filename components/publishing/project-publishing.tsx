"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useAuth } from "@/components/account/auth-provider";
import { ProjectNotFound } from "@/components/projects/project-not-found";
import { CredentialsNotice, hasCredentials } from "@/components/publishing/credentials-notice";
import { PublishableContent } from "@/components/publishing/publishable-content";
import { useFollowUpReads } from "@/components/publishing/use-follow-up-reads";
import { ErrorState } from "@/components/shared/error-state";
import type { PageAction } from "@/components/shared/page-actions";
import { backAction, PageHeader } from "@/components/shared/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { isNotFound } from "@/lib/client/api";
import { useOptimisticQuery } from "@/lib/client/optimistic";
import { keys } from "@/lib/client/query-keys";
import type { ProjectOut } from "@/lib/features/projects/schema";
import { publishableQuery } from "@/lib/features/publishing/client";
import { isKnown, useSiteOfProject } from "@/lib/features/sites/client";
import { isConnected } from "@/lib/features/sites/rules";
import { topicsQuery } from "@/lib/features/topics/client";

/** The publishing screen of one project. */
export function ProjectPublishing({ projectId }: { projectId: number }) {
  const { user } = useAuth();
  const site = useSiteOfProject(projectId);
  const mayPublish = site.isOneOfSeveral ? site.site !== undefined && isConnected(site.site) : hasCredentials(user);
  // For a moment after a project has moved it is not known which site it is on: what is shown stays.
  const isMissing = !mayPublish && isKnown(site);
  const project = useQuery<ProjectOut>({ queryKey: keys.project(projectId) });
  const pieces = useOptimisticQuery({ ...publishableQuery(projectId), enabled: mayPublish });
  const topics = useOptimisticQuery({ ...topicsQuery(projectId), enabled: mayPublish });
  const [isRefreshing, refresh] = useRefresh(projectId);
  useFollowUpReads(projectId, pieces.data, topics.data);
  const isReady = !isMissing && pieces.data !== undefined && topics.isFetched;
  const pageActions: PageAction[] = [
    backAction({ href: `/projects/${projectId}`, label: "Back to Project" }),
    {
      label: "Refresh",
      variant: "outline",
      icon: <RotateCw aria-hidden="true" />,
      pending: isRefreshing,
      onSelect: refresh,
    },
  ];
  if (isNotFound(project.error)) return <ProjectNotFound />;
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        title={project.data?.title || `Project ${projectId}`}
        description={
          site.isOneOfSeveral ? (
            <>
              WordPress Publishing to <bdi>{site.name}</bdi>
            </>
          ) : (
            "WordPress Publishing"
          )
        }
        actions={pageActions}
        isBarElsewhere={isReady}
      />
      {isMissing ? (
        <CredentialsNotice site={site.isOneOfSeveral ? site.name : undefined} />
      ) : isReady && pieces.data ? (
        <PublishableContent projectId={projectId} pieces={pieces.data} topics={topics} pageActions={pageActions} />
      ) : pieces.error ? (
        <ErrorState title="Failed to fetch content" error={pieces.error} pending={isRefreshing} onRetry={refresh} />
      ) : (
        <div role="status" aria-label="Loading the content" className="grid gap-4">
          <Skeleton className="h-9 w-80 max-w-full" />
          <Skeleton className="h-60" />
        </div>
      )}
    </div>
  );
}

/** Reloads everything the screen shows. */
function useRefresh(projectId: number): [isRefreshing: boolean, refresh: () => void] {
  const client = useQueryClient();
  const [isRefreshing, setRefreshing] = useState(false);
  const shown = [
    keys.project(projectId),
    keys.projectContent(projectId),
    keys.topics(projectId),
    keys.publishingJob(projectId),
    keys.user(),
    keys.sites(),
  ];
  async function refresh() {
    setRefreshing(true);
    // Reviewing takes as long as rendering.
    void client.invalidateQueries({ queryKey: keys.allReviews() });
    await Promise.all([
      ...shown.map((queryKey) => client.invalidateQueries({ queryKey })),
      // This includes those that no open category select shows: they are not refetched on mount.
      client.invalidateQueries({ queryKey: keys.categories(), refetchType: "all" }),
    ]);
    setRefreshing(false);
  }
  return [isRefreshing, refresh];
}

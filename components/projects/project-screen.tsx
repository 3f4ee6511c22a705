"use client";

import { useQuery } from "@tanstack/react-query";
import { Globe, Lightbulb, MessageSquareText } from "lucide-react";
import { useState } from "react";
import { PersonaPanel } from "@/components/projects/persona-panel";
import { ProjectNotFound } from "@/components/projects/project-not-found";
import { StylePanel } from "@/components/projects/style-panel";
import { ErrorState } from "@/components/shared/error-state";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import type { PageAction } from "@/components/shared/page-actions";
import { PageHeader } from "@/components/shared/page-header";
import { TopicsSection } from "@/components/topics/topics-section";
import { Spinner } from "@/components/ui/spinner";
import { isNotFound } from "@/lib/client/api";
import { useOptimisticQuery } from "@/lib/client/optimistic";
import { projectQuery } from "@/lib/features/projects/client";
import type { ProjectOut } from "@/lib/features/projects/schema";
import { topicsQuery } from "@/lib/features/topics/client";

const IdeasDialog = lazyDialog(() =>
  import("@/components/generation/ideas-dialog").then((module) => module.IdeasDialog),
);

/** Project detail: topics on the left, the buyer persona on the right. */
export function ProjectScreen({ projectId }: { projectId: number }) {
  const project = useQuery(projectQuery(projectId));
  if (isNotFound(project.error)) return <ProjectNotFound />;
  if (project.isError && !project.data) {
    return (
      <ErrorState
        title="Failed to fetch project"
        error={project.error}
        pending={project.isFetching}
        onRetry={() => project.refetch()}
      />
    );
  }
  if (!project.data) return <Spinner label="Loading the project" className="size-6" />;
  return (
    <>
      <ProjectHeader project={project.data} />
      <div className="mt-10 grid items-start gap-8 max-md:mt-6 xl:grid-cols-[minmax(0,1fr)_304px]">
        <TopicsSection projectId={projectId} />
        <div className="grid min-w-0 grid-cols-1 gap-8">
          <PersonaPanel projectId={projectId} />
          <StylePanel project={project.data} />
        </div>
      </div>
    </>
  );
}

function ProjectHeader({ project }: { project: ProjectOut }) {
  const [isOpen, setOpen] = useState(false);
  const { data: topics } = useOptimisticQuery(topicsQuery(project.id));
  const createIdeas: PageAction = {
    label: "Create Content Ideas",
    icon: <Lightbulb aria-hidden="true" />,
    onSelect: () => setOpen(true),
    isMain: true,
  };
  return (
    <>
      <PageHeader
        size="large"
        title={project.title || `Project ${project.id}`}
        description={
          <span className="whitespace-pre-line font-serif text-md">
            {project.description || "No description provided"}
          </span>
        }
        back={{ href: "/", label: "Back to Projects" }}
        actions={[
          {
            label: "Plan with the assistant",
            href: `/assistant/${project.id}`,
            icon: <MessageSquareText aria-hidden="true" />,
            phoneOnly: true,
          },
          {
            label: "WordPress Publishing",
            href: `/wp-publishing/${project.id}`,
            variant: "outline",
            icon: <Globe aria-hidden="true" />,
          },
          ...(topics && topics.length > 0 ? [createIdeas] : []),
        ]}
      />
      <IdeasDialog projectId={project.id} topics={topics ?? []} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { Globe, Lightbulb, MessageSquareText, Pencil, Table2 } from "lucide-react";
import { useState } from "react";
import { EditProjectDialog } from "@/components/projects/edit-project-dialog";
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
import { useTabTitle } from "@/lib/client/use-tab-title";
import { projectQuery } from "@/lib/features/projects/client";
import type { ProjectOut } from "@/lib/features/projects/schema";
import { useSiteOfProject } from "@/lib/features/sites/client";
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
  const title = project.title || `Project ${project.id}`;
  const [openDialog, setOpenDialog] = useState<"edit" | "ideas" | null>(null);
  const { data: topics } = useOptimisticQuery(topicsQuery(project.id));
  const site = useSiteOfProject(project.id);
  const createIdeas: PageAction = {
    label: "Create Content Ideas",
    icon: <Lightbulb aria-hidden="true" />,
    onSelect: () => setOpenDialog("ideas"),
    isMain: true,
  };
  useTabTitle(title);

  function propsOf(dialog: typeof openDialog) {
    return { open: openDialog === dialog, onOpenChange: (open: boolean) => setOpenDialog(open ? dialog : null) };
  }

  return (
    <>
      <PageHeader
        title={title}
        description={
          <>
            <span className="whitespace-pre-line font-serif text-md">
              {project.description || "No description provided"}
            </span>
            {site.isOneOfSeveral ? (
              <span dir="ltr" className="mt-1 block text-sm">
                Published on <bdi>{site.name}</bdi>
              </span>
            ) : null}
          </>
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
            label: "All Pieces",
            href: `/projects/${project.id}/pieces`,
            variant: "ghost",
            icon: <Table2 aria-hidden="true" />,
          },
          {
            label: "Edit project",
            variant: "ghost",
            icon: <Pencil aria-hidden="true" />,
            onSelect: () => setOpenDialog("edit"),
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
      <EditProjectDialog projectId={project.id} {...propsOf("edit")} />
      <IdeasDialog projectId={project.id} topics={topics ?? []} {...propsOf("ideas")} />
    </>
  );
}

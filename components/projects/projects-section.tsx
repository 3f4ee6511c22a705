"use client";

import { useQuery } from "@tanstack/react-query";
import { MessageSquareText } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { DeleteProjectDialog } from "@/components/projects/delete-project-dialog";
import { EditProjectDialog } from "@/components/projects/edit-project-dialog";
import { NewProjectDialog } from "@/components/projects/new-project-dialog";
import { ProjectPlaceholders } from "@/components/projects/project-card";
import { ProjectCards } from "@/components/projects/project-cards";
import { EmptyState } from "@/components/shared/empty-state";
import { ErrorState } from "@/components/shared/error-state";
import { Button } from "@/components/ui/button";
import { projectsQuery } from "@/lib/features/projects/client";
import type { ListedProject } from "@/lib/features/projects/schema";

/** "Your Projects": the cards, and creating, editing and deleting a project. */
export function ProjectsSection() {
  const { data: projects, isError, error, refetch, isFetching } = useQuery(projectsQuery());
  const [deleting, setDeleting] = useState<ListedProject | null>(null);
  const [edited, setEdited] = useState<number>();
  const [isEditing, setEditing] = useState(false);

  function edit({ id }: ListedProject) {
    setEdited(id);
    setEditing(true);
  }

  return (
    <section aria-labelledby="projects-title">
      <div className="mt-10 mb-4 flex min-h-(--control) flex-wrap items-center justify-between gap-x-3 gap-y-1 max-md:mt-6">
        <div className="flex items-baseline gap-2 text-md">
          <h2 id="projects-title" className="font-medium tracking-[-0.006em]">
            Your Projects
          </h2>
          {projects && projects.length > 0 ? (
            <span className="text-muted-foreground tabular-nums">
              {projects.length}
              <span className="sr-only"> {projects.length === 1 ? "project" : "projects"}</span>
            </span>
          ) : null}
        </div>
        <div className="flex flex-wrap items-center justify-end gap-2 max-md:contents">
          <Button asChild variant="ghost" className="max-md:-ml-3.5 max-md:order-last">
            <Link href="/assistant">
              <MessageSquareText aria-hidden="true" />
              Plan with the assistant
            </Link>
          </Button>
          {projects?.length === 0 ? null : <NewProjectDialog />}
        </div>
      </div>
      {isError && !projects ? (
        <ErrorState title="Failed to fetch projects" error={error} pending={isFetching} onRetry={() => refetch()} />
      ) : projects?.length === 0 ? (
        <EmptyState
          title="A project holds the topics, the keywords and every piece you write for one blog or one campaign."
          action={<NewProjectDialog />}
        />
      ) : projects ? (
        <ProjectCards projects={projects} onEdit={edit} onDelete={setDeleting} />
      ) : (
        <ProjectPlaceholders />
      )}
      {edited === undefined ? null : (
        <EditProjectDialog projectId={edited} open={isEditing} onOpenChange={setEditing} />
      )}
      <DeleteProjectDialog project={deleting} onClose={() => setDeleting(null)} />
    </section>
  );
}

"use client";

import { useRef } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { useDeleteProject } from "@/lib/features/projects/client";
import type { ListedProject } from "@/lib/features/projects/schema";

/** The dialog is open while there is a `project`; it closes on cancel, success and failure. */
export function DeleteProjectDialog({ project, onClose }: { project: ListedProject | null; onClose: () => void }) {
  const remove = useDeleteProject();
  // Keeps the title while the dialog fades out.
  const lastTitle = useRef("");
  if (project) lastTitle.current = project.title;
  return (
    <ConfirmDialog
      open={project !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Delete Project"
      description={
        <>
          “<bdi>{lastTitle.current}</bdi>” and all its topics, keywords and content are removed with the project. Posts
          that are already published stay where they are.
        </>
      }
      confirmLabel="Delete"
      destructive
      pending={remove.isPending}
      onConfirm={() => project && remove.mutate(project.id, { onSettled: onClose })}
    />
  );
}

"use client";

import { useState } from "react";
import { MoveProjectDialog } from "@/components/projects/move-project-dialog";
import { ProjectFields } from "@/components/projects/project-fields";
import { DialogFormFooter } from "@/components/shared/dialog-footers";
import { ErrorState } from "@/components/shared/error-state";
import { FormDialog } from "@/components/shared/form-dialog";
import { useFormSubmit } from "@/components/shared/use-form-submit";
import { Spinner } from "@/components/ui/spinner";
import { useStoredData } from "@/lib/client/use-stored-data";
import { projectQuery, useUpdateProject } from "@/lib/features/projects/client";
import { createProjectInput, type ProjectOut } from "@/lib/features/projects/schema";

/** The form of a stored project, which it loads first: lists have only the start of the description. */
export function EditProjectForm({
  projectId,
  open,
  onOpenChange,
}: {
  projectId: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { stored, error, isFetching, refetch } = useStoredData(projectQuery(projectId), open);
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      // Restores what was typed into the fields, so it waits for them.
      draftName={stored ? `project:${projectId}` : undefined}
      title="Edit Project"
      description="What the AI writes from now on goes by what you change here."
    >
      {stored ? (
        <Fields project={stored} onDone={() => onOpenChange(false)} />
      ) : error ? (
        <ErrorState title="Failed to fetch project" error={error} pending={isFetching} onRetry={refetch} />
      ) : (
        <Spinner label="Loading the project" className="size-6" />
      )}
    </FormDialog>
  );
}

function Fields({ project, onDone }: { project: ProjectOut; onDone: () => void }) {
  const update = useUpdateProject(project.id);
  const [siteId, setSiteId] = useState<string>();
  const [move, setMove] = useState<{ confirm: () => void; cancel: () => void } | null>(null);
  const { submit, errors } = useFormSubmit(
    createProjectInput,
    (input, options) => {
      const save = () => update.mutate(input, options);
      if (input.siteId === undefined) save();
      else setMove({ confirm: save, cancel: options.onCancel });
    },
    onDone,
  );
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <ProjectFields project={project} errors={errors} onSite={setSiteId} />
      <DialogFormFooter pending={update.isPending}>Save Project</DialogFormFooter>
      <MoveProjectDialog
        projectId={project.id}
        siteId={siteId}
        isAsking={move !== null}
        onCancel={() => {
          setMove(null);
          move?.cancel();
        }}
        onConfirm={() => {
          setMove(null);
          move?.confirm();
        }}
      />
    </form>
  );
}

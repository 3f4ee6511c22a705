"use client";

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
  const { submit, errors } = useFormSubmit(createProjectInput, update.mutate, onDone);
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <ProjectFields project={project} errors={errors} />
      <DialogFormFooter pending={update.isPending}>Save Project</DialogFormFooter>
    </form>
  );
}

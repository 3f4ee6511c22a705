"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ProjectFields } from "@/components/projects/project-fields";
import { DialogFormFooter } from "@/components/shared/dialog-footers";
import { FormDialog } from "@/components/shared/form-dialog";
import { useFormSubmit } from "@/components/shared/use-form-submit";
import { randomId } from "@/lib/client/random-id";
import { useCreateProject } from "@/lib/features/projects/client";
import { createProjectInput } from "@/lib/features/projects/schema";
import { KEY_FIELD } from "@/lib/idempotency/header";

export function NewProjectForm({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create New Project"
      description="A place for one blog or one campaign."
      draftName="project:new"
    >
      <Fields onDone={() => onOpenChange(false)} />
    </FormDialog>
  );
}

/** The form, mounted only while the dialog is open, so that it starts empty. */
function Fields({ onDone }: { onDone: () => void }) {
  const router = useRouter();
  const create = useCreateProject();
  // The key makes the same input one creation, however often it is sent.
  const [key, setKey] = useState(randomId);
  const { submit, errors } = useFormSubmit(
    createProjectInput,
    (input, { onSuccess, onError }) =>
      create.mutate(
        { ...input, [KEY_FIELD]: key },
        {
          onError,
          onSuccess({ id }) {
            onSuccess();
            router.push(`/projects/${id}`);
          },
        },
      ),
    onDone,
  );

  return (
    <form noValidate onSubmit={submit} onInput={() => setKey(randomId())} className="grid gap-5">
      <input type="hidden" name={KEY_FIELD} value={key} />
      <ProjectFields errors={errors} onSite={() => setKey(randomId())} />
      <DialogFormFooter pending={create.isPending}>Create Project</DialogFormFooter>
    </form>
  );
}

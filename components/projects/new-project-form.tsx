"use client";

import { type FormEvent, useState } from "react";
import { FormDialog } from "@/components/shared/form-dialog";
import { Button } from "@/components/ui/button";
import { DialogClose, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { ApiError } from "@/lib/client/api";
import { type FieldErrors, focusFirstError, parseForm } from "@/lib/client/form";
import { newKey } from "@/lib/client/intentions";
import { useCreateProject } from "@/lib/features/projects/client";
import { createProjectInput } from "@/lib/features/projects/schema";
import { KEY_FIELD } from "@/lib/utils/idempotency-key";

/** The dialog of "New Project". */
export function NewProjectForm({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create New Project"
      description="A place for one blog or one campaign."
      keptAs="project:new"
    >
      <Fields onDone={() => onOpenChange(false)} />
    </FormDialog>
  );
}

/** Lives only while the dialog is open, so that it is empty each time. */
function Fields({ onDone }: { onDone: () => void }) {
  const create = useCreateProject();
  const [errors, setErrors] = useState<FieldErrors>({});
  // What is typed is one intention, however often it is sent.
  const [key, setKey] = useState(newKey);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = parseForm(createProjectInput, Object.fromEntries(new FormData(form)));
    setErrors(typed.errors ?? {});
    if (!typed.data) return focusFirstError(form);
    create.mutate(
      { ...typed.data, [KEY_FIELD]: key },
      {
        onSuccess: onDone,
        onError: (error) => setErrors(error instanceof ApiError ? error.fields : {}),
      },
    );
  }

  return (
    <form noValidate onSubmit={submit} onInput={() => setKey(newKey())} className="grid gap-5">
      <input type="hidden" name={KEY_FIELD} value={key} />
      <Field label="Title" error={errors.title}>
        <Input name="title" required autoComplete="off" />
      </Field>
      <Field label="Description" error={errors.description}>
        <Textarea name="description" placeholder="Optional" rows={4} />
      </Field>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="ghost">Cancel</Button>
        </DialogClose>
        <Button type="submit" pending={create.isPending}>
          Create Project
        </Button>
      </DialogFooter>
    </form>
  );
}

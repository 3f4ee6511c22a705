"use client";

import type { FormEvent } from "react";
import { useState } from "react";
import { FormDialog } from "@/components/shared/form-dialog";
import { Button } from "@/components/ui/button";
import { DialogClose, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { ApiError } from "@/lib/client/api";
import { type FieldErrors, focusFirstError, parseForm } from "@/lib/client/form";
import { useCreateTopic, useUpdateTopic } from "@/lib/features/topics/client";
import { type CreateTopicInput, createTopicInput, type TopicOut } from "@/lib/features/topics/schema";

type Open = { open: boolean; onOpenChange: (open: boolean) => void };

export function CreateTopicForm({ projectId, ...dialog }: Open & { projectId: number }) {
  const create = useCreateTopic(projectId);
  return (
    <FormDialog
      {...dialog}
      keptAs={`topic:new:${projectId}`}
      title="Add Topic"
      description="On your site a topic becomes a category of the same name."
    >
      <Fields submitLabel="Create Topic" save={create} onDone={() => dialog.onOpenChange(false)} />
    </FormDialog>
  );
}

export function EditTopicForm({ topic, ...dialog }: Open & { topic: TopicOut }) {
  const update = useUpdateTopic(topic);
  return (
    <FormDialog
      {...dialog}
      keptAs={`topic:${topic.id}`}
      title="Edit Topic"
      description="Posts that are on your site already keep their category."
    >
      <Fields topic={topic} submitLabel="Save Topic" save={update} onDone={() => dialog.onOpenChange(false)} />
    </FormDialog>
  );
}

type Save = {
  isPending: boolean;
  mutate: (input: CreateTopicInput, options: { onSuccess: () => void; onError: (error: Error) => void }) => void;
};

/** Lives only while the dialog is open, so that it begins anew each time. */
function Fields({
  topic,
  submitLabel,
  save,
  onDone,
}: {
  topic?: TopicOut;
  submitLabel: string;
  save: Save;
  onDone: () => void;
}) {
  const [errors, setErrors] = useState<FieldErrors>({});

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = parseForm(createTopicInput, Object.fromEntries(new FormData(form)));
    setErrors(typed.errors ?? {});
    if (!typed.data) return focusFirstError(form);
    save.mutate(typed.data, {
      onSuccess: onDone,
      onError: (error) => setErrors(error instanceof ApiError ? error.fields : {}),
    });
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field label="Name" error={errors.name}>
        <Input name="name" required autoComplete="off" defaultValue={topic?.name} />
      </Field>
      <Field label="Description" error={errors.description} hint="What it covers and for whom; the AI reads it.">
        <Textarea name="description" required rows={4} defaultValue={topic?.description} />
      </Field>
      <Field label="Category" error={errors.category}>
        <Input name="category" autoComplete="off" placeholder="Optional" defaultValue={topic?.category ?? ""} />
      </Field>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="ghost">Cancel</Button>
        </DialogClose>
        <Button type="submit" pending={save.isPending}>
          {submitLabel}
        </Button>
      </DialogFooter>
    </form>
  );
}

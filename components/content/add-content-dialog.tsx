"use client";

import { DialogFormFooter } from "@/components/shared/dialog-footers";
import { Field } from "@/components/shared/field";
import { FormDialog } from "@/components/shared/form-dialog";
import { Required } from "@/components/shared/required";
import { useFormSubmit } from "@/components/shared/use-form-submit";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { useCreateContent } from "@/lib/features/content/client";
import { createContentInput } from "@/lib/features/content/schema";
import type { TopicOut } from "@/lib/features/topics/schema";

/** Adds a piece to a topic by hand, with or without a body. */
export function AddContentDialog({
  topic,
  open,
  onOpenChange,
  onCreated,
}: {
  topic: PieceTopic;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Gets the new piece's id. */
  onCreated?: (id: string) => void;
}) {
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add Content"
      draftName={`piece:new:${topic.id}`}
      description={
        <>
          To “<bdi>{topic.name}</bdi>”. Without a body it is marked Title Only.
        </>
      }
    >
      <AddContentForm topic={topic} onDone={() => onOpenChange(false)} onCreated={onCreated} />
    </FormDialog>
  );
}

type PieceTopic = Pick<TopicOut, "id" | "name" | "projectId">;

function AddContentForm({
  topic,
  onDone,
  onCreated,
}: {
  topic: PieceTopic;
  onDone: () => void;
  onCreated: ((id: string) => void) | undefined;
}) {
  const create = useCreateContent({ projectId: topic.projectId, topicId: topic.id });
  const { submit, errors } = useFormSubmit(
    createContentInput,
    (input, { onSuccess, onError }) =>
      create.mutate(input, {
        onError,
        onSuccess({ id }) {
          onSuccess();
          onCreated?.(id);
        },
      }),
    onDone,
  );
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field label="Title" error={errors.title} action={<Required />}>
        <Input name="title" required autoComplete="off" />
      </Field>
      <Field label="Body" error={errors.body}>
        <Textarea name="body" rows={6} placeholder="Optional, as Markdown" />
      </Field>
      <DialogFormFooter pending={create.isPending}>Add Content</DialogFormFooter>
    </form>
  );
}

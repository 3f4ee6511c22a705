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
import { useCreateContent } from "@/lib/features/content/client";
import { createContentInput } from "@/lib/features/content/schema";
import type { TopicOut } from "@/lib/features/topics/schema";

/** A piece added to a topic by hand: a title, and a body if there is one already. */
export function AddContentDialog({
  topic,
  open,
  onOpenChange,
}: {
  topic: TopicOut;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add Content"
      keptAs={`piece:new:${topic.id}`}
      description={
        <>
          To “<bdi>{topic.name}</bdi>”. Without a body it is a title to plan with.
        </>
      }
    >
      <AddContentForm topic={topic} onDone={() => onOpenChange(false)} />
    </FormDialog>
  );
}

function AddContentForm({ topic, onDone }: { topic: TopicOut; onDone: () => void }) {
  const create = useCreateContent({ projectId: topic.projectId, topicId: topic.id });
  const [errors, setErrors] = useState<FieldErrors>({});

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = parseForm(createContentInput, Object.fromEntries(new FormData(form)));
    setErrors(typed.errors ?? {});
    if (!typed.data) return focusFirstError(form);
    create.mutate(typed.data, {
      onSuccess: onDone,
      onError: (error) => setErrors(error instanceof ApiError ? error.fields : {}),
    });
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field label="Title" error={errors.title}>
        <Input name="title" required autoComplete="off" />
      </Field>
      <Field label="Body" error={errors.body}>
        <Textarea name="body" rows={6} placeholder="Optional, as Markdown" />
      </Field>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="ghost">Cancel</Button>
        </DialogClose>
        <Button type="submit" pending={create.isPending}>
          Add Content
        </Button>
      </DialogFooter>
    </form>
  );
}

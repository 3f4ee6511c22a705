"use client";

import { type FormEvent, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { type FieldErrors, focusFirstError, parseForm } from "@/lib/client/form";
import { useGenerateIdeas } from "@/lib/features/generation/client";
import { IDEAS_DEFAULT, IDEAS_MAX, IDEAS_MIN, ideasForm } from "@/lib/features/generation/schema";
import type { TopicOut } from "@/lib/features/topics/schema";

/** "Create Content Ideas": for which topic, and how many for each of its keywords. */
export function IdeasDialog({
  projectId,
  topics,
  topicId,
  open,
  onOpenChange,
}: {
  projectId: number;
  topics: TopicOut[];
  /** The topic it begins with. */
  topicId?: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const generate = useGenerateIdeas(projectId);
  return (
    // While it runs it stays open: closing it would look like stopping it.
    <Dialog open={open} onOpenChange={(next) => (generate.isPending ? undefined : onOpenChange(next))}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Create Content Ideas</DialogTitle>
          <DialogDescription>Titles for each keyword of a topic, none like one you have already.</DialogDescription>
        </DialogHeader>
        <IdeasForm topics={topics} first={topicId} generate={generate} onClose={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

function IdeasForm({
  topics,
  first,
  generate,
  onClose,
}: {
  topics: TopicOut[];
  first: number | undefined;
  generate: ReturnType<typeof useGenerateIdeas>;
  onClose: () => void;
}) {
  const [topicId, setTopicId] = useState(first === undefined ? "" : String(first));
  const [count, setCount] = useState(String(IDEAS_DEFAULT));
  const [errors, setErrors] = useState<FieldErrors>({});

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (generate.isPending) return;
    const form = event.currentTarget;
    const typed = parseForm(ideasForm, { topicId, ideasPerKeyword: count.trim() === "" ? undefined : count });
    setErrors(typed.errors ?? {});
    if (!typed.data) return focusFirstError(form);
    const { ideasPerKeyword } = typed.data;
    generate.mutate({ topicId: Number(typed.data.topicId), ideasPerKeyword }, { onSuccess: onClose });
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field label="Topic" error={errors.topicId}>
        {(control) => (
          <Select value={topicId} onValueChange={setTopicId} disabled={generate.isPending}>
            <SelectTrigger {...control}>
              <SelectValue placeholder="Select a topic" />
            </SelectTrigger>
            <SelectContent>
              {topics.map(({ id, name, keywordCount }) => (
                <SelectItem key={id} value={String(id)}>
                  <bdi>{name || `Topic ${id}`}</bdi> · {keywordCount || "no"} keyword{keywordCount === 1 ? "" : "s"}
                </SelectItem>
              ))}
            </SelectContent>
          </Select>
        )}
      </Field>
      <Field
        label={<span className="inline-block first-letter:uppercase">ideas per keyword</span>}
        error={errors.ideasPerKeyword}
        hint={`${IDEAS_MIN} to ${IDEAS_MAX}`}
      >
        <Input
          type="number"
          inputMode="numeric"
          min={IDEAS_MIN}
          max={IDEAS_MAX}
          value={count}
          disabled={generate.isPending}
          onChange={(event) => setCount(event.target.value)}
          className="md:w-28"
        />
      </Field>
      <Alert variant="warning">Don't close the window during execution, this may take up to 1 minute</Alert>
      <DialogFooter>
        <Button variant="ghost" disabled={generate.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" pending={generate.isPending}>
          Create Content Ideas
        </Button>
      </DialogFooter>
    </form>
  );
}

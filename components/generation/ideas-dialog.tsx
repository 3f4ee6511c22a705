"use client";

import { type FormEvent, useState } from "react";
import { Field } from "@/components/shared/field";
import { ModalContent } from "@/components/shared/modal-content";
import { Notice } from "@/components/shared/notice";
import { useFormSubmit } from "@/components/shared/use-form-submit";
import { Button } from "@/components/ui/button";
import { Dialog, DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { useGenerateIdeas } from "@/lib/features/generation/client/mutations";
import { IDEAS_DEFAULT, IDEAS_MAX, IDEAS_MIN, ideasForm } from "@/lib/features/generation/schema";
import type { TopicOut } from "@/lib/features/topics/schema";

/** "Create Content Ideas": asks for a topic and the number of ideas per keyword. */
export function IdeasDialog({
  projectId,
  topics,
  topicId,
  open,
  onOpenChange,
}: {
  projectId: number;
  topics: TopicOut[];
  /** The topic selected initially. */
  topicId?: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const generate = useGenerateIdeas(projectId);
  return (
    // Closing it while ideas are generated would look like cancelling.
    <Dialog open={open} onOpenChange={(next) => (generate.isPending ? undefined : onOpenChange(next))}>
      <ModalContent>
        <DialogHeader>
          <DialogTitle>Create Content Ideas</DialogTitle>
          <DialogDescription>Titles for each keyword of a topic, none like one you have already.</DialogDescription>
        </DialogHeader>
        <IdeasForm topics={topics} initialTopicId={topicId} generate={generate} onClose={() => onOpenChange(false)} />
      </ModalContent>
    </Dialog>
  );
}

function IdeasForm({
  topics,
  initialTopicId,
  generate,
  onClose,
}: {
  topics: TopicOut[];
  initialTopicId: number | undefined;
  generate: ReturnType<typeof useGenerateIdeas>;
  onClose: () => void;
}) {
  const [topicId, setTopicId] = useState(initialTopicId === undefined ? "" : String(initialTopicId));
  const [count, setCount] = useState(String(IDEAS_DEFAULT));
  const { submit, errors } = useFormSubmit(
    ideasForm,
    (input, options) => generate.mutate({ ...input, topicId: Number(input.topicId) }, options),
    onClose,
  );

  function submitIdeas(event: FormEvent<HTMLFormElement>) {
    submit(event, { topicId, ideasPerKeyword: count.trim() === "" ? undefined : count });
  }

  return (
    <form noValidate onSubmit={submitIdeas} className="grid gap-5">
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
      {/* The specified words; CSS draws the capital. */}
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
      <Notice variant="warning">Don't close the window during execution, this may take up to 1 minute</Notice>
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

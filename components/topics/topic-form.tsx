"use client";

import { DialogFormFooter } from "@/components/shared/dialog-footers";
import { ErrorState } from "@/components/shared/error-state";
import { Field } from "@/components/shared/field";
import { FormDialog } from "@/components/shared/form-dialog";
import { Required } from "@/components/shared/required";
import { useFormSubmit } from "@/components/shared/use-form-submit";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { Textarea } from "@/components/ui/textarea";
import { useStoredData } from "@/lib/client/use-stored-data";
import { useSiteOfProject } from "@/lib/features/sites/client";
import { topicQuery, useCreateTopic, useUpdateTopic } from "@/lib/features/topics/client";
import { createTopicInput, type TopicOut } from "@/lib/features/topics/schema";

type Open = { open: boolean; onOpenChange: (open: boolean) => void };

export function CreateTopicForm({
  projectId,
  onCreated,
  ...dialog
}: Open & { projectId: number; onCreated: (topic: TopicOut) => void }) {
  const create = useCreateTopic(projectId);
  const { yourSite } = useSiteOfProject(projectId, dialog.open);
  return (
    <FormDialog
      {...dialog}
      draftName={`topic:new:${projectId}`}
      title="Add Topic"
      description={`On ${yourSite} a topic becomes a category of the same name.`}
    >
      <Fields
        submitLabel="Create Topic"
        save={create}
        onDone={(created) => {
          dialog.onOpenChange(false);
          onCreated(created);
        }}
      />
    </FormDialog>
  );
}

/** The form of a stored topic, which it loads first: lists have only the start of the description. */
export function EditTopicForm({ topic: { id }, ...dialog }: Open & { topic: { id: number } }) {
  const update = useUpdateTopic({ id });
  const { stored: topic, error, isFetching, refetch } = useStoredData(topicQuery(id), dialog.open);
  return (
    <FormDialog
      {...dialog}
      // Restores what was typed into the fields, so it waits for them.
      draftName={topic ? `topic:${id}` : undefined}
      title="Edit Topic"
      description="Posts that are already published keep their category."
    >
      {topic ? (
        <Fields topic={topic} submitLabel="Save Topic" save={update} onDone={() => dialog.onOpenChange(false)} />
      ) : error ? (
        <ErrorState title="The topic did not load" error={error} pending={isFetching} onRetry={refetch} />
      ) : (
        <Spinner label="Loading the topic" className="size-6" />
      )}
    </FormDialog>
  );
}

/** The form, mounted only while the dialog is open, so that it starts with the stored topic. */
function Fields({
  topic,
  submitLabel,
  save,
  onDone,
}: {
  topic?: TopicOut;
  submitLabel: string;
  save: ReturnType<typeof useCreateTopic> | ReturnType<typeof useUpdateTopic>;
  onDone: (saved: TopicOut) => void;
}) {
  const { submit, errors } = useFormSubmit(
    createTopicInput,
    (input, { onSuccess, onError }) =>
      save.mutate(input, {
        onError,
        onSuccess(saved) {
          onSuccess();
          onDone(saved);
        },
      }),
    () => undefined,
  );
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field label="Name" error={errors.name} action={<Required />}>
        {/* A stored topic arrives after the dialog has focused something else. */}
        <Input name="name" required autoComplete="off" defaultValue={topic?.name} autoFocus={topic !== undefined} />
      </Field>
      <Field
        label="Description"
        error={errors.description}
        action={<Required />}
        hint="What it covers, and who it is for. The AI uses this."
      >
        <Textarea name="description" required rows={4} defaultValue={topic?.description} />
      </Field>
      <Field
        label="Category"
        error={errors.category}
        hint="A label of your own, shown in brackets after the name. Your site does not get it."
      >
        <Input name="category" autoComplete="off" placeholder="Optional" defaultValue={topic?.category ?? ""} />
      </Field>
      <DialogFormFooter pending={save.isPending}>{submitLabel}</DialogFormFooter>
    </form>
  );
}

"use client";

import { type FormEvent, useRef } from "react";
import { SavedInstructions } from "@/components/instructions/saved-instructions";
import { DialogFormFooter } from "@/components/shared/dialog-footers";
import { Field } from "@/components/shared/field";
import { FormDialog } from "@/components/shared/form-dialog";
import { useFormSubmit } from "@/components/shared/use-form-submit";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { useSaveStyle } from "@/lib/features/projects/client";
import { STYLE_INSTRUCTIONS_MAX, WORDS_DEFAULT, WORDS_MAX, WORDS_MIN } from "@/lib/features/projects/rules";
import { type ProjectDetail, writingStyle } from "@/lib/features/projects/schema";

/** Says how the AI writes the project's texts. An empty field leaves it to the AI. */
export function StyleDialog({
  project,
  open,
  onOpenChange,
}: {
  project: ProjectDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Writing Style"
      description="For every outline and text the AI writes in this project. What you leave empty is up to the AI."
      className="md:max-w-lg"
      draftName={`style:${project.id}`}
    >
      <StyleForm project={project} onDone={() => onOpenChange(false)} />
    </FormDialog>
  );
}

const RANGE = `${WORDS_MIN} to ${WORDS_MAX.toLocaleString("en-US")}; ${WORDS_DEFAULT.toLocaleString("en-US")} if empty`;

function StyleForm({ project, onDone }: { project: ProjectDetail; onDone: () => void }) {
  const { tone, language, words, instructions } = project.writing;
  const instructionsField = useRef<HTMLTextAreaElement>(null);
  const save = useSaveStyle(project.id);
  const { submit, errors } = useFormSubmit(writingStyle, save.mutate, onDone);

  function submitStyle(event: FormEvent<HTMLFormElement>) {
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    const typed = values.words?.replaceAll(/[\s,.]/g, "");
    submit(event, { ...values, words: typed ? Number(typed) : null });
  }

  return (
    <form noValidate onSubmit={submitStyle} className="grid gap-5">
      <Field label="Tone" error={errors.tone}>
        <Input
          name="tone"
          dir="auto"
          defaultValue={tone ?? ""}
          placeholder="friendly, but factual"
          autoComplete="off"
        />
      </Field>
      <div className="grid gap-5 md:grid-cols-2 md:gap-4">
        <Field label="Language" hint="The topic's own if empty" error={errors.language}>
          <Input
            name="language"
            dir="auto"
            defaultValue={language ?? ""}
            placeholder="British English"
            autoComplete="off"
          />
        </Field>
        <Field label="Words of a post" hint={RANGE} error={errors.words}>
          <Input name="words" inputMode="numeric" defaultValue={words ?? ""} autoComplete="off" />
        </Field>
      </div>
      <Field
        label="Your own instructions"
        error={errors.instructions}
        action={<SavedInstructions field={instructionsField} max={STYLE_INSTRUCTIONS_MAX} />}
      >
        <Textarea
          ref={instructionsField}
          name="instructions"
          dir="auto"
          rows={4}
          defaultValue={instructions ?? ""}
          placeholder="Address the reader as “you”. No exclamation marks. Metric units."
        />
      </Field>
      <DialogFormFooter pending={save.isPending}>Save Writing Style</DialogFormFooter>
    </form>
  );
}

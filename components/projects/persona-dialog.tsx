"use client";

import { type FormEvent, useState } from "react";
import { TraitList } from "@/components/projects/trait-list";
import { DialogFormFooter } from "@/components/shared/dialog-footers";
import { Field } from "@/components/shared/field";
import { FormDialog } from "@/components/shared/form-dialog";
import { Required } from "@/components/shared/required";
import { useFormSubmit } from "@/components/shared/use-form-submit";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { useSessionDraft } from "@/lib/client/use-session-draft";
import { useSavePersona } from "@/lib/features/projects/client";
import { createPersonaInput, type PersonaOut } from "@/lib/features/projects/schema";

/** Adds a persona, or edits the existing one. */
export function PersonaDialog({
  projectId,
  persona,
  open,
  onOpenChange,
}: {
  projectId: number;
  persona: PersonaOut | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={titleOf(persona)}
      description="The reader you write for."
      className="md:max-w-lg"
      draftName={`persona:${projectId}`}
    >
      <PersonaForm projectId={projectId} persona={persona} onDone={() => onOpenChange(false)} />
    </FormDialog>
  );
}

function titleOf(persona: PersonaOut | null): string {
  return persona ? "Edit Buyer Persona" : "Add Buyer Persona";
}

function stringsOf(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((text) => typeof text === "string") : [];
}

/** The form, mounted only while the dialog is open, so that it starts with the stored persona. */
function PersonaForm({
  projectId,
  persona,
  onDone,
}: {
  projectId: number;
  persona: PersonaOut | null;
  onDone: () => void;
}) {
  const save = useSavePersona(projectId, persona?.id);
  const initial = { interests: persona?.interests ?? [], challenges: persona?.challenges ?? [] };
  const [interests, setInterests] = useState(initial.interests);
  const [challenges, setChallenges] = useState(initial.challenges);
  const { submit, errors } = useFormSubmit(createPersonaInput, save.mutate, onDone);
  const isChanged = JSON.stringify({ interests, challenges }) !== JSON.stringify(initial);
  useSessionDraft(`persona:${projectId}:traits`, {
    label: titleOf(persona),
    take: () => (isChanged ? { interests, challenges } : null),
    restore(stored) {
      const traits = (stored ?? {}) as Partial<Record<"interests" | "challenges", unknown>>;
      setInterests(stringsOf(traits.interests));
      setChallenges(stringsOf(traits.challenges));
      return true;
    },
  });

  function submitPersona(event: FormEvent<HTMLFormElement>) {
    const { name, age, description } = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    submit(event, { name, description, age: age?.trim() ? Number(age) : null, interests, challenges });
  }

  return (
    <form noValidate onSubmit={submitPersona} data-changed={isChanged || undefined} className="grid gap-5">
      <div className="grid grid-cols-[minmax(0,1fr)_96px] gap-4">
        <Field label="Name" error={errors.name} action={<Required />}>
          <Input name="name" defaultValue={persona?.name} required autoComplete="off" />
        </Field>
        <Field label="Age" error={errors.age}>
          <Input name="age" inputMode="numeric" defaultValue={persona?.age ?? ""} autoComplete="off" />
        </Field>
      </div>
      <Field label="Description" error={errors.description} action={<Required />}>
        <Textarea name="description" rows={4} defaultValue={persona?.description} required />
      </Field>
      <TraitList
        label="Interests"
        addLabel="Add interest"
        items={interests}
        onChange={setInterests}
        error={errors.interests}
      />
      <TraitList
        label="Challenges"
        addLabel="Add challenge"
        items={challenges}
        onChange={setChallenges}
        error={errors.challenges}
      />
      <DialogFormFooter pending={save.isPending}>{persona ? "Save Persona" : "Create Persona"}</DialogFormFooter>
    </form>
  );
}

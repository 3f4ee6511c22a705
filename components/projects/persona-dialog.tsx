"use client";

import { type FormEvent, useState } from "react";
import { TraitList } from "@/components/projects/trait-list";
import { FormDialog } from "@/components/shared/form-dialog";
import { Button } from "@/components/ui/button";
import { DialogClose, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { ApiError } from "@/lib/client/api";
import { type FieldErrors, focusFirstError, parseForm } from "@/lib/client/form";
import { useKeptText } from "@/lib/client/use-kept-text";
import { useSavePersona } from "@/lib/features/projects/client";
import { createPersonaInput, type PersonaOut } from "@/lib/features/projects/schema";

/** Writes a new persona, or edits the one there is. */
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
      keptAs={`persona:${projectId}`}
    >
      <PersonaForm projectId={projectId} persona={persona} onDone={() => onOpenChange(false)} />
    </FormDialog>
  );
}

function titleOf(persona: PersonaOut | null): string {
  return persona ? "Edit Buyer Persona" : "Add Buyer Persona";
}

function textsOf(kept: unknown): string[] {
  return Array.isArray(kept) ? kept.filter((text) => typeof text === "string") : [];
}

/** Lives only while the dialog is open, so that it begins with what is stored each time. */
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
  const before = { interests: persona?.interests ?? [], challenges: persona?.challenges ?? [] };
  const [interests, setInterests] = useState(before.interests);
  const [challenges, setChallenges] = useState(before.challenges);
  const [errors, setErrors] = useState<FieldErrors>({});
  const isChanged = JSON.stringify({ interests, challenges }) !== JSON.stringify(before);
  useKeptText(`persona:${projectId}:traits`, {
    label: titleOf(persona),
    take: () => (isChanged ? { interests, challenges } : null),
    restore(kept) {
      const traits = (kept ?? {}) as Partial<Record<"interests" | "challenges", unknown>>;
      setInterests(textsOf(traits.interests));
      setChallenges(textsOf(traits.challenges));
      return true;
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const { name, age, description } = Object.fromEntries(new FormData(form)) as Record<string, string>;
    const typed = parseForm(createPersonaInput, {
      name,
      description,
      age: age?.trim() ? Number(age) : null,
      interests,
      challenges,
    });
    setErrors(typed.errors ?? {});
    if (!typed.data) return focusFirstError(form);
    save.mutate(typed.data, {
      onSuccess: onDone,
      onError: (error) => setErrors(error instanceof ApiError ? error.fields : {}),
    });
  }

  return (
    <form noValidate onSubmit={submit} data-changed={isChanged || undefined} className="grid gap-5">
      <div className="grid grid-cols-[minmax(0,1fr)_96px] gap-4">
        <Field label="Name" error={errors.name}>
          <Input name="name" defaultValue={persona?.name} required autoComplete="off" />
        </Field>
        <Field label="Age" error={errors.age}>
          <Input name="age" inputMode="numeric" defaultValue={persona?.age ?? ""} autoComplete="off" />
        </Field>
      </div>
      <Field label="Description" error={errors.description}>
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
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="ghost">Cancel</Button>
        </DialogClose>
        <Button type="submit" pending={save.isPending}>
          {persona ? "Save Persona" : "Create Persona"}
        </Button>
      </DialogFooter>
    </form>
  );
}

"use client";

import { Pencil, Trash2 } from "lucide-react";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Field } from "@/components/shared/field";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/textarea";
import { fieldErrorsOf } from "@/lib/client/api";
import { warnBeforeUnload } from "@/lib/client/leave-guard";
import { useUpdateInstruction } from "@/lib/features/instructions/client";
import { SAVED_INSTRUCTION_MAX } from "@/lib/features/instructions/rules";
import type { InstructionOut } from "@/lib/features/instructions/schema";
import { isBlank } from "@/lib/utils/text";

/** What is open in a row: the form to change it, or the question before it is deleted. */
export type As = "edit" | "delete";

/** A saved instruction, which can be chosen, changed in place, and deleted after a question. */
export function InstructionRow({
  instruction,
  opened,
  isOff,
  onOpen,
  onPut,
  onDelete,
}: {
  instruction: InstructionOut;
  opened: As | null;
  /** True while another row is being changed, which choosing this one would lose. */
  isOff: boolean;
  onOpen: (as: As | null) => void;
  onPut: () => void;
  onDelete: (row: HTMLElement | null) => void;
}) {
  const row = useRef<HTMLLIElement>(null);
  useFocusBack(row, opened);
  useLayoutEffect(() => {
    if (opened) row.current?.scrollIntoView({ block: "nearest" });
  }, [opened]);
  const { text } = instruction;
  if (opened === "edit") {
    return (
      <li ref={row} className="px-2 py-2">
        <EditInstruction instruction={instruction} onDone={() => onOpen(null)} />
      </li>
    );
  }
  if (opened === "delete") {
    return (
      <li ref={row} className="rounded-sm bg-muted px-2 py-2">
        <Question text={text} onCancel={() => onOpen(null)} onDelete={() => onDelete(row.current)} />
      </li>
    );
  }
  return (
    <li
      ref={row}
      inert={isOff}
      className="flex items-start rounded-sm focus-within:bg-hover hover:bg-hover inert:opacity-50"
    >
      <button
        type="button"
        data-choice
        title={text}
        onClick={onPut}
        className="min-h-(--control-sm) min-w-0 flex-1 rounded-sm px-2 py-1.5 text-start focus-visible:-outline-offset-2 max-md:min-h-11 max-md:py-2.5"
      >
        <span dir="auto" className="line-clamp-2 [overflow-wrap:anywhere]">
          {text}
        </span>
      </button>
      {OPENERS.map(({ as, label, icon: Icon }) => (
        <Button
          key={as}
          variant="ghost"
          size="icon-sm"
          data-opens={as}
          aria-label={`${label}: ${text}`}
          className="mt-0.5 focus-visible:-outline-offset-2 max-md:mt-0"
          onClick={() => onOpen(as)}
        >
          <Icon aria-hidden="true" />
        </Button>
      ))}
    </li>
  );
}

const OPENERS = [
  { as: "edit", label: "Edit instruction", icon: Pencil },
  { as: "delete", label: "Delete instruction", icon: Trash2 },
] as const;

/** When the question or the form has closed, the focus goes back to the button that opened it. */
function useFocusBack(row: RefObject<HTMLElement | null>, opened: As | null): void {
  const last = useRef<As | null>(null);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = opened;
    // The focus stays in another row if it has gone there meanwhile.
    const isElsewhere = document.activeElement?.closest("li") && !row.current?.contains(document.activeElement);
    if (before && !opened && !isElsewhere) row.current?.querySelector<HTMLElement>(`[data-opens=${before}]`)?.focus();
  }, [opened, row]);
}

function Question({ text, onCancel, onDelete }: { text: string; onCancel: () => void; onDelete: () => void }) {
  const cancel = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => cancel.current?.focus(), []);
  return (
    <fieldset className="grid gap-2">
      <legend className="font-medium">Delete this instruction?</legend>
      <p dir="auto" className="line-clamp-2 text-muted-foreground [overflow-wrap:anywhere]">
        {text}
      </p>
      <div className="flex justify-end gap-2">
        <Button ref={cancel} variant="outline" size="sm" onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="destructive" size="sm" onClick={onDelete}>
          Delete
        </Button>
      </div>
    </fieldset>
  );
}

function EditInstruction({ instruction: { id, text }, onDone }: { instruction: InstructionOut; onDone: () => void }) {
  const [edited, setEdited] = useState(text);
  const update = useUpdateInstruction({ id });
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => area.current?.focus(), []);
  const isChanged = edited.trim() !== text;
  useEffect(() => (isChanged ? warnBeforeUnload() : undefined), [isChanged]);

  function save() {
    if (isBlank(edited)) return area.current?.focus();
    if (!isChanged) return onDone();
    update.mutate({ text: edited }, { onSuccess: onDone });
  }

  return (
    <div className="grid gap-2">
      <Field
        label="Edit instruction"
        error={isBlank(edited) ? "Write something, or cancel." : fieldErrorsOf(update.error).text}
      >
        <Textarea
          ref={area}
          rows={4}
          maxLength={SAVED_INSTRUCTION_MAX}
          value={edited}
          onChange={({ target }) => {
            setEdited(target.value);
            update.reset();
          }}
        />
      </Field>
      <div className="flex justify-end gap-2">
        <Button variant="outline" size="sm" onClick={onDone}>
          Cancel
        </Button>
        <Button size="sm" pending={update.isPending} onClick={save}>
          Save
        </Button>
      </div>
    </div>
  );
}

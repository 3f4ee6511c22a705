"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { SavedInstructions } from "@/components/instructions/saved-instructions";
import { CHIP, CHIP_TEXT } from "@/components/shared/chip";
import { Field } from "@/components/shared/field";
import type { EditorPart } from "@/components/shared/markdown-editor/part";
import { Button } from "@/components/ui/button";
import { DialogFooter } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { currentUserId } from "@/lib/client/current-user";
import { readTab, tabKey, writeTab } from "@/lib/client/tab-storage";
import { AFTER_MAX, BEFORE_MAX, INSTRUCTION_MAX, type Rewrite, SELECTION_MAX } from "@/lib/features/generation/rules";
import type { RewriteInput } from "@/lib/features/generation/schema";
import { cn } from "@/lib/utils/cn";
import { isBlank } from "@/lib/utils/text";
import { lengthInWords } from "@/lib/utils/words";

type Choice = {
  action: Rewrite;
  label: string;
  /** Label of the field for the user's words. */
  field: string;
  placeholder?: string;
  isRequired?: boolean;
  /** Users mostly enter the same words again, so this tab remembers them. */
  isRemembered?: boolean;
};

const ANY = "Anything to keep in mind? (optional)";

const ON_SECTION: Choice[] = [
  { action: "section", label: "Write this section again", field: "What should be different? (optional)" },
  { action: "continue", label: "Write on", field: "What comes next? (optional)" },
];
const ON_OUTLINE: Choice[] = [
  { action: "section", label: "Rewrite this section", field: "What should be different? (optional)" },
  { action: "continue", label: "Add a section after it", field: "What should it be about? (optional)" },
  {
    action: "custom",
    label: "Own instruction",
    field: "What should the AI do?",
    placeholder: "Divide this into two sections",
    isRequired: true,
  },
];
const ON_WHOLE_OUTLINE: Choice[] = [
  {
    action: "drop",
    label: "Drop a section",
    field: "Which one? (optional)",
    placeholder: "The one that serves the reader least",
  },
  {
    action: "custom",
    label: "Own instruction",
    field: "What should the AI do?",
    placeholder: "Put the costs before the steps",
    isRequired: true,
  },
];
const CHOICES: Choice[] = [
  { action: "shorter", label: "Shorter", field: ANY },
  { action: "longer", label: "Longer", field: ANY },
  { action: "simpler", label: "Simpler", field: ANY },
  { action: "grammar", label: "Fix grammar", field: ANY },
  {
    action: "tone",
    label: "Change the tone",
    field: "Tone",
    placeholder: "friendly, but factual",
    isRequired: true,
    isRemembered: true,
  },
  {
    action: "translate",
    label: "Translate",
    field: "Language",
    placeholder: "German",
    isRequired: true,
    isRemembered: true,
  },
  {
    action: "custom",
    label: "Own instruction",
    field: "What should the AI do?",
    placeholder: "Turn this into a list of steps",
    isRequired: true,
  },
];

/** What the AI should do with a part. */
export function AssistForm({
  part,
  of,
  first,
  instruction: suggested = "",
  onAsk,
}: {
  part: EditorPart;
  of: "body" | "outline";
  /** The action that is selected at first. */
  first?: Rewrite | undefined;
  /** What its field has at first. */
  instruction?: string | undefined;
  onAsk: (input: RewriteInput) => void;
}) {
  const choices = choicesOf(of, part);
  const [choice, setChoice] = useState(() => choices.find(({ action }) => action === first) ?? (choices[0] as Choice));
  const [instruction, setInstruction] = useState(suggested);
  const [error, setError] = useState<string>();
  const { action, isRequired } = choice;
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const problem = problemOf(part, choice, instruction);
    setError(problem);
    if (problem) return;
    if (choice.isRemembered) writeTab(keyOf(choice), instruction);
    onAsk({ ...inputOf(part, action, instruction), of });
  }

  function choose(next: Choice) {
    const isOwn = instruction !== wordsOf(choice);
    setChoice(next);
    setError(undefined);
    if (!isOwn) setInstruction(wordsOf(next));
  }

  function wordsOf(of: Choice): string {
    return (of.isRemembered ? readTab(keyOf(of)) : null) ?? "";
  }

  function keyOf({ action }: Choice): string {
    return tabKey(currentUserId(client), `assist:${action}`);
  }

  return (
    <form onSubmit={submit} className="grid grid-cols-1 gap-4">
      <blockquote
        dir="auto"
        className="line-clamp-3 border-s-2 ps-3 font-serif text-muted-foreground [overflow-wrap:anywhere]"
      >
        {part.text === "" ? "No text yet." : part.text.slice(0, 400)}
      </blockquote>
      <fieldset>
        <legend className="sr-only">What the AI should do</legend>
        <div className="flex flex-wrap gap-2">
          {choices.map((each) => (
            <label
              key={each.action}
              className={cn(
                CHIP,
                CHIP_TEXT,
                "cursor-pointer items-center inset-ring has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2 max-md:min-h-11",
                each === choice ? "bg-selected inset-ring-primary" : "inset-ring-border hover:bg-accent",
              )}
            >
              <input
                type="radio"
                name="action"
                checked={each === choice}
                onChange={() => choose(each)}
                className="sr-only"
              />
              {each.label}
            </label>
          ))}
        </div>
      </fieldset>
      <Field
        label={choice.field}
        error={error}
        action={
          action === "tone" || action === "translate" ? null : <SavedInstructions field={field} max={INSTRUCTION_MAX} />
        }
      >
        {(control) => (
          <Input
            {...control}
            ref={field}
            dir="auto"
            value={instruction}
            maxLength={INSTRUCTION_MAX}
            placeholder={choice.placeholder}
            aria-required={isRequired}
            onChange={({ target }) => setInstruction(target.value)}
          />
        )}
      </Field>
      <DialogFooter>
        <Button type="submit">Ask the AI</Button>
      </DialogFooter>
    </form>
  );
}

function choicesOf(of: "body" | "outline", { kind }: EditorPart): Choice[] {
  if (of === "outline") return kind === "whole" ? ON_WHOLE_OUTLINE : ON_OUTLINE;
  return kind === "selection" ? CHOICES : [...ON_SECTION, ...CHOICES];
}

function problemOf(part: EditorPart, { action, field, isRequired }: Choice, instruction: string): string | undefined {
  if (isRequired && isBlank(instruction)) return `${field.replace(/\?$/, "")}: say it in a few words.`;
  if (action === "continue") return undefined;
  if (part.text === "") return "There is no text here yet. Write a little first, or let the AI write on.";
  if (part.text.length <= SELECTION_MAX) return undefined;
  const words = lengthInWords(part.text).toLocaleString("en-US");
  const isWhole = part.kind === "whole";
  const instead = isWhole ? "Change its sections one by one." : "Select at most about 3,000 words.";
  return `This ${isWhole ? "outline" : "part"} has ${words} words, too many for one request. ${instead}`;
}

function inputOf(part: EditorPart, action: Rewrite, instruction: string): Omit<RewriteInput, "of"> {
  const isOn = action === "continue";
  return {
    action,
    selection: isOn ? "" : part.text,
    before: whole((isOn ? part.untilCaret : part.before).slice(-BEFORE_MAX)),
    after: whole((isOn ? part.fromCaret : part.after).slice(0, AFTER_MAX)),
    instruction,
  };
}

/** Removes half a character at either end. */
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, "").replace(/[\uD800-\uDBFF]$/, "");
}

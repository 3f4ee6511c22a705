"use client";

import { type KeyboardEvent, useState } from "react";
import { Chip, ChipCross } from "@/components/shared/chip";
import { Field } from "@/components/shared/field";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { isComposing } from "@/lib/client/composing";

/** A list of short texts, added with Enter or the button; blank ones are ignored. */
export function TraitList({
  label,
  addLabel,
  items,
  onChange,
  error,
}: {
  label: string;
  addLabel: string;
  items: string[];
  onChange: (items: string[]) => void;
  error?: string[];
}) {
  const [text, setText] = useState("");

  function add() {
    const item = text.trim();
    if (item) onChange([...items, item]);
    setText("");
  }

  function addOnEnter(event: KeyboardEvent) {
    if (event.key !== "Enter" || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    add();
  }

  return (
    <div className="grid gap-2" data-changed={text.trim() !== "" || undefined}>
      <Field label={label} error={error}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              value={text}
              autoComplete="off"
              onChange={(event) => setText(event.target.value)}
              onKeyDown={addOnEnter}
              // Otherwise saving would lose a text not added yet.
              onBlur={add}
            />
            <Button variant="outline" aria-label={addLabel} onClick={add}>
              Add
            </Button>
          </div>
        )}
      </Field>
      {items.length > 0 ? (
        <ul aria-label={label} className="flex flex-wrap gap-2">
          {items.map((item, index) => (
            <Chip
              // biome-ignore lint/suspicious/noArrayIndexKey: the same text may be listed twice.
              key={`${index} ${item}`}
              end={
                <ChipCross label={`Remove ${item}`} onClick={() => onChange(items.filter((_, at) => at !== index))} />
              }
            >
              {item}
            </Chip>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

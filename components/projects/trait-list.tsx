"use client";

import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

/** A list of short texts, added one by one with Enter or the button; blank ones are ignored. */
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
  const [typed, setTyped] = useState("");

  function add() {
    const item = typed.trim();
    if (item) onChange([...items, item]);
    setTyped("");
  }

  function addOnEnter(event: KeyboardEvent) {
    // Enter that ends a word of an input method is not meant for the list.
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  }

  return (
    <div className="grid gap-2" data-changed={typed.trim() !== "" || undefined}>
      <Field label={label} error={error}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              value={typed}
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={addOnEnter}
              // What was typed and not added would be lost on saving.
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
          {items.map((item, place) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the same text may stand twice.
              key={`${place} ${item}`}
              className="inline-flex min-h-7 min-w-0 max-w-full items-center rounded-sm bg-muted pl-2.5 text-sm"
            >
              <span dir="auto" className="min-w-0 wrap-anywhere py-1">
                {item}
              </span>
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={`Remove ${item}`}
                onClick={() => onChange(items.filter((_, at) => at !== place))}
              >
                <X aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

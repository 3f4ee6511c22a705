"use client";

import { Check, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { isLost } from "@/components/ui/focus-return";
import { askBeforeUnload } from "@/lib/client/leaving";
import { cn } from "@/lib/utils/cn";
import { isBlank } from "@/lib/utils/text";

/**
 * One line of text edited in its place; the field grows with what is typed. Enter saves the trimmed text, Escape cancels.
 * A blank text is not saved; an unchanged one only ends the edit. It takes the focus of what it was opened with; opened by
 * itself, because a text was refused, it takes none that is elsewhere by then.
 */
export function InlineEdit({
  value,
  unsaved,
  label,
  noun,
  maxLength,
  onSave,
  onCancel,
  className,
}: {
  value: string;
  /** What was typed before and refused. */
  unsaved?: string | undefined;
  /** Name of the field. */
  label: string;
  /** What is edited, for the names of the buttons: "Save keyword". */
  noun: string;
  maxLength: number;
  onSave: (value: string) => void;
  onCancel: () => void;
  className?: string;
}) {
  const [text, setText] = useState(unsaved ?? value);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (isLost()) field.current?.focus();
  }, []);

  const isChanged = text.trim() !== value;
  useEffect(() => (isChanged ? askBeforeUnload() : undefined), [isChanged]);

  function save() {
    if (isBlank(text)) return;
    const trimmed = text.trim();
    if (trimmed === value) onCancel();
    else onSave(trimmed);
  }

  function listen(event: KeyboardEvent) {
    // Enter also ends the composition of a word; that is not yet the wish to save.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      // Or it would close a dialog around it too.
      event.stopPropagation();
      onCancel();
    } else if (event.key === "Enter") {
      event.preventDefault();
      save();
    }
  }

  return (
    <div
      className={cn(
        "flex max-w-full items-center rounded-sm border border-input bg-card focus-within:outline-2 focus-within:outline-ring focus-within:outline-offset-2 max-md:rounded-md",
        className,
      )}
    >
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={label}
        maxLength={maxLength}
        value={text}
        onChange={(event) => setText(event.target.value.replace(/[\r\n]+/g, " "))}
        onFocus={(event) => event.target.select()}
        onKeyDown={listen}
        className="field-sizing-content min-w-0 flex-1 resize-none bg-transparent px-2 py-[3px] supports-[field-sizing:content]:overflow-hidden outline-none max-md:px-3 max-md:py-2.5 max-md:text-md"
      />
      <Button variant="ghost" size="icon-sm" aria-label={`Save ${noun}`} disabled={isBlank(text)} onClick={save}>
        <Check aria-hidden="true" />
      </Button>
      <Button variant="ghost" size="icon-sm" aria-label="Cancel" onClick={onCancel}>
        <X aria-hidden="true" />
      </Button>
    </div>
  );
}

"use client";

import { Check, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { FieldError } from "@/components/shared/field";
import { isFocusLost } from "@/components/shared/focus-return";
import { Button } from "@/components/ui/button";
import { isComposing } from "@/lib/client/composing";
import { warnBeforeUnload } from "@/lib/client/leave-guard";
import { cn } from "@/lib/utils/cn";
import { isBlank } from "@/lib/utils/text";

/**
 * Edits one line of text in place. Enter saves the trimmed text, Escape cancels; a blank text is not saved, nor one that is
 * too long, which is not cut either. It takes the focus only from the button that opened it, not when it opens by itself
 * with a rejected text.
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
  /** A text that was rejected before. */
  unsaved?: string | undefined;
  /** Name of the field. */
  label: string;
  /** What is edited, for the buttons' names: "Save keyword". */
  noun: string;
  maxLength: number;
  onSave: (value: string) => void;
  onCancel: () => void;
  className?: string;
}) {
  const [text, setText] = useState(unsaved ?? value);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (isFocusLost()) field.current?.focus();
  }, []);

  const errorId = useId();
  const isTooLong = text.trim().length > maxLength;
  const isChanged = text.trim() !== value;
  useEffect(() => (isChanged ? warnBeforeUnload() : undefined), [isChanged]);

  function save() {
    if (isBlank(text) || isTooLong) return;
    const trimmed = text.trim();
    if (trimmed === value) onCancel();
    else onSave(trimmed);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "Escape") {
      // Escape would also close a dialog around it.
      event.stopPropagation();
      onCancel();
    } else if (event.key === "Enter") {
      event.preventDefault();
      save();
    }
  }

  return (
    <div className={cn("grid min-w-0 max-w-full grid-cols-1 gap-1", className)}>
      <div className="flex max-w-full items-center rounded-sm border border-input bg-card focus-within:outline-2 focus-within:outline-ring focus-within:outline-offset-2 max-md:rounded-md">
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          aria-label={label}
          aria-invalid={isTooLong || undefined}
          aria-describedby={isTooLong ? errorId : undefined}
          value={text}
          onChange={(event) => setText(event.target.value.replace(/[\r\n]+/g, " "))}
          onFocus={(event) => event.target.select()}
          onKeyDown={onKeyDown}
          className="field-sizing-content min-w-0 flex-1 resize-none bg-transparent px-2 py-[3px] supports-[field-sizing:content]:overflow-hidden outline-none max-md:px-3 max-md:py-2.5 max-md:text-md"
        />
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Save ${noun}`}
          disabled={isBlank(text) || isTooLong}
          onClick={save}
        >
          <Check aria-hidden="true" />
        </Button>
        <Button variant="ghost" size="icon-sm" aria-label="Cancel" onClick={onCancel}>
          <X aria-hidden="true" />
        </Button>
      </div>
      {isTooLong ? (
        <FieldError id={errorId}>It has more than {maxLength} characters. Shorten it to save it.</FieldError>
      ) : null}
    </div>
  );
}

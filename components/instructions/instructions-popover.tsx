"use client";

import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { InstructionsPanel, type Opened } from "@/components/instructions/instructions-panel";
import { focusEnd, putIntoField, type Target, withInstruction } from "@/components/instructions/put-into-field";
import type { PopupProps } from "@/components/shared/lazy-popup";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";

/** Loaded when components/instructions/saved-instructions.tsx is first opened. */
export function InstructionsPopover({ trigger, open, onOpenChange, field, max }: PopupProps & Target) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [problem, setProblem] = useState<string>();
  const isPut = useRef(false);

  function changeOpen(next: boolean) {
    setOpened(null);
    setProblem(undefined);
    onOpenChange(next);
  }

  function put(text: string) {
    if (!field.current) return;
    const value = withInstruction(field.current, text);
    if (value.length > max) return setProblem(tooLong(value.length, max));
    isPut.current = true;
    // Until it is closed, it takes the focus back from the field.
    flushSync(() => changeOpen(false));
    putIntoField(field.current, value);
  }

  return (
    // Modal: the field stays as it was read, and nothing below closes over an edit.
    <Popover modal open={open} onOpenChange={changeOpen}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent
        // It opens above, so that the field stays in sight.
        side="top"
        align="end"
        aria-label="Saved instructions"
        className="max-h-[min(30rem,var(--radix-popover-content-available-height))] w-96 grid-rows-[auto_minmax(0,1fr)_auto] gap-2 p-2"
        onEscapeKeyDown={(event) => {
          if (!opened) return;
          event.preventDefault();
          setOpened(null);
        }}
        // A click beside it does not lose an edit.
        onInteractOutside={(event) => opened?.as === "edit" && event.preventDefault()}
        onCloseAutoFocus={(event) => {
          if (!isPut.current || !field.current) return;
          isPut.current = false;
          event.preventDefault();
          focusEnd(field.current);
        }}
      >
        <InstructionsPanel field={field} opened={opened} onOpen={setOpened} problem={problem} onPut={put} />
      </PopoverContent>
    </Popover>
  );
}

function tooLong(length: number, max: number): string {
  const [has, takes] = [length, max].map((count) => count.toLocaleString("en-US"));
  return `This does not fit: the field takes ${takes} characters and would have ${has}. Shorten what you typed, or choose a shorter instruction.`;
}

"use client";

import { BookmarkPlus } from "lucide-react";
import { useId } from "react";
import { Button } from "@/components/ui/button";
import { useCreateInstruction } from "@/lib/features/instructions/client";
import { MAX_INSTRUCTIONS, SAVED_INSTRUCTION_MAX } from "@/lib/features/instructions/rules";
import type { InstructionOut } from "@/lib/features/instructions/schema";
import { cn } from "@/lib/utils/cn";
import { comparisonKey, isBlank } from "@/lib/utils/text";

/** Saves the field's words, or says why not. */
export function SaveTyped({ typed, saved }: { typed: string; saved: InstructionOut[] | undefined }) {
  const reasonId = useId();
  const create = useCreateInstruction();
  const reason = create.isSuccess ? "Saved." : whyNot(typed, saved);
  const isOff = reason !== undefined || !saved;
  return (
    <div className="grid gap-1.5">
      <p id={reasonId} role="status" className="text-muted-foreground text-sm empty:hidden">
        {reason}
      </p>
      {/* It keeps the focus when it has saved, so it is never truly disabled. */}
      <Button
        variant="outline"
        pending={create.isPending}
        aria-disabled={isOff || undefined}
        aria-describedby={reasonId}
        className={cn(isOff && "border-transparent bg-muted text-muted-foreground hover:bg-muted active:bg-muted")}
        onClick={() => (isOff ? undefined : create.mutate({ text: typed.trim() }))}
      >
        <BookmarkPlus aria-hidden="true" />
        Save what I typed
      </Button>
    </div>
  );
}

function whyNot(typed: string, saved: InstructionOut[] = []): string | undefined {
  if (isBlank(typed)) return "To save an instruction, type it in the field first.";
  // The server counts characters, not UTF-16 units.
  const length = [...typed.trim()].length;
  if (length > SAVED_INSTRUCTION_MAX) {
    const [has, most] = [length, SAVED_INSTRUCTION_MAX].map((count) => count.toLocaleString("en-US"));
    return `What you typed has ${has} characters. A saved instruction can have at most ${most}.`;
  }
  if (saved.some(({ text }) => comparisonKey(text) === comparisonKey(typed))) {
    return "You have saved this instruction already.";
  }
  if (saved.length < MAX_INSTRUCTIONS) return undefined;
  return `You have ${MAX_INSTRUCTIONS} saved instructions, the maximum. Delete one you no longer need first.`;
}

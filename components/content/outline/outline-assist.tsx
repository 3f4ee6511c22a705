"use client";

import { Sparkles } from "lucide-react";
import { useAssistDialog } from "@/components/content/assist/use-assist-dialog";
import type { Said } from "@/components/content/outline/undo-change";
import type { EditorPart } from "@/components/shared/markdown-editor/part";

/** Lets the AI change the whole outline: drop a section, or what the user asks for. */
export function OutlineAssist({
  pieceId,
  outline,
  onAssisted,
}: {
  pieceId: string;
  outline: string;
  onAssisted: (outline: string, said: Said) => void;
}) {
  const assist = useAssistDialog({ pieceId, take });

  function take({ text }: EditorPart, instead: string): boolean {
    if (outline.trim() !== text) return false;
    onAssisted(
      outline.replace(text, () => instead.trim()),
      CHANGED,
    );
    return true;
  }

  return (
    <>
      <button
        type="button"
        // Nothing to change yet.
        disabled={outline.trim() === ""}
        onClick={() => assist.open(wholeOf(outline))}
        className="ms-auto flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2.5 text-muted-foreground text-sm hover:bg-hover hover:text-foreground disabled:pointer-events-none disabled:opacity-50 max-md:h-11"
      >
        <Sparkles aria-hidden="true" className="size-4" />
        Change with AI
      </button>
      {assist.dialog}
    </>
  );
}

const CHANGED = { title: "Outline changed", description: "The AI's outline has taken its place." };

function wholeOf(outline: string): EditorPart {
  const text = outline.trim();
  const from = outline.indexOf(text);
  const to = from + text.length;
  return { kind: "whole", from, to, text, before: "", after: "", untilCaret: outline, fromCaret: "" };
}

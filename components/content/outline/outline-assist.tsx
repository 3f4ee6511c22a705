"use client";

import { Sparkles } from "lucide-react";
import { useState } from "react";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import type { Part } from "@/components/shared/markdown-editor/part";
import { toast } from "@/lib/client/toast";

const AssistDialog = lazyDialog(() =>
  import("@/components/content/assist/assist-dialog").then((module) => module.AssistDialog),
);

const CHANGED = {
  title: "Nothing was changed",
  description: "The outline has changed meanwhile, in another window. Copy what you need, and close this.",
  variant: "destructive" as const,
};

/** Lets the AI change the whole outline: drop a section, or what the person asks for. */
export function OutlineAssist({
  pieceId,
  outline,
  onChange,
}: {
  pieceId: string;
  outline: string;
  onChange: (outline: string) => void;
}) {
  const [asked, setAsked] = useState<{ part: Part; time: number } | null>(null);
  const [isOpen, setOpen] = useState(false);

  function ask() {
    setAsked((last) => ({ part: wholeOf(outline), time: (last?.time ?? 0) + 1 }));
    setOpen(true);
  }

  function take(part: Part, text: string) {
    if (outline.trim() !== part.text) {
      toast({ ...CHANGED, subject: "outline section" });
      return;
    }
    setOpen(false);
    onChange(outline.replace(part.text, () => text.trim()));
  }

  return (
    <>
      <button
        type="button"
        // Nothing to change yet.
        disabled={outline.trim() === ""}
        onClick={ask}
        className="ms-auto flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2.5 text-muted-foreground text-sm hover:bg-hover hover:text-foreground disabled:pointer-events-none disabled:opacity-50 max-md:h-11"
      >
        <Sparkles aria-hidden="true" className="size-4" />
        Change with AI
      </button>
      {asked ? (
        <AssistDialog
          // Each time begins with the question.
          key={asked.time}
          open={isOpen}
          onOpenChange={setOpen}
          pieceId={pieceId}
          of="outline"
          part={asked.part}
          onTake={(text) => take(asked.part, text)}
        />
      ) : null}
    </>
  );
}

function wholeOf(outline: string): Part {
  const text = outline.trim();
  const from = outline.indexOf(text);
  const to = from + text.length;
  return { kind: "whole", from, to, text, before: "", after: "", untilCaret: outline, fromCaret: "" };
}

"use client";

import { type ReactNode, useRef, useState } from "react";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import type { Editor } from "@/components/shared/markdown-editor/create-editor";
import type { Part } from "@/components/shared/markdown-editor/part";
import { toast } from "@/lib/client/toast";
import { pieceSubject } from "@/lib/features/content/client";

const AssistDialog = lazyDialog(() =>
  import("@/components/content/assist/assist-dialog").then((module) => module.AssistDialog),
);

/** The dialog "Write with AI" of one piece's editor. */
export function useAssistDialog(pieceId: string): {
  open: (editor: Editor, isWritingOn: boolean) => void;
  dialog: ReactNode;
} {
  const [asked, setAsked] = useState<{ part: Part; isWritingOn: boolean; time: number } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const editor = useRef<Editor | null>(null);

  function open(from: Editor, isWritingOn: boolean) {
    editor.current = from;
    setAsked((last) => ({ part: from.part(), isWritingOn, time: (last?.time ?? 0) + 1 }));
    setOpen(true);
  }

  function take(part: Part, text: string, how: "replace" | "insert") {
    const isDone = how === "insert" ? editor.current?.putAtCaret(part, text) : editor.current?.put(part, text);
    if (isDone) setOpen(false);
    else toast({ ...CHANGED, subject: pieceSubject(pieceId) });
  }

  const dialog = asked ? (
    <AssistDialog
      // Each time begins with the question.
      key={asked.time}
      open={isOpen}
      onOpenChange={setOpen}
      pieceId={pieceId}
      part={asked.part}
      first={asked.isWritingOn ? "continue" : undefined}
      onTake={(text, how) => take(asked.part, text, how)}
    />
  ) : null;
  return { open, dialog };
}

const CHANGED = {
  title: "Nothing was changed",
  description: "This part of the text has changed meanwhile, in another window. Copy what you need, and close this.",
  variant: "destructive" as const,
};

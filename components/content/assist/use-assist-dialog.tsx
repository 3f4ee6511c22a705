"use client";

import { type ReactNode, useState } from "react";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import type { EditorPart } from "@/components/shared/markdown-editor/part";
import { toast } from "@/lib/client/toast";
import { pieceSubject } from "@/lib/features/content/client";

const AssistDialog = lazyDialog(() =>
  import("@/components/content/assist/assist-dialog").then((module) => module.AssistDialog),
);

type Asked = { part: EditorPart; time: number };

type Options = {
  pieceId: string;
  /** Puts the AI's text in the place of the part or after it; false if the part has changed meanwhile. */
  take: (part: EditorPart, text: string, how: "replace" | "insert") => boolean;
};

/** The dialog "Write with AI" for a part of an outline. */
export function useAssistDialog({ pieceId, take }: Options): {
  open: (part: EditorPart) => void;
  dialog: ReactNode;
} {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOpen, setOpen] = useState(false);

  function open(part: EditorPart) {
    setAsked((last) => ({ part, time: (last?.time ?? 0) + 1 }));
    setOpen(true);
  }

  const dialog = asked ? (
    <AssistDialog
      // The dialog begins with the question each time.
      key={asked.time}
      open={isOpen}
      onOpenChange={setOpen}
      pieceId={pieceId}
      part={asked.part}
      onTake={(text, how) => {
        if (take(asked.part, text, how)) setOpen(false);
        else toast({ ...CHANGED, subject: pieceSubject(pieceId) });
      }}
    />
  ) : null;
  return { open, dialog };
}

const CHANGED = {
  title: "Nothing was changed",
  description: "This part was changed in another window. Copy what you need and close this.",
  variant: "destructive" as const,
};

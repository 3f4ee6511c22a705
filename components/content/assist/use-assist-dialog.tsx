"use client";

import { type ReactNode, useState } from "react";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import type { EditorPart } from "@/components/shared/markdown-editor/part";
import { toast } from "@/lib/client/toast";
import { pieceSubject } from "@/lib/features/content/client";
import type { Rewrite } from "@/lib/features/generation/rules";

const AssistDialog = lazyDialog(() =>
  import("@/components/content/assist/assist-dialog").then((module) => module.AssistDialog),
);

type Asked = { part: EditorPart; first: Rewrite | undefined; instruction: string | undefined; time: number };

type Options = {
  pieceId: string;
  /** The text whose parts it works on. */
  of: "body" | "outline";
  /** Puts the AI's text in the place of the part or after it; false if the part has changed meanwhile. */
  take: (part: EditorPart, text: string, how: "replace" | "insert") => boolean;
};

/** The dialog "Write with AI" for a part of a piece. `first` and `instruction` are what it has at first. */
export function useAssistDialog({ pieceId, of, take }: Options): {
  open: (part: EditorPart, first?: Rewrite, instruction?: string) => void;
  dialog: ReactNode;
} {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOpen, setOpen] = useState(false);

  function open(part: EditorPart, first?: Rewrite, instruction?: string) {
    setAsked((last) => ({ part, first, instruction, time: (last?.time ?? 0) + 1 }));
    setOpen(true);
  }

  const dialog = asked ? (
    <AssistDialog
      // The dialog begins with the question each time.
      key={asked.time}
      open={isOpen}
      onOpenChange={setOpen}
      pieceId={pieceId}
      of={of}
      part={asked.part}
      first={asked.first}
      instruction={asked.instruction}
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
  description: "This part has changed meanwhile, in another window. Copy what you need, and close this.",
  variant: "destructive" as const,
};

"use client";

import { AssistForm } from "@/components/content/assist/assist-form";
import type { EditorPart } from "@/components/shared/markdown-editor/part";
import { ModalContent } from "@/components/shared/modal-content";
import { Dialog, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import type { Rewrite } from "@/lib/features/generation/rules";
import type { RewriteInput } from "@/lib/features/generation/schema";

/** Asks what the AI should do with a part of the body. */
export function AskDialog({
  open,
  onOpenChange,
  part,
  first,
  instruction,
  onAsk,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  part: EditorPart;
  /** The action that is selected at first. */
  first: Rewrite | undefined;
  /** What its field has at first. */
  instruction: string | undefined;
  onAsk: (input: RewriteInput) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <ModalContent className="md:max-w-2xl">
        <DialogHeader>
          <DialogTitle>Write with AI</DialogTitle>
          <DialogDescription>
            {part.kind === "selection"
              ? "For the text you have selected. Nothing changes until you take the result."
              : "For the section at the caret, or what comes after it. Select words to work on those alone."}
          </DialogDescription>
        </DialogHeader>
        <AssistForm part={part} of="body" first={first} instruction={instruction} onAsk={onAsk} />
      </ModalContent>
    </Dialog>
  );
}

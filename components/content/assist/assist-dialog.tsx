"use client";

import { AssistForm } from "@/components/content/assist/assist-form";
import { AssistResult } from "@/components/content/assist/assist-result";
import { useAssist } from "@/components/content/assist/use-assist";
import type { EditorPart } from "@/components/shared/markdown-editor/part";
import { ModalContent } from "@/components/shared/modal-content";
import { Dialog, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";

/** Asks the AI for a new text of the outline or a section of it, or for another section, and lets the user take what they want. */
export function AssistDialog({
  open,
  onOpenChange,
  pieceId,
  part,
  onTake,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  pieceId: string;
  part: EditorPart;
  /** `text` takes the part's place, or is put after it. */
  onTake: (text: string, how: "replace" | "insert") => void;
}) {
  const { proposal, ask, stop, reset } = useAssist(pieceId);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <ModalContent className="md:max-w-2xl">
        <DialogHeader>
          <DialogTitle>Write with AI</DialogTitle>
          <DialogDescription>
            {proposal
              ? "Nothing has changed yet. “Undo” takes it back afterwards."
              : `For ${part.kind === "whole" ? "the whole outline" : "this section of the outline"}. Nothing changes until you take the result.`}
          </DialogDescription>
        </DialogHeader>
        {proposal ? (
          <AssistResult
            proposal={proposal}
            onStop={stop}
            onBack={reset}
            onAgain={() => ask(proposal.input)}
            onTake={(text) => onTake(text, proposal.input.action === "continue" ? "insert" : "replace")}
          />
        ) : (
          <AssistForm part={part} of="outline" onAsk={ask} />
        )}
      </ModalContent>
    </Dialog>
  );
}

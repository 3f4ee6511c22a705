"use client";

import { AssistForm } from "@/components/content/assist/assist-form";
import { AssistResult } from "@/components/content/assist/assist-result";
import { useAssist } from "@/components/content/assist/use-assist";
import type { EditorPart } from "@/components/shared/markdown-editor/part";
import { ModalContent } from "@/components/shared/modal-content";
import { Dialog, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import type { Rewrite } from "@/lib/features/generation/rules";
import type { RewriteInput } from "@/lib/features/generation/schema";

/** Asks the AI for a new text of a part, or for what comes next, and lets the user take it, or some of it. */
export function AssistDialog({
  open,
  onOpenChange,
  pieceId,
  part,
  of = "body",
  first,
  instruction,
  onAsk,
  onTake,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  pieceId: string;
  part: EditorPart;
  /** The text that the part belongs to. */
  of?: "body" | "outline";
  first?: Rewrite | undefined;
  instruction?: string | undefined;
  /** Takes the question elsewhere; without it the dialog shows the result. */
  onAsk?: ((input: RewriteInput) => void) | undefined;
  /** `text` takes the part's place, or is put at the caret. */
  onTake?: (text: string, how: "replace" | "insert") => void;
}) {
  const { proposal, ask, stop, reset } = useAssist(pieceId);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <ModalContent className="md:max-w-2xl">
        <DialogHeader>
          <DialogTitle>Write with AI</DialogTitle>
          <DialogDescription>{proposal ? RESULTS[of] : questionOf(of, part)}</DialogDescription>
        </DialogHeader>
        {proposal ? (
          <AssistResult
            proposal={proposal}
            onStop={stop}
            onBack={reset}
            onAgain={() => ask(proposal.input)}
            onTake={(text) => onTake?.(text, proposal.input.action === "continue" ? "insert" : "replace")}
          />
        ) : (
          <AssistForm part={part} of={of} first={first} instruction={instruction} onAsk={onAsk ?? ask} />
        )}
      </ModalContent>
    </Dialog>
  );
}

const RESULTS = {
  body: "Nothing has changed yet. You can undo it afterwards with Ctrl+Z.",
  outline: "Nothing has changed yet. “Undo” takes it back afterwards.",
};

function questionOf(of: "body" | "outline", { kind }: EditorPart): string {
  if (kind === "whole") return "For the whole outline. Nothing changes until you take the result.";
  if (of === "outline") return "For this section of the outline. Nothing changes until you take the result.";
  if (kind === "selection") return "For the text you have selected. Nothing changes until you take the result.";
  return "For the section at the caret, or what comes after it. Select words to work on those alone.";
}

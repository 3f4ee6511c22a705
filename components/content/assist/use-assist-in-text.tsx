"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { ProposalBar } from "@/components/content/assist/proposal-bar";
import { type Proposal, useAssist } from "@/components/content/assist/use-assist";
import { stretchesOf } from "@/components/shared/difference/choices";
import type { Stretch } from "@/components/shared/difference/rows";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import type { Editor } from "@/components/shared/markdown-editor/create-editor";
import type { EditorPart } from "@/components/shared/markdown-editor/part";
import type { ProposalState } from "@/components/shared/markdown-editor/proposal";
import { copyText } from "@/lib/client/copy-text";
import { toast } from "@/lib/client/toast";
import { pieceSubject } from "@/lib/features/content/client";
import type { Rewrite } from "@/lib/features/generation/rules";

const AskDialog = lazyDialog(() => import("@/components/content/assist/ask-dialog").then((module) => module.AskDialog));

/** The question of the dialog "Write with AI". `first` and `instruction` are what it has at first. */
type Asked = {
  editor: Editor;
  part: EditorPart;
  first: Rewrite | undefined;
  instruction: string | undefined;
  time: number;
};

/** "Write with AI" for a text in the editor: a dialog asks, and what the AI answers stands in the text as a difference. */
export function useAssistInText(pieceId: string): {
  open: (editor: Editor, first?: Rewrite, instruction?: string) => void;
  dialog: ReactNode;
  bar: ReactNode;
  onProposal: (editor: Editor, state: ProposalState | null) => void;
} {
  const { proposal, ask, stop, reset } = useAssist(pieceId);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<ProposalState | null>(null);
  const editor = useRef<Editor | null>(null);
  const part = useRef<EditorPart | null>(null);

  useEffect(() => {
    if (part.current && editor.current) showIn(editor.current, part.current, proposal);
    if (!proposal) part.current = null;
  }, [proposal]);

  function open(at: Editor, first?: Rewrite, instruction?: string) {
    setAsked((last) => ({ editor: at, part: at.part(), first, instruction, time: (last?.time ?? 0) + 1 }));
    setOpen(true);
  }

  const dialog = asked ? (
    <AskDialog
      // The dialog begins with the question each time.
      key={asked.time}
      open={isOpen}
      onOpenChange={setOpen}
      part={asked.part}
      first={asked.first}
      instruction={asked.instruction}
      onAsk={(input) => {
        setOpen(false);
        if (!asked.editor.proposal.begin(asked.part, input.action === "continue")) {
          toast({ ...CHANGED, subject: pieceSubject(pieceId) });
          return;
        }
        editor.current = asked.editor;
        part.current = asked.part;
        ask(input);
      }}
    />
  ) : null;
  const bar = shown ? (
    <ProposalBar
      shown={shown}
      proposal={proposal}
      onStop={stop}
      onLook={(step) => editor.current?.proposal.look(step)}
      onTake={(which) => editor.current?.proposal.take(which)}
      onLeave={(which) => editor.current?.proposal.leave(which)}
      onAgain={() => {
        const at = editor.current;
        if (!at || !proposal) return;
        const isSelection = part.current?.kind === "selection";
        at.proposal.leave("all");
        at.goTo({ from: shown.from, to: isSelection ? shown.to : shown.from });
        open(at, proposal.input.action, proposal.input.instruction);
      }}
      onCopy={() => void copyText(proposal?.text ?? "", { done: "Text copied", subject: pieceSubject(pieceId) })}
    />
  ) : null;
  return {
    open,
    dialog,
    bar,
    onProposal(at, state) {
      editor.current = at;
      setShown(state);
      if (!state && proposal) reset();
    },
  };
}

/** Shows in the text what has arrived, or, once all is here, what would change. */
function showIn(at: Editor, of: EditorPart, proposal: Proposal | null): void {
  if (!proposal) at.proposal.leave("all");
  else if (!proposal.isDone) at.proposal.arriving(proposal.text);
  else if (proposal.input.action === "continue") {
    at.proposal.show(of.untilCaret.length, [{ old: "", new: at.fittedAfter(of, proposal.text) }]);
  } else at.proposal.show(of.from, changesBetween(of.text, at.fittedIn(of, proposal.text)));
}

function changesBetween(old: string, text: string): Stretch[] {
  return stretchesOf(old, text) ?? [{ old, new: text }];
}

const CHANGED = {
  title: "The AI was not asked",
  description: "This part was changed in another window. Check it and ask again.",
  variant: "destructive" as const,
};

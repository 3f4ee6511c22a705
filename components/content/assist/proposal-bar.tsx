"use client";

import { Check, ChevronDown, ChevronUp, Square, X } from "lucide-react";
import type { ReactNode } from "react";
import type { Proposal } from "@/components/content/assist/use-assist";
import { ActionMenu } from "@/components/shared/action-menu";
import type { ProposalState } from "@/components/shared/markdown-editor/proposal";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";

type ProposalActions = {
  onStop: () => void;
  onLook: (step: 1 | -1) => void;
  onTake: (which: "current" | "all") => void;
  onLeave: (which: "current" | "all") => void;
  onAgain: () => void;
  onCopy: () => void;
};

/** What can be done with the AI's changes, which stand in the text. */
export function ProposalBar({
  shown,
  proposal,
  ...actions
}: ProposalActions & {
  shown: ProposalState;
  /** What the AI was asked and has answered; null once the screen was left meanwhile. */
  proposal: Proposal | null;
}) {
  const { isArriving, count } = shown;
  return (
    <section
      aria-label="AI proposal"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t bg-selected px-3 py-1 font-sans text-sm max-md:px-2"
    >
      <p role="status" className="me-auto flex min-h-8 items-center gap-2">
        {isArriving ? <Spinner /> : null}
        {isArriving ? (proposal?.isThinking ? "Thinking…" : "The AI is writing…") : foundIn(shown, proposal)}
      </p>
      {isArriving ? (
        <Button variant="outline" size="sm" onClick={actions.onStop}>
          <Square aria-hidden="true" />
          Stop
        </Button>
      ) : (
        <>
          {count > 0 ? (
            <span className="flex">
              <Step label="Previous change" onClick={() => actions.onLook(-1)}>
                <ChevronUp aria-hidden="true" />
              </Step>
              <Step label="Next change" onClick={() => actions.onLook(1)}>
                <ChevronDown aria-hidden="true" />
              </Step>
            </span>
          ) : null}
          <div className="flex gap-1 max-md:order-last max-md:w-full max-md:pb-1 max-md:[&>*]:flex-1 max-md:[&_svg]:hidden">
            {count > 0 ? (
              <>
                <Button size="sm" onClick={() => actions.onTake("current")}>
                  <Check aria-hidden="true" />
                  Take
                </Button>
                <Button variant="outline" size="sm" onClick={() => actions.onLeave("current")}>
                  <X aria-hidden="true" />
                  Leave
                </Button>
              </>
            ) : null}
            {count > 1 ? (
              <>
                <Button variant="outline" size="sm" onClick={() => actions.onTake("all")}>
                  Take all
                </Button>
                <Button variant="outline" size="sm" onClick={() => actions.onLeave("all")}>
                  Leave all
                </Button>
              </>
            ) : null}
            {count === 0 ? (
              <Button variant="outline" size="sm" onClick={() => actions.onLeave("all")}>
                Close
              </Button>
            ) : null}
          </div>
          {proposal ? (
            <ActionMenu
              label="More actions for this proposal"
              actions={[
                { label: "Ask again", onSelect: actions.onAgain },
                { label: "Copy the AI’s text", onSelect: actions.onCopy },
              ]}
            />
          ) : null}
        </>
      )}
      {!isArriving && proposal?.note ? <p className="w-full pb-1 text-muted-foreground">{proposal.note}</p> : null}
    </section>
  );
}

function foundIn({ count, current }: ProposalState, proposal: Proposal | null): string {
  if (count > 1) return `Change ${current + 1} of ${count}`;
  if (count === 1) return proposal?.input.action === "continue" ? "New text" : "1 change";
  return proposal && proposal.text.trim() === proposal.input.selection.trim()
    ? "The AI suggests no changes."
    : "You have changed these words since.";
}

function Step({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <Button variant="ghost" size="icon-sm" aria-label={label} onClick={onClick}>
      {children}
    </Button>
  );
}

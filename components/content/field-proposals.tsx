"use client";

import { Sparkles } from "lucide-react";
import { useRef, useState } from "react";
import type { BesideText } from "@/components/content/draft";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import { Button } from "@/components/ui/button";
import type { ContentOut } from "@/lib/features/content/schema";
import { useProposeFields } from "@/lib/features/generation/client/mutations";

/** The text that a field can have instead of its own: the AI's, or once that is taken, the one before it. */
type Other = { text: string; isTaken: boolean };

export type FieldProposals = ReturnType<typeof useFieldProposals>;

/** What the AI proposes for the fields beside the text. Nothing changes until the user takes it, and each can be taken back. */
export function useFieldProposals(piece: ContentOut, editor: ContentEditorState) {
  const [others, setOthers] = useState<Partial<Record<keyof BesideText, Other>> | null>(null);
  const propose = useProposeFields(piece.id, editor.saveAll);
  const names = Object.keys(others ?? {}) as (keyof BesideText)[];
  const isAllTaken = names.every((name) => others?.[name]?.isTaken);

  function swap(swapped: (keyof BesideText)[]): void {
    const now = editor.now();
    const next = { ...others };
    for (const name of swapped) {
      const other = next[name];
      if (!other) continue;
      next[name] = { text: now[name], isTaken: !other.isTaken };
      editor.edit(name, other.text);
    }
    setOthers(next);
  }

  return {
    others,
    count: names.length,
    isAllTaken,
    isPending: propose.isPending,
    ask: () =>
      propose.mutate(undefined, {
        onSuccess: (proposed) => {
          if (!proposed) return;
          const now = editor.now();
          const fresh = NAMES.filter((name) => proposed[name] !== "" && proposed[name] !== now[name].trim());
          // A live post keeps its address unless its author changes it by hand.
          const offered = fresh.filter((name) => name !== "slug" || !piece.wpPermalink);
          setOthers(Object.fromEntries(offered.map((name) => [name, { text: proposed[name], isTaken: false }])));
        },
      }),
    swap: (name: keyof BesideText) => swap([name]),
    swapAll: () => swap(names.filter((name) => others?.[name]?.isTaken === isAllTaken)),
    close: () => setOthers(null),
  };
}

/** As they stand in a sentence. */
const WORDS: Record<keyof BesideText, string> = {
  focusKeyword: "focus keyword",
  metaTitle: "SEO title",
  metaDescription: "meta description",
  slug: "slug",
  excerpt: "excerpt",
};
const NAMES = Object.keys(WORDS) as (keyof BesideText)[];

/** The button that asks, and what to do with all that it brought. */
export function ProposeFields({ proposals }: { proposals: FieldProposals }) {
  const { others, count, isAllTaken, isPending, ask, swapAll, close } = proposals;
  const asks = useRef<HTMLButtonElement>(null);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-2 gap-y-1">
      <Button ref={asks} variant="outline" size="sm" pending={isPending} onClick={ask}>
        <Sparkles aria-hidden="true" />
        Propose with AI
      </Button>
      {others && count > 0 ? (
        <Button variant="ghost" size="sm" onClick={swapAll}>
          {isAllTaken ? "Take all back" : "Use all"}
        </Button>
      ) : null}
      {others ? (
        <Button
          variant="ghost"
          size="sm"
          onClick={() => {
            asks.current?.focus();
            close();
          }}
        >
          Close
        </Button>
      ) : null}
      <p aria-live="polite" className={count > 0 ? "sr-only" : "w-full text-muted-foreground text-sm empty:hidden"}>
        {others && saidOf(count)}
      </p>
    </div>
  );
}

function saidOf(count: number): string {
  if (count === 0) return "The AI suggests no changes.";
  return count === 1 ? "1 proposal" : `${count} proposals`;
}

/** The other text of one field. */
export function FieldProposal({ name, proposals }: { name: keyof BesideText; proposals: FieldProposals }) {
  const other = proposals.others?.[name];
  if (!other) return null;
  const { text, isTaken } = other;
  return (
    <section
      aria-label={isTaken ? `The ${WORDS[name]} before` : `The proposed ${WORDS[name]}`}
      className="flex items-center gap-2 rounded-sm bg-muted py-1 ps-2.5 pe-1 text-sm"
    >
      <p className="min-w-0 flex-1 py-1 wrap-anywhere">
        <span className="text-muted-foreground">{isTaken ? "Before: " : "Proposed: "}</span>
        {text === "" ? <span className="text-muted-foreground">empty</span> : <bdi>{text}</bdi>}
      </p>
      <Button
        variant="ghost"
        size="sm"
        aria-label={isTaken ? `Take back the ${WORDS[name]}` : `Use the proposed ${WORDS[name]}`}
        onClick={() => proposals.swap(name)}
      >
        {isTaken ? "Take back" : "Use"}
      </Button>
    </section>
  );
}

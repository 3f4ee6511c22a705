"use client";

import { useQuery } from "@tanstack/react-query";
import type { PieceWriter } from "@/components/content/use-piece-writer";
import { Notice } from "@/components/shared/notice";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { Button } from "@/components/ui/button";
import { unfinishedQuery, useDropUnfinished } from "@/lib/features/generation/client/unfinished";
import { lengthInWords } from "@/lib/utils/words";

/** Shows what the AI provider had written when it broke off, to continue or to drop. */
export function UnfinishedNotice({ pieceId, writer }: { pieceId: string; writer: PieceWriter }) {
  const { data } = useQuery(unfinishedQuery(pieceId));
  const drop = useDropUnfinished(pieceId);
  const unfinished = data?.unfinished;
  if (!unfinished || writer.isPending) return null;
  const { heading, text, isShown, goesOn } = unfinished;
  const words = lengthInWords(text);
  return (
    <Notice
      live
      variant="warning"
      title={`The AI provider broke off in “${heading}”`}
      className="mt-6"
      action={
        <div className="flex gap-2 max-md:flex-col">
          {isShown ? null : (
            <Button variant="ghost" size="sm" pending={drop.isPending} onClick={() => drop.mutate()}>
              Drop
            </Button>
          )}
          {goesOn ? (
            <Button variant="outline" size="sm" onClick={() => writer.goOn(goesOn, isShown)}>
              Continue
            </Button>
          ) : null}
        </div>
      }
    >
      {isShown
        ? "The text ends where it broke off. Continue lets the AI write the rest."
        : `What it had written is kept: ${words.toLocaleString("en-US")} ${words === 1 ? "word" : "words"}.`}
      {goesOn
        ? null
        : " The outline or the text has changed since, so it cannot be continued. Copy what you need of it."}
      {isShown ? null : (
        <details className="mt-2">
          <summary className="w-fit cursor-pointer rounded-xs text-sm underline decoration-border-strong underline-offset-3">
            Show the unfinished text
          </summary>
          <ScrollRegion className="mt-2 max-h-60 text-muted-foreground text-sm">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it. */}
            <p dir="auto" tabIndex={0} className="whitespace-pre-wrap wrap-anywhere">
              {text}
            </p>
          </ScrollRegion>
        </details>
      )}
    </Notice>
  );
}

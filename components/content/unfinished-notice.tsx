"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { PieceWriter } from "@/components/content/use-piece-writer";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { useFocusHandover } from "@/components/shared/focus-return";
import { Notice } from "@/components/shared/notice";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { Button } from "@/components/ui/button";
import type { ContentOut } from "@/lib/features/content/schema";
import { unfinishedQuery, useDropUnfinished } from "@/lib/features/generation/client/unfinished";
import type { Unfinished } from "@/lib/features/generation/schema";
import { lengthInWords } from "@/lib/utils/words";

/** Shows the section that the AI did not finish, to continue or to drop. */
export function UnfinishedNotice({ piece: { id, version }, writer }: { piece: ContentOut; writer: PieceWriter }) {
  const unfinished = useUnfinished(id, version);
  if (!unfinished || writer.isPending) return null;
  return <UnfinishedSection pieceId={id} unfinished={unfinished} writer={writer} />;
}

/** Read again with each version of the piece: an edit decides whether the AI can continue. */
function useUnfinished(id: string, version: number): Unfinished {
  const { data, refetch } = useQuery(unfinishedQuery(id));
  const unfinished = data?.unfinished ?? null;
  const readFor = useRef(version);
  useEffect(() => {
    if (readFor.current === version) return;
    readFor.current = version;
    if (unfinished) void refetch();
  }, [version, unfinished, refetch]);
  return unfinished;
}

function UnfinishedSection({
  pieceId,
  unfinished: { heading, text, isShown, goesOn },
  writer,
}: {
  pieceId: string;
  unfinished: NonNullable<Unfinished>;
  writer: PieceWriter;
}) {
  const box = useFocusHandover<HTMLDivElement>();
  return (
    <div ref={box} className="mt-6">
      <Notice
        live
        variant="warning"
        title={
          <>
            The AI did not finish “<bdi>{heading}</bdi>”
          </>
        }
        action={
          <div className="flex gap-2 max-md:flex-col">
            {isShown && goesOn ? null : <DropButton pieceId={pieceId} isShown={isShown} isOnly={!goesOn} />}
            {goesOn ? <ContinueButton writer={writer} /> : null}
          </div>
        }
      >
        {sentences({ text, isShown, goesOn }).join(" ")}
        {isShown ? null : <UnfinishedText text={text} />}
      </Notice>
    </div>
  );
}

/** Goes away when it turns out that the AI cannot continue. */
function ContinueButton({ writer }: { writer: PieceWriter }) {
  const button = useFocusHandover<HTMLButtonElement>();
  return (
    <Button ref={button} variant="outline" size="sm" pending={writer.isGoingOn} onClick={writer.goOn}>
      Continue
    </Button>
  );
}

/** What there is of the section, and what can be done about it. */
function sentences({ text, isShown, goesOn }: Pick<NonNullable<Unfinished>, "text" | "isShown" | "goesOn">): string[] {
  const words = lengthInWords(text);
  const kept = isShown
    ? "The text ends partway through it."
    : `What it wrote so far is kept: ${words.toLocaleString("en-US")} ${words === 1 ? "word" : "words"}.`;
  if (goesOn) return [kept, "Press Continue to have the AI write the rest."];
  const changed = "The outline or the text has changed since, so the AI cannot continue from there.";
  return [
    kept,
    changed,
    isShown ? "Finish it yourself, or have the AI write it again." : "Copy what you want to keep.",
  ];
}

function DropButton({ pieceId, isShown, isOnly }: { pieceId: string; isShown: boolean; isOnly: boolean }) {
  const drop = useDropUnfinished(pieceId);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant={isOnly ? "outline" : "ghost"}
        size="sm"
        pending={isShown && drop.isPending}
        onClick={() => (isShown ? drop.mutate() : setAsking(true))}
      >
        {isShown ? "Dismiss" : "Drop"}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Drop the unfinished section?"
        description="You cannot get back what the AI wrote of it. The rest of this piece stays as it is."
        confirmLabel="Drop"
        destructive
        pending={drop.isPending}
        onConfirm={() => drop.mutate(undefined, { onSuccess: () => setAsking(false) })}
      />
    </>
  );
}

function UnfinishedText({ text }: { text: string }) {
  return (
    // The notice announces itself; opening this must not read out the whole text.
    <details aria-live="off" className="mt-2">
      <summary className="w-fit cursor-pointer rounded-xs text-sm underline decoration-border-strong underline-offset-3">
        Show the unfinished text
      </summary>
      <ScrollRegion
        role="region"
        aria-label="Unfinished text"
        tabIndex={0}
        dir="auto"
        className="mt-2 max-h-60 whitespace-pre-wrap wrap-anywhere rounded-xs text-sm"
      >
        {text}
      </ScrollRegion>
    </details>
  );
}

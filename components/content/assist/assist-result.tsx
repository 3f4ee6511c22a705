"use client";

import { Check, RotateCcw, Square } from "lucide-react";
import { useMemo, useState } from "react";
import type { Proposal } from "@/components/content/assist/use-assist";
import { changeName, chosenText, stretchesOf } from "@/components/shared/difference/choices";
import type { Stretch } from "@/components/shared/difference/rows";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { Button } from "@/components/ui/button";
import { DialogFooter } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/utils/cn";

/** The AI's text: as it is written, and then as changes that are taken or left one by one. */
export function AssistResult({
  proposal,
  onStop,
  onBack,
  onAgain,
  onTake,
}: {
  proposal: Proposal;
  onStop: () => void;
  onBack: () => void;
  onAgain: () => void;
  onTake: (text: string) => void;
}) {
  const { input, text, isThinking, isDone, note } = proposal;
  const [refused, setRefused] = useState<ReadonlySet<number>>(new Set());
  const stretches = useMemo(
    () => (isDone && input.action !== "continue" ? stretchesOf(input.selection, text) : null),
    [isDone, input, text],
  );
  const changes = stretches?.filter((stretch) => "old" in stretch).length ?? 0;

  function toggle(change: number) {
    setRefused((now) => {
      const next = new Set(now);
      if (!next.delete(change)) next.add(change);
      return next;
    });
  }

  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <p role="status" className="flex items-center gap-2 text-muted-foreground text-sm">
        {isDone ? null : <Spinner />}
        {isDone ? summary(stretches, changes, refused.size) : isThinking ? "Thinking…" : "The AI is writing…"}
      </p>
      <ScrollRegion
        role="region"
        aria-label="Text of the AI"
        // Focusable, so that the arrow keys scroll it.
        tabIndex={0}
        className="max-h-[45dvh] min-h-24 rounded-md border bg-paper p-3 text-paper-foreground max-md:max-h-[36dvh]"
      >
        <div dir="auto" className="whitespace-pre-wrap font-serif [overflow-wrap:anywhere]">
          {stretches ? <Stretches stretches={stretches} refused={refused} onToggle={toggle} /> : text}
        </div>
      </ScrollRegion>
      {note ? <p className="text-muted-foreground text-sm">{note}</p> : null}
      <DialogFooter>
        {isDone ? (
          <>
            <Button variant="ghost" className="md:mr-auto" onClick={onBack}>
              Ask for something else
            </Button>
            <Button
              variant="outline"
              onClick={() => {
                setRefused(new Set());
                onAgain();
              }}
            >
              <RotateCcw aria-hidden="true" />
              Try again
            </Button>
            <Button
              disabled={stretches !== null && changes === refused.size}
              onClick={() => onTake(stretches ? chosenText(stretches, refused) : text)}
            >
              <Check aria-hidden="true" />
              {input.action === "continue" ? "Insert" : "Use this text"}
            </Button>
          </>
        ) : (
          <Button variant="outline" onClick={onStop}>
            <Square aria-hidden="true" />
            Stop
          </Button>
        )}
      </DialogFooter>
    </div>
  );
}

function summary(stretches: Stretch[] | null, changes: number, refused: number): string {
  if (!stretches) return "The new text:";
  if (changes === 0) return "The AI suggests no changes.";
  const taken = changes - refused;
  return `${taken} of ${changes} change${changes === 1 ? "" : "s"} taken. Choose a change to leave it out, or to take it again.`;
}

function Stretches({
  stretches,
  refused,
  onToggle,
}: {
  stretches: Stretch[];
  refused: ReadonlySet<number>;
  onToggle: (change: number) => void;
}) {
  let change = -1;
  return stretches.map((stretch, index) => {
    const key = `stretch ${index}`;
    if ("same" in stretch) return <span key={key}>{stretch.same}</span>;
    change += 1;
    const at = change;
    const isTaken = !refused.has(at);
    return (
      // A label breaks between lines like the words around it.
      <label
        key={key}
        className={cn(
          "cursor-pointer rounded-xs has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-1",
          !isTaken && "border-b border-dashed",
        )}
      >
        <input
          type="checkbox"
          checked={isTaken}
          aria-label={`Change ${at + 1}: ${changeName(stretch.old, stretch.new)}`}
          onChange={() => onToggle(at)}
          className="sr-only"
        />
        {isTaken ? (
          <>
            {stretch.old ? <del className="bg-destructive-soft text-muted-foreground">{stretch.old}</del> : null}
            {stretch.new ? (
              <ins className="bg-success-soft decoration-2 decoration-success underline-offset-2">{stretch.new}</ins>
            ) : null}
          </>
        ) : (
          stretch.old || "＋"
        )}
      </label>
    );
  });
}

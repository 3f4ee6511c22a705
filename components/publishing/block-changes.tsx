"use client";

import { Parts } from "@/components/shared/difference/difference";
import { type DifferencePart, wordParts } from "@/components/shared/difference/rows";
import { ScrollRegion } from "@/components/shared/scroll-region";
import type { RenderingChanges } from "@/lib/features/publishing/schema";
import { cn } from "@/lib/utils/cn";

type Change = RenderingChanges["changes"][number];

/** Blocks of a post before and after an update; the words that differ are marked. */
export function BlockChanges({ changes, more }: Pick<RenderingChanges, "changes" | "more">) {
  return (
    <ScrollRegion
      role="region"
      aria-label="Changes of the layout"
      tabIndex={0}
      className="max-h-[30dvh] rounded-md border bg-paper text-paper-foreground md:max-h-[40dvh]"
    >
      <ol className="divide-y">
        {changes.map((change, index) => {
          // Changes have no identity but their place.
          const key = `change ${index}`;
          return (
            <li key={key} className="grid grid-cols-1 gap-2 p-3">
              <Side label="Before" change={change} side="before" />
              <Side label="After" change={change} side="after" />
            </li>
          );
        })}
      </ol>
      {more > 0 ? (
        <p className="border-t p-3 text-muted-foreground">
          And {more.toLocaleString("en-US")} more {more === 1 ? "change" : "changes"}.
        </p>
      ) : null}
    </ScrollRegion>
  );
}

const SIDES = { before: "bg-destructive-soft", after: "bg-success-soft" };
const LEFT_OUT = { before: "new", after: "old" };

function Side({ label, change, side }: { label: string; change: Change; side: "before" | "after" }) {
  const blocks = change[side];
  if (blocks.length === 0) return null;
  return (
    <div className="grid grid-cols-1 gap-1">
      {blocks.map(({ kind, text }, index) => {
        const key = `block ${index}`;
        return (
          <div key={key}>
            <p className="text-muted-foreground text-sm">
              {label}: {kind}
            </p>
            {text ? (
              <p dir="auto" className={cn("whitespace-pre-wrap px-2 py-0.5 font-serif wrap-anywhere", SIDES[side])}>
                <Parts parts={partsOf(change, text).filter((part) => part.kind !== LEFT_OUT[side])} />
              </p>
            ) : null}
          </div>
        );
      })}
    </div>
  );
}

/** Words are compared where one block takes the place of another one. */
function partsOf({ before, after }: Change, text: string): DifferencePart[] {
  const [old, now] = [before[0], after[0]];
  const isPair = before.length === 1 && after.length === 1 && old && now;
  return isPair ? wordParts(old.text, now.text) : [{ text, kind: "same" }];
}

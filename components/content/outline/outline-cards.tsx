"use client";

import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useAssistDialog } from "@/components/content/assist/use-assist-dialog";
import {
  added,
  blocksOf,
  canShift,
  cardOf,
  divided,
  endOf,
  merged,
  moved,
  removed,
  shifted,
  siblingOf,
  spaced,
  textOf,
} from "@/components/content/outline/blocks";
import { type CardCommand, OutlineCard } from "@/components/content/outline/outline-card";
import type { Part } from "@/components/shared/markdown-editor/part";
import { Button } from "@/components/ui/button";
import { toast } from "@/lib/client/toast";

/** A block as the part that the AI works on; writing on begins after what is nested under it. */
function partOf(before: string, blocks: string[], index: number): Part {
  const text = blocks[index] ?? "";
  const end = endOf(blocks, index);
  const start = [before, ...blocks.slice(0, index)].join("");
  return {
    kind: "section",
    from: start.length,
    to: start.length + text.length,
    text: text.trim(),
    before: start,
    after: blocks.slice(index + 1).join(""),
    untilCaret: start + blocks.slice(index, end).join(""),
    fromCaret: blocks.slice(end).join(""),
  };
}

const NO_HEADINGS =
  "This outline has no headings (##), so it has no cards. It is in the Markdown, and can be written from as it is.";

/** An outline as cards that move, nest, divide and merge. The Markdown beneath stays the truth. */
export function OutlineCards({
  pieceId,
  outline,
  onChange,
}: {
  pieceId: string;
  outline: string;
  onChange: (outline: string) => void;
}) {
  const { before, blocks } = blocksOf(outline);
  const list = useRef<HTMLOListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [said, setSaid] = useState("");
  const focusAt = useRef<number | null>(null);
  /** The block that the AI works on. */
  const assisted = useRef(0);
  const assist = useAssistDialog({ pieceId, of: "outline", take });

  useEffect(() => {
    if (focusAt.current === null) return;
    const handles = list.current?.querySelectorAll<HTMLElement>("[data-card-handle]");
    handles?.[focusAt.current]?.focus();
    focusAt.current = null;
  });

  function show(next: string[], index: number, words: string) {
    focusAt.current = Math.min(index, next.length - 1);
    setSaid(words);
    onChange(textOf({ before, blocks: next }));
  }

  function can(index: number, command: CardCommand): boolean {
    if (command === "up") return siblingOf(blocks, index, -1) !== null;
    if (command === "down") return siblingOf(blocks, index, 1) !== null;
    if (command === "nest") return canShift(blocks, index, 1);
    if (command === "unnest") return canShift(blocks, index, -1);
    if (command === "merge") return index < blocks.length - 1;
    if (command === "divide") return cardOf(blocks[index] ?? "").brief.includes("\n");
    return true;
  }

  function move(index: number, to: number) {
    const next = moved(blocks, index, to);
    show(next.blocks, next.index, `Moved to ${next.index + 1} of ${blocks.length}`);
  }

  function run(index: number, command: CardCommand, line: number) {
    const level = cardOf(blocks[index] ?? "").level;
    const sibling = siblingOf(blocks, index, command === "down" ? 1 : -1);
    if (command === "up" && sibling !== null) move(index, sibling);
    else if (command === "down" && sibling !== null) move(index, endOf(blocks, sibling));
    else if (command === "nest") show(shifted(blocks, index, 1), index, `Level ${level + 1}`);
    else if (command === "unnest") show(shifted(blocks, index, -1), index, `Level ${level - 1}`);
    else if (command === "merge") show(merged(blocks, index), index, "Merged with the next");
    else if (command === "divide") show(divided(blocks, index, Math.max(1, line)), index, "Divided");
    else if (command === "add") add(index);
    else if (command === "assist") {
      assisted.current = index;
      assist.open(partOf(before, blocks, index));
    } else remove(index);
  }

  /** Puts the AI's sections in the place of the block, or after it and what is nested under it. */
  function take(part: Part, text: string, how: "replace" | "insert"): boolean {
    const index = assisted.current;
    if (blocks[index]?.trim() !== part.text) return false;
    const at = how === "replace" ? index : endOf(blocks, index);
    const next = [...blocks.slice(0, at), `${text.trim()}\n\n`, ...blocks.slice(how === "replace" ? index + 1 : at)];
    show(spaced(next), at, how === "replace" ? "Section rewritten" : "Section added");
    return true;
  }

  function add(index: number) {
    const next = added(blocks, index, "New section");
    show(next.blocks, next.index, "Section added");
  }

  function remove(index: number) {
    const { heading } = cardOf(blocks[index] ?? "");
    show(removed(blocks, index), index, `“${heading}” removed`);
    toast({
      title: "Section removed",
      description: `“${heading}”, with what was nested under it.`,
      action: { label: "Undo", onClick: () => onChange(outline) },
      subject: "outline section",
    });
  }

  function endDrag() {
    setDragged(null);
    setOver(null);
  }

  return (
    <div className="grid min-h-[600px] grid-cols-1 content-start gap-3 font-sans text-base">
      <p role="status" className="sr-only">
        {said}
      </p>
      {before.trim() === "" ? null : (
        <p dir="auto" className="whitespace-pre-line text-muted-foreground text-sm">
          {blocks.length === 0 ? NO_HEADINGS : before.trim()}
        </p>
      )}
      {blocks.length > 1 ? (
        // Each card has half a dozen stops.
        <button
          type="button"
          onClick={() => addButton.current?.focus()}
          className="sr-only cursor-pointer rounded-md bg-popover px-4 py-2 text-sm focus:not-sr-only"
        >
          Skip the sections
        </button>
      ) : null}
      <ol ref={list} aria-label="Sections" className="grid grid-cols-1 gap-2">
        {blocks.map((block, index) => {
          // Cards have no identity but their place; the focus follows a moved one.
          const key = `section ${index}`;
          return (
            <OutlineCard
              key={key}
              block={block}
              place={`${index + 1} of ${blocks.length}`}
              can={(command) => can(index, command)}
              dropAt={
                dragged === null || over !== index || dragged === index ? null : dragged < index ? "after" : "before"
              }
              onChange={(next) => onChange(textOf({ before, blocks: blocks.with(index, next) }))}
              onCommand={(command, line) => run(index, command, line)}
              onDrag={(what) => {
                if (what === "start") setDragged(index);
                else if (what === "over") setOver(index);
                else {
                  if (what === "drop" && dragged !== null)
                    move(dragged, dragged < index ? endOf(blocks, index) : index);
                  endDrag();
                }
              }}
            />
          );
        })}
      </ol>
      <Button ref={addButton} variant="outline" className="justify-self-start" onClick={() => add(blocks.length - 1)}>
        <Plus aria-hidden="true" />
        Add a section
      </Button>
      {assist.dialog}
    </div>
  );
}

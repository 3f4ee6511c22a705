"use client";

import { Plus } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useAssistDialog } from "@/components/content/assist/use-assist-dialog";
import {
  added,
  blocksOf,
  canShift,
  cardOf,
  divided,
  endOf,
  levelOf,
  merged,
  moved,
  outlineText,
  removed,
  shifted,
  siblingOf,
  spaced,
} from "@/components/content/outline/blocks";
import { type CardActions, type CardCommand, OutlineCard } from "@/components/content/outline/outline-card";
import { offerUndo, type Said } from "@/components/content/outline/undo-change";
import type { EditorPart } from "@/components/shared/markdown-editor/part";
import { Button } from "@/components/ui/button";

/** A block as the part that the AI works on; writing on begins after what is nested under it. */
function partOf(before: string, blocks: string[], index: number): EditorPart {
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

const REWRITTEN = { title: "Section rewritten", description: "The AI's text has taken its place." };
const ADDED = { title: "Section added", description: "The AI's section stands where you asked for it." };

/**
 * An outline as cards that move, nest, divide and merge. The Markdown beneath stays the truth. What is typed into a card
 * shows there at once and reaches `outline` at the next pause, so that a key does not render the whole screen.
 */
export function OutlineCards({
  pieceId,
  outline,
  latest,
  onChange,
  onAssisted,
  onType,
}: {
  pieceId: string;
  outline: string;
  /** Returns the outline at this moment, even when the cards are no longer shown. */
  latest: () => string;
  onChange: (outline: string) => void;
  /** Called when the AI has changed the outline, in a way that can be undone. */
  onAssisted: (outline: string, said: Said) => void;
  /** `read` returns the outline that is being typed. */
  onType: (read: () => string, length: number) => void;
}) {
  const { before, blocks } = blocksOf(outline);
  const typed = useTyped(outline, onChange);
  const list = useRef<HTMLOListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [said, setSaid] = useState("");
  const focusAt = useRef<number | null>(null);
  /** The block that the AI works on. */
  const assisted = useRef(0);
  const assist = useAssistDialog({ pieceId, take });

  useEffect(() => {
    if (focusAt.current === null) return;
    const handles = list.current?.querySelectorAll<HTMLElement>("[data-card-handle]");
    handles?.[focusAt.current]?.focus();
    focusAt.current = null;
  });

  function show(next: string[], index: number, words: string, put = onChange) {
    focusAt.current = Math.min(index, next.length - 1);
    setSaid(words);
    put(outlineText({ ...now(), blocks: next }));
  }

  /** The outline with what is being typed. */
  function now() {
    return blocksOf(typed.current);
  }

  function refusedAt(index: number): CardCommand[] {
    return [
      ...(siblingOf(blocks, index, -1) === null ? (["up"] as const) : []),
      ...(siblingOf(blocks, index, 1) === null ? (["down"] as const) : []),
      ...(canShift(blocks, index, 1) ? [] : (["nest"] as const)),
      ...(canShift(blocks, index, -1) ? [] : (["unnest"] as const)),
      ...(index < blocks.length - 1 ? [] : (["merge"] as const)),
    ];
  }

  function change(index: number, block: string) {
    const { before, blocks } = now();
    const text = outlineText({ before, blocks: blocks.with(index, block) });
    typed.current = text;
    onType(() => typed.current, text.length);
  }

  function drag(index: number, what: "start" | "over" | "drop" | "end") {
    if (what === "start") setDragged(index);
    else if (what === "over") setOver(index);
    else {
      if (what === "drop" && dragged !== null) move(dragged, dragged < index ? endOf(blocks, index) : index);
      endDrag();
    }
  }

  /** Undoes a removal, but nothing that was typed since. */
  function restore(index: number, gone: string[]) {
    const { before, blocks } = blocksOf(latest());
    onChange(outlineText({ before, blocks: [...blocks.slice(0, index), ...gone, ...blocks.slice(index)] }));
    return true;
  }

  const newest = useRef({ change, run, drag });
  useLayoutEffect(() => {
    newest.current = { change, run, drag };
  });
  const [actions] = useState<CardActions>(() => ({
    change: (...of) => newest.current.change(...of),
    run: (...of) => newest.current.run(...of),
    drag: (...of) => newest.current.drag(...of),
  }));

  function move(index: number, to: number) {
    const { blocks } = now();
    const next = moved(blocks, index, to);
    show(next.blocks, next.index, `Moved to ${next.index + 1} of ${blocks.length}`);
  }

  function run(index: number, command: CardCommand, line: number) {
    const { before, blocks } = now();
    const level = levelOf(blocks[index] ?? "");
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
  function take(part: EditorPart, text: string, how: "replace" | "insert"): boolean {
    const index = assisted.current;
    const { blocks } = now();
    if (blocks[index]?.trim() !== part.text) return false;
    const at = how === "replace" ? index : endOf(blocks, index);
    const next = [...blocks.slice(0, at), `${text.trim()}\n\n`, ...blocks.slice(how === "replace" ? index + 1 : at)];
    const said = how === "replace" ? REWRITTEN : ADDED;
    show(spaced(next), at, said.title, (outline) => onAssisted(outline, said));
    return true;
  }

  function add(index: number) {
    const { blocks } = now();
    const next = added(blocks, index, "New section");
    show(next.blocks, next.index, "Section added");
  }

  function remove(index: number) {
    const { blocks } = now();
    const { heading } = cardOf(blocks[index] ?? "");
    const gone = blocks.slice(index, endOf(blocks, index));
    show(removed(blocks, index), index, `“${heading}” removed`);
    offerUndo({ title: "Section removed", description: `“${heading}”, with what was nested under it.` }, () =>
      restore(index, gone),
    );
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
        // Without it, Tab would stop half a dozen times in each card.
        <button
          type="button"
          onClick={() => addButton.current?.focus()}
          className="sr-only cursor-pointer rounded-md bg-popover px-4 py-2 text-sm focus:not-sr-only"
        >
          Skip the sections
        </button>
      ) : null}
      <ol ref={list} aria-label="Sections" onBlur={() => typed.settle()} className="grid grid-cols-1 gap-2">
        {blocks.map((block, index) => {
          // Cards have no identity but their place; the focus follows a moved one.
          const key = `section ${index}`;
          return (
            <OutlineCard
              key={key}
              block={block}
              index={index}
              count={blocks.length}
              refused={refusedAt(index).join(" ")}
              dropAt={
                dragged === null || over !== index || dragged === index ? null : dragged < index ? "after" : "before"
              }
              actions={actions}
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

/**
 * The outline as of the last key, which is ahead of the one on the screen until the next pause. It settles when a field or the
 * cards are left, so that nothing else begins from an older text.
 */
function useTyped(outline: string, onChange: (outline: string) => void) {
  const [typed] = useState(() => ({ current: outline, shown: outline, settle: () => {} }));
  useLayoutEffect(() => {
    typed.settle = () => {
      if (typed.current !== typed.shown) onChange(typed.current);
    };
  });
  useLayoutEffect(() => {
    typed.current = outline;
    typed.shown = outline;
  }, [typed, outline]);
  useEffect(() => () => typed.settle(), [typed]);
  return typed;
}

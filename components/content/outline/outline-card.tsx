"use client";

import { GripVertical } from "lucide-react";
import { type KeyboardEvent, memo, useRef } from "react";
import { type Card, cardOf, withBrief, withHeading, withNote, withWords } from "@/components/content/outline/blocks";
import { useOwnText } from "@/components/content/outline/use-own-text";
import { ActionMenu } from "@/components/shared/action-menu";
import { cn } from "@/lib/utils/cn";

export type CardCommand = "up" | "down" | "nest" | "unnest" | "add" | "merge" | "divide" | "assist" | "remove";

/** What cards do; the same functions at each rendering, so that a key in one card renders that one alone. */
export type CardActions = {
  change: (index: number, block: string) => void;
  /** `line`: where the caret was in the lines under the heading. */
  run: (index: number, command: CardCommand, line: number) => void;
  drag: (index: number, what: "start" | "over" | "drop" | "end") => void;
};

const KEYS: Record<string, CardCommand> = { ArrowUp: "up", ArrowDown: "down", ArrowRight: "nest", ArrowLeft: "unnest" };

/** One section of an outline: its heading, what it must deliver, its budget and a note. */
export const OutlineCard = memo(function OutlineCard({
  block,
  index,
  count,
  refused,
  dropAt,
  actions: { change, run, drag },
}: {
  block: string;
  index: number;
  /** Number of all cards. */
  count: number;
  /** The commands that cannot be run now, separated by spaces. */
  refused: string;
  /** The side on which a dragged card would be dropped. */
  dropAt: "before" | "after" | null;
  actions: CardActions;
}) {
  const card = cardOf(block);
  const line = useRef(1);
  const place = `${index + 1} of ${count}`;
  const can = (command: CardCommand) =>
    command === "divide" ? card.brief.includes("\n") : !refused.split(" ").includes(command);
  const onChange = (next: string) => change(index, next);

  function onKeyDown(event: KeyboardEvent) {
    const command = KEYS[event.key];
    if (!command) return;
    event.preventDefault();
    if (can(command)) run(index, command, line.current);
  }

  const action = (command: CardCommand, label: string, destructive = false) => ({
    label,
    destructive,
    disabled: !can(command),
    onSelect: () => run(index, command, line.current),
  });

  return (
    <li
      onDragOver={(event) => {
        event.preventDefault();
        drag(index, "over");
      }}
      onDrop={(event) => {
        event.preventDefault();
        drag(index, "drop");
      }}
      className={cn(
        // What is off the screen is not laid out at each key.
        "rounded-md border bg-card [contain-intrinsic-block-size:auto_7rem] [content-visibility:auto]",
        dropAt === "before" && "shadow-[0_-3px_0_var(--ring)]",
        dropAt === "after" && "shadow-[0_3px_0_var(--ring)]",
        INDENTS[Math.min(card.level - 2, INDENTS.length - 1)] ?? "",
      )}
    >
      {/* On phones, what is under the heading has the whole width. */}
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-1 gap-y-1 p-2">
        <button
          type="button"
          data-card-handle
          draggable
          aria-label={`Section ${place}: ${card.heading}. Move with the arrow keys`}
          title="Drag, or move with the arrow keys; left and right nest it"
          onKeyDown={onKeyDown}
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = "move";
            drag(index, "start");
          }}
          onDragEnd={() => drag(index, "end")}
          className="mt-0.5 grid size-8 shrink-0 cursor-grab place-items-center rounded-sm text-muted-foreground hover:bg-hover active:cursor-grabbing max-md:size-11"
        >
          <GripVertical aria-hidden="true" className="size-4" />
        </button>
        <CardText
          label={`Heading of section ${place}`}
          value={card.heading}
          onChange={(text) => onChange(withHeading(block, text))}
          isOneLine
          className={cn("font-medium max-md:mt-2", card.level === 2 && "text-md")}
        />
        <ActionMenu
          label={`More for section ${place}`}
          actions={[
            action("up", "Move up"),
            action("down", "Move down"),
            action("nest", "Nest under the one above"),
            action("unnest", "Take out one level"),
            action("add", "Add a section below"),
            action("divide", "Divide at the caret's line"),
            action("merge", "Merge with the next"),
            action("assist", "Rewrite or add with AI…"),
            action("remove", "Remove", true),
          ]}
        />
        <div className="col-start-2 grid min-w-0 grid-cols-1 gap-1 max-md:col-span-3 max-md:col-start-1 max-md:px-2">
          <CardText
            label={`What section ${place} must deliver`}
            placeholder="What it must deliver, in a line"
            value={card.brief}
            onChange={(text) => onChange(withBrief(block, text))}
            onCaret={(at) => {
              line.current = at;
            }}
            className="text-muted-foreground"
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 ps-1 text-sm">
            <div className="flex items-center gap-2 text-muted-foreground">
              <span aria-hidden="true">Words</span>
              <Words card={card} place={place} onChange={(words) => onChange(withWords(block, words))} />
            </div>
            <div className="flex min-w-0 flex-1 basis-48 items-start gap-2 text-muted-foreground">
              <span aria-hidden="true" className="pt-1">
                Note
              </span>
              <CardText
                label={`Note on section ${place}`}
                placeholder="For the writer"
                value={card.note}
                onChange={(text) => onChange(withNote(block, text))}
                isOneLine
                className="min-h-7 border px-1.5 text-foreground text-sm max-md:min-h-9"
              />
            </div>
          </div>
        </div>
      </div>
    </li>
  );
});

const INDENTS = ["", "ms-6 max-md:ms-3", "ms-12 max-md:ms-6", "ms-18 max-md:ms-9", "ms-24 max-md:ms-12"];

function CardText({
  label,
  value,
  onChange,
  onCaret,
  placeholder,
  isOneLine = false,
  className,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** Called with the line of the caret, from 0. */
  onCaret?: (line: number) => void;
  placeholder?: string;
  isOneLine?: boolean;
  className?: string;
}) {
  const [text, setText] = useOwnText(value, onChange);
  return (
    <textarea
      rows={1}
      dir="auto"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={({ target }) => setText(isOneLine ? target.value.replace(/[\r\n]+/g, " ") : target.value)}
      onSelect={({ currentTarget: { value: all, selectionStart } }) =>
        onCaret?.(all.slice(0, selectionStart).split("\n").length - 1)
      }
      className={cn(
        "field-sizing-content block w-full min-w-0 resize-none rounded-xs bg-transparent px-1 py-0.5 supports-[field-sizing:content]:overflow-hidden",
        className,
      )}
    />
  );
}

function Words({ card, place, onChange }: { card: Card; place: string; onChange: (words: number | null) => void }) {
  const [text, setText] = useOwnText(card.words === null ? "" : String(card.words), (typed) => {
    const digits = typed.replaceAll(/[\s,.]/g, "");
    if (digits === "") onChange(null);
    else if (/^[1-9]\d{0,3}$/.test(digits)) onChange(Number(digits));
  });
  return (
    <input
      inputMode="numeric"
      aria-label={`Words of section ${place}`}
      placeholder="–"
      maxLength={5}
      value={text}
      onChange={({ target }) => setText(target.value)}
      className="h-7 w-14 rounded-xs border bg-transparent px-1.5 text-foreground tabular-nums max-md:h-9"
    />
  );
}

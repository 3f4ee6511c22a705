"use client";

import { useMemo, useState } from "react";
import { type DifferencePart, differenceRows, type Row } from "@/components/shared/difference/rows";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/utils/cn";

/** Rows that are laid out at once. */
const MANY = 300;

/** The difference of two texts: in one column, or side by side under the names of both. */
export function Difference({
  old,
  text,
  names,
  layout,
}: {
  old: string;
  text: string;
  /** Names of the old text and the new one, such as "Saved" and "Yours". */
  names: [string, string];
  layout: "inline" | "side";
}) {
  const rows = useMemo(() => differenceRows(old, text), [old, text]);
  const [isAllShown, setAllShown] = useState(false);
  const shown = isAllShown ? rows : rows.slice(0, MANY);
  const left = rows.length - shown.length;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      {layout === "side" ? <SideBySide rows={shown} names={names} /> : <Inline rows={shown} />}
      {left > 0 ? (
        <Button variant="outline" size="sm" className="justify-self-start" onClick={() => setAllShown(true)}>
          Show {left.toLocaleString("en-US")} more lines
        </Button>
      ) : null}
    </div>
  );
}

function Inline({ rows }: { rows: Row[] }) {
  return (
    <div className="rounded-md border bg-paper py-1 font-serif text-paper-foreground">
      {rows.map((row, index) => {
        // Rows have no identity but their place.
        const key = `row ${index}`;
        if (row.kind === "skipped") return <Skipped key={key} count={row.count} />;
        if (row.kind === "same") return <Line key={key} parts={[{ text: row.text, kind: "same" }]} />;
        return (
          <div key={key}>
            {row.old ? <Line parts={row.old} side="old" /> : null}
            {row.new ? <Line parts={row.new} side="new" /> : null}
          </div>
        );
      })}
    </div>
  );
}

function SideBySide({ rows, names }: { rows: Row[]; names: [string, string] }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] rounded-md border bg-paper text-paper-foreground">
      {names.map((name) => (
        <p key={name} className="border-b px-3 py-1.5 font-medium font-sans text-sm">
          {name}
        </p>
      ))}
      <div className="col-span-2 grid grid-cols-subgrid py-1 font-serif">
        {rows.map((row, index) => {
          const key = `row ${index}`;
          if (row.kind === "skipped") return <Skipped key={key} count={row.count} className="col-span-2" />;
          const same: DifferencePart[] = row.kind === "same" ? [{ text: row.text, kind: "same" }] : [];
          const isChanged = row.kind === "changed";
          return (
            <div key={key} className="col-span-2 grid grid-cols-subgrid">
              <Line parts={isChanged ? (row.old ?? []) : same} side={isChanged && row.old ? "old" : undefined} />
              <Line
                parts={isChanged ? (row.new ?? []) : same}
                side={isChanged && row.new ? "new" : undefined}
                className="border-s"
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

const SIDES = { old: "bg-destructive-soft", new: "bg-success-soft" };

function Line({
  parts,
  side,
  className,
}: {
  parts: DifferencePart[];
  side?: "old" | "new" | undefined;
  className?: string;
}) {
  return (
    <p
      dir="auto"
      className={cn(
        "min-h-[1lh] whitespace-pre-wrap px-3 py-0.5 [overflow-wrap:anywhere]",
        side && SIDES[side],
        className,
      )}
    >
      {side ? <span className="sr-only">{side === "old" ? "Removed: " : "Added: "}</span> : null}
      <Parts parts={parts} />
    </p>
  );
}

/** The words of a line; what differs is marked by more than its colour. */
export function Parts({ parts }: { parts: DifferencePart[] }) {
  return parts.map(({ text, kind }, index) => {
    const key = `part ${index}`;
    if (kind === "same") return <span key={key}>{text}</span>;
    if (kind === "old") return <del key={key}>{text}</del>;
    return (
      <ins key={key} className="decoration-2 decoration-success underline-offset-2">
        {text}
      </ins>
    );
  });
}

function Skipped({ count, className }: { count: number; className?: string }) {
  return (
    <p className={cn("px-3 py-1 font-sans text-muted-foreground text-sm", className)}>
      {count.toLocaleString("en-US")} equal line{count === 1 ? "" : "s"}
    </p>
  );
}

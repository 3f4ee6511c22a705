"use client";

import { useId, useMemo } from "react";
import type { Choice, Clash } from "@/components/content/merge-texts";
import { Parts } from "@/components/shared/difference/difference";
import { type DifferencePart, wordParts } from "@/components/shared/difference/rows";
import { cn } from "@/lib/utils/cn";

/** One place that two versions have changed in their own way: which of the texts stays, or both. */
export function ClashChoice({
  name,
  clash,
  canBeBoth,
  value,
  onChange,
}: {
  name: string;
  clash: Clash;
  canBeBoth: boolean;
  value: Choice;
  onChange: (choice: Choice) => void;
}) {
  const group = useId();
  const [mine, theirs] = [clash.mine.join("\n"), clash.theirs.join("\n")];
  // What only one of them has is marked in the same way on both sides: neither is what came before the other.
  const [ofMine, ofTheirs] = useMemo(() => [wordParts(theirs, mine), wordParts(mine, theirs)], [theirs, mine]);
  const own = (parts: DifferencePart[]) => parts.filter(({ kind }) => kind !== "old");
  const option = { group, value, onChange };
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium text-sm">{name}</legend>
      <div className="grid gap-2 md:grid-cols-2">
        <Option {...option} choice="mine" label="Yours" parts={own(ofMine)} />
        <Option {...option} choice="theirs" label="The other version" parts={own(ofTheirs)} />
        {canBeBoth && mine !== "" && theirs !== "" ? (
          <Option {...option} choice="both" label="Both, yours first" />
        ) : null}
      </div>
    </fieldset>
  );
}

function Option({
  group,
  choice,
  label,
  parts,
  value,
  onChange,
}: {
  group: string;
  choice: Choice;
  label: string;
  /** The parts of its text; those that the other one does not have are marked. */
  parts?: DifferencePart[];
  value: Choice;
  onChange: (choice: Choice) => void;
}) {
  const isChosen = value === choice;
  return (
    <label
      className={cn(
        "grid min-w-0 cursor-pointer content-start gap-1.5 rounded-md border p-3 has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2",
        isChosen ? "border-primary bg-selected" : "bg-paper",
      )}
    >
      <span className="flex items-center gap-2 text-sm">
        <input
          type="radio"
          name={group}
          checked={isChosen}
          onChange={() => onChange(choice)}
          className="size-4 accent-primary outline-none"
        />
        {label}
      </span>
      {parts ? (
        <span
          dir="auto"
          className="block max-h-40 overflow-y-auto whitespace-pre-wrap font-serif text-paper-foreground [overflow-wrap:anywhere]"
        >
          {parts.length > 0 ? <Parts parts={parts} /> : <i className="text-muted-foreground">Nothing here</i>}
        </span>
      ) : null}
    </label>
  );
}

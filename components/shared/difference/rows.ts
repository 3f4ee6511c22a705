import { diffArrays, diffWordsWithSpace } from "diff";

/** A part of a line: in both texts, or in one of them. */
export type DifferencePart = { text: string; kind: "same" | "old" | "new" };

/** A line that both texts have, a line of one or of each that differ, or a number of equal lines that are left out. */
export type Row =
  | { kind: "same"; text: string }
  | { kind: "changed"; old: DifferencePart[] | null; new: DifferencePart[] | null }
  | { kind: "skipped"; count: number };

/** How many lines or words may be exchanged before two texts count as different throughout: time grows with its square. */
const MAX_EDITS = 1_500;
/** Equal lines that are shown before and after a change. */
const CONTEXT = 2;

/** The difference of two texts by lines, and by words within lines that took each other's place (Myers, 1986). */
export function differenceRows(old: string, text: string): Row[] {
  return withoutUnchanged(allRows(linesOf(old), linesOf(text)));
}

/** A stretch that both texts have, or a change. */
export type Stretch = { same: string } | { old: string; new: string };

/** Two texts by words. Changed words with nothing but spaces between them are one change. */
export function stretchesBetween(old: string, text: string): Stretch[] {
  const changes = diffWordsWithSpace(old, text, { maxEditLength: MAX_EDITS });
  if (!changes) return [{ old, new: text }];
  const stretches: Stretch[] = [];
  for (const [index, { value, added, removed }] of changes.entries()) {
    const last = stretches.at(-1);
    const isChange = last !== undefined && "old" in last;
    const isSame = !(added || removed);
    const isGap = isSame && /^ +$/.test(value) && index < changes.length - 1;
    if (isSame && !(isChange && isGap)) stretches.push({ same: value });
    else if (!isChange) stretches.push({ old: removed ? value : "", new: added ? value : "" });
    else {
      if (!added) last.old += value;
      if (!removed) last.new += value;
    }
  }
  return stretches;
}

/** Returns two texts by words as parts of both. */
export function wordParts(old: string, text: string): DifferencePart[] {
  return stretchesBetween(old, text).flatMap((stretch): DifferencePart[] => {
    if ("same" in stretch) return [{ text: stretch.same, kind: "same" }];
    const parts: DifferencePart[] = [
      { text: stretch.old, kind: "old" },
      { text: stretch.new, kind: "new" },
    ];
    return parts.filter((part) => part.text !== "");
  });
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

function allRows(old: string[], text: string[]): Row[] {
  const changes = diffArrays(old, text, { maxEditLength: MAX_EDITS }) ?? [
    { value: old, removed: true, added: false },
    { value: text, removed: false, added: true },
  ];
  const rows: Row[] = [];
  let removed: string[] = [];
  for (const { value, removed: isOld, added: isNew } of changes) {
    if (isOld) removed.push(...value);
    else if (isNew) {
      rows.push(...changedRows(removed, value));
      removed = [];
    } else {
      rows.push(...changedRows(removed, []), ...value.map((line) => ({ kind: "same" as const, text: line })));
      removed = [];
    }
  }
  return [...rows, ...changedRows(removed, [])];
}

/** Lines that took each other's place stand side by side. */
function changedRows(old: string[], text: string[]): Row[] {
  return Array.from({ length: Math.max(old.length, text.length) }, (_, index): Row => {
    const [before, after] = [old[index], text[index]];
    if (before === undefined) return { kind: "changed", old: null, new: whole(after ?? "", "new") };
    if (after === undefined) return { kind: "changed", old: whole(before, "old"), new: null };
    const parts = wordParts(before, after);
    return { kind: "changed", old: without(parts, "new"), new: without(parts, "old") };
  });
}

function whole(text: string, kind: "old" | "new"): DifferencePart[] {
  return [{ text, kind }];
}

function without(parts: DifferencePart[], kind: "old" | "new"): DifferencePart[] {
  return parts.filter((part) => part.kind !== kind);
}

function withoutUnchanged(rows: Row[]): Row[] {
  const isNear = (index: number) =>
    rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind === "changed");
  const shown: Row[] = [];
  for (const [index, row] of rows.entries()) {
    const last = shown.at(-1);
    if (isNear(index)) shown.push(row);
    else if (last?.kind === "skipped") last.count += 1;
    else shown.push({ kind: "skipped", count: 1 });
  }
  return shown;
}

import { type Part, wordParts } from "@/components/shared/difference/rows";

/** A stretch that both texts have, or a change that is taken or left as a whole. */
export type Stretch = { same: string } | { old: string; new: string };

/** Beyond that share of changed text there is nothing to choose word by word. */
const TOO_DIFFERENT = 0.75;

/** Two texts as changes to choose from; null if they have too little in common. */
export function stretchesOf(old: string, text: string): Stretch[] | null {
  const stretches = joined(wordParts(old, text));
  const same = stretches.reduce((sum, stretch) => sum + ("same" in stretch ? stretch.same.trim().length : 0), 0);
  return same < (1 - TOO_DIFFERENT) * Math.min(old.length, text.length) ? null : stretches;
}

/** The text with the changes that are not left out. `refused` has places among the changes. */
export function chosenText(stretches: Stretch[], refused: ReadonlySet<number>): string {
  let change = -1;
  return stretches
    .map((stretch) => {
      if ("same" in stretch) return stretch.same;
      change += 1;
      return refused.has(change) ? stretch.old : stretch.new;
    })
    .join("");
}

/** Changed words with nothing but spaces between them are one change. */
function joined(parts: Part[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [index, { text, kind }] of parts.entries()) {
    const last = stretches.at(-1);
    const isChange = last !== undefined && "old" in last;
    const isGap = kind === "same" && /^ +$/.test(text) && parts[index + 1] !== undefined;
    if (kind === "same" && !(isChange && isGap)) stretches.push({ same: text });
    else if (!isChange) stretches.push({ old: kind === "old" ? text : "", new: kind === "new" ? text : "" });
    else {
      if (kind !== "new") last.old += text;
      if (kind !== "old") last.new += text;
    }
  }
  return stretches;
}

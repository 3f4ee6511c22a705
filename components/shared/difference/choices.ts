import { type Stretch, stretchesBetween } from "@/components/shared/difference/rows";

/** Above this share of changed text there is nothing to choose word by word. */
const TOO_DIFFERENT = 0.75;

/** Two texts as changes to choose from; null if they have too little in common. */
export function stretchesOf(old: string, text: string): Stretch[] | null {
  const stretches = stretchesBetween(old, text);
  const same = stretches.reduce((sum, stretch) => sum + ("same" in stretch ? stretch.same.trim().length : 0), 0);
  return same < (1 - TOO_DIFFERENT) * Math.min(old.length, text.length) ? null : stretches;
}

/** What a change does, for screen readers. */
export function changeName(old: string, text: string): string {
  if (old.trim() === "") return `add “${text.trim()}”`;
  return text.trim() === "" ? `remove “${old.trim()}”` : `“${old.trim()}” becomes “${text.trim()}”`;
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

/** A post's default length in words. */
export const TARGET_WORDS = 1_400;
/** Sections of one post, a paid call each; a typical outline has a dozen. */
export const MAX_SECTIONS = 100;
export const SUGGESTED_KEYWORDS = 10;
export const MAX_CONCURRENT_IDEAS = 4;
/** No call for ideas is begun later; one that is under way then may still take as long as a call may. */
export const IDEAS_BUDGET_MS = 55_000;
export const MAX_NEIGHBOUR_TITLES = 30;

/** The message for a text whose piece was edited while the AI wrote it. */
export const NEWER_EDIT =
  "You edited this piece while it was being written. Your text was kept; the AI text is in its revisions.";

/** What may be asked for a part of a text; `drop` takes a section out of an outline. */
export const REWRITES = [
  "shorter",
  "longer",
  "simpler",
  "grammar",
  "tone",
  "translate",
  "custom",
  "section",
  "continue",
  "drop",
] as const;
export type Rewrite = (typeof REWRITES)[number];

/** The limits of a rewritten part and what stands around it, in characters; a part has about 3,000 words. */
export const SELECTION_MAX = 20_000;
export const BEFORE_MAX = 6_000;
export const AFTER_MAX = 2_000;
export const INSTRUCTION_MAX = 1_000;

/** The messages of a call that was stopped. */
export const STOPPED = "Stopped. What was written until then is kept.";
export const STOPPED_EMPTY = "Stopped before anything was written.";

/** The message of a text whose request has run out of time. */
export function pressAgain(written: number, count: number): string {
  const kept = written === 0 ? "What was written is kept" : `${written} of ${count} sections are written and kept`;
  return `${kept}. Press again to go on.`;
}

export type Section = { heading: string; text: string };

/** The post's Markdown: each section under its H2. */
export function joinSections(sections: Section[]): string {
  return sections
    .map(({ heading, text }) => (heading === "" ? text.trim() : `## ${heading}\n\n${text.trim()}`))
    .join("\n\n");
}

/** A section as it is saved. A lead stands before the first heading, so the text then brings that heading itself. */
export function ledSection(heading: string, { lead, text }: { lead: string; text: string }): Section {
  if (lead === "") return { heading, text };
  return { heading: "", text: `${lead}\n\n${joinSections([{ heading, text }])}` };
}

/** Names phrases that sound machine-written; rewriting them is the user's choice, since it costs a call. */
export function stockPhraseNote(phrases: string[]): string | null {
  if (phrases.length === 0) return null;
  const named = phrases.slice(0, 5).map((phrase) => `“${phrase}”`);
  return `Some stock phrases may read better rewritten: ${named.join(", ")}.`;
}

/** Named one by one in a message; more are counted. */
const MAX_NAMED = 10;

/** Says which new titles or keywords are close to others; whether one is enough is the user's choice. */
export function nearNote(noun: "title" | "keyword", near: string[]): string | null {
  if (near.length === 0) return null;
  const named = near.slice(0, MAX_NAMED).map((text) => `“${text}”`);
  if (near.length > MAX_NAMED) named.push(`and ${near.length - MAX_NAMED} more`);
  return `Close to another ${noun}: ${named.join(", ")}.`;
}

import { fingerprint } from "@/lib/utils/text";

/** A post's length when nothing else is asked for, in words. */
export const TARGET_WORDS = 1_400;
/** Sections one post is written in, a paid call each: an outline by hand has a dozen. */
export const MAX_SECTIONS = 100;
/** New keywords one suggestion call asks for. */
export const SUGGESTED_KEYWORDS = 10;
/** Keywords asked about at once. */
export const IDEAS_AT_ONCE = 4;
/** One ideas call ends within this time, in milliseconds. */
export const IDEAS_BUDGET_MS = 55_000;
/** Titles around a piece that its prompts are shown. */
export const NEIGHBOUR_TITLES = 30;

/** Told where an AI text met a newer text of the person. */
export const NEWER_EDIT =
  "You edited this piece while it was being written. Your text was kept; the AI text is in its revisions.";

export type Section = { heading: string; text: string };

/** The post of its finished sections: each under its H2. */
export function joinSections(sections: Section[]): string {
  return sections
    .map(({ heading, text }) => (heading === "" ? text.trim() : `## ${heading}\n\n${text.trim()}`))
    .join("\n\n");
}

/** Drops titles near one that exists or came before, whatever their case, spacing, punctuation and word order. */
export function newTitles<T extends { title: string }>(ideas: T[], existing: Set<string>): T[] {
  return ideas.filter(({ title }) => {
    const key = fingerprint(title);
    if (key === "" || existing.has(key)) return false;
    existing.add(key);
    return true;
  });
}

/** A word to the person about phrases that read like a machine's; rewriting them is their choice, since it costs a call. */
export function stockPhraseNote(phrases: string[]): string | null {
  if (phrases.length === 0) return null;
  const named = phrases.slice(0, 5).map((phrase) => `“${phrase}”`);
  return `Some stock phrases may read better rewritten: ${named.join(", ")}.`;
}

import type { Section } from "@/lib/features/generation/rules";
import type { JobTexts } from "@/lib/features/generation/schema";

type Text = JobTexts["texts"][number];
/** A job, and its texts as far as they are written. */
export type Watched = { job: JobTexts["job"]; texts: WatchedText[] };
export type WatchedText = Omit<Text, "parts"> & { sections: Section[] };

/** The texts after a change. Each keeps its place; a new one takes that of one that is gone. */
export function withTexts(before: Watched | undefined, { job, texts }: JobTexts): Watched {
  const known = new Map(before?.texts.map((text) => [text.itemId, text]));
  const now = texts.map((text) => withParts(text, known.get(text.itemId)?.sections ?? []));
  const fresh = now.filter(({ itemId }) => !known.has(itemId));
  const placed = [...known.keys()].map((id) => now.find(({ itemId }) => itemId === id) ?? fresh.shift());
  return { job, texts: [...placed.filter((text) => text !== undefined), ...fresh] };
}

function withParts({ parts, ...text }: Text, before: Section[]): WatchedText {
  const isWhole = text.status === "completed" && parts.length > 0;
  const sections = isWhole ? [] : before.slice(0, text.status === "processing" ? text.section?.number : undefined);
  for (const { position, heading, from, text: added } of parts)
    sections[position] = { heading, text: (before[position]?.text ?? "").slice(0, from) + added };
  return { ...text, sections };
}

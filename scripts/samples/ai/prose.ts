import { parseOutlineSections } from "@/lib/ai/prompts/outline-sections";
import { lengthInWords } from "@/lib/utils/words";
import { OUTLINE_HEADINGS } from "@/scripts/samples/ai/forms";
import { BRIDGES, GENERAL, KINDS, type Kind, LEAD } from "@/scripts/samples/ai/paragraphs";
import type { ReadPrompt } from "@/scripts/samples/ai/read-prompt";
import { clip, fill, lowerFirst, numberOf, outlineSlots, slotsOf } from "@/scripts/samples/ai/wording";

export const SAMPLE_NOTE = "*Sample text by the built-in sample provider.*";

/** One section; before a post's first one its lead, as the prompt asks. */
export function sampleSection(prompt: ReadPrompt, seed: number): string {
  const text = sectionOf(prompt, seed);
  if (prompt.section?.position !== 1 || prompt.textSoFar !== "") return text;
  return [fill(LEAD, slotsOf(prompt)), "---", text].join("\n\n");
}

/** The opening of its kind and the planned points, filled up to about its word budget. */
function sectionOf(prompt: ReadPrompt, seed: number): string {
  const section = prompt.section;
  if (!section) return SAMPLE_NOTE;
  const slots = slotsOf(prompt);
  const write = (template: string) => fill(template, slots);
  const fresh = (template: string) => !prompt.textSoFar.includes(write(template).slice(0, 60));
  const kind = kindOf(section.heading, prompt);
  const turn = numberOf(prompt.title, seed);
  const start = turn + section.position * 3;
  const general = GENERAL.map((_, index) => GENERAL[(start + index) % GENERAL.length] ?? "").filter(fresh);
  const own = kind.paragraphs.filter(fresh);

  const opening = [write(own.shift() ?? general.shift() ?? "")];
  // Our own outlines' headings match the text below; a hand-written one is taken up in a sentence.
  if (!isOwnHeading(section.heading, prompt)) opening[0] += ` ${write(BRIDGES[start % BRIDGES.length] ?? "")}`;
  if (section.position === 1) {
    opening.unshift(SAMPLE_NOTE);
    const reader = clip(prompt.persona?.description.split(/(?<=[.!?])\s/)[0] ?? "", 160);
    if (reader) opening.push(`This guide was written with one reader in mind: ${lowerFirst(reader)}.`);
  }
  const points = pointsOf(prompt).map((point) => `### ${point}\n\n${write(own.shift() ?? general.shift() ?? "")}`);
  const longest = section.words * 1.15;
  while (points.length > 0 && lengthOf(opening, points) > longest) points.pop();
  const more = [...(kind.list ? [kind.list] : []), ...(points.length === 0 ? own : []), ...general].filter(fresh);
  for (const part of more.map(write)) {
    if (lengthOf(opening, points) >= section.words * 0.92) break;
    if (lengthOf(opening, points, [part]) <= longest) opening.push(part);
  }
  return [...opening, ...points].join("\n\n");
}

function kindOf(heading: string, prompt: ReadPrompt): Kind {
  // Ignore the keyword's own words, such as "cost" or "start".
  const words = heading.toLowerCase().replace(prompt.keyword.toLowerCase(), "").replace(prompt.topic.toLowerCase(), "");
  const kinds: Kind[] = Object.values(KINDS);
  return kinds.find((kind) => kind.match.test(words)) ?? kinds[numberOf(heading, 0) % kinds.length] ?? KINDS.basics;
}

function isOwnHeading(heading: string, prompt: ReadPrompt): boolean {
  const slots = outlineSlots(prompt);
  return Object.values(OUTLINE_HEADINGS).some(({ headings }) => headings.some((form) => fill(form, slots) === heading));
}

function pointsOf(prompt: ReadPrompt): string[] {
  const planned = parseOutlineSections(prompt.outline).find(({ heading }) => heading === prompt.section?.heading);
  return planned?.subheadings.map((point) => point.heading) ?? [];
}

function lengthOf(...parts: string[][]): number {
  return lengthInWords(parts.flat().join("\n\n"));
}

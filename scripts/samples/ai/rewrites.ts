import type { ReadPrompt } from "@/scripts/samples/ai/read-prompt";

/** What the sample provider makes of a selection: little, but visibly what was asked for. */
export function sampleRewrite({ all, selection, textSoFar }: ReadPrompt): string {
  const task = all.slice(all.lastIndexOf("\n\n") + 2);
  const isOutline = all.includes("You edit the outline");
  if (isOutline && task.startsWith("Write on.")) return "## A sample section\nWhat it must deliver.";
  if (task.startsWith("Take one section")) return selection.slice(0, selection.lastIndexOf("\n## ")).trim();
  if (isOutline && /^Write this section/.test(task)) return `${selection.trim()}\nWith one example.`;
  if (task.startsWith("Write on.")) return "Go on from here with one small step, and see whether it holds for a week.";
  if (/shorter/.test(task)) return firstHalf(selection);
  if (/longer/.test(task))
    return `${selection} Take the time to look twice: a second look costs a minute and saves a day.`;
  if (/simpler/.test(task)) return selection.replace(/\b(?:approximately|roughly)\b/gi, "about").replace(/;\s*/g, ". ");
  if (/Correct spelling/.test(task)) return selection.replace(/\bteh\b/g, "the").replace(/ {2,}/g, " ");
  if (/Write this section again/.test(task)) return again(selection);
  const asked = /(?:tone|language|asks): (.+)$/.exec(task)?.[1] ?? textSoFar;
  return `${selection} (${asked})`;
}

/** Returns the first half of the sentences. */
function firstHalf(text: string): string {
  const sentences = text.match(/[^.!?]+[.!?]+\s*/g) ?? [text];
  return sentences
    .slice(0, Math.ceil(sentences.length / 2))
    .join("")
    .trim();
}

function again(section: string): string {
  const [heading = "", ...rest] = section.split("\n");
  const body = /^#/.test(heading) ? rest.join("\n").trim() : section;
  const better = `Begin with the one thing that matters here. ${body}`;
  return /^#/.test(heading) ? `${heading}\n\n${better}` : better;
}

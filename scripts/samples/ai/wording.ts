import type { ReadPrompt } from "@/scripts/samples/ai/read-prompt";

/** The words a prompt fills into the samples. */
export function slotsOf(prompt: ReadPrompt): Record<string, string> {
  return {
    S: subjectOf(prompt),
    K: clip(prompt.keyword, 60),
    C: lowerFirst(clip(prompt.persona?.challenges[0] ?? "I do not have the time for this", 90)),
    I: lowerFirst(clip(prompt.persona?.interests[0] ?? "seeing something grow", 60)),
    A: clip(prompt.project, 60) || "this site",
    H: clip(prompt.section?.heading ?? "", 90),
  };
}

/** Inside a heading the keyword is not quoted, so its first letter becomes lower case. */
export function outlineSlots(prompt: ReadPrompt): Record<string, string> {
  return { ...slotsOf(prompt), K: lowerFirst(clip(prompt.keyword, 60)) };
}

export function fill(template: string, slots: Record<string, string>): string {
  return template.replace(/\{(\w)\}/g, (slot, name: string) => slots[name] ?? slot);
}

/** The topic inside a sentence, in lower case if the prompt itself uses the word that way. */
function subjectOf(prompt: ReadPrompt): string {
  const subject = clip(prompt.topic, 60) || "this";
  const first = lowerFirst(subject.split(" ")[0] ?? "");
  return new RegExp(`(^|[^\\p{L}])${escaped(first)}([^\\p{L}]|$)`, "u").test(prompt.all)
    ? lowerFirst(subject)
    : subject;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Cuts the text at a word boundary, without Markdown or a trailing full stop. */
export function clip(text: string, length: number): string {
  const plain = text
    .replace(/[*_`#<>[\]|\\]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.:;,]+$/, "");
  return plain.length <= length ? plain : plain.slice(0, length).replace(/\s+\S*$/, "");
}

export function lowerFirst(text: string): string {
  const [first = "", second = ""] = text;
  // Keep "SEO" and "I".
  return second !== second.toLowerCase() || /^I\b/.test(text) ? text : first.toLowerCase() + text.slice(1);
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A number derived from the text and seed. */
export function numberOf(text: string, seed: number): number {
  let hash = 2166136261 ^ seed;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}

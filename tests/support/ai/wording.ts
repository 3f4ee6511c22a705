import type { ReadPrompt } from "@/tests/support/ai/read-prompt";

/** The words a prompt gives to the sample's sentences. */
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

/** In a heading the keyword stands without quotation marks, so its first letter is lowered. */
export function outlineSlots(prompt: ReadPrompt): Record<string, string> {
  return { ...slotsOf(prompt), K: lowerFirst(clip(prompt.keyword, 60)) };
}

export function fill(template: string, slots: Record<string, string>): string {
  return template.replace(/\{(\w)\}/g, (slot, name: string) => slots[name] ?? slot);
}

/** The topic inside a sentence: its first letter is lowered where the prompt itself writes the word in lower case. */
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

/** Shortened at a word, without Markdown or a full stop at its end. */
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
  // "SEO" and "I" stay as they are.
  return second !== second.toLowerCase() || /^I\b/.test(text) ? text : first.toLowerCase() + text.slice(1);
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A number made of a text, always the same for the same text and seed. */
export function numberOf(text: string, seed: number): number {
  let hash = 2166136261 ^ seed;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}

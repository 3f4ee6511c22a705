import type { ToastInput } from "@/lib/client/toast-input";

/** One toast in the queue: a single message, or several errors merged. */
export type Item = { parts: ToastPart[] };

/** It has several subjects where the same message was about each. A message without a subject gets a symbol. */
export type ToastPart = { input: ToastInput; subjects: Set<string | symbol> };

/** Drops what is outdated by a newer message on these subjects. True when nothing is left of the toast. */
export function dropSubjects(item: Item, subjects: Iterable<string | symbol>): boolean {
  for (const subject of subjects) {
    item.parts = item.parts.filter((part) => !part.subjects.delete(subject) || part.subjects.size > 0);
  }
  return item.parts.length === 0;
}

export function isSameMessage({ parts: [part, ...others] }: Item, input: ToastInput): boolean {
  if (!part || others.length > 0) return false;
  const { title, description, variant } = part.input;
  return title === input.title && description === input.description && variant === input.variant;
}

/** Three queued toasts take 18 seconds; more would be about things the user has forgotten. */
const MAX_QUEUED = 3;

/** Drops the oldest success of too many toasts, since the screen shows it; errors are merged, and none is lost. */
export function limitQueue(waiting: Item[]): Item[] {
  if (waiting.length <= MAX_QUEUED) return waiting;
  const newest = waiting.length - 1;
  const success = waiting.findIndex((item, index) => index < newest && !isError(item));
  if (success >= 0) return waiting.filter((_item, index) => index !== success);
  const first = waiting.findLastIndex((item, index) => isError(item) && index > 0) - 1;
  const merged = { parts: waiting.slice(first, first + 2).flatMap(({ parts }) => parts) };
  return [...waiting.slice(0, first), merged, ...waiting.slice(first + 2)];
}

function isError({ parts }: Item): boolean {
  return parts.some(({ input }) => input.variant === "destructive");
}

const MAX_LINES = 3;

/** The toast as it is shown. */
export function toastOf({ parts }: Item): ToastInput {
  const [first, ...others] = parts.map(({ input }) => input);
  if (!first || others.length === 0) return first ?? { title: "" };
  const inputs = [first, ...others];
  const lines = [...new Set(inputs.map(lineOf))];
  const rest = lines.length - MAX_LINES;
  const references = [...new Set(inputs.flatMap(({ reference }) => reference ?? []))].slice(0, MAX_LINES);
  const isShared = others.every(({ action }) => action?.label === first.action?.label);
  return {
    title: `${inputs.length} errors`,
    description: [...lines.slice(0, MAX_LINES), ...(rest > 0 ? [`And ${rest} more.`] : [])].join("\n"),
    variant: "destructive",
    ...(isShared && first.action ? { action: first.action } : {}),
    ...(references.length > 0 ? { reference: references.join(", ") } : {}),
  };
}

function lineOf({ title, description }: ToastInput): string {
  if (!description) return title;
  return title === "Error" ? description : `${title}: ${description}`;
}

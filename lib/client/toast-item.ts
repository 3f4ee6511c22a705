import type { ToastInput } from "@/lib/client/toast-input";

/** One notification in the queue: an outcome, or errors that are told together. */
export type Item = { parts: Part[] };

/** The subjects it stands for: several where the same was said of each. A symbol is the subject of an outcome without one. */
export type Part = { input: ToastInput; subjects: Set<string | symbol> };

/** Something newer is known of these subjects. True when the notification has nothing left to tell. */
export function settle(item: Item, subjects: Iterable<string | symbol>): boolean {
  for (const subject of subjects) {
    item.parts = item.parts.filter((part) => !part.subjects.delete(subject) || part.subjects.size > 0);
  }
  return item.parts.length === 0;
}

export function saysSame({ parts: [part, ...others] }: Item, input: ToastInput): boolean {
  if (!part || others.length > 0) return false;
  const { title, description, variant } = part.input;
  return title === input.title && description === input.description && variant === input.variant;
}

/** Three waiting notifications are 18 seconds of them: more would tell of what the person has forgotten. */
const MOST_WAITING = 3;

/** Where too many wait the oldest success goes, since the screen shows it; errors are told together, none is lost. */
export function withinBounds(waiting: Item[]): Item[] {
  if (waiting.length <= MOST_WAITING) return waiting;
  const newest = waiting.length - 1;
  const success = waiting.findIndex((item, place) => place < newest && !isError(item));
  if (success >= 0) return waiting.filter((_item, place) => place !== success);
  const place = waiting.findLastIndex((item, at) => isError(item) && at > 0) - 1;
  const together = { parts: waiting.slice(place, place + 2).flatMap(({ parts }) => parts) };
  return [...waiting.slice(0, place), together, ...waiting.slice(place + 2)];
}

function isError({ parts }: Item): boolean {
  return parts.some(({ input }) => input.variant === "destructive");
}

const MOST_LINES = 3;

/** What the notification says. */
export function told({ parts }: Item): ToastInput {
  const [first, ...others] = parts.map(({ input }) => input);
  if (!first || others.length === 0) return first ?? { title: "" };
  const inputs = [first, ...others];
  const lines = [...new Set(inputs.map(lineOf))];
  const rest = lines.length - MOST_LINES;
  const references = [...new Set(inputs.flatMap(({ reference }) => reference ?? []))].slice(0, MOST_LINES);
  const isShared = others.every(({ action }) => action?.label === first.action?.label);
  return {
    title: `${inputs.length} errors`,
    description: [...lines.slice(0, MOST_LINES), ...(rest > 0 ? [`And ${rest} more.`] : [])].join("\n"),
    variant: "destructive",
    ...(isShared && first.action ? { action: first.action } : {}),
    ...(references.length > 0 ? { reference: references.join(", ") } : {}),
  };
}

function lineOf({ title, description }: ToastInput): string {
  if (!description) return title;
  return title === "Error" ? description : `${title}: ${description}`;
}

import { FUNCTION_WORDS } from "@/lib/utils/function-words";
import { fingerprint } from "@/lib/utils/text";
import { textHash } from "@/lib/utils/text-hash";

/** Function words that a title is compared without. */
const MAX_LEFT_OUT = 8;

/**
 * What a title or keyword is compared by; none for a text without letters and digits. Two are the same if their first keys are
 * equal. They are near if they share any other: the same words in another order, or all but one function word.
 */
export function keysOf(title: string): string[] {
  const print = fingerprint(title);
  if (print === "") return [];
  const words = print.split(" ").sort();
  const functionWords = [...new Set(words)].filter((word) => FUNCTION_WORDS.has(word)).slice(0, MAX_LEFT_OUT);
  const fewer = functionWords.map((word) => words.toSpliced(words.indexOf(word), 1));
  const near = [words, ...fewer].filter(({ length }) => length > 0).map((each) => `~${textHash(each.join(" "))}`);
  return [textHash(print), ...near];
}

/** One of several texts, with its keys. */
export type Unseen<T> = { item: T; keys: string[]; isNear: boolean };

/**
 * Leaves out what has the same text as one before it or one whose keys are in `taken`; marks what has a near one. A text
 * without letters and digits counts as seen.
 */
export function unseen<T>(items: T[], textOf: (item: T) => string, taken: ReadonlySet<string>): Unseen<T>[] {
  const seen = new Set<string>();
  const has = (key: string) => taken.has(key) || seen.has(key);
  return items.flatMap((item) => {
    const keys = keysOf(textOf(item));
    const [same, ...near] = keys;
    if (same === undefined || has(same)) return [];
    const isNear = near.some(has);
    for (const key of keys) seen.add(key);
    return [{ item, keys, isNear }];
  });
}

/** The first `count`, those without a near one before the others. */
export function preferNew<T>(found: Unseen<T>[], count: number): Unseen<T>[] {
  return [...found.filter(({ isNear }) => !isNear), ...found.filter(({ isNear }) => isNear)].slice(0, count);
}

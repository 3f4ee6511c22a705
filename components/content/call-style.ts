import type { WriteInput } from "@/lib/features/generation/schema";
import { WORDS_MAX, WORDS_MIN } from "@/lib/features/projects/rules";

/** The fields of a call's writing style, as typed. */
export type CallStyle = { tone: string; language: string; words: string; instructions: string };

export const NO_CALL_STYLE: CallStyle = { tone: "", language: "", words: "", instructions: "" };

export const WORDS_RANGE = `Use ${WORDS_MIN} to ${WORDS_MAX.toLocaleString("en-US")}.`;

/** Returns the number of words asked for: null if the field is empty, undefined if the number is not valid. */
export function wordsOf({ words }: CallStyle): number | null | undefined {
  const typed = words.replaceAll(/[\s,.]/g, "");
  if (typed === "") return null;
  const number = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
  return number >= WORDS_MIN && number <= WORDS_MAX ? number : undefined;
}

/** Returns what is sent: undefined if nothing was given. */
export function givenStyle(style: CallStyle): WriteInput["style"] {
  const { tone, language, instructions } = style;
  const words = wordsOf(style) ?? null;
  const given = Object.entries({ tone, language, instructions, words }).filter(
    ([, value]) => value !== null && String(value).trim() !== "",
  );
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

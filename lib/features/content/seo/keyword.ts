import { STEMMERS } from "@/lib/features/content/seo/stemmers";
import { FUNCTION_WORDS } from "@/lib/utils/function-words";
import { permalinkSlug } from "@/lib/utils/slug";
import { comparedWords, isBlank } from "@/lib/utils/text";
import { hasUnspaced } from "@/lib/utils/words";

/** What a block's prose has in place of code: no word, and not nothing. */
export const CODE_SIGN = "\uFFFC";

/** No word of a language is longer, and a stemmer's patterns would take long with one. */
const LONGEST_WORD = 60;

/** A focus keyword, in each form of its words. */
export type Keyword = {
  /** As the user has written it. */
  text: string;
  /** Whether forms of its words count. */
  hasForms: boolean;
  /** How often it occurs; occurrences do not overlap. */
  occurrencesIn: (prose: string) => number;
  /** The place of the first word of its first occurrence among the words of the text, from 1; null if there is none. */
  placeIn: (prose: string) => number | null;
  /** How many of its content words there are, and how many of them are in the slug. */
  inSlug: (slug: string) => { of: number; found: number };
  /** Whether another has the same words, in any order and form. */
  isSameAs: (other: string) => boolean;
};

/** Null without a letter or digit. */
export function keywordOf(text: string | null, language: string | null): Keyword | null {
  if (isBlank(text)) return null;
  const keyword = String(text).trim();
  const formOf = formsOf(language);
  const stemsOf = (prose: string) => comparedWords(prose, language ?? undefined).map(formOf);
  const stems = stemsOf(keyword);
  if (stems.length === 0) return null;
  const characters = comparedWords(keyword).join("");

  /** The places of the occurrences among the words, from 0. */
  function* placesIn(prose: string): Generator<number> {
    let before = 0;
    for (const part of prose.split(CODE_SIGN)) {
      const words = stemsOf(part);
      for (let at = 0; at + stems.length <= words.length; at++) {
        if (!stems.every((stem, index) => words[at + index] === stem)) continue;
        yield before + at;
        at += stems.length - 1;
      }
      before += words.length;
    }
  }
  const isUnspaced = hasUnspaced(keyword);
  const joined = (prose: string) => comparedWords(prose).join("\n");

  return {
    text: keyword,
    hasForms: !isUnspaced && language !== null && language in STEMMERS,
    occurrencesIn: (prose) => (isUnspaced ? joined(prose).split(characters).length - 1 : [...placesIn(prose)].length),
    placeIn(prose) {
      if (isUnspaced) {
        const [before = "", ...rest] = joined(prose).split(characters);
        return rest.length === 0 ? null : Math.ceil(before.replace(/\n/g, "").length / 2) + 1;
      }
      const [first] = placesIn(prose);
      return first === undefined ? null : first + 1;
    },
    inSlug(slug) {
      if (isUnspaced) return { of: 1, found: slug.includes(characters) ? 1 : 0 };
      const all = comparedWords(keyword, language ?? undefined);
      const content = all.filter((word) => !FUNCTION_WORDS.has(word));
      const parts = slug.split("-");
      const inSlug = new Set([...parts, ...parts.map(formOf)]);
      const words = content.length > 0 ? content : all;
      const found = words.filter((word) => {
        const plain = [word, umlautsSpelled(word)].map(permalinkSlug);
        return plain.some((each) => each === "" || inSlug.has(each) || inSlug.has(formOf(each)));
      });
      return { of: words.length, found: found.length };
    },
    isSameAs: (other) => stemsOf(other).sort().join(" ") === stems.toSorted().join(" "),
  };
}

/** As German WordPress writes slugs. */
function umlautsSpelled(word: string): string {
  return word.replace(/[äöü]/g, (umlaut) => `${permalinkSlug(umlaut)}e`).replace(/ß/g, "ss");
}

/** Gives each word its stem, or leaves it as it is spelt in a language without a stemmer. */
export function formsOf(language: string | null): (word: string) => string {
  const stemmer = STEMMERS[language ?? ""];
  if (!stemmer) return (word) => word;
  const known = new Map<string, string>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const stem = word.length > LONGEST_WORD ? word : stemmer(word);
    known.set(word, stem);
    return stem;
  };
}

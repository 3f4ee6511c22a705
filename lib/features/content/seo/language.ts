import { FUNCTION_WORDS_BY_LANGUAGE } from "@/lib/utils/function-words";

/** Languages that are written in a script of their own, or share it with those that LANGUAGES tells by their function words. */
const BY_SCRIPT: Record<string, string[]> = {
  Arabic: ["ar", "fa"],
  Armenian: ["hy"],
  Cyrillic: ["ru", "uk"],
  Devanagari: ["hi"],
  Greek: ["el"],
  Han: ["zh"],
  Hangul: ["ko"],
  Hebrew: ["he"],
  Kana: ["ja"],
  Latin: ["nl", "en", "fr", "de", "id", "it", "pl", "pt", "es", "sv", "tr", "vi"],
  Tamil: ["ta"],
  Thai: ["th"],
};

/** Languages that a project may name although no text is known by them. */
const NAMED_ALONE = ["bg", "da", "fi", "ga", "hu", "lt", "ne", "no", "nb", "ro", "sr", "cs"];

/** Frequent words beside the function words, by which a short text is known too. */
const FREQUENT: Record<string, string> = {
  de: "nicht sich auch es wie aber wenn nur noch wird man ich du kann so was werden hat haben nach dann mehr",
  en: "that it as you not have will can do how what when if they we but all one up out just more has was were",
  es: "que se no lo como más pero sus muy cuando si ya todo esta puede hay cada",
  fr: "que qui ne pas se il elle on vous nous plus mais comme si tout cette son sa faut",
  it: "che non si come più ma anche se ogni questo quando sono può molto tutto",
  nl: "dat niet je ook maar als dan wat die er wel nog meer hoe kan wordt",
  pt: "que não se mais como mas também já quando muito isso você cada pode há",
};

/** Words of a text that are looked at. */
const SAMPLE = 2_000;
/** Function words of a language that a text must have, and how many more than of any other. */
const LEAST = 2;
const LEAD = 1.3;

/**
 * The ISO 639-1 code of the language of a piece: that of its project, if we know its name in English or in itself, or its
 * code; else that of the text, by its script and its function words. Null: unsure.
 */
export function languageOf(project: string | null, text: string): string | null {
  return languageNamed(project ?? "") ?? languageOfText(text);
}

/** The ISO 639-1 code of a language that is named in English or in itself, or by its code; null if we do not know it. */
export function languageNamed(name: string): string | null {
  for (const word of name.toLowerCase().match(/\p{L}[\p{L}\p{M}]+/gu) ?? []) {
    const code = NAMES.get(word);
    if (code) return code;
  }
  return null;
}

/** The English name of a language. */
export function nameOfLanguage(code: string): string {
  return nameIn("en", code);
}

/** The language of a text by its script and its function words; null if unsure. */
export function languageOfText(text: string): string | null {
  const words =
    text
      .slice(0, 20 * SAMPLE)
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu)
      ?.slice(0, SAMPLE) ?? [];
  const scripts = new Map<string, number>();
  for (const word of words) {
    const script = scriptOf(word);
    if (script) scripts.set(script, (scripts.get(script) ?? 0) + 1);
  }
  // A Japanese text has Han characters too, and no other text has Kana.
  if ((scripts.get("Kana") ?? 0) * 5 > (scripts.get("Han") ?? 0)) scripts.delete("Han");
  const [script] = [...scripts].sort(([, a], [, b]) => b - a)[0] ?? [];
  const candidates = BY_SCRIPT[script ?? ""] ?? [];
  if (candidates.length === 1 && script !== "Cyrillic") return candidates[0] ?? null;
  const counts = candidates
    .map((code) => ({ code, count: countOf(words, TELLING.get(code) ?? NO_WORDS) }))
    .sort((a, b) => b.count - a.count);
  const [first, second] = counts;
  if (!first || first.count < LEAST || first.count < LEAD * (second?.count ?? 0)) return null;
  return first.code;
}

function countOf(words: string[], known: ReadonlySet<string>): number {
  return words.reduce((count, word) => count + (known.has(word) ? 1 : 0), 0);
}

function scriptOf(word: string): string | undefined {
  return SCRIPTS.find(([, pattern]) => pattern.test(word))?.[0];
}

const SCRIPTS = Object.keys(BY_SCRIPT).map(
  (script) =>
    [
      script,
      script === "Kana" ? /[\p{Script=Hiragana}\p{Script=Katakana}]/u : new RegExp(`\\p{Script=${script}}`, "u"),
    ] as const,
);

const NO_WORDS: ReadonlySet<string> = new Set([""]);
const TELLING = new Map(
  Object.entries(FUNCTION_WORDS_BY_LANGUAGE).map(([code, words]) => [
    code,
    new Set([...words, ...(FREQUENT[code]?.split(" ") ?? [])]),
  ]),
);

/** By what a language is called in English and in itself, and by its code. */
const NAMES: ReadonlyMap<string, string> = new Map(
  [...Object.values(BY_SCRIPT).flat(), ...NAMED_ALONE].flatMap((code) =>
    [nameIn("en", code), nameIn(code, code), code].map((name) => [name.toLowerCase(), code] as const),
  ),
);

function nameIn(locale: string, code: string): string {
  return new Intl.DisplayNames([locale], { type: "language" }).of(code) ?? code;
}

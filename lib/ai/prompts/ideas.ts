import { z } from "zod";
import { type Prompt, type Reading, readStructured } from "@/lib/ai/prompts/prompt";
import {
  contextFences,
  fenced,
  fencedList,
  INTENTS,
  type Intent,
  LABELS,
  type PersonaInput,
  type ProjectInput,
  systemMessage,
  type TopicInput,
  userMessage,
} from "@/lib/ai/prompts/shared";
import { withoutQuotes } from "@/lib/ai/prompts/tidy";
import { preferNew, unseen } from "@/lib/utils/title-key";

export type IdeasInput = {
  project: ProjectInput;
  topic: TopicInput;
  persona: PersonaInput | null;
  keyword: string;
  count: number;
  /** Newest first; the provider sees the first 200. */
  existingTitles: string[];
  /** Keys of every title that must not come again; see `keysOf`. */
  taken: ReadonlySet<string>;
};

/** How many existing titles the provider sees. Users pay per word: enough to keep ideas apart, not a whole library. */
export const MAX_SHOWN_TITLES = 200;

export type Idea = { title: string; angle: string; intent: Intent };

/**
 * How long a title is, by its script: as much as a page of search results shows. A letter of Han, kana or Hangul is as wide as
 * two others. Scripts that write few vowels, or write them as marks, say more in a line.
 */
const TITLE_LENGTHS = { wide: { min: 15, max: 32 }, dense: { min: 30, max: 65 }, other: { min: 40, max: 65 } } as const;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF01-\uFF60]/gu;
const DENSE = /[\u0590-\u08FF\u0900-\u109F\u1200-\u137F\u1780-\u17FF]/;

/** Is it as long as its script asks for? Titles in several scripts, such as Chinese with names in Latin, count by width. */
function isFitting(title: string): boolean {
  const doubled = title.match(WIDE)?.length ?? 0;
  const { min } = doubled > 0 || DENSE.test(title) ? TITLE_LENGTHS.dense : TITLE_LENGTHS.other;
  const width = title.length + doubled;
  return width >= min && width <= TITLE_LENGTHS.other.max;
}

const { wide, dense, other } = TITLE_LENGTHS;
const LENGTH_RULE = `${other.min} to ${other.max} characters (${wide.min} to ${wide.max} in Chinese, Japanese and Korean, ${dense.min} to ${dense.max} in Arabic, Hebrew, Thai and the scripts of India)`;

const answer = z.object({
  ideas: z.array(
    z.object({
      title: z.string().describe(LENGTH_RULE),
      angle: z
        .string()
        .describe("One sentence: which question of the reader it answers, and how it differs from the others"),
      intent: z.enum(INTENTS),
    }),
  ),
});

/**
 * Exactly `count` ideas for one keyword, none with a title that is taken in any case, spacing or punctuation. Titles near to
 * another, or too short or long for their script, are requested once more, then accepted.
 */
export function ideasPrompt(input: IdeasInput): Prompt<{ ideas: Idea[] }> {
  return {
    name: "ideas",
    version: "ideas-2",
    limits: { maxTokens: 6_000, temperature: 0.9 },
    schema: answer,
    messages: [
      systemMessage(
        "You plan articles for a blog.",
        [
          `A title has ${LENGTH_RULE}, says plainly what the reader will get, and keeps that promise small enough for one article.`,
          "Each idea answers a different question of the reader, so that the articles do not compete with each other in search.",
          "The keyword, or a natural form of it, is in the title where it reads well.",
          "No clickbait, no exclamation mark, no year, and no number that the article could not hold to.",
          "None near an existing title: not the same question in other words.",
        ],
        input.project.style,
      ),
      userMessage(
        [
          ...contextFences(input),
          fenced(LABELS.keyword, input.keyword),
          fencedList(LABELS.existingTitles, input.existingTitles.slice(0, MAX_SHOWN_TITLES)),
        ],
        `Propose exactly ${input.count} article ideas for this keyword: title, angle and search intent.`,
      ),
    ],
    read: readStructured(answer, ({ ideas }) => newIdeas(ideas, input)),
  };
}

// Anything longer is not a title.
const MAX_TITLE = 300;
const MAX_ANGLE = 1_000;

function newIdeas(ideas: Idea[], input: IdeasInput): Reading<{ ideas: Idea[] }> {
  const titled = ideas
    .filter(({ title }) => title.length <= 2 * MAX_TITLE)
    .map(({ title, angle, intent }) => ({ title: tidy(title), angle: angle.slice(0, MAX_ANGLE).trim(), intent }))
    .filter(({ title }) => title.length <= MAX_TITLE);
  const found = preferNew(
    unseen(titled, ({ title }) => title, input.taken),
    input.count,
  );
  const value = { ideas: found.map(({ item }) => item) };
  const usable = found.length > 0 ? { usable: value } : {};
  const fresh = found.filter(({ isNear }) => !isNear);
  if (fresh.length < input.count) {
    const problem = `${fresh.length} of its titles were new and different from each other; ${input.count} are needed.`;
    return { ok: false, problem, ...usable };
  }
  const misfits = value.ideas.filter(({ title }) => !isFitting(title));
  if (misfits.length > 0) {
    return { ok: false, problem: `${misfits.length} titles did not have ${LENGTH_RULE}.`, ...usable };
  }
  return { ok: true, value };
}

function tidy(title: string): string {
  return withoutQuotes(title.normalize("NFC")).replace(/\s+/g, " ");
}

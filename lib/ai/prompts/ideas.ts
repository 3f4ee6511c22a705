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
import { titleKey } from "@/lib/utils/title-key";

export type IdeasInput = {
  project: ProjectInput;
  topic: TopicInput;
  persona: PersonaInput | null;
  keyword: string;
  count: number;
  /** Newest first; the provider sees the first 200. */
  existingTitles: string[];
  /** Keys of every title that must not come again. */
  taken: ReadonlySet<string>;
};

/** How many existing titles the provider sees. Users pay per word: enough to keep ideas apart, not a whole library. */
export const MAX_SHOWN_TITLES = 200;

export type Idea = { title: string; angle: string; intent: Intent };

const TITLE_LENGTH = { min: 40, max: 65 } as const;

const answer = z.object({
  ideas: z.array(
    z.object({
      title: z.string().describe(`${TITLE_LENGTH.min} to ${TITLE_LENGTH.max} characters`),
      angle: z
        .string()
        .describe("One sentence: which question of the reader it answers, and how it differs from the others"),
      intent: z.enum(INTENTS),
    }),
  ),
});

/**
 * Exactly `count` ideas for one keyword, none equal to a taken title in any case, spacing, punctuation or word
 * order. Titles outside 40 to 65 characters are requested once more, then accepted.
 */
export function ideasPrompt(input: IdeasInput): Prompt<{ ideas: Idea[] }> {
  return {
    name: "ideas",
    version: "ideas-1",
    limits: { maxTokens: 6_000, temperature: 0.9 },
    schema: answer,
    messages: [
      systemMessage(
        "You plan articles for a blog.",
        [
          `A title has ${TITLE_LENGTH.min} to ${TITLE_LENGTH.max} characters, says plainly what the reader will get, and keeps that promise small enough for one article.`,
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
  const seen = new Set<string>();
  const fresh = ideas
    .filter(({ title }) => title.length <= 2 * MAX_TITLE)
    .map(({ title, angle, intent }) => ({ title: tidy(title), angle: angle.slice(0, MAX_ANGLE).trim(), intent }))
    .filter(({ title }) => {
      const key = titleKey(title);
      if (key === "" || input.taken.has(key) || seen.has(key) || title.length > MAX_TITLE) return false;
      seen.add(key);
      return true;
    })
    .slice(0, input.count);
  const usable = fresh.length > 0 ? { usable: { ideas: fresh } } : {};
  if (fresh.length < input.count) {
    const problem = `${fresh.length} of its titles were new and different from each other; ${input.count} are needed.`;
    return { ok: false, problem, ...usable };
  }
  const misfits = fresh.filter(({ title }) => title.length < TITLE_LENGTH.min || title.length > TITLE_LENGTH.max);
  if (misfits.length > 0) {
    const problem = `${misfits.length} titles did not have ${TITLE_LENGTH.min} to ${TITLE_LENGTH.max} characters.`;
    return { ok: false, problem, ...usable };
  }
  return { ok: true, value: { ideas: fresh } };
}

function tidy(title: string): string {
  return withoutQuotes(title.normalize("NFC")).replace(/\s+/g, " ");
}

import { z } from "zod";
import { type Prompt, type Reading, readStructured } from "@/lib/ai/prompts/prompt";
import {
  contextFences,
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
import { withoutListMark, withoutQuotes } from "@/lib/ai/prompts/tidy";
import { trimEndMatching } from "@/lib/utils/text";
import { keysOf, preferNew, unseen } from "@/lib/utils/title-key";

export type KeywordsInput = {
  project: ProjectInput;
  topic: TopicInput;
  persona: PersonaInput | null;
  /** The topic's keywords. */
  existing: string[];
  count: number;
};

export type SuggestedKeyword = { keyword: string; intent: Intent };

const answer = z.object({
  keywords: z.array(
    z.object({
      keyword: z.string().describe("2 to 6 words, as a person types it into a search engine"),
      intent: z.enum(INTENTS),
    }),
  ),
});

/**
 * `count` new keywords of at most 100 characters, none of them in `existing` in any case, spacing or punctuation. Those near to
 * another are requested once more, then accepted.
 */
export function keywordsPrompt(input: KeywordsInput): Prompt<{ keywords: SuggestedKeyword[] }> {
  return {
    name: "keywords",
    version: "keywords-1",
    limits: { maxTokens: 4_000, temperature: 0.8 },
    schema: answer,
    messages: [
      systemMessage(
        "You research search keywords for a blog.",
        [
          "A keyword is 2 to 6 words, lower case unless a name, without quotes or punctuation, the way people really type a search.",
          "Mix the intents: mostly informational, some commercial, and navigational or transactional where the topic has them.",
          "Each keyword must be worth an article of its own; no two that one article would answer.",
          "None that is among the existing keywords already, in whatever spelling, word order or number.",
        ],
        input.project.style,
      ),
      userMessage(
        [...contextFences(input), fencedList(LABELS.existingKeywords, input.existing)],
        `Suggest exactly ${input.count} new keywords for this topic, each with its search intent.`,
      ),
    ],
    read: readStructured(answer, ({ keywords }) => newKeywords(keywords, input)),
  };
}

const MAX_KEYWORD = 100;

function newKeywords(keywords: SuggestedKeyword[], input: KeywordsInput): Reading<{ keywords: SuggestedKeyword[] }> {
  const tidied = keywords
    .filter(({ keyword }) => keyword.length <= 2 * MAX_KEYWORD)
    .map(({ keyword, intent }) => ({ keyword: tidy(keyword), intent }))
    .filter(({ keyword }) => keyword.length <= MAX_KEYWORD);
  const taken = new Set(input.existing.flatMap(keysOf));
  const found = preferNew(
    unseen(tidied, ({ keyword }) => keyword, taken),
    input.count,
  );
  const value = { keywords: found.map(({ item }) => item) };
  const fresh = found.filter(({ isNear }) => !isNear);
  if (fresh.length === input.count) return { ok: true, value };
  return {
    ok: false,
    problem: `${fresh.length} of its keywords were new and different from each other; ${input.count} are needed.`,
    ...(found.length > 0 && { usable: value }),
  };
}

function tidy(keyword: string): string {
  const words = trimEndMatching(withoutListMark(keyword.normalize("NFC")), END);
  return trimEndMatching(withoutQuotes(words), END).replace(/\s+/g, " ");
}

const END = /[.,;\s]/;

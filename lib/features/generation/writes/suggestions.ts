import "server-only";
import { generate } from "@/lib/ai/generate";
import { keywordsPrompt } from "@/lib/ai/prompts/keywords";
import type { Actor } from "@/lib/auth/actor";
import { CALL_MESSAGES } from "@/lib/errors";
import { topicContext } from "@/lib/features/generation/reads";
import { SUGGESTED_KEYWORDS } from "@/lib/features/generation/rules";
import { providerOf } from "@/lib/features/generation/steps";
import { MAX_KEYWORDS } from "@/lib/features/topics/schema";
import { addPaidKeywords, tooManyKeywords } from "@/lib/features/topics/writes";

/** New keywords for a topic, none already there in any spelling. */
export async function suggestKeywords(actor: Actor, topicId: number) {
  return { saved: false, savedKeywords: [], keywords: await askKeywords(actor, topicId) };
}

/** Suggests and saves at once; what is already there is skipped. */
export async function autoAddKeywords(actor: Actor, topicId: number) {
  const keywords = await askKeywords(actor, topicId);
  const savedKeywords = keywords.length > 0 ? await addPaidKeywords(actor, topicId, keywords) : [];
  return { saved: true, savedKeywords, keywords };
}

async function askKeywords(actor: Actor, topicId: number): Promise<string[]> {
  const { keywords, context } = await topicContext(actor, topicId);
  if (keywords.length >= MAX_KEYWORDS) throw tooManyKeywords(keywords.length);
  const provider = await providerOf(actor, CALL_MESSAGES.suggestionsNeedKey);
  const existing = keywords.map(({ keyword }) => keyword);
  const { value } = await generate(provider, keywordsPrompt({ ...context, existing, count: SUGGESTED_KEYWORDS }));
  return value.keywords.map(({ keyword }) => keyword);
}

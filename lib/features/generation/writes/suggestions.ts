import "server-only";
import { generate } from "@/lib/ai/generate";
import { keywordsPrompt } from "@/lib/ai/prompts/keywords";
import type { AiProvider } from "@/lib/ai/provider";
import type { Actor } from "@/lib/auth/actor";
import { CALL_MESSAGES } from "@/lib/errors";
import { topicContext } from "@/lib/features/generation/reads";
import { SUGGESTED_KEYWORDS } from "@/lib/features/generation/rules";
import { planningOnce } from "@/lib/features/generation/writes/planning";
import { providerOf } from "@/lib/features/generation/writes/section";
import { MAX_KEYWORDS } from "@/lib/features/topics/schema";
import { addPaidKeywords, giveBackKeywords, promiseKeywords, tooManyKeywords } from "@/lib/features/topics/writes";
import { log } from "@/lib/log";

/** New keywords for a topic, as many as it has room for, none already there in any spelling. */
export async function suggestKeywords(actor: Actor, topicId: number) {
  const topic = await topicContext(actor, topicId);
  const room = MAX_KEYWORDS - topic.keywords.length;
  if (room <= 0) throw tooManyKeywords(topic.keywords.length);
  const provider = await providerOf(actor, CALL_MESSAGES.suggestionsNeedKey);
  const count = Math.min(SUGGESTED_KEYWORDS, room);
  const keywords = await planningOnce(actor, topicId, "keywords", () => askKeywords(provider, topic, count));
  return { saved: false, savedKeywords: [], keywords };
}

/**
 * Suggests and saves at once, in places kept before the provider is asked. What cannot be saved is answered all the same,
 * with `saved` false: it is paid for.
 */
export async function autoAddKeywords(actor: Actor, topicId: number) {
  await topicContext(actor, topicId);
  const provider = await providerOf(actor, CALL_MESSAGES.suggestionsNeedKey);
  return planningOnce(actor, topicId, "keywords", () => askAndSave(actor, topicId, provider));
}

async function askAndSave(actor: Actor, topicId: number, provider: AiProvider) {
  const topic = await topicContext(actor, topicId);
  const promised = await promiseKeywords(actor, topicId, SUGGESTED_KEYWORDS);
  const keywords = await askKeywords(provider, topic, promised).catch(async (error: unknown) => {
    await giveBackKeywords(actor, topicId, promised);
    throw error;
  });
  return { ...(await save(actor, topicId, keywords, promised)), keywords };
}

async function askKeywords(
  provider: AiProvider,
  { keywords, context }: Awaited<ReturnType<typeof topicContext>>,
  count: number,
): Promise<string[]> {
  const existing = keywords.map(({ keyword }) => keyword);
  const { value } = await generate(provider, keywordsPrompt({ ...context, existing, count }));
  return value.keywords.map(({ keyword }) => keyword);
}

async function save(actor: Actor, topicId: number, keywords: string[], promised: number) {
  try {
    return { saved: true, savedKeywords: await addPaidKeywords(actor, topicId, keywords, promised) };
  } catch (error) {
    log.warn({ err: error, topicId, requestId: actor.origin.requestId }, "paid keywords were not saved");
    await giveBackKeywords(actor, topicId, promised);
    return { saved: false, savedKeywords: [] };
  }
}

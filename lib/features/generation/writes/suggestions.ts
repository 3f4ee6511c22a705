import "server-only";
import { generate } from "@/lib/ai/generate";
import { keywordsPrompt } from "@/lib/ai/prompts/keywords";
import type { AiProvider } from "@/lib/ai/provider";
import type { Actor } from "@/lib/auth/actor";
import { CALL_MESSAGES } from "@/lib/errors";
import { aiProviderOf, topicContext } from "@/lib/features/generation/reads";
import { nearNote, SUGGESTED_KEYWORDS } from "@/lib/features/generation/rules";
import { withPlanningLease } from "@/lib/features/generation/writes/planning";
import { MAX_KEYWORDS } from "@/lib/features/topics/schema";
import { releaseKeywords, reserveKeywords, saveAiKeywords, topicFull } from "@/lib/features/topics/writes";
import { log } from "@/lib/log";
import { keysOf, unseen } from "@/lib/utils/title-key";

/** Suggests keywords that the topic does not have yet, as many as it has room for; `message` names those near to another. */
export async function suggestKeywords(actor: Actor, topicId: number) {
  const topic = await topicContext(actor, topicId);
  const room = MAX_KEYWORDS - topic.keywords.length;
  if (room <= 0) throw topicFull(topic.keywords.length);
  const provider = await aiProviderOf(actor, CALL_MESSAGES.suggestionsNeedKey);
  const count = Math.min(SUGGESTED_KEYWORDS, room);
  const suggested = await withPlanningLease(actor, topicId, "keywords", () => requestKeywords(provider, topic, count));
  return { saved: false, savedKeywords: [], ...suggested };
}

/** Suggests and saves keywords in reserved places. Those that cannot be saved are paid for: they come with `saved: false`. */
export async function autoAddKeywords(actor: Actor, topicId: number) {
  await topicContext(actor, topicId);
  const provider = await aiProviderOf(actor, CALL_MESSAGES.suggestionsNeedKey);
  return withPlanningLease(actor, topicId, "keywords", () => requestAndSave(actor, topicId, provider));
}

async function requestAndSave(actor: Actor, topicId: number, provider: AiProvider) {
  const topic = await topicContext(actor, topicId);
  const reserved = await reserveKeywords(actor, topicId, SUGGESTED_KEYWORDS);
  const suggested = await requestKeywords(provider, topic, reserved).catch(async (error: unknown) => {
    await releaseKeywords(actor, topicId, reserved);
    throw error;
  });
  return { ...(await save(actor, topicId, suggested.keywords, reserved)), ...suggested };
}

async function requestKeywords(
  provider: AiProvider,
  { keywords, context }: Awaited<ReturnType<typeof topicContext>>,
  count: number,
): Promise<{ keywords: string[]; message?: string }> {
  const existing = keywords.map(({ keyword }) => keyword);
  const { value } = await generate(provider, keywordsPrompt({ ...context, existing, count }));
  const found = unseen(value.keywords, ({ keyword }) => keyword, new Set(existing.flatMap(keysOf)));
  const near = found.flatMap(({ item, isNear }) => (isNear ? item.keyword : []));
  const message = nearNote("keyword", near);
  return { keywords: value.keywords.map(({ keyword }) => keyword), ...(message && { message }) };
}

async function save(actor: Actor, topicId: number, keywords: string[], reserved: number) {
  try {
    return { saved: true, savedKeywords: await saveAiKeywords(actor, topicId, keywords, reserved) };
  } catch (error) {
    log.warn({ err: error, topicId, requestId: actor.context.requestId }, "paid keywords were not saved");
    await releaseKeywords(actor, topicId, reserved);
    return { saved: false, savedKeywords: [] };
  }
}

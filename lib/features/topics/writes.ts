import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { isUniqueViolation } from "@/lib/db/errors";
import { own } from "@/lib/db/own";
import { type Db, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { lockOwnedProject } from "@/lib/features/projects/writes";
import { ownedKeyword, ownedTopic, topicNotFound } from "@/lib/features/topics/reads";
import {
  type AddSuggestedInput,
  type CreateTopicInput,
  type KeywordInput,
  MAX_KEYWORDS,
  MAX_TOPICS,
  type UpdateTopicInput,
} from "@/lib/features/topics/schema";
import { insertKeyword, insertNewKeywords, lockTopic, releasePlaces, reservePlaces } from "@/lib/features/topics/sql";
import { createOnce } from "@/lib/idempotency/creation";
import { noteDeletion, rowBytes, store, storeAnyway, storing, withinQuota } from "@/lib/limits/storage-quota";
import { log } from "@/lib/log";

export async function createTopic(actor: Actor, projectId: number, input: CreateTopicInput) {
  const id = await createOnce(actor, async (db) => {
    await lockOwnedProject(db, actor, projectId);
    if ((await db.topic.count({ where: { projectId, ...own(actor) } })) >= MAX_TOPICS) return undefined;
    const data = { projectId, userId: actor.userId, ...columnsOf(input) };
    const { id } = await db.topic.create({ data, select: { id: true } });
    await store(db, actor.userId, textBytes(input));
    return id;
  });
  if (id) return ownedTopic(actor, id);
  throw new AppError("VALIDATION_ERROR", {
    message: `This project has ${MAX_TOPICS} topics, the maximum. Use another project.`,
  });
}

export async function updateTopic(actor: Actor, id: number, input: UpdateTopicInput) {
  const where = { id, ...own(actor) };
  await storing(actor.userId, textBytes(input), (db) => db.topic.updateMany({ where, data: columnsOf(input) }));
  return ownedTopic(actor, id);
}

function columnsOf<Input extends UpdateTopicInput>(input: Input) {
  return { ...input, ...(input.category === "" ? { category: null } : {}) };
}

function textBytes(input: UpdateTopicInput): number {
  return rowBytes(...Object.values(input));
}

export async function createKeyword(actor: Actor, topicId: number, { keyword }: KeywordInput) {
  const made = createOnce(actor, async (db) => {
    const { keywords } = await lockOwnedTopic(db, actor, topicId);
    if (keywords >= MAX_KEYWORDS) throw topicFull(keywords);
    return insertKeyword(db, actor.userId, topicId, keyword);
  });
  return ownedKeyword(actor, await made.catch(duplicateKeyword));
}

/** Locks the actor's topic, so that its count stays true until the transaction ends; reserved places count as keywords. */
export async function lockOwnedTopic(
  db: Pick<Db, "$queryRaw">,
  actor: Actor,
  id: number,
): Promise<{ keywords: number }> {
  const topic = await lockTopic(db, actor.userId, id);
  if (!topic) throw topicNotFound();
  return topic;
}

export async function updateKeyword(actor: Actor, id: number, { keyword }: KeywordInput) {
  const where = { id, topic: own(actor) };
  const changed = storing(actor.userId, rowBytes(keyword), (db) => db.keyword.updateMany({ where, data: { keyword } }));
  await changed.catch(duplicateKeyword);
  return ownedKeyword(actor, id);
}

export async function deleteKeyword(actor: Actor, id: number): Promise<void> {
  const { count } = await prisma.keyword.deleteMany({ where: { id, topic: own(actor) } });
  if (count === 0) await ownedKeyword(actor, id);
  await noteDeletion(actor.userId);
}

/** Adds suggestions, except those the topic has in any spelling. Returns the added rows, newest first. */
export function addKeywords(actor: Actor, topicId: number, { keywords }: AddSuggestedInput) {
  return withinQuota(actor.userId, () => transaction((db) => insertSuggested(db, actor, topicId, keywords)));
}

async function insertSuggested(db: Db, actor: Actor, topicId: number, keywords: string[]) {
  const before = (await lockOwnedTopic(db, actor, topicId)).keywords;
  const added = await insertNewKeywords(db, topicId, keywords);
  if (added.length > 0 && before + added.length > MAX_KEYWORDS) throw topicFull(before);
  await store(db, actor.userId, keywordBytes(added));
  return added;
}

function keywordBytes(keywords: { keyword: string }[]): number {
  return keywords.reduce((sum, { keyword }) => sum + rowBytes(keyword), 0);
}

/**
 * Reserves up to `max` places in the actor's topic before the AI is asked for keywords, and returns how many. Release what
 * stays unused. Throws VALIDATION_ERROR when the topic is full.
 */
export function reserveKeywords(actor: Actor, topicId: number, max: number): Promise<number> {
  return transaction(async (db) => {
    const { keywords } = await lockOwnedTopic(db, actor, topicId);
    const fitting = Math.min(max, MAX_KEYWORDS - keywords);
    if (fitting <= 0) throw topicFull(keywords);
    await reservePlaces(db, topicId, fitting);
    return fitting;
  });
}

/** Releases places of reserveKeywords. If it fails, they expire by themselves. */
export async function releaseKeywords({ userId }: Actor, topicId: number, count: number): Promise<void> {
  await releasePlaces(prisma, userId, topicId, count).catch((error: unknown) => {
    log.warn({ err: error, topicId }, "reserved keywords were not released");
  });
}

/** Adds the AI's keywords in their reserved places. Returns the added rows, newest first. */
export function saveAiKeywords(actor: Actor, topicId: number, keywords: string[], reserved: number) {
  return transaction(async (db) => {
    await lockOwnedTopic(db, actor, topicId);
    await releasePlaces(db, actor.userId, topicId, reserved);
    const added = await insertNewKeywords(db, topicId, keywords);
    await storeAnyway(db, actor.userId, keywordBytes(added));
    return added;
  });
}

/** Adds suggestions once per Idempotency-Key and returns how many were new. */
export async function addSuggestedKeywords(actor: Actor, topicId: number, { keywords }: AddSuggestedInput) {
  return {
    count: await createOnce(actor, async (db) => (await insertSuggested(db, actor, topicId, keywords)).length),
  };
}

export function topicFull(existing: number): AppError {
  return new AppError("VALIDATION_ERROR", {
    message: `A topic can have at most ${MAX_KEYWORDS} keywords, and this one has ${existing}. Delete some first.`,
  });
}

function duplicateKeyword(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  const sentence = "This topic has this keyword already.";
  throw new AppError("DUPLICATE", { message: sentence, fields: { keyword: [sentence] } });
}

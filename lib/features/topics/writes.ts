import "server-only";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { type Db, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { holdProject } from "@/lib/features/projects/writes";
import { ownedKeyword, ownedTopic, topicNotFound } from "@/lib/features/topics/reads";
import {
  type AddSuggestedInput,
  type CreateTopicInput,
  type KeywordInput,
  MAX_KEYWORDS,
  MAX_TOPICS,
  type UpdateTopicInput,
} from "@/lib/features/topics/schema";
import {
  insertKeyword,
  insertNewKeywords,
  insertTopic,
  lockTopic,
  promisePlaces,
  takeBackPlaces,
} from "@/lib/features/topics/sql";
import { createOnce } from "@/lib/idempotency/creation";
import { takeRoom, withinRoom } from "@/lib/limits/usage";
import { log } from "@/lib/log";
import { isUniqueViolation } from "@/lib/utils/database";

export async function createTopic(actor: Actor, projectId: number, input: CreateTopicInput) {
  const id = await createOnce(actor, async (db) => {
    await holdProject(db, actor, projectId);
    return insertTopic(db, actor.userId, projectId, { ...input, category: input.category || null });
  });
  if (id) return ownedTopic(actor, id);
  throw new AppError("VALIDATION_ERROR", {
    message: `This project has ${MAX_TOPICS} topics, the most there can be. Use another project.`,
  });
}

export async function updateTopic(actor: Actor, id: number, input: UpdateTopicInput) {
  const data = { ...input, ...(input.category !== undefined ? { category: input.category || null } : {}) };
  const where = { id, userId: actor.userId };
  await withinRoom(() =>
    transaction(async (db) => {
      await db.topic.updateMany({ where, data });
      await takeRoom(actor.userId, 0, db);
    }),
  );
  return ownedTopic(actor, id);
}

/** Deletes the topic with its keywords, content and jobs. What is on the person's site stays there. */
export async function deleteTopic(actor: Actor, id: number): Promise<void> {
  const { userId, origin } = actor;
  await transaction(async (db) => {
    const { count } = await db.topic.deleteMany({ where: { id, userId } });
    if (count === 0) throw topicNotFound();
    await auditIn(db, { userId, origin, action: "topic.deleted", subject: String(id) });
  });
}

export async function createKeyword(actor: Actor, topicId: number, { keyword }: KeywordInput) {
  const made = createOnce(actor, async (db) => {
    const { keywords } = await holdTopic(db, actor, topicId);
    if (keywords >= MAX_KEYWORDS) throw tooManyKeywords(keywords);
    return insertKeyword(db, actor.userId, topicId, keyword);
  });
  return ownedKeyword(actor, await made.catch(duplicateKeyword));
}

/**
 * Holds one's own topic until the transaction ends, so that what is counted in it stays so; answers how many keywords it is to
 * have, those promised to the AI's answers among them. Throws NOT_FOUND.
 */
async function holdTopic(db: Pick<Db, "$queryRaw">, actor: Actor, id: number): Promise<{ keywords: number }> {
  const held = await lockTopic(db, actor.userId, id);
  if (!held) throw topicNotFound();
  return held;
}

export async function updateKeyword(actor: Actor, id: number, { keyword }: KeywordInput) {
  const where = { id, topic: { userId: actor.userId } };
  const changed = withinRoom(() =>
    transaction(async (db) => {
      await db.keyword.updateMany({ where, data: { keyword } });
      await takeRoom(actor.userId, 0, db);
    }),
  );
  await changed.catch(duplicateKeyword);
  return ownedKeyword(actor, id);
}

export async function deleteKeyword(actor: Actor, id: number): Promise<void> {
  const { count } = await prisma.keyword.deleteMany({ where: { id, topic: { userId: actor.userId } } });
  if (count === 0) await ownedKeyword(actor, id);
}

/** Adds suggestions; those already there, in any spelling, are skipped. Answers the rows that were added, newest first. */
export function addKeywords(actor: Actor, topicId: number, { keywords }: AddSuggestedInput) {
  return withinRoom(() => transaction((db) => insertSuggested(db, actor, topicId, keywords)));
}

async function insertSuggested(db: Db, actor: Actor, topicId: number, keywords: string[]) {
  const before = (await holdTopic(db, actor, topicId)).keywords;
  const added = await insertNewKeywords(db, topicId, keywords);
  if (added.length > 0 && before + added.length > MAX_KEYWORDS) throw tooManyKeywords(before);
  await takeRoom(actor.userId, 0, db);
  return added;
}

/**
 * Keeps places in one's own topic for keywords the AI is about to be asked for, `most` at most. Answers how many; what does not
 * come must be given back. Throws VALIDATION_ERROR when there is none.
 */
export function promiseKeywords(actor: Actor, topicId: number, most: number): Promise<number> {
  return transaction(async (db) => {
    const { keywords } = await holdTopic(db, actor, topicId);
    const fitting = Math.min(most, MAX_KEYWORDS - keywords);
    if (fitting <= 0) throw tooManyKeywords(keywords);
    await promisePlaces(db, topicId, fitting);
    return fitting;
  });
}

/** Gives places back that promiseKeywords kept. A failure only keeps them until they run out. */
export async function giveBackKeywords({ userId }: Actor, topicId: number, count: number): Promise<void> {
  await takeBackPlaces(prisma, userId, topicId, count).catch((error: unknown) => {
    log.warn({ err: error, topicId }, "promised keywords were not given back");
  });
}

/** Adds keywords the AI made, in their promised places. Answers the rows that were added, newest first. */
export function addPaidKeywords(actor: Actor, topicId: number, keywords: string[], promised: number) {
  return transaction(async (db) => {
    await holdTopic(db, actor, topicId);
    await takeBackPlaces(db, actor.userId, topicId, promised);
    return insertNewKeywords(db, topicId, keywords);
  });
}

/** The same, and tells how many were added. */
export async function addSuggestedKeywords(actor: Actor, topicId: number, { keywords }: AddSuggestedInput) {
  return {
    count: await createOnce(actor, async (db) => (await insertSuggested(db, actor, topicId, keywords)).length),
  };
}

/** The sentence for a topic that is full. */
export function tooManyKeywords(existing: number): AppError {
  return new AppError("VALIDATION_ERROR", {
    message: `A topic holds ${MAX_KEYWORDS} keywords at most, and this one has ${existing}. Delete some first.`,
  });
}

function duplicateKeyword(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  const sentence = "This topic has this keyword already.";
  throw new AppError("DUPLICATE", { message: sentence, fields: { keyword: [sentence] } });
}

/** What planning a topic with AI holds: see sql.ts. */
export { topicToHold } from "@/lib/features/topics/sql";

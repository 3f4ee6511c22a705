import "server-only";
import { audit } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { type Db, prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { holdProject } from "@/lib/features/projects/writes";
import { ownedKeyword, ownedTopic } from "@/lib/features/topics/reads";
import {
  type AddSuggestedInput,
  type CreateTopicInput,
  type KeywordInput,
  MAX_KEYWORDS,
  MAX_TOPICS,
  type UpdateTopicInput,
} from "@/lib/features/topics/schema";
import { insertKeyword, insertNewKeywords, insertTopic, lockTopic } from "@/lib/features/topics/sql";
import { takeRoom, withinRoom } from "@/lib/limits/usage";
import { againAfterDeadlock, isUniqueViolation } from "@/lib/utils/database";

export async function createTopic(actor: Actor, projectId: number, input: CreateTopicInput) {
  const topic = await withinRoom(() =>
    prisma.$transaction(async (db) => {
      await holdProject(db, actor, projectId);
      return insertTopic(db, actor.userId, projectId, { ...input, category: input.category || null });
    }),
  );
  if (topic) return topic;
  throw new AppError("VALIDATION_ERROR", {
    message: `This project has ${MAX_TOPICS} topics, the most there can be. Use another project.`,
  });
}

export async function updateTopic(actor: Actor, id: number, input: UpdateTopicInput) {
  const data = { ...input, ...(input.category !== undefined ? { category: input.category || null } : {}) };
  const where = { id, userId: actor.userId };
  await withinRoom(() => prisma.$transaction([prisma.topic.updateMany({ where, data }), takeRoom(actor.userId)]));
  return ownedTopic(actor, id);
}

/** Deletes the topic with its keywords, content and jobs. What is on the person's site stays there. */
export async function deleteTopic(actor: Actor, id: number): Promise<void> {
  const mine = { id, userId: actor.userId };
  const { count } = await againAfterDeadlock(() => prisma.topic.deleteMany({ where: mine }));
  if (count === 0) await ownedTopic(actor, id);
  await audit({ userId: actor.userId, origin: actor.origin, action: "topic.deleted", subject: String(id) });
}

export async function createKeyword(actor: Actor, topicId: number, { keyword }: KeywordInput) {
  const made = withinRoom(() =>
    prisma.$transaction(async (db) => {
      await holdTopic(db, actor, topicId);
      return insertKeyword(db, actor.userId, topicId, keyword);
    }),
  );
  const row = await made.catch(duplicateKeyword);
  if (!row) throw tooManyKeywords(await prisma.keyword.count({ where: { topicId } }));
  return row;
}

/** Holds one's own topic until the transaction ends, so that what is counted in it stays so. Throws NOT_FOUND. */
async function holdTopic(db: Pick<Db, "$queryRaw">, actor: Actor, id: number): Promise<void> {
  if (!(await lockTopic(db, actor.userId, id))) await ownedTopic(actor, id);
}

export async function updateKeyword(actor: Actor, id: number, { keyword }: KeywordInput) {
  const where = { id, topic: { userId: actor.userId } };
  const changed = withinRoom(() =>
    prisma.$transaction([prisma.keyword.updateMany({ where, data: { keyword } }), takeRoom(actor.userId)]),
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
  return withinRoom(() =>
    prisma.$transaction(async (db) => {
      await holdTopic(db, actor, topicId);
      const added = await insertNewKeywords(db, topicId, keywords, "all");
      const count = await db.keyword.count({ where: { topicId } });
      if (added.length > 0 && count > MAX_KEYWORDS) throw tooManyKeywords(count - added.length);
      await takeRoom(actor.userId, 0, db);
      return added;
    }),
  );
}

/** Adds keywords the AI made, as many as fit: they are paid for. Answers the rows that were added, newest first. */
export function addPaidKeywords(actor: Actor, topicId: number, keywords: string[]) {
  return againAfterDeadlock(() =>
    prisma.$transaction(async (db) => {
      await holdTopic(db, actor, topicId);
      return insertNewKeywords(db, topicId, keywords, "fitting");
    }),
  );
}

export async function addSuggestedKeywords(actor: Actor, topicId: number, input: AddSuggestedInput) {
  return { count: (await addKeywords(actor, topicId, input)).length };
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

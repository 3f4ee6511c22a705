import "server-only";
import { audit } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { ownedProject } from "@/lib/features/projects/reads";
import { listKeywords, ownedKeyword, ownedTopic } from "@/lib/features/topics/reads";
import {
  type AddSuggestedInput,
  type CreateTopicInput,
  type KeywordInput,
  MAX_KEYWORDS,
  MAX_TOPICS,
  type UpdateTopicInput,
} from "@/lib/features/topics/schema";
import { insertNewKeywords } from "@/lib/features/topics/sql";
import { againAfterDeadlock, isUniqueViolation } from "@/lib/utils/database";

export async function createTopic(actor: Actor, projectId: number, input: CreateTopicInput) {
  await ownedProject(actor, projectId);
  if ((await prisma.topic.count({ where: { projectId } })) >= MAX_TOPICS) {
    throw new AppError("VALIDATION_ERROR", {
      message: `This project has ${MAX_TOPICS} topics, the most there can be. Use another project.`,
    });
  }
  const data = { ...input, category: input.category || null, projectId, userId: actor.userId };
  const topic = await prisma.topic.create({ data, omit: { userId: true } });
  return { ...topic, keywordCount: 0, contentCount: 0 };
}

export async function updateTopic(actor: Actor, id: number, input: UpdateTopicInput) {
  const data = { ...input, ...(input.category !== undefined ? { category: input.category || null } : {}) };
  await prisma.topic.updateMany({ where: { id, userId: actor.userId }, data });
  return ownedTopic(actor, id);
}

/** Deletes the topic with its keywords, content and jobs. What is on the person's site stays there. */
export async function deleteTopic(actor: Actor, id: number): Promise<void> {
  const mine = { id, userId: actor.userId };
  const { count } = await againAfterDeadlock(() => prisma.topic.deleteMany({ where: mine }));
  if (count === 0) await ownedTopic(actor, id);
  await audit({ userId: actor.userId, origin: actor.origin, action: "topic.deleted", subject: String(id) });
}

export async function createKeyword(actor: Actor, topicId: number, input: KeywordInput) {
  await refuseTooMany(actor, topicId, 1);
  return prisma.keyword.create({ data: { topicId, keyword: input.keyword } }).catch(duplicateKeyword);
}

export async function updateKeyword(actor: Actor, id: number, input: KeywordInput) {
  const where = { id, topic: { userId: actor.userId } };
  await prisma.keyword.updateMany({ where, data: { keyword: input.keyword } }).catch(duplicateKeyword);
  return ownedKeyword(actor, id);
}

export async function deleteKeyword(actor: Actor, id: number): Promise<void> {
  const { count } = await prisma.keyword.deleteMany({ where: { id, topic: { userId: actor.userId } } });
  if (count === 0) await ownedKeyword(actor, id);
}

/** Adds suggestions; those already there, in any spelling, are skipped. Answers the rows that were added. */
export async function addKeywords(actor: Actor, topicId: number, { keywords }: AddSuggestedInput) {
  await refuseTooMany(actor, topicId, keywords.length);
  return insertNewKeywords(topicId, keywords);
}

export async function addSuggestedKeywords(actor: Actor, topicId: number, input: AddSuggestedInput) {
  return { count: (await addKeywords(actor, topicId, input)).length };
}

async function refuseTooMany(actor: Actor, topicId: number, added: number): Promise<void> {
  const existing = await listKeywords(actor, topicId);
  if (existing.length + added <= MAX_KEYWORDS) return;
  throw new AppError("VALIDATION_ERROR", {
    message: `A topic holds ${MAX_KEYWORDS} keywords at most, and this one has ${existing.length}. Delete some first.`,
  });
}

function duplicateKeyword(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  const sentence = "This topic has this keyword already.";
  throw new AppError("DUPLICATE", { message: sentence, fields: { keyword: [sentence] } });
}

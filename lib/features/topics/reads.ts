import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { ownedProject } from "@/lib/features/projects/reads";
import { selectTopics } from "@/lib/features/topics/sql";

const KEYWORD = { id: true, topicId: true, keyword: true, createdAt: true } as const;

/** All topics of one's own project, newest first, with the numbers of keywords and pieces. */
export async function listTopics(actor: Actor, projectId: number) {
  await ownedProject(actor, projectId);
  return selectTopics(actor.userId, { projectId });
}

/** One's own topic, or NOT_FOUND. */
export async function ownedTopic(actor: Actor, id: number) {
  const [topic] = await selectTopics(actor.userId, { id });
  if (!topic) throw topicNotFound();
  return topic;
}

/** The sentence for a topic that is not there, or another person's. */
export function topicNotFound(): AppError {
  return new AppError("NOT_FOUND", { message: "This topic was not found. It may have been deleted." });
}

/** All keywords of one's own topic, newest first. */
export async function listKeywords(actor: Actor, topicId: number) {
  await ownedTopic(actor, topicId);
  return prisma.keyword.findMany({
    where: { topicId, topic: { userId: actor.userId } },
    select: KEYWORD,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}

/** One's own keyword, or NOT_FOUND. */
export async function ownedKeyword(actor: Actor, id: number) {
  const keyword = await prisma.keyword.findFirst({ where: { id, topic: { userId: actor.userId } }, select: KEYWORD });
  if (!keyword) throw new AppError("NOT_FOUND", { message: "This keyword was not found. It may have been deleted." });
  return keyword;
}

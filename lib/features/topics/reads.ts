import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { own } from "@/lib/db/own";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { ownedProject } from "@/lib/features/projects/reads";
import {
  type CreateTopicInput,
  createTopicInput,
  type ListKeywordsQuery,
  type ListTopicsQuery,
} from "@/lib/features/topics/schema";
import { selectKeywords, selectTopic, selectTopics, type TopicRow } from "@/lib/features/topics/sql";
import { MAX_LIST_BYTES } from "@/lib/limits/bounds";
import { type CursorPage, cursorPage, decodeCursor, newestCursor } from "@/lib/utils/cursor-page";
import { parseIntId } from "@/lib/utils/ids";

const KEYWORD = { id: true, topicId: true, keyword: true, createdAt: true } as const;

/**
 * The topics of the actor's project, newest first, with their counts of keywords and pieces: as many as `maxBytes` of
 * JSON hold.
 */
export async function listTopics(
  actor: Actor,
  projectId: number,
  { cursor, ...query }: ListTopicsQuery = {},
  maxBytes = MAX_LIST_BYTES,
): Promise<CursorPage<TopicRow>> {
  await ownedProject(actor, projectId);
  const after = decodeCursor(cursor, parseIntId);
  const rows = await selectTopics(actor.userId, projectId, { ...query, cursor: after, maxBytes });
  return cursorPage(rows, { limit: query.limit, maxBytes, cursorOf: newestCursor });
}

export async function ownedTopic(actor: Actor, id: number) {
  const topic = await selectTopic(actor.userId, id);
  if (!topic) throw topicNotFound();
  return topic;
}

export function topicNotFound(): AppError {
  return new AppError("NOT_FOUND", { message: "This topic was not found. It may have been deleted." });
}

/** Selects what a user writes about a topic. */
const WRITTEN = Object.fromEntries(Object.keys(createTopicInput.shape).map((field) => [field, true])) as Record<
  keyof CreateTopicInput,
  true
>;

/** The actor's topic with its keywords, its project and the project's persona. Throws NOT_FOUND. */
export async function ownedTopicDetails(actor: Actor, id: number) {
  const topic = await prisma.topic.findFirst({
    where: { id, ...own(actor) },
    select: {
      ...WRITTEN,
      project: {
        select: {
          id: true,
          title: true,
          description: true,
          buyerPersona: true,
          writingTone: true,
          writingLanguage: true,
          writingWords: true,
          writingInstructions: true,
        },
      },
      keywords: { select: { keyword: true }, orderBy: NEWEST_FIRST },
    },
  });
  if (!topic) throw topicNotFound();
  return topic;
}

/** The newest topics of the actor's project, each with its newest keywords. */
export async function topicsWithKeywords(
  actor: Actor,
  projectId: number,
  limits: { topics: number; keywords: number },
) {
  const topics = await prisma.topic.findMany({
    where: { projectId, ...own(actor) },
    select: {
      id: true,
      name: true,
      description: true,
      keywords: { select: { keyword: true }, orderBy: NEWEST_FIRST, take: limits.keywords },
    },
    orderBy: NEWEST_FIRST,
    take: limits.topics,
  });
  return topics.map(({ keywords, ...topic }) => ({ ...topic, keywords: keywords.map(({ keyword }) => keyword) }));
}

const NEWEST_FIRST: { createdAt?: "desc"; id?: "desc" }[] = [{ createdAt: "desc" }, { id: "desc" }];

/** The keywords of the actor's topic, newest first. */
export async function listKeywords(actor: Actor, topicId: number, { cursor, limit }: ListKeywordsQuery = {}) {
  await ownedTopic(actor, topicId);
  const rows = await selectKeywords(actor.userId, topicId, decodeCursor(cursor, parseIntId), limit);
  return cursorPage(rows, { limit, maxBytes: MAX_LIST_BYTES, cursorOf: newestCursor });
}

export async function ownedKeyword(actor: Actor, id: number) {
  const keyword = await prisma.keyword.findFirst({ where: { id, topic: own(actor) }, select: KEYWORD });
  if (!keyword) throw new AppError("NOT_FOUND", { message: "This keyword was not found. It may have been deleted." });
  return keyword;
}

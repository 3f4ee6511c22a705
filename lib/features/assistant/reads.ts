import "server-only";
import type { WorkspaceInput } from "@/lib/ai/prompts/assistant";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";

/** One's own project with persona, topics and keywords: what the assistant sees of it. Throws NOT_FOUND. */
export async function workspaceOf(actor: Actor, projectId: number): Promise<WorkspaceInput> {
  const newest = [{ createdAt: "desc" }, { id: "desc" }] as const;
  const project = await prisma.project.findFirst({
    where: { id: projectId, userId: actor.userId },
    select: {
      id: true,
      title: true,
      description: true,
      buyerPersona: { select: { name: true, age: true, description: true, interests: true, challenges: true } },
      topics: {
        select: {
          id: true,
          name: true,
          description: true,
          keywords: { select: { keyword: true }, orderBy: [...newest], take: MOST_KEYWORDS },
        },
        orderBy: [...newest],
        take: MOST_TOPICS,
      },
    },
  });
  if (!project) throw new AppError("NOT_FOUND", { message: "This project was not found. It may have been deleted." });
  const { buyerPersona: persona, topics, ...rest } = project;
  const named = topics.map(({ keywords, ...topic }) => ({
    ...topic,
    keywords: keywords.map(({ keyword }) => keyword),
  }));
  return { ...rest, persona, topics: named };
}

const MOST_TOPICS = 60;
const MOST_KEYWORDS = 20;

/** One's own session by id, or the latest one. Throws NOT_FOUND, or CHAT_NOT_STARTED where there is none yet. */
export async function ownedSession(actor: Actor, id: string | undefined) {
  const session = await prisma.chatSession.findFirst({
    where: { userId: actor.userId, ...(id ? { id } : {}) },
    orderBy: [{ updatedAt: "desc" }, { id: "desc" }],
    select: { id: true, projectId: true },
  });
  if (session) return session;
  if (!id) throw new AppError("CHAT_NOT_STARTED");
  throw new AppError("NOT_FOUND", { message: "This conversation was not found. Start a new one." });
}

/** What was said and answered, oldest first: the newest `count` messages without those that failed. */
export async function historyOf(sessionId: string, count: number) {
  const rows = await prisma.chatMessage.findMany({
    where: { sessionId, type: { not: "error" } },
    orderBy: { position: "desc" },
    select: { role: true, content: true },
    take: count,
  });
  return rows.reverse();
}

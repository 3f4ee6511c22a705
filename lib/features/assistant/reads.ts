import "server-only";
import type { WorkspaceInput } from "@/lib/ai/prompts/assistant";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { ownedProject, personaOf } from "@/lib/features/projects/reads";
import { topicsWithKeywords } from "@/lib/features/topics/reads";

/** What the assistant sees of the actor's project: persona, topics and keywords. Throws NOT_FOUND. */
export async function workspaceOf(actor: Actor, projectId: number): Promise<WorkspaceInput> {
  const { id, title, description } = await ownedProject(actor, projectId);
  const [found, topics] = await Promise.all([personaOf(actor, id), topicsWithKeywords(actor, id, SHOWN)]);
  const persona = found && {
    name: found.name,
    age: found.age,
    description: found.description,
    interests: found.interests,
    challenges: found.challenges,
  };
  return { id, title, description, persona, topics };
}

const SHOWN = { topics: 60, keywords: 20 };

/** The actor's session by id, or the latest one. Throws NOT_FOUND, or CHAT_NOT_STARTED when there is none. */
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

/** The newest `count` messages that did not fail, oldest first. */
export async function historyOf(sessionId: string, count: number) {
  const rows = await prisma.chatMessage.findMany({
    where: { sessionId, type: { not: "error" } },
    orderBy: { position: "desc" },
    select: { role: true, content: true },
    take: count,
  });
  return rows.reverse();
}

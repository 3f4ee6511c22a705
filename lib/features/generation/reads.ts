import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { MAX_PIECES } from "@/lib/features/content/rules";
import { NEIGHBOUR_TITLES } from "@/lib/features/generation/rules";
import { topicNotFound } from "@/lib/features/topics/reads";

/** Titles of one's own project, newest first. */
export async function projectTitles(actor: Actor, projectId: number): Promise<string[]> {
  const rows = await prisma.contentPiece.findMany({
    where: { projectId, userId: actor.userId },
    select: { title: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_PIECES,
  });
  return rows.map((row) => row.title);
}

/** A topic of one's own with all that is known around it: what every prompt begins with. */
export async function topicContext(actor: Actor, topicId: number) {
  const topic = await prisma.topic.findFirst({
    where: { id: topicId, userId: actor.userId },
    select: {
      name: true,
      description: true,
      category: true,
      project: { select: { id: true, title: true, description: true, buyerPersona: true } },
      keywords: { select: { keyword: true }, orderBy: [{ createdAt: "desc" }, { id: "desc" }] },
    },
  });
  if (!topic) throw topicNotFound();
  const { project, keywords, ...rest } = topic;
  return {
    projectId: project.id,
    keywords,
    context: {
      project: { title: project.title, description: project.description ?? "" },
      topic: rest,
      persona: project.buyerPersona,
    },
  };
}

/** All a piece's outline and sections are written from, with the piece's own fields. */
export async function pieceContext(actor: Actor, id: string) {
  const piece = await prisma.contentPiece.findFirst({
    where: { id, userId: actor.userId },
    select: {
      id: true,
      topicId: true,
      title: true,
      outline: true,
      textVersion: true,
      focusKeyword: true,
      intent: true,
      angle: true,
      hasBody: true,
      hasOutline: true,
    },
  });
  if (!piece) throw new AppError("NOT_FOUND", { message: "This piece was not found. It may have been deleted." });
  const [{ context }, neighbours] = await Promise.all([
    topicContext(actor, piece.topicId),
    prisma.contentPiece.findMany({
      where: { topicId: piece.topicId, userId: actor.userId, id: { not: id } },
      select: { title: true },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: NEIGHBOUR_TITLES,
    }),
  ]);
  const { title, focusKeyword, intent, angle } = piece;
  const neighbourTitles = neighbours.map((row) => row.title);
  return { piece, input: { ...context, title, focusKeyword, intent, angle, neighbourTitles } };
}

/** How many ideas each keyword of a topic has led to, by keyword in lower case; those by hand under "". */
export async function ideasPerKeyword(actor: Actor, topicId: number): Promise<Map<string, number>> {
  const rows = await prisma.contentPiece.groupBy({
    by: ["focusKeyword"],
    where: { topicId, userId: actor.userId },
    _count: true,
  });
  return new Map(rows.map((row) => [(row.focusKeyword ?? "").toLowerCase(), row._count]));
}

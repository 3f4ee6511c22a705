import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { own } from "@/lib/db/own";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import type { ListProjectsQuery, WritingStyle } from "@/lib/features/projects/schema";
import { type ListedProjectRow, selectProjects } from "@/lib/features/projects/sql";
import { MAX_LIST_BYTES } from "@/lib/limits/bounds";
import { type CursorPage, cursorPage, decodeCursor, newestCursor } from "@/lib/utils/cursor-page";
import { parseIntId } from "@/lib/utils/ids";

const PROJECT = { id: true, title: true, description: true, userId: true, siteId: true, createdAt: true } as const;
const STYLE = { writingTone: true, writingLanguage: true, writingWords: true, writingInstructions: true } as const;

/** The actor's projects that match, newest first: as many as `maxBytes` of JSON hold. */
export async function listProjects(
  { userId }: Actor,
  { cursor, ...query }: ListProjectsQuery = {},
  { maxBytes = MAX_LIST_BYTES, signal }: { maxBytes?: number; signal?: AbortSignal } = {},
): Promise<CursorPage<ListedProjectRow>> {
  const rows = await selectProjects(userId, { ...query, cursor: decodeCursor(cursor, parseIntId), maxBytes, signal });
  return cursorPage(rows, { limit: query.limit, maxBytes, cursorOf: newestCursor });
}

export async function ownedProject(actor: Actor, id: number) {
  const where = { id, ...own(actor) };
  const project = await prisma.project.findFirst({ where, select: { ...PROJECT, ...STYLE } });
  if (!project) throw projectNotFound();
  const { title, description, userId, siteId, createdAt } = project;
  return { id, title, description, userId, siteId, createdAt, writing: styleOf(project) };
}

type StyleColumns = {
  writingTone: string | null;
  writingLanguage: string | null;
  writingWords: number | null;
  writingInstructions: string | null;
};

/** How the texts of a project are written. */
/** The language and the site of those of the projects that are the actor's. */
export function projectPlaces(actor: Actor, ids: number[]) {
  return prisma.project.findMany({
    where: { id: { in: ids }, ...own(actor) },
    select: { id: true, writingLanguage: true, siteId: true },
  });
}

export function styleOf(project: StyleColumns): WritingStyle {
  const { writingTone, writingLanguage, writingWords, writingInstructions } = project;
  return { tone: writingTone, language: writingLanguage, words: writingWords, instructions: writingInstructions };
}

export function projectNotFound(): AppError {
  return new AppError("NOT_FOUND", { message: "This project was not found. It may have been deleted." });
}

export async function personaOf(actor: Actor, projectId: number) {
  await ownedProject(actor, projectId);
  return prisma.buyerPersona.findFirst({ where: { projectId, project: own(actor) } });
}

export async function ownedPersona(actor: Actor, id: number) {
  const persona = await prisma.buyerPersona.findFirst({ where: { id, project: own(actor) } });
  if (persona) return persona;
  throw new AppError("NOT_FOUND", { message: "This buyer persona was not found. It may have been deleted." });
}

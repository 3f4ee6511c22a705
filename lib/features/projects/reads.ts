import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";

const PROJECT = { id: true, title: true, description: true, userId: true, createdAt: true } as const;

export function listProjects(actor: Actor) {
  return prisma.project.findMany({
    where: { userId: actor.userId },
    select: PROJECT,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}

export async function ownedProject(actor: Actor, id: number) {
  const project = await prisma.project.findFirst({ where: { id, userId: actor.userId }, select: PROJECT });
  if (!project) throw projectNotFound();
  return project;
}

export function projectNotFound(): AppError {
  return new AppError("NOT_FOUND", { message: "This project was not found. It may have been deleted." });
}

export async function personaOf(actor: Actor, projectId: number) {
  await ownedProject(actor, projectId);
  return prisma.buyerPersona.findFirst({ where: { projectId, project: { userId: actor.userId } } });
}

export async function ownedPersona(actor: Actor, id: number) {
  const persona = await prisma.buyerPersona.findFirst({ where: { id, project: { userId: actor.userId } } });
  if (persona) return persona;
  throw new AppError("NOT_FOUND", { message: "This buyer persona was not found. It may have been deleted." });
}

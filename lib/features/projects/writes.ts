import "server-only";
import { audit } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { ownedProject } from "@/lib/features/projects/reads";
import {
  type CreatePersonaInput,
  type CreateProjectInput,
  MAX_PROJECTS,
  type UpdatePersonaInput,
  type UpdateProjectInput,
} from "@/lib/features/projects/schema";
import { againAfterDeadlock, isUniqueViolation } from "@/lib/utils/database";

export async function createProject(actor: Actor, input: CreateProjectInput) {
  const { userId } = actor;
  if ((await prisma.project.count({ where: { userId } })) >= MAX_PROJECTS) {
    throw new AppError("VALIDATION_ERROR", {
      message: `You have ${MAX_PROJECTS} projects, the most there can be. Delete one you no longer need first.`,
    });
  }
  return prisma.project.create({ data: { userId, title: input.title, description: input.description || null } });
}

export async function updateProject(actor: Actor, id: number, input: UpdateProjectInput) {
  const data = { ...input, ...(input.description !== undefined ? { description: input.description || null } : {}) };
  await prisma.project.updateMany({ where: { id, userId: actor.userId }, data });
  return ownedProject(actor, id);
}

/** Deletes the project with its topics, keywords and content. What is on the person's site stays there. */
export async function deleteProject(actor: Actor, id: number): Promise<void> {
  const mine = { id, userId: actor.userId };
  const { count } = await againAfterDeadlock(() => prisma.project.deleteMany({ where: mine }));
  if (count === 0) await ownedProject(actor, id);
  await audit({ userId: actor.userId, origin: actor.origin, action: "project.deleted", subject: String(id) });
}

/** A project has one persona; a second is DUPLICATE. */
export async function createPersona(actor: Actor, projectId: number, input: CreatePersonaInput) {
  await ownedProject(actor, projectId);
  return prisma.buyerPersona.create({ data: { projectId, ...input } }).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("DUPLICATE", { message: "This project has a buyer persona already. Edit that one." });
  });
}

export async function updatePersona(actor: Actor, id: number, input: UpdatePersonaInput) {
  const where = { id, project: { userId: actor.userId } };
  await prisma.buyerPersona.updateMany({ where, data: input });
  const persona = await prisma.buyerPersona.findFirst({ where });
  if (!persona)
    throw new AppError("NOT_FOUND", { message: "This buyer persona was not found. It may have been deleted." });
  return persona;
}

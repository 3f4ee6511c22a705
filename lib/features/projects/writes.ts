import "server-only";
import { audit } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { type Db, type Prisma, prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { ownedProject } from "@/lib/features/projects/reads";
import {
  type CreatePersonaInput,
  type CreateProjectInput,
  MAX_PROJECTS,
  type UpdatePersonaInput,
  type UpdateProjectInput,
} from "@/lib/features/projects/schema";
import { insertProject, lockProject } from "@/lib/features/projects/sql";
import { bytesOf, takeRoom, withinRoom } from "@/lib/limits/usage";
import { againAfterDeadlock, isUniqueViolation } from "@/lib/utils/database";

export async function createProject(actor: Actor, input: CreateProjectInput) {
  const { userId } = actor;
  const project = await withinRoom(() =>
    prisma.$transaction(async (db) => {
      // One creation of a person at a time comes past this.
      await takeRoom(userId, bytesOf(input.title, input.description), db);
      return insertProject(db, userId, { title: input.title, description: input.description || null });
    }),
  );
  if (project) return project;
  const most = MAX_PROJECTS.toLocaleString("en-US");
  throw new AppError("VALIDATION_ERROR", {
    message: `You have ${most} projects, the most there can be. Delete one you no longer need first.`,
  });
}

/**
 * Holds one's own project until the transaction ends, so that what is counted in it stays so; answers the pieces promised
 * to the AI's answers. Throws NOT_FOUND.
 */
export async function holdProject(db: Pick<Db, "$queryRaw">, actor: Actor, id: number): Promise<{ promised: number }> {
  const held = await lockProject(db, actor.userId, id);
  if (!held) await ownedProject(actor, id);
  return held ?? { promised: 0 };
}

/** Places for pieces the AI is asked for: see sql.ts. */
export { promisePieces, takeBackPromise } from "@/lib/features/projects/sql";

export async function updateProject(actor: Actor, id: number, input: UpdateProjectInput) {
  const data = { ...input, ...(input.description !== undefined ? { description: input.description || null } : {}) };
  const where = { id, userId: actor.userId };
  await saved(actor, () => prisma.project.updateMany({ where, data }));
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
  const made = saved(actor, () => prisma.buyerPersona.create({ data: { projectId, ...input } }));
  return made.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("DUPLICATE", { message: "This project has a buyer persona already. Edit that one." });
  });
}

export async function updatePersona(actor: Actor, id: number, input: UpdatePersonaInput) {
  const where = { id, project: { userId: actor.userId } };
  await saved(actor, () => prisma.buyerPersona.updateMany({ where, data: input }));
  const persona = await prisma.buyerPersona.findFirst({ where });
  if (!persona)
    throw new AppError("NOT_FOUND", { message: "This buyer persona was not found. It may have been deleted." });
  return persona;
}

/** The write, counted and within the person's room. */
async function saved<T>(actor: Actor, write: () => Prisma.PrismaPromise<T>): Promise<T> {
  const [written] = await withinRoom(() => prisma.$transaction([write(), takeRoom(actor.userId)]));
  return written;
}

import "server-only";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import type { Db } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { ownedPersona, ownedProject, projectNotFound } from "@/lib/features/projects/reads";
import {
  type CreatePersonaInput,
  type CreateProjectInput,
  MAX_PROJECTS,
  type UpdatePersonaInput,
  type UpdateProjectInput,
} from "@/lib/features/projects/schema";
import { insertProject, lockProject } from "@/lib/features/projects/sql";
import { createOnce } from "@/lib/idempotency/creation";
import { bytesOf, takeRoom, withinRoom } from "@/lib/limits/usage";
import { isUniqueViolation } from "@/lib/utils/database";

export async function createProject(actor: Actor, input: CreateProjectInput) {
  const { userId } = actor;
  const id = await createOnce(actor, async (db) => {
    // One creation of a person at a time comes past this.
    await takeRoom(userId, bytesOf(input.title, input.description), db);
    return insertProject(db, userId, { title: input.title, description: input.description || null });
  });
  if (id) return ownedProject(actor, id);
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
  if (!held) throw projectNotFound();
  return held;
}

/** Places for pieces the AI is asked for: see sql.ts. */
export { promisePieces, takeBackPromise } from "@/lib/features/projects/sql";

export async function updateProject(actor: Actor, id: number, input: UpdateProjectInput) {
  const data = { ...input, ...(input.description !== undefined ? { description: input.description || null } : {}) };
  const where = { id, userId: actor.userId };
  await saved(actor, (db) => db.project.updateMany({ where, data }));
  return ownedProject(actor, id);
}

/** Deletes the project with its topics, keywords and content. What is on the person's site stays there. */
export async function deleteProject(actor: Actor, id: number): Promise<void> {
  const { userId, origin } = actor;
  await transaction(async (db) => {
    const { count } = await db.project.deleteMany({ where: { id, userId } });
    if (count === 0) throw projectNotFound();
    await auditIn(db, { userId, origin, action: "project.deleted", subject: String(id) });
  });
}

/** A project has one persona; a second is DUPLICATE. */
export async function createPersona(actor: Actor, projectId: number, input: CreatePersonaInput) {
  const made = createOnce(actor, async (db) => {
    await holdProject(db, actor, projectId);
    const { id } = await db.buyerPersona.create({ data: { projectId, ...input }, select: { id: true } });
    await takeRoom(actor.userId, 0, db);
    return id;
  });
  const id = await made.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("DUPLICATE", { message: "This project has a buyer persona already. Edit that one." });
  });
  return ownedPersona(actor, id);
}

export async function updatePersona(actor: Actor, id: number, input: UpdatePersonaInput) {
  const where = { id, project: { userId: actor.userId } };
  await saved(actor, (db) => db.buyerPersona.updateMany({ where, data: input }));
  return ownedPersona(actor, id);
}

/** The write, counted and within the person's room. */
function saved<T>(actor: Actor, write: (db: Db) => Promise<T>): Promise<T> {
  return withinRoom(() =>
    transaction(async (db) => {
      const written = await write(db);
      await takeRoom(actor.userId, 0, db);
      return written;
    }),
  );
}

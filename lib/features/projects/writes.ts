import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { isForeignKeyViolation, isUniqueViolation } from "@/lib/db/errors";
import { own } from "@/lib/db/own";
import type { Db } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { readAccount } from "@/lib/features/account/reads";
import { ownedPersona, ownedProject, projectNotFound } from "@/lib/features/projects/reads";
import {
  type CreatePersonaInput,
  type CreateProjectInput,
  MAX_PROJECTS,
  type UpdatePersonaInput,
  type UpdateProjectInput,
  type WritingStyle,
} from "@/lib/features/projects/schema";
import { insertProject, lockProject } from "@/lib/features/projects/sql";
import { createOnce } from "@/lib/idempotency/creation";
import { rowBytes, store, storing } from "@/lib/limits/storage-quota";

export async function createProject(actor: Actor, input: CreateProjectInput) {
  const { userId } = actor;
  const id = await createOnce(actor, async (db) => {
    // Locks the user's count, so that creations come one after the other.
    await store(db, userId, rowBytes(input.title, input.description));
    const { title, description, siteId = null } = input;
    return insertProject(db, userId, { title, description: description || null, siteId });
  }).catch(siteNotFound);
  if (id) return ownedProject(actor, id);
  await readAccount(actor);
  const most = MAX_PROJECTS.toLocaleString("en-US");
  throw new AppError("VALIDATION_ERROR", {
    message: `You have ${most} projects, the maximum. Delete one you no longer need first.`,
  });
}

/** A site of another user, or one that was removed. */
function siteNotFound(error: unknown): never {
  if (!isForeignKeyViolation(error)) throw error;
  throw new AppError("NOT_FOUND", { message: "This site was not found. It may have been removed." });
}

/** Puts the actor's project, which the caller has locked, on a site. Throws NOT_FOUND unless the site is the actor's too. */
export async function putOnSite(db: Db, actor: Actor, id: number, siteId: string): Promise<void> {
  await db.project.updateMany({ where: { id, ...own(actor) }, data: { siteId } }).catch(siteNotFound);
}

/** Locks the actor's project, so that counts in it stay true until the transaction ends; returns the places reserved in it. */
export async function lockOwnedProject(
  db: Pick<Db, "$queryRaw">,
  actor: Actor,
  id: number,
): Promise<{ reserved: number }> {
  const project = await lockProject(db, actor.userId, id);
  if (!project) throw projectNotFound();
  return project;
}

/** Changes anything but the site; see moveProject. */
export async function updateProject(actor: Actor, id: number, { siteId: _, ...input }: UpdateProjectInput) {
  const { writing, ...columns } = input;
  const data = {
    ...columns,
    ...(input.description !== undefined ? { description: input.description || null } : {}),
    ...(writing ? styleColumns(writing) : {}),
  };
  const where = { id, ...own(actor) };
  const { title, description, writingTone, writingLanguage, writingInstructions } = data;
  const bytes = rowBytes(title, description, writingTone, writingLanguage, writingInstructions);
  await storing(actor.userId, bytes, (db) => db.project.updateMany({ where, data }));
  return ownedProject(actor, id);
}

/** Blank is the same as nothing. */
function styleColumns({ tone, language, words, instructions }: WritingStyle) {
  return {
    writingTone: tone || null,
    writingLanguage: language || null,
    writingWords: words,
    writingInstructions: instructions || null,
  };
}

/** A project has one persona; a second is DUPLICATE. */
export async function createPersona(actor: Actor, projectId: number, input: CreatePersonaInput) {
  const made = createOnce(actor, async (db) => {
    await lockOwnedProject(db, actor, projectId);
    const { id } = await db.buyerPersona.create({ data: { projectId, ...input }, select: { id: true } });
    await store(db, actor.userId, personaBytes(input));
    return id;
  });
  const id = await made.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("DUPLICATE", { message: "This project has a buyer persona already. Edit that one." });
  });
  return ownedPersona(actor, id);
}

export async function updatePersona(actor: Actor, id: number, input: UpdatePersonaInput) {
  const where = { id, project: own(actor) };
  await storing(actor.userId, personaBytes(input), (db) => db.buyerPersona.updateMany({ where, data: input }));
  return ownedPersona(actor, id);
}

/** A list is stored as an array, which is never longer than its JSON. */
function personaBytes({ name, description, interests, challenges }: UpdatePersonaInput): number {
  return rowBytes(name, description, JSON.stringify(interests), JSON.stringify(challenges));
}

import "server-only";
import { audit } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { presentSite } from "@/lib/features/account/reads";
import { ownedContent, ownedRevision, ownedTopicOfProject } from "@/lib/features/content/reads";
import { MAX_PIECES, statusChange, wpPlaceOf } from "@/lib/features/content/rules";
import { type CreateContentInput, contentOut, type UpdateContentInput } from "@/lib/features/content/schema";
import { insertPiece, insertPieces, type NewPiece, patchContent, type TextChange } from "@/lib/features/content/sql";
import { cancelItemsOfPiece } from "@/lib/features/jobs/writes";
import { holdProject, promisePieces, takeBackPromise } from "@/lib/features/projects/writes";
import { withinRoom } from "@/lib/limits/usage";
import { log } from "@/lib/log";
import { againAfterDeadlock } from "@/lib/utils/database";

/** A piece written or planned by hand. */
export async function createContent(actor: Actor, projectId: number, topicId: number, input: CreateContentInput) {
  await ownedTopicOfProject(actor, projectId, topicId);
  const id = await withinRoom(() =>
    prisma.$transaction(async (db) => {
      const { promised } = await holdProject(db, actor, projectId);
      return insertPiece(db, actor.userId, topicId, input, promised);
    }),
  );
  if (id) return ownedContent(actor, id);
  await ownedTopicOfProject(actor, projectId, topicId);
  throw tooManyPieces();
}

/** The sentence for a project that is full. */
export function tooManyPieces(): AppError {
  const most = MAX_PIECES.toLocaleString("en-US");
  return new AppError("VALIDATION_ERROR", {
    message: `This project has ${most} pieces, the most there can be. Delete some, or use another project.`,
  });
}

/**
 * Keeps places in one's own project for pieces the AI is about to be asked for, `each` at a time: for as many times as there
 * is room, `times` at most. Answers how many; what does not come must be given back (giveBackPieces).
 */
export function promiseRoom(actor: Actor, projectId: number, { each, times }: { each: number; times: number }) {
  return againAfterDeadlock(() =>
    prisma.$transaction(async (db) => {
      const { promised } = await holdProject(db, actor, projectId);
      const count = await db.contentPiece.count({ where: { projectId, userId: actor.userId } });
      const fitting = Math.max(0, Math.min(times, Math.floor((MAX_PIECES - count - promised) / each)));
      if (fitting > 0) await promisePieces(db, actor.userId, projectId, fitting * each);
      return fitting;
    }),
  );
}

/** Gives places back that promiseRoom kept. A failure only keeps them until they run out. */
export async function giveBackPieces({ userId }: Actor, projectId: number, count: number): Promise<void> {
  await prisma.$executeRaw(takeBackPromise(userId, projectId, count)).catch((error: unknown) => {
    log.warn({ err: error, projectId }, "promised pieces were not given back");
  });
}

/** Pieces the AI made, in their promised places and the given order; those without a body are titles only. */
export async function createPieces(actor: Actor, place: { projectId: number; topicId: number }, pieces: NewPiece[]) {
  if (pieces.length === 0) return [];
  const ids = await againAfterDeadlock(() => insertPieces(actor.userId, place, pieces));
  const rows = await prisma.contentPiece.findMany({ where: { id: { in: ids }, userId: actor.userId } });
  return ids.flatMap((id) => rows.filter((row) => row.id === id));
}

/**
 * A person's change of a piece. Throws VERSION_CONFLICT (with the current piece) when it was made on an older version:
 * the text sent is then kept as a revision, so that neither is lost. Throws STATUS_LOCKED while the piece is live.
 */
export async function updateContent(actor: Actor, id: string, input: UpdateContentInput) {
  const select = { status: true, wpSite: true };
  const stored = await prisma.contentPiece.findFirst({ where: { id, userId: actor.userId }, select });
  const isElsewhere = stored?.wpSite ? wpPlaceOf(stored.wpSite, await presentSite(actor)) === "elsewhere" : false;
  if (stored && input.status) refuseStatus(statusChange(stored.status, input.status, isElsewhere));
  const formerSite = isElsewhere ? stored?.wpSite : null;
  return save(actor, id, { ...input, outline: input.outline === "" ? null : input.outline, formerSite });
}

async function save(actor: Actor, id: string, change: TextChange) {
  const row = await withinRoom(() => patchContent(actor.userId, id, change));
  const piece = await ownedContent(actor, id);
  if (row && row.saved === null) {
    throw new AppError("VERSION_CONFLICT", { details: { current: contentOut.parse(piece) } });
  }
  return piece;
}

function refuseStatus(change: ReturnType<typeof statusChange>): void {
  if (change === "locked") throw new AppError("STATUS_LOCKED");
  if (change === "forbidden") {
    const sentence = "This status is set by publishing. Choose Draft, Under Review, Published or Unpublished.";
    throw new AppError("VALIDATION_ERROR", { message: sentence, fields: { status: [sentence] } });
  }
}

/** Takes the texts of a revision back; what they replace stays as a revision of its own. */
export async function restoreRevision(actor: Actor, id: string, revisionId: string) {
  const { title, body, outline } = await ownedRevision(actor, id, revisionId);
  return save(actor, id, { title, body, outline });
}

/** Deletes a piece and cancels its waiting AI work in the same transaction. What is on the site stays there. */
export async function deleteContent(actor: Actor, id: string): Promise<void> {
  const { userId, origin } = actor;
  const [, { count }] = await againAfterDeadlock(() =>
    prisma.$transaction([cancelItemsOfPiece(userId, id), prisma.contentPiece.deleteMany({ where: { id, userId } })]),
  );
  if (count === 0) await ownedContent(actor, id);
  await audit({ userId, origin, action: "content.deleted", subject: id });
}

/** Doors of the AI's writing: see sql.ts for what each guards. */
export { type AiText, holdWriting, landAiText, releaseWriting, saveWritingProgress } from "@/lib/features/content/sql";

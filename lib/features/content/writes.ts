import "server-only";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { presentSite } from "@/lib/features/account/reads";
import { ownedContent, ownedRevision, ownedTopicOfProject, piecesOf } from "@/lib/features/content/reads";
import { MAX_PIECES, wpPlaceOf } from "@/lib/features/content/rules";
import { type CreateContentInput, contentOut, type UpdateContentInput } from "@/lib/features/content/schema";
import { insertPiece, insertPieces, lockPiece, type NewPiece } from "@/lib/features/content/sql";
import { patchContent, type TextChange } from "@/lib/features/content/sql/patch";
import { type StatusChange, statusChange } from "@/lib/features/content/states";
import { cancelRuns } from "@/lib/features/jobs/writes/dispatch";
import { cancelItemsOfPiece } from "@/lib/features/jobs/writes/jobs";
import { holdProject, promisePieces, takeBackPromise } from "@/lib/features/projects/writes";
import { createOnce } from "@/lib/idempotency/creation";
import { withinRoom } from "@/lib/limits/usage";
import { log } from "@/lib/log";
import { againAfterDeadlock } from "@/lib/utils/database";

/** A piece written or planned by hand. */
export async function createContent(actor: Actor, projectId: number, topicId: number, input: CreateContentInput) {
  await ownedTopicOfProject(actor, projectId, topicId);
  const id = await createOnce(actor, async (db) => {
    const { promised } = await holdProject(db, actor, projectId);
    return insertPiece(db, actor.userId, topicId, input, promised);
  });
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
  return transaction(async (db) => {
    const { promised } = await holdProject(db, actor, projectId);
    const count = await db.contentPiece.count({ where: { projectId, userId: actor.userId } });
    const fitting = Math.max(0, Math.min(times, Math.floor((MAX_PIECES - count - promised) / each)));
    if (fitting > 0) await promisePieces(db, actor.userId, projectId, fitting * each);
    return fitting;
  });
}

/** Gives places back that promiseRoom kept. A failure only keeps them until they run out. */
export async function giveBackPieces({ userId }: Actor, projectId: number, count: number): Promise<void> {
  await prisma.$executeRaw(takeBackPromise(userId, projectId, count)).catch((error: unknown) => {
    log.warn({ err: error, projectId }, "promised pieces were not given back");
  });
}

/** Pieces the AI made, in their promised places and the given order; those without a body are titles only. */
export async function createPieces(actor: Actor, place: { projectId: number; topicId: number }, pieces: NewPiece[]) {
  return piecesOf(actor, await againAfterDeadlock(() => insertPieces(actor.userId, place, pieces)));
}

/**
 * A person's change of a piece. Throws VERSION_CONFLICT (with the current piece) when it was made on an older version:
 * the text sent is then kept as a revision, so that neither is lost. Throws STATUS_LOCKED while the piece is live.
 */
export async function updateContent(actor: Actor, id: string, input: UpdateContentInput) {
  const { status } = input;
  const change = { ...input, outline: input.outline === "" ? null : input.outline };
  if (status === undefined) return save(actor, id, change);
  const site = await presentSite(actor);
  return saved(actor, id, () =>
    transaction(async (db) => {
      const held = await lockPiece(db, actor.userId, id);
      if (!held) return undefined;
      const wpPlace = wpPlaceOf(held.wpSite, site);
      refuseStatus(statusChange({ status: held.status, wpPlace }, status));
      return patchContent(
        actor.userId,
        id,
        { ...change, formerSite: wpPlace === "elsewhere" ? held.wpSite : null },
        db,
      );
    }),
  );
}

function save(actor: Actor, id: string, change: TextChange) {
  return saved(actor, id, () => againAfterDeadlock(() => patchContent(actor.userId, id, change)));
}

async function saved(actor: Actor, id: string, patch: () => ReturnType<typeof patchContent>) {
  const row = await withinRoom(patch);
  const piece = await ownedContent(actor, id);
  if (row && row.saved === null) {
    throw new AppError("VERSION_CONFLICT", { details: { current: contentOut.parse(piece) } });
  }
  return piece;
}

function refuseStatus(change: StatusChange): void {
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

/**
 * Deletes a piece and cancels its waiting AI work in the same transaction: once before, for the order of locks, and once
 * after, for what was queued while the deletion waited. What is on the site stays there.
 */
export async function deleteContent(actor: Actor, id: string): Promise<void> {
  const { userId, origin } = actor;
  const runs = await transaction(async (db) => {
    const before = await cancelItemsOfPiece(db, userId, id);
    const { count } = await db.contentPiece.deleteMany({ where: { id, userId } });
    if (count === 0) return undefined;
    await auditIn(db, { userId, origin, action: "content.deleted", subject: id });
    return [...before, ...(await cancelItemsOfPiece(db, userId, id))];
  });
  if (runs) return cancelRuns(runs);
  await ownedContent(actor, id);
}

/** Doors of the AI's writing: see sql.ts for what each guards. */
export { type AiText, landAiText, pieceToHold } from "@/lib/features/content/sql";
/** The door of publishing to what is kept. */
export { keepPublished } from "@/lib/features/content/sql/revisions";

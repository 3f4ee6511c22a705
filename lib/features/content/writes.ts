import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { own } from "@/lib/db/own";
import { prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { findPieces, ownedContent, ownedRevision, ownedTopicOfProject } from "@/lib/features/content/reads";
import { MAX_PIECES } from "@/lib/features/content/rules";
import { type CreateContentInput, contentOut, type UpdateContentInput } from "@/lib/features/content/schema";
import { insertPiece, insertPieces, lockPiece, type NewPiece } from "@/lib/features/content/sql";
import { saveFields } from "@/lib/features/content/sql/fields";
import { patchContent, type TextChange } from "@/lib/features/content/sql/patch";
import { showSite } from "@/lib/features/content/sql/shared";
import { type StatusChange, statusChange } from "@/lib/features/content/states";
import { releasePlacesSql, reservePlaces } from "@/lib/features/projects/sql/shared";
import { lockOwnedProject, putOnSite } from "@/lib/features/projects/writes";
import { createOnce } from "@/lib/idempotency/creation";
import { withinQuota } from "@/lib/limits/storage-quota";
import { log } from "@/lib/log";

/**
 * Moves the actor's project to another site: its posts stay where they are, and its pieces have the statuses that they have on the new
 * one. Throws NOT_FOUND.
 */
export async function moveProject(actor: Actor, projectId: number, siteId: string): Promise<void> {
  await transaction(async (db) => {
    await lockOwnedProject(db, actor, projectId);
    await putOnSite(db, actor, projectId, siteId);
    await showSite(db, actor.userId, { projectId, siteId });
  });
}

/** Creates a piece by hand, planned or written. */
export async function createContent(actor: Actor, projectId: number, topicId: number, input: CreateContentInput) {
  const id = await createOnce(actor, async (db) => {
    const { reserved } = await lockOwnedProject(db, actor, projectId);
    return insertPiece(db, actor.userId, { projectId, topicId }, input, reserved);
  });
  if (id) return ownedContent(actor, id);
  await ownedTopicOfProject(actor, projectId, topicId);
  throw projectFull();
}

export function projectFull(): AppError {
  const most = MAX_PIECES.toLocaleString("en-US");
  return new AppError("VALIDATION_ERROR", {
    message: `This project has ${most} pieces, the maximum. Delete some, or use another project.`,
  });
}

/**
 * Reserves places in the actor's project before the AI is asked for pieces: `each` per request, for as many requests as fit, up
 * to `times`. Returns that number. Release what stays unused.
 */
export function reservePieces(actor: Actor, projectId: number, { each, times }: { each: number; times: number }) {
  return transaction(async (db) => {
    const { reserved } = await lockOwnedProject(db, actor, projectId);
    const count = await db.contentPiece.count({ where: { projectId, ...own(actor) } });
    const fitting = Math.max(0, Math.min(times, Math.floor((MAX_PIECES - count - reserved) / each)));
    if (fitting > 0) await reservePlaces(db, actor.userId, projectId, fitting * each);
    return fitting;
  });
}

/** Releases places of reservePieces. If it fails, they expire by themselves. */
export async function releasePieces({ userId }: Actor, projectId: number, count: number): Promise<void> {
  await prisma.$executeRaw(releasePlacesSql(userId, projectId, count)).catch((error: unknown) => {
    log.warn({ err: error, projectId }, "reserved pieces were not released");
  });
}

/** Adds the AI's pieces in their reserved places; those without a body are titles only. */
export async function saveAiPieces(actor: Actor, place: { projectId: number; topicId: number }, pieces: NewPiece[]) {
  return findPieces(actor, await transaction((db) => insertPieces(db, actor.userId, place, pieces)));
}

/**
 * A user's change of a piece. Throws STATUS_LOCKED while the piece is live, and VERSION_CONFLICT with the current piece when
 * the change is based on an older version; the text sent is then kept as a revision. The fields beside the text are saved all the same.
 */
export async function updateContent(actor: Actor, id: string, input: UpdateContentInput) {
  const { focusKeyword, metaTitle, metaDescription, slug, excerpt, version, ...text } = input;
  const fields = { focusKeyword, metaTitle, metaDescription, slug, excerpt };
  const change = { ...text, version, outline: text.outline === "" ? null : text.outline };
  return applyPatch(actor, id, () =>
    transaction(async (db) => {
      if (isAnySet(fields) && !(await saveFields(db, actor.userId, id, fields))) return undefined;
      if (!isAnySet(text)) return undefined;
      if (text.status !== undefined) {
        const piece = await lockPiece(db, actor.userId, id);
        if (!piece) return undefined;
        assertStatusChange(statusChange(piece, text.status));
      }
      return patchContent(actor.userId, id, change, db);
    }),
  );
}

function isAnySet(fields: object): boolean {
  return Object.values(fields).some((value) => value !== undefined);
}

function saveText(actor: Actor, id: string, change: TextChange) {
  return applyPatch(actor, id, () => patchContent(actor.userId, id, change));
}

async function applyPatch(actor: Actor, id: string, patch: () => ReturnType<typeof patchContent>) {
  const row = await withinQuota(actor.userId, patch);
  const piece = await ownedContent(actor, id);
  if (row && row.saved === null) {
    throw new AppError("VERSION_CONFLICT", { details: { current: contentOut.parse(piece) } });
  }
  return piece;
}

function assertStatusChange(change: StatusChange): void {
  if (change === "locked") throw new AppError("STATUS_LOCKED");
  if (change === "forbidden") {
    const sentence = "This status is set by publishing. Choose Draft, Under Review, Published or Unpublished.";
    throw new AppError("VALIDATION_ERROR", { message: sentence, fields: { status: [sentence] } });
  }
}

/** Restores the texts of a revision; the texts they replace stay as a revision. */
export async function restoreRevision(actor: Actor, id: string, revisionId: string) {
  const { title, body, outline } = await ownedRevision(actor, id, revisionId);
  return saveText(actor, id, { title, body, outline });
}

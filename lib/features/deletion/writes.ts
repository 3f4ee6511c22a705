import "server-only";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { announceChange } from "@/lib/db/announce";
import type { Db } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import type { DeleteAccountInput } from "@/lib/features/account/own-data/schema";
import { readAccount } from "@/lib/features/account/reads";
import { CONFIRM_DELETION } from "@/lib/features/account/rules";
import { eraseAccount } from "@/lib/features/account/sql/shared";
import { lockOwnAccount, reauthenticate } from "@/lib/features/account/writes";
import { pieceNotFound } from "@/lib/features/content/reads";
import { limitLockWaits, markDeleted, type Scope } from "@/lib/features/deletion/sql/marks";
import { removeDeleted } from "@/lib/features/deletion/steps";
import { lockOwnedProject } from "@/lib/features/projects/writes";
import { eraseSites } from "@/lib/features/sites/sql/shared";
import { lockTopicsOf } from "@/lib/features/topics/sql/shared";
import { lockOwnedTopic } from "@/lib/features/topics/writes";
import { cancelItemsOfDeleted, lockLiveItems } from "@/lib/features/work/sql/shared";
import { endLeases } from "@/lib/lease/lease";
import { noteDeletion } from "@/lib/limits/storage-quota";
import { log } from "@/lib/log";
import { afterResponse } from "@/lib/transport/after-response";

/**
 * Deletes the account and its data. Posts on the user's site stay. Needs the password and the username typed by hand. Throws
 * VALIDATION_ERROR, and UNAUTHENTICATED when the password was changed meanwhile.
 */
export async function deleteAccount(
  actor: Actor,
  token: string | undefined,
  { confirm, password }: DeleteAccountInput,
): Promise<void> {
  const { username } = await readAccount(actor);
  if (confirm !== username) {
    throw new AppError("VALIDATION_ERROR", { message: CONFIRM_DELETION, fields: { confirm: [CONFIRM_DELETION] } });
  }
  const proved = await reauthenticate(actor, token, password, "password");
  await deleteNow(actor, async (db) => {
    if ((await lockOwnAccount(db, actor)).password !== proved) throw new AppError("UNAUTHENTICATED");
    await deleteScope(db, actor, {});
    await endLeases(db, actor.userId);
    await eraseSites(db, actor.userId);
    await eraseAccount(db, actor.userId);
  });
  // The audit trail is deleted too, so only the log records this.
  log.info({ userId: actor.userId, requestId: actor.context.requestId }, "account deleted");
}

/** Deletes the project with its topics, keywords and content. Posts stay on the user's site. Throws NOT_FOUND. */
export function deleteProject(actor: Actor, projectId: number): Promise<void> {
  return deleteNow(actor, async (db) => {
    await lockOwnedProject(db, actor, projectId);
    await lockTopicsOf(db, actor.userId, projectId);
    await audited(db, actor, "project.deleted", projectId);
    await deleteScope(db, actor, { projectId });
  });
}

/** Deletes the topic with its keywords, content and jobs. Posts stay on the user's site. Throws NOT_FOUND. */
export function deleteTopic(actor: Actor, topicId: number): Promise<void> {
  return deleteNow(actor, async (db) => {
    await lockOwnedTopic(db, actor, topicId);
    await audited(db, actor, "topic.deleted", topicId);
    await deleteScope(db, actor, { topicId });
  });
}

/** Deletes the piece and cancels its queued AI work. Its post stays on the user's site. Throws NOT_FOUND. */
export function deleteContent(actor: Actor, pieceId: string): Promise<void> {
  return deleteNow(actor, async (db) => {
    await deleteScope(db, actor, { pieceId });
    await audited(db, actor, "content.deleted", pieceId);
  });
}

function audited(db: Db, { userId, context }: Actor, action: Deed, subject: string | number): Promise<void> {
  return auditIn(db, { userId, context, action, subject: String(subject) });
}

type Deed = "project.deleted" | "topic.deleted" | "content.deleted";

/** Deletes in one transaction, which gives up rather than wait for a lock. The rows are removed after the response. */
async function deleteNow(actor: Actor, work: (db: Db) => Promise<void>): Promise<void> {
  await transaction(async (db) => {
    await limitLockWaits(db);
    await work(db);
  });
  announceChange(actor.userId);
  await noteDeletion(actor.userId);
  afterResponse("removal", () => removeDeleted());
}

/** Cancels what works on it too, also what was queued while it waited. */
async function deleteScope(db: Db, { userId }: Actor, scope: Scope): Promise<void> {
  await lockLiveItems(db, userId, scope);
  const pieces = await markDeleted(db, userId, scope);
  if (scope.pieceId !== undefined && pieces === 0) throw pieceNotFound();
  await cancelItemsOfDeleted(db, userId);
}

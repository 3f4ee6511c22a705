import "server-only";
import pLimit from "p-limit";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { isAppError } from "@/lib/errors";
import { EngineAway, type EngineRun, findRun, runsOfEvent } from "@/lib/events/engine";
import { engineAwaySince, noteEngineAway } from "@/lib/events/presence";
import { aiAccessFingerprint, openaiKeyOf } from "@/lib/features/account/settings/reads";
import { selectHeldGates } from "@/lib/features/work/sql/gate";
import { reclaimExpiredItems } from "@/lib/features/work/sql/items";
import { cancelOrphans } from "@/lib/features/work/sql/jobs";
import { type OverdueItem, selectOverdue, selectUnsent, supersedeDispatches } from "@/lib/features/work/sql/waiting";
import { cancelRuns, sendItems } from "@/lib/features/work/writes/dispatch";
import { releaseHeldItems } from "@/lib/features/work/writes/gate";
import { log } from "@/lib/log";

/** This is shorter than the sweep's: a user is waiting. */
const RESUME_GRACE_SECONDS = 5;
/** After this long an item is dispatched again even if the engine calls its run running. */
const LONG_OVERDUE_SECONDS = 15 * 60;
const MAX_RESENT = 5_000;
/** Items the engine is asked about at once; an engine that has lost all of these has lost everything. */
const MAX_OVERDUE = 100;
const MAX_CONCURRENT_LOOKUPS = 8;
const MAX_HELD_USERS = 500;

export function reclaimExpired(): Promise<number> {
  return reclaimExpiredItems(null);
}

/** Asks an engine that is back which runs it still knows, and sends the other items. */
export async function resumeAfterOutage(): Promise<number> {
  return recoverItems(null, null);
}

/** Sends the user's items that were held, lost or never sent. Throws MISSING_API_KEY when some wait and there is no key. */
export async function resumeProcessing(actor: Actor): Promise<{ message: string; resumed: number }> {
  const waiting = await prisma.queueItem.findFirst({
    where: { userId: actor.userId, status: "pending" },
    select: { id: true },
  });
  if (waiting) await requireKey(actor);
  const held = await releaseHeldItems(actor.userId);
  const sent = await recoverItems(actor.userId, RESUME_GRACE_SECONDS).catch(async (error: unknown) => {
    if (!(await engineAwaySince())) throw error;
    return 0;
  });
  const resumed = held + sent;
  if (waiting && (await engineAwaySince())) return { message: AWAY, resumed };
  const message = resumed === 0 ? "Nothing was pending." : `${resumed} item${resumed === 1 ? "" : "s"} sent again.`;
  return { message, resumed };
}

const AWAY = "The job engine is away. Pending items continue when it is back.";

/** Only a missing key matters here; a full account fails each item with its own message. */
async function requireKey(actor: Actor): Promise<void> {
  await openaiKeyOf(actor).catch((error: unknown) => {
    if (isAppError(error, "MISSING_API_KEY")) throw error;
  });
}

/** Reclaims, cancels and sends again whatever is stuck, of one user or of all. Without a grace period nothing is spared. */
export async function recoverItems(userId: string | null, graceSeconds: number | null): Promise<number> {
  await reclaimExpiredItems(userId);
  await cancelOrphans(userId);
  const superseded = await supersedeLost(userId, graceSeconds);
  // What was superseded just now should not wait for another round.
  const isImmediate = graceSeconds === null || superseded > 0;
  const unsent = await selectUnsent(userId, isImmediate ? 0 : graceSeconds, MAX_RESENT);
  await sendItems(unsent);
  return unsent.length;
}

/**
 * Supersedes the dispatches that the engine has lost, and cancels their runs that it still calls open. Returns how many were
 * superseded.
 */
async function supersedeLost(userId: string | null, graceSeconds: number | null): Promise<number> {
  const overdue = await selectOverdue(userId, graceSeconds, LONG_OVERDUE_SECONDS, MAX_OVERDUE);
  const limit = pLimit(MAX_CONCURRENT_LOOKUPS);
  const engine = { isSilent: false };
  const lost = (await Promise.all(overdue.map((item) => limit(() => lostDispatch(item, engine))))).flatMap(
    (one) => one ?? [],
  );
  if (engine.isSilent) await noteEngineAway();
  const count = await supersedeDispatches(
    userId,
    lost.length === MAX_OVERDUE ? "all" : lost.map(({ itemId }) => itemId),
    MAX_RESENT,
  );
  cancelRuns(lost.flatMap(({ openRun }) => openRun?.runId ?? []));
  return count;
}

/**
 * Undefined: it is not lost. An engine that does not answer has lost nothing, and is not asked again; an item without run and
 * event ids is lost.
 */
async function lostDispatch(
  item: OverdueItem,
  engine: { isSilent: boolean },
): Promise<{ itemId: string; openRun?: EngineRun } | undefined> {
  const { itemId } = item;
  if (engine.isSilent && (item.runId || item.eventRef)) return undefined;
  try {
    const run = await runOf(item);
    if (!run || !isOpen(run)) return { itemId };
    return item.isLongOverdue ? { itemId, openRun: run } : undefined;
  } catch (error) {
    engine.isSilent ||= error instanceof EngineAway && error.cause !== undefined;
    log.warn({ err: error }, "the job engine did not say which runs it knows");
    return undefined;
  }
}

async function runOf({ runId, eventRef }: OverdueItem) {
  if (runId) return findRun(runId);
  return eventRef ? (await runsOfEvent(eventRef)).find(isOpen) : undefined;
}

function isOpen({ status }: { status: string }): boolean {
  return status === "Running" || status === "Queued" || status === "Scheduled";
}

/** Releases items held for a key or a model that was changed while the engine was away. */
export async function releaseForChangedKeys(): Promise<void> {
  for (const { userId, key } of await selectHeldGates(MAX_HELD_USERS)) {
    if ((await aiAccessFingerprint(userId)) !== key) await releaseHeldItems(userId);
  }
}

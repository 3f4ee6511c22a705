import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { isAppError } from "@/lib/errors";
import { findRun, runsOfEvent } from "@/lib/events/engine";
import { engineAwaySince } from "@/lib/events/presence";
import { keyFingerprint, openaiKeyOf } from "@/lib/features/account/reads";
import { selectHeld } from "@/lib/features/jobs/sql/gate";
import { freeLostItems } from "@/lib/features/jobs/sql/items";
import { cancelOrphans } from "@/lib/features/jobs/sql/jobs";
import { type Suspect, selectSuspects, selectUnsent, takeBack } from "@/lib/features/jobs/sql/waiting";
import { cancelRuns, sendItems } from "@/lib/features/jobs/writes/dispatch";
import { askAgain } from "@/lib/features/jobs/writes/gate";
import { log } from "@/lib/log";
import { createLimiter } from "@/lib/utils/limiter";

/** Seconds before the sweep takes a waiting item for stranded; a person who presses Resume need not wait as long. */
const SWEEP_GRACE = 60;
const RESUME_GRACE = 5;
/** What the engine still calls running is handed over again after this long all the same. */
const LONG_OVERDUE = 15 * 60;
/** Items one sweep hands out again. */
const SWEEP_ROWS = 5_000;
/** Items the engine is asked about in one go; where it has lost all of so many, it has lost its memory. */
const ASKED_ROWS = 100;
const ASKED_AT_ONCE = 8;
/** People whose held items one sweep looks at. */
const HELD_ROWS = 500;

/**
 * Sends again what nobody will come for: items whose lease ran out (an attempt), items that were never handed over, and
 * those that are overdue and that the engine has lost. Runs every five minutes; see also engineBack, and Resume.
 */
export async function sweep(): Promise<number> {
  await resumeChangedKeys();
  return recover(null, SWEEP_GRACE);
}

/** Takes back the items whose lease ran out, each with an attempt. */
export function freeLost(): Promise<number> {
  return freeLostItems(null);
}

/** The engine answers, again or for the first time: it is asked what it still knows, and the rest is sent at once. */
export async function engineBack(): Promise<number> {
  return recover(null, null);
}

/**
 * The person's own items go on: those that were held, lost or never sent. Throws MISSING_API_KEY where something waits and
 * the person has no key.
 */
export async function resumeProcessing(actor: Actor): Promise<{ message: string; resumed: number }> {
  const waiting = await prisma.queueItem.findFirst({
    where: { userId: actor.userId, status: "pending" },
    select: { id: true },
  });
  if (waiting) await requireKey(actor);
  const held = await askAgain(actor.userId);
  const sent = await recover(actor.userId, RESUME_GRACE).catch(async (error: unknown) => {
    if (!(await engineAwaySince())) throw error;
    return 0;
  });
  const resumed = held + sent;
  if (waiting && (await engineAwaySince())) return { message: AWAY, resumed };
  const message = resumed === 0 ? "Nothing was waiting." : `${resumed} item${resumed === 1 ? "" : "s"} sent again.`;
  return { message, resumed };
}

const AWAY = "The job engine is away. What waits goes on when it is back.";

/** A full account is each item's to fail for, with its sentence. */
async function requireKey(actor: Actor): Promise<void> {
  await openaiKeyOf(actor).catch((error: unknown) => {
    if (isAppError(error, "MISSING_API_KEY")) throw error;
  });
}

async function recover(userId: string | null, graceSeconds: number | null): Promise<number> {
  await freeLostItems(userId);
  await cancelOrphans(userId);
  const superseded = await takeBackLost(userId, graceSeconds);
  // What was taken back just now is not to wait for another round.
  const isAtOnce = graceSeconds === null || superseded.length > 0;
  const unsent = await selectUnsent(userId, isAtOnce ? 0 : graceSeconds, SWEEP_ROWS);
  await sendItems(unsent);
  await cancelRuns(superseded);
  return unsent.length;
}

/** Takes out of the engine's hands what it has lost. Answers the names of the runs that are superseded. */
async function takeBackLost(userId: string | null, graceSeconds: number | null): Promise<string[]> {
  const suspects = await selectSuspects(userId, graceSeconds, LONG_OVERDUE, ASKED_ROWS);
  const limited = createLimiter(ASKED_AT_ONCE);
  const lost = await Promise.all(suspects.map((suspect) => limited(async () => (await isLost(suspect)) && suspect)));
  const ids = lost.flatMap((suspect) => (suspect ? [suspect.itemId] : []));
  return takeBack(userId, ids.length === ASKED_ROWS ? "all" : ids, SWEEP_ROWS);
}

/** An engine that does not answer has lost nothing that is known of; what an earlier release sent, nobody can ask about. */
async function isLost(suspect: Suspect): Promise<boolean> {
  try {
    const run = await runOf(suspect);
    return !run || !isOpen(run) || suspect.isLongOverdue;
  } catch (error) {
    log.warn({ err: error }, "the job engine was not asked what it knows");
    return false;
  }
}

async function runOf({ runId, eventRef }: Suspect) {
  if (runId) return findRun(runId);
  return eventRef ? (await runsOfEvent(eventRef)).find(isOpen) : undefined;
}

function isOpen({ status }: { status: string }): boolean {
  return status === "Running" || status === "Queued" || status === "Scheduled";
}

/** Keys that were changed while the engine was away, or by another door. */
async function resumeChangedKeys(): Promise<void> {
  for (const { userId, key } of await selectHeld(HELD_ROWS)) {
    if ((await keyFingerprint(userId)) !== key) await askAgain(userId);
  }
}

import "server-only";
import { prisma } from "@/lib/db/prisma";
import { AppError, defaultMessage, isAppError, retryKind } from "@/lib/errors";
import { keyFingerprint } from "@/lib/features/account/reads";
import { AFTER_PROBE_SECONDS, type Outcome, retryDelaySeconds } from "@/lib/features/jobs/rules";
import {
  closeGate,
  holdGate,
  leaveProbe,
  openGate,
  openProbe,
  openTry,
  readGate,
  releaseHold,
  type Try,
} from "@/lib/features/jobs/sql/gate";
import { type AtWork, type HeldItem, putItemBack, type Setback } from "@/lib/features/jobs/sql/items";
import { selectUnsent } from "@/lib/features/jobs/sql/waiting";
import { sendItems } from "@/lib/features/jobs/writes/dispatch";
import { log } from "@/lib/log";
import { againAfterDeadlock } from "@/lib/utils/database";

export type { Try } from "@/lib/features/jobs/sql/gate";

/** A failure that stands in the item's row already; it is thrown for the engine, which shows it and comes back or ends. */
export class Settled extends AppError {}

const ANOTHER_TRIES = "Waiting for another item to find out whether the AI provider answers.";

/** Items sent again at once when a hold is over. */
const MOST_SENT = 5_000;

/** Counts a paid call that is about to be made, and asks the gate. Otherwise the item is put back: what its run does then. */
export async function beginTry({ item, held }: AtWork): Promise<Try | Outcome> {
  const open = (await openTry(held)) ?? (await openProbe(held));
  if (open) return open;
  const gate = await readGate(item.userId);
  if (gate?.heldError) return putBack(held, { kind: "hold", error: gate.heldError, delaySeconds: 0 });
  const waitSeconds = gate?.waitSeconds ?? 0;
  const error = waitSeconds > 0 ? defaultMessage("AI_RATE_LIMITED") : ANOTHER_TRIES;
  return putBack(held, { kind: "wait", error, delaySeconds: waitSeconds + AFTER_PROBE_SECONDS });
}

/** The call came to something: where it was the one that tried, all may ask again, also those that were held. */
export async function tryWorked(userId: string, one: Try): Promise<void> {
  if (!one.isProbe) return;
  await openGate(userId, one);
  await sendHeld(userId);
}

/**
 * A try that failed. Puts the item back and says what its run does; where it may be tried again, or has failed, throws the
 * failure: with `retryAfter` in the first case. What is not in the catalogue costs a try like the rest.
 */
export async function tryFailed({ item, held }: AtWork, one: Try | undefined, error: unknown): Promise<Outcome> {
  const failure = isAppError(error) ? error : new AppError("INTERNAL", { cause: error });
  const kind = retryKind(failure);
  if (failure.cause) log.warn({ err: failure, itemId: item.id, type: failure.type }, "item set back");
  if (kind === "wait") {
    const jitter = Math.random();
    const told = failure.retryAfter ?? 0;
    const delaySeconds = await closeGate(item.userId, { told, epoch: one?.epoch ?? 0, jitter });
    return putBack(held, { kind, error: failure.message, delaySeconds });
  }
  if (kind === "hold") {
    await holdGate(item.userId, { error: failure.message, key: await keyFingerprint(item.userId) });
    return putBack(held, { kind, error: failure.message, delaySeconds: 0 });
  }
  if (one?.isProbe) await leaveProbe(item.userId, one);
  const delaySeconds = kind === "retry" ? Math.ceil(failure.retryAfter ?? retryDelaySeconds(item.retryCount + 1)) : 0;
  return putBack(held, { kind, error: failure.message, delaySeconds }, failure);
}

async function putBack(held: HeldItem, setback: Setback, failure?: AppError): Promise<Outcome> {
  const status = await putItemBack(held, setback);
  if (status === "cancelled") return { next: "end", as: "cancelled" };
  if (status === "failed") throw new Settled(failure?.type ?? "AI_RATE_LIMITED", { message: setback.error });
  if (status === "pending" && setback.kind === "hold") return { next: "end", as: "held" };
  if (status === "pending" && failure) {
    throw new Settled(failure.type, { message: setback.error, retryAfter: setback.delaySeconds });
  }
  // A stale token: somebody else has the item, and the next look says who.
  return { next: "wait", waitSeconds: status === "pending" ? setback.delaySeconds : 1 };
}

/** The person did something that may have removed what held their items: one of them finds out for all. */
export async function askAgain(userId: string): Promise<number> {
  const count = await againAfterDeadlock(() => releaseHold(prisma, userId));
  if (count > 0) await sendHeld(userId);
  return count;
}

/** What is not taken now is sent when the engine is back, or by the sweep. */
async function sendHeld(userId: string): Promise<void> {
  try {
    await againAfterDeadlock(() => releaseHold(prisma, userId));
    await sendItems(await selectUnsent(userId, 0, MOST_SENT));
  } catch (error) {
    log.warn({ err: error }, "held items are left to the sweep");
  }
}

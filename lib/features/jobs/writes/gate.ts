import "server-only";
import { tokensOf } from "@/lib/ai/tokens";
import { prisma } from "@/lib/db/prisma";
import { retryOnDeadlock } from "@/lib/db/retry";
import { AppError, defaultMessage, isAppError, retryKind } from "@/lib/errors";
import { keyFingerprint } from "@/lib/features/account/settings/reads";
import { PROBE_GRACE_SECONDS, retryDelaySeconds } from "@/lib/features/jobs/rules";
import type { StepOutcome } from "@/lib/features/jobs/schema";
import {
  type Attempt,
  abandonProbe,
  closeGate,
  holdGate,
  openAttempt,
  openGate,
  openProbe,
  readGate,
  releaseHold,
} from "@/lib/features/jobs/sql/gate";
import { type AttemptFailure, failAttempt } from "@/lib/features/jobs/sql/items";
import type { ClaimRef } from "@/lib/features/jobs/sql/moves";
import type { Claim } from "@/lib/features/jobs/sql/shared";
import { selectUnsent } from "@/lib/features/jobs/sql/waiting";
import { sendItems } from "@/lib/features/jobs/writes/dispatch";
import { log } from "@/lib/log";

/** A failure already recorded in the item's row; thrown for the engine, which shows it and retries or ends the run. */
export class RecordedFailure extends AppError {}

const PROBE_PENDING = "Pending until another item has found out whether the AI provider answers.";

const MAX_SENT = 5_000;

/** Records a paid call about to be made. Where the gate is not open, requeues the item and returns what its run does. */
export async function beginAttempt({ item, ref }: Claim): Promise<Attempt | StepOutcome> {
  const open = (await openAttempt(ref)) ?? (await openProbe(ref));
  if (open) return open;
  const gate = await readGate(item.userId);
  if (gate?.heldError) return requeue(ref, { kind: "hold", error: gate.heldError, delaySeconds: 0 });
  const waitSeconds = gate?.waitSeconds ?? 0;
  const error = waitSeconds > 0 ? defaultMessage("AI_RATE_LIMITED") : PROBE_PENDING;
  return requeue(ref, { kind: "wait", error, delaySeconds: waitSeconds + PROBE_GRACE_SECONDS });
}

/** A successful probe opens the gate and sends held items. */
export async function recordSuccess(userId: string, attempt: Attempt): Promise<void> {
  if (!attempt.isProbe) return;
  await openGate(userId, attempt);
  await sendReleased(userId);
}

/**
 * Requeues or fails the item after a failed attempt and returns what its run does. Throws the failure when the item failed or
 * is retried, then with `retryAfter`. Failures outside the catalogue cost an attempt too.
 */
export async function recordFailure(
  { item, ref }: Claim,
  attempt: Attempt | undefined,
  error: unknown,
): Promise<StepOutcome> {
  const failure = isAppError(error) ? error : new AppError("INTERNAL", { cause: error });
  const kind = retryKind(failure);
  const tokens = tokensOf(error);
  if (failure.cause) log.warn({ err: failure, itemId: item.id, type: failure.type }, "an attempt failed");
  if (kind === "wait") {
    const jitter = Math.random();
    const retryAfter = failure.retryAfter ?? 0;
    const delaySeconds = await closeGate(item.userId, { retryAfter, epoch: attempt?.epoch ?? 0, jitter });
    // Not the failure's own sentence: the seconds in it pass while the item waits.
    return requeue(ref, { kind, error: defaultMessage("AI_RATE_LIMITED"), delaySeconds, tokens });
  }
  if (kind === "hold") {
    await holdGate(item.userId, { error: failure.message, key: await keyFingerprint(item.userId) });
    return requeue(ref, { kind, error: failure.message, delaySeconds: 0, tokens });
  }
  if (attempt?.isProbe) await abandonProbe(item.userId, attempt);
  const delaySeconds = kind === "retry" ? Math.ceil(failure.retryAfter ?? retryDelaySeconds(item.retryCount + 1)) : 0;
  return requeue(ref, { kind, error: failure.message, delaySeconds, tokens }, failure);
}

async function requeue(ref: ClaimRef, attempt: AttemptFailure, failure?: AppError): Promise<StepOutcome> {
  const status = await failAttempt(ref, attempt);
  if (status === "cancelled") return { next: "end", as: "cancelled" };
  if (status === "failed") throw new RecordedFailure(failure?.type ?? "AI_RATE_LIMITED", { message: attempt.error });
  if (status === "pending" && attempt.kind === "hold") return { next: "end", as: "held" };
  if (status === "pending" && failure) {
    throw new RecordedFailure(failure.type, { message: attempt.error, retryAfter: attempt.delaySeconds });
  }
  // The token is stale: another holder has the item, and the next look says which.
  return { next: "wait", waitSeconds: status === "pending" ? attempt.delaySeconds : 1 };
}

/** Sends a user's held items; one of them probes whether the reason is gone. Returns how many. */
export async function releaseHeldItems(userId: string): Promise<number> {
  const count = await retryOnDeadlock(() => releaseHold(prisma, userId));
  if (count > 0) await sendReleased(userId);
  return count;
}

/** What the engine does not take now is sent when it is back, or by the sweep. */
async function sendReleased(userId: string): Promise<void> {
  try {
    await retryOnDeadlock(() => releaseHold(prisma, userId));
    await sendItems(await selectUnsent(userId, 0, MAX_SENT));
  } catch (error) {
    log.warn({ err: error }, "held items are left to the sweep");
  }
}

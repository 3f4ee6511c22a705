import "server-only";
import { tokensOf } from "@/lib/ai/tokens";
import { prisma } from "@/lib/db/prisma";
import { retryOnDeadlock } from "@/lib/db/retry";
import { AppError, detailOf, isAppError, retryKind } from "@/lib/errors";
import { aiAccessFingerprint } from "@/lib/features/account/settings/reads";
import {
  gateWait,
  limitSentence,
  MAX_WAIT_SECONDS,
  PROBE_GRACE_SECONDS,
  retryDelaySeconds,
} from "@/lib/features/work/rules";
import type { StepOutcome } from "@/lib/features/work/schema";
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
} from "@/lib/features/work/sql/gate";
import { type AttemptFailure, failAttempt } from "@/lib/features/work/sql/items";
import type { Claim } from "@/lib/features/work/sql/shared";
import { selectUnsent } from "@/lib/features/work/sql/waiting";
import { sendItems } from "@/lib/features/work/writes/dispatch";
import { log } from "@/lib/log";

/** A failure already recorded in the item's row; thrown for the engine, which shows it and retries or ends the run. */
export class RecordedFailure extends AppError {}

/** `access` is the fingerprint of the key and the model that the call used. */
export type PaidClaim = Claim & { access?: string };

const PROBE_PENDING = "Pending until another item has found out whether the AI provider answers.";

const MAX_SENT = 5_000;

/** Records a paid call about to be made. Where the gate is not open, requeues the item and returns what its run does. */
export async function beginAttempt(claim: Claim): Promise<Attempt | StepOutcome> {
  const { item, ref } = claim;
  const open = (await openAttempt(ref)) ?? (await openProbe(ref));
  if (open) return open;
  const gate = await readGate(item.userId);
  if (gate?.heldError) return requeue(claim, { kind: "hold", error: gate.heldError, delaySeconds: 0 });
  const waitSeconds = gate?.waitSeconds ?? 0;
  if (waitSeconds === 0)
    return requeue(claim, { kind: "defer", error: PROBE_PENDING, delaySeconds: PROBE_GRACE_SECONDS });
  const error = limitSentence(gate?.limitedUntil ?? null);
  return requeue(claim, { kind: "wait", error, delaySeconds: waitSeconds + PROBE_GRACE_SECONDS });
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
  claim: PaidClaim,
  attempt: Attempt | undefined,
  error: unknown,
): Promise<StepOutcome> {
  const { item } = claim;
  const failure = isAppError(error) ? error : new AppError("INTERNAL", { cause: error });
  const kind = retryKind(failure);
  const tokens = tokensOf(error);
  if (failure.cause) log.warn({ err: failure, itemId: item.id, type: failure.type }, "an attempt failed");
  if (kind === "wait") {
    const jitter = Math.random();
    const limit = gateWait(failure.retryAfter ?? 0, item.waitedSeconds);
    const { waitSeconds, limitedUntil } = await closeGate(item.userId, {
      ...limit,
      epoch: attempt?.epoch ?? 0,
      jitter,
    });
    // Not the failure's own sentence: the seconds in it pass while the item waits.
    return requeue(claim, { kind, error: limitSentence(limitedUntil), delaySeconds: waitSeconds, tokens });
  }
  const said = [failure.message, detailOf(failure)].filter(Boolean).join(" ");
  if (kind === "hold") {
    const key = claim.access ?? (await aiAccessFingerprint(item.userId));
    await holdGate(item.userId, { error: said, key });
    return requeue(claim, { kind, error: said, delaySeconds: 0, tokens });
  }
  if (attempt?.isProbe) await endProbe(item.userId, attempt, failure);
  const delaySeconds = kind === "retry" ? Math.ceil(failure.retryAfter ?? retryDelaySeconds(item.retryCount + 1)) : 0;
  return requeue(claim, { kind, error: said, delaySeconds, tokens }, failure);
}

/** A provider that declines a text answers: the others may ask. */
async function endProbe(userId: string, attempt: Attempt, failure: AppError): Promise<void> {
  if (failure.type === "AI_DECLINED") await recordSuccess(userId, attempt);
  else await abandonProbe(userId, attempt);
}

/** A wait ends with the item's day of waiting, so that it is asked once more then. The engine never gets the provider's words. */
async function requeue({ item, ref }: Claim, asked: AttemptFailure, failure?: AppError): Promise<StepOutcome> {
  const rest = asked.kind === "wait" ? Math.max(0, MAX_WAIT_SECONDS - item.waitedSeconds) : Number.POSITIVE_INFINITY;
  const attempt = { ...asked, delaySeconds: Math.min(asked.delaySeconds, rest) };
  const status = await failAttempt(ref, attempt);
  if (status === "cancelled") return { next: "end", as: "cancelled" };
  if (status === "failed")
    throw new RecordedFailure(failure?.type ?? "AI_RATE_LIMITED", { message: failure?.message ?? attempt.error });
  if (status === "pending" && attempt.kind === "hold") return { next: "end", as: "held" };
  if (status === "pending" && failure) {
    throw new RecordedFailure(failure.type, { message: failure.message, retryAfter: attempt.delaySeconds });
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

import "server-only";
import { NO_TOKENS, type TokenCounts } from "@/lib/ai/tokens";
import type { Db } from "@/lib/db/prisma";
import { retryOnDeadlock } from "@/lib/db/retry";
import { transaction } from "@/lib/db/transaction";
import { isAppError } from "@/lib/errors";
import { nextForUnclaimed } from "@/lib/features/work/rules";
import type { ItemRun, JobType, StepOutcome } from "@/lib/features/work/schema";
import { type Attempt, extendProbe } from "@/lib/features/work/sql/gate";
import {
  claimItem as claimItemRow,
  completeItem,
  endItem,
  lockItem,
  type RunRef,
  readItem,
  reclaimExpiredItems,
} from "@/lib/features/work/sql/items";
import type { ClaimRef } from "@/lib/features/work/sql/moves";
import type { Claim } from "@/lib/features/work/sql/shared";
import {
  beginAttempt,
  type PaidClaim,
  RecordedFailure,
  recordFailure,
  recordSuccess,
} from "@/lib/features/work/writes/gate";
import { release, renew, whileRenewing } from "@/lib/lease/lease";
import { inItemSpan } from "@/lib/telemetry/meters";
import { createSingleFlight } from "@/lib/utils/single-flight";

const once = createSingleFlight<StepOutcome>();

/**
 * Runs one step of an item's work under its claim. Failures of the catalogue are recorded in the row before they are thrown
 * (see inngest/failures.ts). May run twice: when an answer is lost the engine calls again while the first call still waits for
 * the provider, and then shares its outcome.
 */
export function runItemStep(
  step: string,
  jobType: JobType,
  run: ItemRun,
  work: (claim: Claim) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  return once(`${step} ${run.itemId} ${run.runId}`, async () => {
    const claim = await claimItem({ ...run, jobType });
    if ("next" in claim) return claim;
    try {
      const { jobId, retryCount } = claim.item;
      return await inItemSpan({ jobId, itemId: run.itemId, attempt: retryCount }, () => work(claim));
    } catch (error) {
      // The engine retries failures outside the catalogue before a paid call, such as an unreachable database.
      if (error instanceof RecordedFailure || !isAppError(error)) throw error;
      return recordFailure(claim, undefined, error);
    }
  });
}

/**
 * Makes a paid call for an item. It is recorded in the row first, so that `maxRetries` bounds what a user pays even when the
 * process dies. `save` keeps the answer, even if another run has claimed the item by then.
 */
export async function makePaidCall<T>(
  claim: PaidClaim,
  call: () => Promise<T>,
  save: (answer: T) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  const attempt = await beginAttempt(claim);
  if ("next" in attempt) return attempt;
  let answer: T;
  try {
    answer = await whileRenewing(() => extendAttempt(claim, attempt), call);
  } catch (error) {
    return recordFailure(claim, attempt, error);
  }
  const outcome = await save(answer);
  await recordSuccess(claim.item.userId, attempt);
  return outcome;
}

/** The lease and the probe live as long as the call: a provider may take ten minutes. */
async function extendAttempt({ item, ref }: Claim, attempt: Attempt): Promise<void> {
  await renew({ kind: "writing", subject: item.contentPieceId, token: ref.token });
  if (attempt.isProbe) await extendProbe(item.userId, attempt);
}

/** Claims an item for this run, or says what the run does instead; first ends or reclaims an item that cannot go on. */
async function claimItem(run: RunRef): Promise<Claim | StepOutcome> {
  for (let look = 0; look < 2; look++) {
    const item = await retryOnDeadlock(() => claimItemRow(run));
    if (item) return { item, ref: { itemId: run.itemId, jobType: run.jobType, token: item.token } };
    const next = nextForUnclaimed(await readItem(run));
    if (next === "reclaim") await reclaimExpiredItems(null, run.itemId);
    else if (next === "cancel") await endItem(run, "cancel", null);
    else return next;
  }
  return { next: "wait", waitSeconds: 1 };
}

/**
 * Completes an item in one transaction with `write`, fenced by its claim and its lease. `write` returns a note for the
 * user, or null. False: the claim is lost and nothing was written.
 */
export function finishItem(
  ref: ClaimRef,
  tokens: TokenCounts,
  write: (db: Db) => Promise<string | null>,
): Promise<boolean> {
  return transaction(async (db) => {
    if (!(await lockItem(db, ref))) return false;
    const note = await write(db);
    return completeItem(db, ref, { ...tokens, note });
  });
}

export async function completeStep(claim: Claim, write: (db: Db) => Promise<string | null>): Promise<StepOutcome> {
  const isFinished = await finishItem(claim.ref, NO_TOKENS, write);
  return isFinished ? { next: "end", as: "completed" } : yieldClaim(claim);
}

/** Releases the piece of a lost claim; the run's next look finds out what became of the item. */
export async function yieldClaim({ item, ref }: Claim): Promise<StepOutcome> {
  await release({ kind: "writing", subject: item.contentPieceId, token: ref.token });
  return { next: "wait", waitSeconds: 1 };
}

import "server-only";
import { NO_TOKENS, type TokenCounts, tokensOf } from "@/lib/ai/tokens";
import { announceChange } from "@/lib/db/announce";
import { type Db, type Prisma, prisma } from "@/lib/db/prisma";
import { retryOnDeadlock, retryOnOutage } from "@/lib/db/retry";
import { transaction } from "@/lib/db/transaction";
import { AppError, detailOf, isAppError, retryKind } from "@/lib/errors";
import {
  type ItemSnapshot,
  limitSentence,
  nextWithoutClaim,
  retryDelaySeconds,
  spreadSeconds,
} from "@/lib/features/work/rules";
import type { ClaimedItem, ItemRun, JobType, RunOutcome, SectionNote } from "@/lib/features/work/schema";
import {
  claimItem,
  completeItem,
  endItem,
  failDue,
  type GivenBack,
  giveBack,
  giveBackKept,
  lockClaim,
  noteSection as noteSectionRow,
  parkItem,
  type RunRef,
} from "@/lib/features/work/sql/items";
import type { ClaimRef } from "@/lib/features/work/sql/moves";
import type { ItemSql } from "@/lib/features/work/sql/shared";
import { endLimit, extendTurn, hold, noteLimit, passTurn, restartLimitDay } from "@/lib/features/work/sql/waits";
import { sendLost } from "@/lib/features/work/writes/sending";
import { release, renew, whileRenewing } from "@/lib/lease/lease";
import { log } from "@/lib/log";
import { inItemSpan } from "@/lib/telemetry/meters";

/** An item claimed for one call, with what the call needs to know. */
export type Claim<Context> = { item: ClaimedItem; context: Context };

/** `access` is the fingerprint of the key and the model that the call uses. */
type WithAccess = { access: string };

/**
 * How a call went. `save` keeps what was paid for in one transaction with the item's move, and returns a note for the user, or
 * null; without `isHeld` the claim is lost, and only what no other run can have written may be saved. May run twice.
 */
export type Made = {
  next: "done" | "more";
  /** The next call's name. */
  name?: string;
  save: (db: Db, isHeld: boolean) => Promise<string | null>;
  tokens?: TokenCounts;
  baseTextVersion?: number;
};

/** A kind of work with one run per item. */
export type Kind<Context extends WithAccess> = {
  jobType: JobType;
  /** SQL value: what a call needs to know of the item, as `read` takes it. */
  context: (item: ItemSql) => Prisma.Sql;
  read: (value: unknown, item: ClaimedItem) => Context;
  /** Makes one call of the provider. */
  work: (claim: Claim<Context>) => Promise<Made>;
  /** The item has failed for good. */
  onFailed?: (claim: Claim<Context>) => Promise<void>;
};

/** A failure already recorded in the item's row; thrown for the engine, which shows it and retries or ends the run. */
export class RecordedFailure extends AppError {}

/** Looks again at once where a first look only made the next one possible. */
const MAX_LOOKS = 3;

/**
 * Looks at an item for its run: makes the next call of its work under a claim, or says what the run does instead. Failures of the
 * catalogue are recorded in the row before they are thrown (see inngest/failures.ts). Called twice at once, it works once.
 */
export async function workOnItem<Context extends WithAccess>(kind: Kind<Context>, run: ItemRun): Promise<RunOutcome> {
  for (let look = 1; look <= MAX_LOOKS; look++) {
    const outcome = await lookAt(kind, { ...run, jobType: kind.jobType });
    if (outcome) return outcome;
  }
  return { next: "wait", waitSeconds: 1 };
}

async function lookAt<Context extends WithAccess>(kind: Kind<Context>, run: RunRef): Promise<RunOutcome | undefined> {
  const row = await retryOnDeadlock(() => claimItem(run, kind.context));
  if (!row?.claim) return withoutClaim(run, row?.seen);
  const item = row.claim;
  announceChange(item.userId);
  if (item.probedAt) await sendLost(item.userId, kind.jobType, item.probedAt);
  const span = { jobId: item.jobId, itemId: item.id, attempt: item.retryCount };
  return inItemSpan(span, () => callUnderClaim(kind, item, row.context)).finally(() => announceChange(item.userId));
}

async function withoutClaim(run: RunRef, seen: ItemSnapshot | undefined): Promise<RunOutcome | undefined> {
  const next = nextWithoutClaim(seen, Math.random());
  if (typeof next === "object") return next;
  if (next === "takeOver") return void (await giveBackKept(run));
  if (next === "park") return (await parkItem(run)) ? { next: "end", as: "held" } : undefined;
  // A repeated call of this run may have claimed it since.
  await endLiveItem({ ...run, runId: null }, next, next === "giveUp" ? STOPPED : null);
  return undefined;
}

/** See endItem. */
export async function endLiveItem(...of: Parameters<typeof endItem>): Promise<boolean> {
  const userId = await endItem(...of);
  if (userId) announceChange(userId);
  return userId !== undefined;
}

/** Says which section of its text the call under a claim writes. */
export async function noteSection(userId: string, ref: ClaimRef, section: SectionNote): Promise<void> {
  await noteSectionRow(ref, section);
  announceChange(userId);
}

export const STOPPED = "The work stopped before it was done. Try again.";

async function callUnderClaim<Context extends WithAccess>(
  kind: Kind<Context>,
  item: ClaimedItem,
  read: unknown,
): Promise<RunOutcome | undefined> {
  const ref = { itemId: item.id, jobType: kind.jobType, token: item.token };
  const lease = { kind: "writing", subject: item.contentPieceId, token: item.token } as const;
  const extend = () => Promise.all([renew(lease), item.isTaker && extendTurn(item)]);
  const context = kind.read(read, item);
  let outcome: RunOutcome;
  try {
    const made = await whileRenewing(extend, () => kind.work({ item, context }));
    outcome = await retryOnOutage(() => save(ref, item, made));
  } catch (error) {
    try {
      return await recordFailure(ref, { ...item, ...context }, error);
    } catch (failure) {
      if (isFinal(failure)) await kind.onFailed?.({ item, context });
      throw failure;
    }
  }
  if (item.isTaker) await endLimit(item);
  return outcome;
}

/** Has the item failed, with no try left? */
function isFinal(failure: unknown): boolean {
  return failure instanceof RecordedFailure && failure.retryAfter === undefined;
}

/** Saves what a call has made, and moves its item on. */
function save(ref: ClaimRef, item: ClaimedItem, made: Made): Promise<RunOutcome> {
  return transaction<RunOutcome>(async (db) => {
    const isHeld = await lockClaim(db, ref);
    const note = await made.save(db, isHeld);
    if (!isHeld) {
      await release({ kind: "writing", subject: item.contentPieceId, token: item.token }, db);
      return { next: "wait", waitSeconds: 1 };
    }
    if (made.next === "done") {
      await completeItem(db, ref, { ...(made.tokens ?? NO_TOKENS), note });
      return { next: "end", as: "completed" };
    }
    const { baseTextVersion } = made;
    const status = await giveBack(db, ref, {
      as: "more",
      ...(made.tokens && { tokens: made.tokens }),
      ...(baseTextVersion === undefined ? {} : { baseTextVersion }),
    });
    return status === "cancelled" ? { next: "end", as: "cancelled" } : { next: "more", name: made.name ?? "" };
  });
}

/**
 * Gives the claim back after a call that failed and returns what the run does. Throws the failure when the item failed or is
 * retried, then with `retryAfter`. Failures outside the catalogue cost an attempt too.
 */
async function recordFailure(
  ref: ClaimRef,
  item: ClaimedItem & WithAccess,
  error: unknown,
): Promise<RunOutcome | undefined> {
  const failure = isAppError(error) ? error : new AppError("INTERNAL", { cause: error });
  const tokens = tokensOf(error);
  const said = [failure.message, detailOf(failure)].filter(Boolean).join(" ");
  if (failure.cause) log.warn({ err: failure, itemId: item.id, type: failure.type }, "an attempt failed");
  switch (retryKind(failure)) {
    case "wait":
      return waitForLimit(ref, item, { toldSeconds: failure.retryAfter ?? 0, tokens });
    case "hold":
      await hold(item.userId, { reason: said, key: item.access });
      await giveBack(prisma, ref, { as: "wait", tokens });
      return undefined;
    case "stop":
      // A provider that declines a text answers: the others may ask.
      if (item.isTaker) await (failure.type === "AI_DECLINED" ? endLimit(item) : passTurn(item));
      return leave(ref, { as: "stop", error: said, tokens }, failure);
    case "retry":
      if (item.isTaker) await passTurn(item);
      return leave(ref, { as: "retry", error: said, delaySeconds: retryDelay(failure, item), tokens }, failure);
  }
}

function retryDelay(failure: AppError, { retryCount }: ClaimedItem): number {
  return Math.ceil(failure.retryAfter ?? retryDelaySeconds(retryCount + 1));
}

async function waitForLimit(
  ref: ClaimRef,
  item: ClaimedItem,
  { toldSeconds, tokens }: { toldSeconds: number; tokens: TokenCounts },
): Promise<RunOutcome> {
  const limit = await noteLimit({ userId: item.userId, begunAt: item.begunAt, toldSeconds });
  if (!limit.isOver) {
    return leave(ref, {
      as: "wait",
      delaySeconds: limit.waitSeconds + spreadSeconds(limit.liveItems, Math.random()),
      tokens,
    });
  }
  const failure = new AppError("AI_RATE_LIMITED", { message: limitSentence(limit.limitedUntil) });
  try {
    return await leave(ref, { as: "stop", error: failure.message, tokens }, failure);
  } finally {
    await failDue(item.userId, failure.message);
    await restartLimitDay(item.userId);
  }
}

/** Gives the claim back; the engine never gets the provider's words. */
async function leave(ref: ClaimRef, given: GivenBack, failure?: AppError): Promise<RunOutcome> {
  const status = await giveBack(prisma, ref, given);
  if (status === "cancelled") return { next: "end", as: "cancelled" };
  const retry = status === "pending" ? { retryAfter: given.delaySeconds } : {};
  if (failure && status) throw new RecordedFailure(failure.type, { message: failure.message, ...retry });
  // The token is stale: another holder has the item, and the next look says which.
  return { next: "wait", waitSeconds: status ? (given.delaySeconds ?? 0) : 1 };
}

import "server-only";
import { NO_TOKENS, type TokenCounts } from "@/lib/ai/tokens";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { pieceExistsSql } from "@/lib/features/content/sql/shared";
import { type ItemSnapshot, MAX_WAIT_SECONDS } from "@/lib/features/work/rules";
import type { ItemRun } from "@/lib/features/work/schema";
import {
  advanceJob,
  CLEAR_CLAIM,
  type ClaimRef,
  canMove,
  ENDED_COUNTS,
  holdsClaim,
  type ItemRef,
  isItem,
  SET_ENDED,
  statusAfter,
} from "@/lib/features/work/sql/moves";
import type { ClaimedItem } from "@/lib/features/work/sql/shared";
import { acquireSql, fence, heldBySql, releaseSql, secondsLeftSql } from "@/lib/lease/lease";

/** A run that asks for an item: `dispatch` is the one that started it. */
export type RunRef = ItemRef & { dispatch: string; runId: string };

/** SQL condition: the item was not dispatched again since. */
const isCurrentDispatch = ({ dispatch }: Pick<RunRef, "dispatch">) =>
  Prisma.sql`q.id || '-' || q.dispatch_seq = ${dispatch}`;

/**
 * The token of a run's claim: the same when a step is repeated, another once the item was reclaimed, so that a late answer
 * no longer passes the fence.
 */
const claimTokenOf = ({ runId }: RunRef) => Prisma.sql`md5(${runId} || '/' || q.retry_count)::uuid`;

/** SQL value: the subject of the lease on the piece of item `q`. */
const pieceId = Prisma.sql`q.content_piece_id::text`;

/**
 * Claims a waiting item with the lease on its piece, or continues this run's claim. Undefined: see readItem. It claims
 * nothing while a paid call is open, not even this run's own.
 */
export async function claimItem(run: RunRef): Promise<ClaimedItem | undefined> {
  const [row] = await prisma.$queryRaw<ClaimedItem[]>(Prisma.sql`
    WITH ready AS (
      SELECT q.id, q.job_type, q.content_piece_id, q.user_id, ${claimTokenOf(run)} AS token
      FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id
      WHERE ${isItem(run)} AND ${isCurrentDispatch(run)} AND j.cancel_requested_at IS NULL AND NOT q.is_held
        AND ${pieceExistsSql(Prisma.sql`q.content_piece_id`)}
        AND ((${canMove("claim")} AND (q.not_before IS NULL OR q.not_before <= now()))
          OR (q.claim_token = ${claimTokenOf(run)} AND NOT q.is_try_open))
      FOR UPDATE OF q),
    lease AS (${acquireSql(
      "writing",
      Prisma.sql`SELECT content_piece_id::text, user_id, content_piece_id, NULL::uuid FROM ready`,
      Prisma.sql`(SELECT token FROM ready)`,
    )}),
    item AS (
      UPDATE processing_queue q SET status = ${statusAfter("claim")}, claim_token = r.token, run_id = ${run.runId}, error = NULL,
        not_before = NULL, started_at = coalesce(q.started_at, now()), updated_at = now()
      FROM ready r, lease WHERE q.id = r.id AND q.job_type = r.job_type
      RETURNING q.id, q.job_id, q.user_id, q.content_piece_id, q.base_text_version, q.retry_count, q.waited_seconds,
        q.claim_token),
    job AS (
      UPDATE processing_jobs j SET status = 'processing', started_at = coalesce(j.started_at, now()), revision = j.revision + 1,
        updated_at = now() FROM item WHERE j.id = item.job_id AND j.completed_at IS NULL)
    SELECT id, job_id AS "jobId", user_id AS "userId", content_piece_id AS "contentPieceId",
      base_text_version AS "baseTextVersion", retry_count AS "retryCount", waited_seconds AS "waitedSeconds",
      claim_token AS token FROM item`);
  return row;
}

/** The state of an item that could not be claimed; undefined when it is gone. */
export async function readItem(run: RunRef): Promise<ItemSnapshot | undefined> {
  const [row] = await prisma.$queryRaw<ItemSnapshot[]>(Prisma.sql`
    SELECT q.status::text AS status, ${isCurrentDispatch(run)} AS "isCurrent", q.is_held AS "isHeld", q.is_try_open AS "isTryOpen",
      NOT ${pieceExistsSql(Prisma.sql`q.content_piece_id`)} AS "isOrphan", j.cancel_requested_at IS NOT NULL AS "cancelRequested", q.error,
      greatest(0, ceil(extract(epoch FROM q.not_before - now())))::int AS "waitSeconds",
      ${secondsLeftSql("writing", pieceId)} AS "leaseSeconds"
    FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id WHERE ${isItem(run)}`);
  return row;
}

/** Is a run that begins now for nothing? Its item was cancelled before any run claimed it, dispatched again, or deleted. */
export async function isUnwanted({ itemId, dispatch }: Omit<ItemRun, "runId">): Promise<boolean> {
  const rows = await prisma.$queryRaw<unknown[]>(Prisma.sql`
    SELECT 1 FROM processing_queue q WHERE q.id = ${itemId}::uuid AND ${isCurrentDispatch({ dispatch })}
      AND (q.status <> 'cancelled' OR q.run_id IS NOT NULL)`);
  return rows.length === 0;
}

/** SQL that releases the lease on the piece of a CTE `item`. */
const releasePiece = ({ token }: ClaimRef) =>
  releaseSql("writing", Prisma.sql`SELECT content_piece_id::text, ${token}::uuid FROM item`);

/** Locks a claimed item and the lease on its piece, which fences the rest of the transaction; false for a stale token. */
export async function lockItem(db: Pick<Db, "$queryRaw">, ref: ClaimRef): Promise<boolean> {
  const [row] = await db.$queryRaw<{ subject: string }[]>(Prisma.sql`
    SELECT ${pieceId} AS subject FROM processing_queue q WHERE ${holdsClaim(ref)} FOR UPDATE`);
  return row !== undefined && fence(db, { kind: "writing", subject: row.subject, token: ref.token });
}

/** SQL that adds what was paid to an item's columns. */
const addedTokens = ({ tokensIn, tokensOut, tokensCached, tokensReasoning }: TokenCounts) => Prisma.sql`
  tokens_in = q.tokens_in + ${tokensIn}::int, tokens_out = q.tokens_out + ${tokensOut}::int,
  tokens_cached = q.tokens_cached + ${tokensCached}::int, tokens_reasoning = q.tokens_reasoning + ${tokensReasoning}::int`;

/** Completes an item, releases its piece, and ends the job after its last item; false for a stale token. */
export async function completeItem(
  db: Pick<Db, "$queryRaw">,
  ref: ClaimRef,
  { note, ...tokens }: TokenCounts & { note: string | null },
): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue q SET status = ${statusAfter("complete")}, ${SET_ENDED}, error = NULL, note = ${note}, ${addedTokens(tokens)}
      WHERE ${holdsClaim(ref)} RETURNING q.id, q.job_id, q.status, q.content_piece_id),
    lease AS (${releasePiece(ref)}),
    job AS (${advanceJob(ENDED_COUNTS)})
    SELECT id FROM item`);
  return rows.length > 0;
}

/**
 * `retry` counts as an attempt, the others do not: `wait` counts towards the item's day of waiting, `defer` looks again without
 * counting, `hold` is for the user to end, and `stop` fails the item at once.
 */
export type AttemptFailure = {
  error: string;
  kind: "retry" | "wait" | "defer" | "hold" | "stop";
  delaySeconds: number;
  /** What was paid for answers that could not be used. */
  tokens?: TokenCounts;
};

/**
 * Ends a failed attempt: the item is requeued, fails once its retries or its day of waiting are used up, or is cancelled with
 * its job. Returns its new status; undefined for a stale token.
 */
export async function failAttempt(
  ref: ClaimRef,
  { error, kind, delaySeconds, tokens = NO_TOKENS }: AttemptFailure,
): Promise<"pending" | "failed" | "cancelled" | undefined> {
  const [row] = await prisma.$queryRaw<{ status: "pending" | "failed" | "cancelled" }[]>(Prisma.sql`
    WITH held AS (
      SELECT q.id, q.job_type, j.cancel_requested_at IS NOT NULL AS cancelled,
        (CASE ${kind}::text WHEN 'retry' THEN q.retry_count < q.max_retries WHEN 'hold' THEN true WHEN 'defer' THEN true
          WHEN 'wait' THEN q.waited_seconds < ${MAX_WAIT_SECONDS}::int ELSE false END) AS again
      -- Locks the job too, so that cancelling it either comes first or finds the item waiting.
      FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id WHERE ${holdsClaim(ref)} FOR UPDATE OF q, j),
    item AS (
      UPDATE processing_queue q SET ${CLEAR_CLAIM}, ${addedTokens(tokens)},
        status = CASE WHEN NOT h.again THEN ${statusAfter("fail")} WHEN h.cancelled THEN ${statusAfter("cancel")} ELSE ${statusAfter("requeue")} END,
        retry_count = q.retry_count + (h.again AND ${kind}::text = 'retry')::int,
        waited_seconds = q.waited_seconds + CASE WHEN h.again AND ${kind}::text = 'wait' THEN ${delaySeconds}::int ELSE 0 END,
        is_held = NOT h.cancelled AND ${kind}::text = 'hold', error = ${error},
        not_before = CASE WHEN h.again AND NOT h.cancelled AND ${kind}::text <> 'hold' THEN now() + make_interval(secs => ${delaySeconds}::int) END,
        completed_at = CASE WHEN h.again AND NOT h.cancelled THEN NULL ELSE now() END
      FROM held h WHERE q.id = h.id AND q.job_type = h.job_type RETURNING q.job_id, q.status, q.content_piece_id),
    lease AS (${releasePiece(ref)}),
    job AS (${advanceJob(ENDED_COUNTS)})
    SELECT status::text AS status FROM item`);
  return row?.status;
}

/**
 * Ends a live item from outside its own work: its run ended, its job was cancelled or its piece is gone. The item must be of
 * this dispatch and, once known, of this run. The piece is released unless a paid call is open, which keeps it until the
 * answer is saved. False: nothing ended here.
 */
export async function endItem(run: RunRef, move: "giveUp" | "cancel", error: string | null): Promise<boolean> {
  const rows = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH live AS (
      SELECT q.id, q.job_type, q.claim_token AS token, q.is_try_open FROM processing_queue q
      WHERE ${isItem(run)} AND ${isCurrentDispatch(run)} AND ${canMove(move)} AND (q.run_id IS NULL OR q.run_id = ${run.runId}) FOR UPDATE OF q),
    item AS (
      UPDATE processing_queue q SET status = ${statusAfter(move)}, ${SET_ENDED}, error = coalesce(${error}, q.error)
      FROM live WHERE q.id = live.id AND q.job_type = live.job_type RETURNING q.id, q.job_id, q.status, q.content_piece_id),
    lease AS (${releaseSql("writing", Prisma.sql`SELECT content_piece_id::text, token FROM item, live WHERE NOT is_try_open`)}),
    job AS (${advanceJob(ENDED_COUNTS)})
    SELECT id FROM item`);
  return rows.length > 0;
}

/** The live item of a run: by the run's id, or by the item in its dispatch. */
export async function findItemOfRun(runId: string, itemId: string | null): Promise<RunRef | undefined> {
  const [row] = await prisma.$queryRaw<{ itemId: string; jobType: RunRef["jobType"]; dispatch: string }[]>(Prisma.sql`
    SELECT q.id AS "itemId", q.job_type::text AS "jobType", q.id || '-' || q.dispatch_seq AS dispatch FROM processing_queue q
    WHERE q.completed_at IS NULL AND (q.run_id = ${runId} OR q.id = ${itemId}::uuid) LIMIT 1`);
  return row && { ...row, runId };
}

/**
 * Reclaims items whose lease has expired, at the cost of an attempt, so that a poison item ends. They keep their run, which
 * finds them waiting if it comes back. Returns how many.
 */
export async function reclaimExpiredItems(userId: string | null, itemId: string | null = null): Promise<number> {
  const [{ count }] = await prisma.$queryRaw<[{ count: number }]>(Prisma.sql`
    WITH lost AS (
      SELECT q.id, q.job_type, q.retry_count < q.max_retries AS again, j.cancel_requested_at IS NOT NULL AS cancelled
      FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id
      WHERE q.status = 'processing' AND (${userId}::uuid IS NULL OR q.user_id = ${userId}::uuid)
        AND (${itemId}::uuid IS NULL OR q.id = ${itemId}::uuid)
        AND NOT ${heldBySql("writing", pieceId, Prisma.sql`q.claim_token`)}
      ORDER BY q.job_id, q.id FOR UPDATE OF q SKIP LOCKED),
    item AS (
      UPDATE processing_queue q SET ${CLEAR_CLAIM},
        status = CASE WHEN NOT lost.again THEN ${statusAfter("fail")} WHEN lost.cancelled THEN ${statusAfter("cancel")} ELSE ${statusAfter("requeue")} END,
        retry_count = q.retry_count + lost.again::int, error = 'The work stopped before it was done.',
        not_before = NULL, completed_at = CASE WHEN lost.again AND NOT lost.cancelled THEN NULL ELSE now() END
      FROM lost WHERE q.id = lost.id AND q.job_type = lost.job_type RETURNING q.job_id, q.status),
    job AS (${advanceJob(ENDED_COUNTS)})
    SELECT count(*)::int AS count FROM item`);
  return count;
}

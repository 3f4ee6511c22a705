import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { type ItemNow, MAX_WAIT_SECONDS } from "@/lib/features/jobs/rules";
import { after, COUNTS, ENDED, type ItemRef, isItem, jobEnd, LET_GO, may } from "@/lib/features/jobs/sql/moves";
import { acquireStatement } from "@/lib/lease/lease";

export type ClaimedItem = {
  id: string;
  jobId: string;
  userId: string;
  contentPieceId: string;
  /** The text's version that its first paid answer was made from; null before that. It never moves. */
  baseTextVersion: number | null;
  retryCount: number;
  /** Of this claim: the fence of what it writes. */
  token: string;
};

/** Which run asks for an item: `dispatch` is the name of the dispatch that started it. */
export type RunOf = ItemRef & { dispatch: string; runId: string };

/** The item of this dispatch; an older one is superseded. */
const isDispatch = ({ dispatch }: RunOf) => Prisma.sql`q.id || '-' || q.dispatch_seq = ${dispatch}`;

/**
 * The token of a run's claim: the same for a step that is repeated, and another once the item was taken from it and has
 * cost it a try, so that a call which comes back late is nobody's.
 */
const tokenOf = ({ runId }: RunOf) => Prisma.sql`md5(${runId} || '/' || q.retry_count)::uuid`;

/**
 * Claims a waiting item with the lease on its piece, or goes on with what this run holds. Undefined: see readItem. A call
 * that is still under way is waited for, also one of this run's own: it is being paid.
 */
export async function claimItem(run: RunOf): Promise<ClaimedItem | undefined> {
  const [row] = await prisma.$queryRaw<ClaimedItem[]>(Prisma.sql`
    WITH ready AS (
      SELECT q.id, q.job_type, q.content_piece_id, q.user_id, ${tokenOf(run)} AS token
      FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id JOIN content_pieces p ON p.id = q.content_piece_id
      WHERE ${isItem(run)} AND ${isDispatch(run)} AND j.cancel_requested_at IS NULL AND NOT q.is_held
        AND ((${may("claim")} AND (q.not_before IS NULL OR q.not_before <= now()))
          OR (q.claim_token = ${tokenOf(run)} AND NOT q.is_try_open))
      FOR UPDATE OF q),
    lease AS (${acquireStatement(
      "writing",
      Prisma.sql`SELECT content_piece_id::text, user_id, content_piece_id, NULL::uuid FROM ready`,
      Prisma.sql`(SELECT token FROM ready)`,
    )}),
    item AS (
      UPDATE processing_queue q SET status = ${after("claim")}, claim_token = r.token, run_id = ${run.runId}, error = NULL,
        not_before = NULL, started_at = coalesce(q.started_at, now()), updated_at = now()
      FROM ready r, lease WHERE q.id = r.id AND q.job_type = r.job_type
      RETURNING q.id, q.job_id, q.user_id, q.content_piece_id, q.base_text_version, q.retry_count, q.claim_token),
    job AS (
      UPDATE processing_jobs j SET status = 'processing', started_at = coalesce(j.started_at, now()), revision = j.revision + 1,
        updated_at = now() FROM item WHERE j.id = item.job_id AND j.completed_at IS NULL)
    SELECT id, job_id AS "jobId", user_id AS "userId", content_piece_id AS "contentPieceId",
      base_text_version AS "baseTextVersion", retry_count AS "retryCount", claim_token AS token FROM item`);
  return row;
}

/** An item that could not be claimed, as it is. Undefined: it is gone. */
export async function readItem(run: RunOf): Promise<ItemNow | undefined> {
  const [row] = await prisma.$queryRaw<ItemNow[]>(Prisma.sql`
    SELECT q.status::text AS status, ${isDispatch(run)} AS "isCurrent", q.is_held AS "isHeld", q.is_try_open AS "isTryOpen",
      p.id IS NULL AS "isOrphan", j.cancel_requested_at IS NOT NULL AS "cancelRequested", q.error,
      greatest(0, ceil(extract(epoch FROM q.not_before - now())))::int AS "waitSeconds",
      greatest(0, ceil(extract(epoch FROM l.until - now())))::int AS "leaseSeconds"
    FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id LEFT JOIN content_pieces p ON p.id = q.content_piece_id
    LEFT JOIN leases l ON l.kind = 'writing' AND l.subject = q.content_piece_id::text
    WHERE ${isItem(run)}`);
  return row;
}

/** What a claim's holder names it by. */
export type HeldItem = ItemRef & { token: string };

/** An item that a run holds, with the lease on its piece. */
export type AtWork = { item: ClaimedItem; held: HeldItem };

/** Only an item that is processed has a token: a check of the table. */
export const isHolders = (held: HeldItem) => Prisma.sql`${isItem(held)} AND q.claim_token = ${held.token}::uuid`;

/** The lease on the piece of a held item that is let go with it. */
const freed = ({ token }: HeldItem) =>
  Prisma.sql`DELETE FROM leases l USING item WHERE l.kind = 'writing' AND l.subject = item.content_piece_id::text AND l.token = ${token}::uuid`;

/**
 * The call came to something that is kept. `base` is the text's version that it was made from: the first answer's stays.
 * False when the token no longer holds the item.
 */
export async function closeTry(db: Pick<Db, "$executeRaw">, held: HeldItem, base: number): Promise<boolean> {
  const rows = await db.$executeRaw(Prisma.sql`
    UPDATE processing_queue q SET is_try_open = false, base_text_version = coalesce(q.base_text_version, ${base}::int), updated_at = now()
    WHERE ${isHolders(held)}`);
  return rows > 0;
}

/** Locks the item this token holds, so that what follows in the transaction is fenced by it. */
export async function lockItem(db: Pick<Db, "$queryRaw">, held: HeldItem): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT q.id FROM processing_queue q JOIN leases l ON l.kind = 'writing' AND l.subject = q.content_piece_id::text AND l.token = q.claim_token
    WHERE ${isHolders(held)} FOR UPDATE OF q, l`);
  return rows.length > 0;
}

/** Ends an item as completed, lets its piece go, and ends its job when it was the last. */
export async function completeItem(
  db: Pick<Db, "$queryRaw">,
  held: HeldItem,
  { note, tokensIn, tokensOut }: { note: string | null; tokensIn: number; tokensOut: number },
): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue q SET status = ${after("complete")}, ${ENDED}, error = NULL, note = ${note},
        tokens_in = q.tokens_in + ${tokensIn}::int, tokens_out = q.tokens_out + ${tokensOut}::int
      WHERE ${isHolders(held)} RETURNING q.id, q.job_id, q.status, q.content_piece_id),
    lease AS (${freed(held)}),
    job AS (${jobEnd(COUNTS)})
    SELECT id FROM item`);
  return rows.length > 0;
}

/** `retry` is an attempt, `wait` and `hold` are not, `stop` ends the item at once. */
export type Setback = { error: string; kind: "retry" | "wait" | "hold" | "stop"; delaySeconds: number };

/**
 * A try that failed: back to waiting, or failed for good when the retries (or the day of waiting) are used up, or cancelled
 * when the person asked for it meanwhile. Answers what became of it; undefined when the token is stale.
 */
export async function putItemBack(
  held: HeldItem,
  { error, kind, delaySeconds }: Setback,
): Promise<"pending" | "failed" | "cancelled" | undefined> {
  const [row] = await prisma.$queryRaw<{ status: "pending" | "failed" | "cancelled" }[]>(Prisma.sql`
    WITH held AS (
      SELECT q.id, q.job_type, j.cancel_requested_at IS NOT NULL AS cancelled,
        (CASE ${kind}::text WHEN 'retry' THEN q.retry_count < q.max_retries WHEN 'hold' THEN true
          WHEN 'wait' THEN q.waited_seconds + ${delaySeconds}::int <= ${MAX_WAIT_SECONDS}::int ELSE false END) AS again
      -- With the job, so that its cancelling comes before this or finds the item waiting.
      FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id WHERE ${isHolders(held)} FOR UPDATE OF q, j),
    item AS (
      UPDATE processing_queue q SET ${LET_GO},
        status = CASE WHEN NOT h.again THEN ${after("fail")} WHEN h.cancelled THEN ${after("cancel")} ELSE ${after("putBack")} END,
        retry_count = q.retry_count + (h.again AND ${kind}::text = 'retry')::int,
        waited_seconds = q.waited_seconds + CASE WHEN h.again AND ${kind}::text = 'wait' THEN ${delaySeconds}::int ELSE 0 END,
        is_held = NOT h.cancelled AND ${kind}::text = 'hold', error = ${error},
        not_before = CASE WHEN h.again AND NOT h.cancelled AND ${kind}::text <> 'hold' THEN now() + make_interval(secs => ${delaySeconds}::int) END,
        completed_at = CASE WHEN h.again AND NOT h.cancelled THEN NULL ELSE now() END
      FROM held h WHERE q.id = h.id AND q.job_type = h.job_type RETURNING q.job_id, q.status, q.content_piece_id),
    lease AS (${freed(held)}),
    job AS (${jobEnd(COUNTS)})
    SELECT status::text AS status FROM item`);
  return row?.status;
}

/**
 * A live item ends by something outside its own work: its run ended without it, its job was cancelled, its piece is gone.
 * Only of this dispatch and, where the run is known, of this run. A call under way keeps the piece until it is done and
 * its answer is kept; otherwise the piece is free. Answers whether it ended here.
 */
export async function endItem(run: RunOf, move: "giveUp" | "cancel", error: string | null): Promise<boolean> {
  const rows = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH live AS (
      SELECT q.id, q.job_type, q.claim_token AS token, q.is_try_open FROM processing_queue q
      WHERE ${isItem(run)} AND ${isDispatch(run)} AND ${may(move)} AND (q.run_id IS NULL OR q.run_id = ${run.runId}) FOR UPDATE OF q),
    item AS (
      UPDATE processing_queue q SET status = ${after(move)}, ${ENDED}, error = coalesce(${error}, q.error)
      FROM live WHERE q.id = live.id AND q.job_type = live.job_type RETURNING q.id, q.job_id, q.status, q.content_piece_id),
    lease AS (DELETE FROM leases l USING item, live WHERE l.kind = 'writing' AND l.subject = item.content_piece_id::text
      AND l.token = live.token AND NOT live.is_try_open),
    job AS (${jobEnd(COUNTS)})
    SELECT id FROM item`);
  return rows.length > 0;
}

/** The live item that a run of the engine is for: by the run's id, or as the item of the dispatch that started it. */
export async function findItemOfRun(runId: string, itemId: string | null): Promise<RunOf | undefined> {
  const [row] = await prisma.$queryRaw<{ itemId: string; jobType: RunOf["jobType"]; dispatch: string }[]>(Prisma.sql`
    SELECT q.id AS "itemId", q.job_type::text AS "jobType", q.id || '-' || q.dispatch_seq AS dispatch FROM processing_queue q
    WHERE q.completed_at IS NULL AND (q.run_id = ${runId} OR q.id = ${itemId}::uuid) LIMIT 1`);
  return row && { ...row, runId };
}

/**
 * Items whose lease has run out: each costs an attempt, so that a poison item ends. Those that wait again keep their run,
 * which finds them waiting when it comes back, and are overdue if it does not. Answers how many were freed.
 */
export async function freeLostItems(userId: string | null, itemId: string | null = null): Promise<number> {
  const [{ count }] = await prisma.$queryRaw<[{ count: number }]>(Prisma.sql`
    WITH lost AS (
      SELECT q.id, q.job_type, q.retry_count < q.max_retries AS again, j.cancel_requested_at IS NOT NULL AS cancelled
      FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id
      WHERE q.status = 'processing' AND (${userId}::uuid IS NULL OR q.user_id = ${userId}::uuid)
        AND (${itemId}::uuid IS NULL OR q.id = ${itemId}::uuid)
        AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.kind = 'writing' AND l.subject = q.content_piece_id::text
          AND l.token = q.claim_token AND l.until > now())
      ORDER BY q.job_id, q.id FOR UPDATE OF q SKIP LOCKED),
    item AS (
      UPDATE processing_queue q SET ${LET_GO},
        status = CASE WHEN NOT lost.again THEN ${after("fail")} WHEN lost.cancelled THEN ${after("cancel")} ELSE ${after("putBack")} END,
        retry_count = q.retry_count + lost.again::int, error = 'The work stopped before it was done.',
        not_before = NULL, completed_at = CASE WHEN lost.again AND NOT lost.cancelled THEN NULL ELSE now() END
      FROM lost WHERE q.id = lost.id AND q.job_type = lost.job_type RETURNING q.job_id, q.status),
    job AS (${jobEnd(COUNTS)})
    SELECT count(*)::int AS count FROM item`);
  return count;
}

import "server-only";
import { NO_TOKENS, type TokenCounts } from "@/lib/ai/tokens";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { pieceExistsSql } from "@/lib/features/content/sql/shared";
import type { ItemSnapshot } from "@/lib/features/work/rules";
import type { ClaimedItem, JobType, SectionNote } from "@/lib/features/work/schema";
import {
  advanceJob,
  CLEAR_CLAIM,
  type ClaimRef,
  canMove,
  ENDED_COUNTS,
  HAS_RUN,
  holdsClaim,
  type ItemRef,
  isAtWork,
  isItem,
  latestSending,
  SET_ENDED,
  statusAfter,
} from "@/lib/features/work/sql/moves";
import type { ItemSql } from "@/lib/features/work/sql/shared";
import { isTurnFree, TURN_ENDS } from "@/lib/features/work/sql/waits";
import { acquireSql, fenceSql, releaseSql, secondsLeftSql } from "@/lib/lease/lease";

/** A run of the engine that comes for an item; `sends` tells which of the item's events started it. */
export type RunRef = ItemRef & { runId: string; sends: number };

type Row = { seen: ItemSnapshot; claim: ClaimedItem | null; context: unknown };

/** SQL value: how many items of the user are live. */
const liveItemsSql = (userId: Prisma.Sql) =>
  Prisma.sql`(SELECT count(*) FROM processing_queue q WHERE q.user_id = ${userId} AND q.completed_at IS NULL AND ${HAS_RUN})`;

/** SQL condition: the release before keeps this run's claim on item `q` between two calls; during one, a try is open. */
const isKept = ({ runId }: RunRef) =>
  Prisma.sql`(q.claim_token IS NOT DISTINCT FROM ${ownToken(runId, Prisma.sql`q.retry_count`)} AND NOT q.is_try_open)`;

/** SQL value: the token of a run's claim after so many failed attempts. */
const ownToken = (runId: string, attempts: Prisma.Sql) => Prisma.sql`md5(${runId} || '/' || ${attempts})::uuid`;

/** SQL value: the subject of the lease on the piece of item `q`. */
const pieceId = Prisma.sql`q.content_piece_id::text`;

/**
 * Claims an item for one call: takes the lease on its piece and the turn at a provider that limits its user, and reads `context`
 * in the same statement. Without a claim, `seen` tells why. A claim that ran out without having been given back counts as an
 * attempt here. The token is the same for a run's calls until one fails, so that a late answer does not pass the fence.
 * Undefined: the item is gone.
 */
export async function claimItem(run: RunRef, context: (item: ItemSql) => Prisma.Sql): Promise<Row | undefined> {
  const [row] = await prisma.$queryRaw<Row[]>(Prisma.sql`
    WITH item AS (SELECT * FROM processing_queue q WHERE ${isItem(run)} FOR UPDATE),
    seen AS (
      SELECT q.*, q.claim_token IS NOT NULL AND NOT ${isAtWork} AS is_lost, NOT ${pieceExistsSql(Prisma.sql`q.content_piece_id`)} AS is_orphan,
        ${isKept(run)} AS is_kept, j.cancel_requested_at IS NOT NULL AS is_cancelled,
        w.held_reason IS NOT NULL OR w.paused_at IS NOT NULL AS is_on_hold, w.not_before AS limited,
        ${secondsLeftSql("writing", pieceId)} AS lease_seconds
      FROM item q JOIN processing_jobs j ON j.id = q.job_id LEFT JOIN provider_waits w ON w.user_id = q.user_id),
    ready AS (
      SELECT s.*, s.retry_count + s.is_lost::int AS attempt, ${ownToken(run.runId, Prisma.sql`s.retry_count + s.is_lost::int`)} AS token
      FROM seen s
      WHERE s.completed_at IS NULL AND (NOT s.is_lost OR s.retry_count < s.max_retries)
        AND (s.not_before IS NULL OR s.not_before <= now()) AND s.lease_seconds = 0
        AND NOT s.is_orphan AND NOT s.is_cancelled AND NOT s.is_on_hold),
    turn AS (
      UPDATE provider_waits w SET taker_until = ${TURN_ENDS} FROM ready r
      WHERE w.user_id = r.user_id AND ${isTurnFree} RETURNING w.user_id),
    lease AS (${acquireSql(
      "writing",
      Prisma.sql`SELECT r.content_piece_id::text, r.user_id, r.content_piece_id, NULL::uuid FROM ready r
        WHERE r.limited IS NULL OR EXISTS (SELECT 1 FROM turn)`,
      Prisma.sql`(SELECT token FROM ready)`,
    )}),
    claimed AS (
      UPDATE processing_queue q SET status = ${statusAfter("claim")}, claim_token = r.token, claimed_at = now(), run_id = ${run.runId},
        is_try_open = true, retry_count = r.attempt, error = NULL, not_before = NULL, probed_at = NULL,
        started_at = coalesce(q.started_at, now()), updated_at = now()
      FROM ready r, lease WHERE q.id = r.id AND q.job_type = r.job_type RETURNING q.*),
    job AS (
      UPDATE processing_jobs j SET status = 'processing', started_at = coalesce(j.started_at, now()), revision = j.revision + 1,
        updated_at = now() FROM claimed WHERE j.id = claimed.job_id AND j.completed_at IS NULL)
    SELECT json_build_object('status', s.status, 'error', s.error, 'isOwn', s.run_id IS NOT DISTINCT FROM ${run.runId},
        'isAtWork', s.claim_token IS NOT NULL AND NOT s.is_lost, 'isKept', s.is_kept,
        'isSpent', s.is_lost AND s.retry_count >= s.max_retries, 'isOrphan', s.is_orphan, 'isCancelled', s.is_cancelled, 'isHeld', s.is_on_hold, 'leaseSeconds', s.lease_seconds,
        'waitSeconds', greatest(0, ceil(extract(epoch FROM s.not_before - now()))),
        'limitSeconds', CASE WHEN s.limited IS NOT NULL THEN greatest(0, extract(epoch FROM s.limited - now())) END,
        'liveItems', CASE WHEN s.limited IS NOT NULL THEN ${liveItemsSql(Prisma.sql`s.user_id`)} ELSE 0 END) AS seen,
      CASE WHEN q.id IS NOT NULL THEN json_build_object('id', q.id, 'jobId', q.job_id, 'userId', q.user_id,
        'contentPieceId', q.content_piece_id, 'baseTextVersion', q.base_text_version, 'retryCount', q.retry_count,
        'token', q.claim_token, 'begunAt', now()::text, 'isTaker', EXISTS (SELECT 1 FROM turn),
        'probedAt', CASE WHEN s.sends = ${run.sends}::int THEN s.probed_at::text END) END AS claim,
      CASE WHEN q.id IS NOT NULL THEN ${context({ pieceId: Prisma.sql`q.content_piece_id`, userId: Prisma.sql`q.user_id` })} END AS context
    FROM seen s LEFT JOIN claimed q ON true`);
  return row;
}

/** Gives back a claim that the release before keeps between two calls, so that the next look claims the item. */
export async function giveBackKept(run: RunRef): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue q SET ${CLEAR_CLAIM} WHERE ${isItem(run)} AND ${isKept(run)}
      RETURNING q.content_piece_id::text, ${ownToken(run.runId, Prisma.sql`q.retry_count`)})
    ${releaseSql("writing", Prisma.sql`SELECT * FROM item`)}`);
}

/** SQL that releases the lease on the piece of a CTE `item`. */
const releasePiece = ({ token }: ClaimRef) =>
  releaseSql("writing", Prisma.sql`SELECT content_piece_id::text, ${token}::uuid FROM item`);

/** Locks a claimed item and the lease on its piece, which fences the rest of the transaction; false for a stale token. */
export async function lockClaim(db: Pick<Db, "$queryRaw">, ref: ClaimRef): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>(Prisma.sql`
    WITH item AS (SELECT ${pieceId} AS subject FROM processing_queue q WHERE ${holdsClaim(ref)} FOR UPDATE)
    ${fenceSql({ kind: "writing", subject: Prisma.sql`(SELECT subject FROM item)`, token: ref.token })}`);
  return rows.length > 0;
}

/** SQL that adds what was paid to an item's columns. */
const addedTokens = ({ tokensIn, tokensOut, tokensCached, tokensReasoning }: TokenCounts) => Prisma.sql`
  tokens_in = q.tokens_in + ${tokensIn}::int, tokens_out = q.tokens_out + ${tokensOut}::int,
  tokens_cached = q.tokens_cached + ${tokensCached}::int, tokens_reasoning = q.tokens_reasoning + ${tokensReasoning}::int`;

/** Completes an item, releases its piece, and ends the job after its last item. */
export async function completeItem(
  db: Pick<Db, "$executeRaw">,
  ref: ClaimRef,
  { note, ...tokens }: TokenCounts & { note: string | null },
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue q SET status = ${statusAfter("complete")}, ${SET_ENDED}, error = NULL, note = ${note}, ${addedTokens(tokens)}
      WHERE ${holdsClaim(ref)} RETURNING q.id, q.job_id, q.status, q.content_piece_id),
    lease AS (${releasePiece(ref)})
    ${advanceJob(ENDED_COUNTS)}`);
}

/**
 * How a claim ends before its item does. `more`: its call succeeded and another follows, which is for a text of this version.
 * `retry` counts as an attempt, `wait` does not, and `stop` fails the item at once.
 */
export type GivenBack = {
  as: "more" | "retry" | "wait" | "stop";
  error?: string;
  delaySeconds?: number;
  /** What was paid for answers that could not be used. */
  tokens?: TokenCounts;
  baseTextVersion?: number;
};

/**
 * Gives a claim back: the item goes on, waits, fails once its retries are used up, or is cancelled with its job. Returns its
 * status; undefined for a stale token.
 */
export async function giveBack(
  db: Pick<Db, "$queryRaw">,
  ref: ClaimRef,
  { as, error, delaySeconds = 0, tokens = NO_TOKENS, baseTextVersion }: GivenBack,
): Promise<"pending" | "processing" | "failed" | "cancelled" | undefined> {
  const is = (kind: GivenBack["as"]) => Prisma.sql`${as === kind}::boolean`;
  const [row] = await db.$queryRaw<{ status: "pending" | "processing" | "failed" | "cancelled" }[]>(Prisma.sql`
    WITH held AS (
      SELECT q.id, q.job_type, CASE
          WHEN ${is("stop")} OR (${is("retry")} AND q.retry_count >= q.max_retries) THEN ${statusAfter("fail")}
          WHEN j.cancel_requested_at IS NOT NULL THEN ${statusAfter("cancel")}
          WHEN ${is("more")} THEN q.status ELSE ${statusAfter("requeue")} END AS status
      -- Locks the job too, so that cancelling it either comes first or finds the item without a claim.
      FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id WHERE ${holdsClaim(ref)} FOR UPDATE OF q, j),
    item AS (
      UPDATE processing_queue q SET ${CLEAR_CLAIM}, ${addedTokens(tokens)}, status = h.status, error = ${error ?? null},
        retry_count = q.retry_count + (${is("retry")} AND h.status <> 'failed')::int,
        base_text_version = coalesce(q.base_text_version, ${baseTextVersion ?? null}::int),
        not_before = CASE WHEN h.status = 'pending' THEN now() + make_interval(secs => ${delaySeconds}::float8) END,
        completed_at = CASE WHEN h.status IN ('failed', 'cancelled') THEN now() END
      FROM held h WHERE q.id = h.id AND q.job_type = h.job_type RETURNING q.job_id, q.status, q.content_piece_id),
    lease AS (${releasePiece(ref)}),
    job AS (${advanceJob(ENDED_COUNTS)})
    SELECT status::text AS status FROM item`);
  return row?.status;
}

/** A held item's run ends: the item is sent again once the hold is over. False: it is over already. */
export async function parkItem(ref: ItemRef): Promise<boolean> {
  const parked = await prisma.$executeRaw(Prisma.sql`
    WITH item AS (SELECT id, job_type, user_id FROM processing_queue q WHERE ${isItem(ref)} AND q.completed_at IS NULL FOR UPDATE),
    hold AS (
      SELECT item.* FROM item JOIN provider_waits w ON w.user_id = item.user_id
      WHERE w.held_reason IS NOT NULL OR w.paused_at IS NOT NULL FOR SHARE OF w)
    UPDATE processing_queue q SET sent_at = NULL, run_id = NULL FROM hold
    WHERE q.id = hold.id AND q.job_type = hold.job_type AND NOT ${isAtWork}`);
  return parked > 0;
}

/**
 * Ends a live item from outside its own work: its run ended, its job was cancelled, its piece is gone or the user cancels it.
 * What is at work stays, unless it is the run `runId`, or `evenAtWork` is set. The lease of a call under way stays until the
 * answer is saved. Returns whose it was; undefined: nothing ended here.
 */
export function endItem(
  { runId, ...ref }: ItemRef & { runId: string | null },
  move: "giveUp" | "cancel",
  error: string | null,
  { evenAtWork = false } = {},
): Promise<string | undefined> {
  return transaction(async (db) => {
    // In a statement of its own: the next one sees the lease of a claim that this one waited for.
    await db.$queryRaw(Prisma.sql`SELECT 1 FROM processing_queue q WHERE ${isItem(ref)} FOR UPDATE`);
    const [ended] = await db.$queryRaw<{ userId: string }[]>(Prisma.sql`
      WITH item AS (
        UPDATE processing_queue q SET status = ${statusAfter(move)}, ${SET_ENDED}, error = coalesce(${error}, q.error)
        WHERE ${isItem(ref)} AND ${canMove(move)} AND (${evenAtWork}::boolean OR q.run_id = ${runId} OR NOT ${isAtWork})
        RETURNING q.user_id, q.job_id, q.status),
      job AS (${advanceJob(ENDED_COUNTS)})
      SELECT user_id AS "userId" FROM item`);
    return ended?.userId;
  });
}

/** Says which section of its text the call under this claim writes. */
export async function noteSection(ref: ClaimRef, section: SectionNote): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    WITH item AS (
      UPDATE processing_queue q SET result = ${JSON.stringify({ section })}::jsonb, updated_at = now()
      WHERE ${holdsClaim(ref)} RETURNING q.job_id)
    UPDATE processing_jobs j SET revision = j.revision + 1 FROM item WHERE j.id = item.job_id`);
}

/** One of the events that were sent for an item. */
export type Sending = { itemId: string; sends: number };

/** The live item of a run: by the run's id, or by the event that started it, if that is the item's latest. */
export async function findItemOfRun(runId: string, sent: Sending | null): Promise<ItemRef | undefined> {
  const [row] = await prisma.$queryRaw<{ itemId: string; jobType: JobType }[]>(Prisma.sql`
    SELECT q.id AS "itemId", q.job_type::text AS "jobType" FROM processing_queue q
    WHERE ${HAS_RUN} AND q.completed_at IS NULL AND (q.run_id = ${runId}
      OR (q.id = ${sent?.itemId ?? null}::uuid AND ${latestSending} = ${sent?.sends ?? null}::int)) LIMIT 1`);
  return row;
}

/** Fails what is due of a user's items, since the provider has limited them for a day. */
export async function failDue(userId: string, error: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    WITH due AS (
      SELECT q.id, q.job_type FROM processing_queue q WHERE q.user_id = ${userId}::uuid AND ${HAS_RUN} AND q.completed_at IS NULL
        AND q.claim_token IS NULL AND (q.not_before IS NULL OR q.not_before <= now()) ORDER BY q.id FOR UPDATE),
    item AS (
      UPDATE processing_queue q SET status = ${statusAfter("giveUp")}, ${SET_ENDED}, error = ${error}
      FROM due WHERE q.id = due.id AND q.job_type = due.job_type RETURNING q.job_id, q.status)
    ${advanceJob(ENDED_COUNTS)}`);
}

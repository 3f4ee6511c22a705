import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { retryOnDeadlock } from "@/lib/db/retry";
import { isLiveSql, isPublishedSinceSql } from "@/lib/features/content/sql/shared";
import { projectExistsSql } from "@/lib/features/projects/sql/shared";
import { type BulkVerb, ITEM_MOVES, jobEndOf } from "@/lib/features/publishing/states";
import type { ProcessingStatus } from "@/lib/features/work/states";
import { secondsLeftSql } from "@/lib/lease/lease";

const MOVE = Object.fromEntries(
  Object.entries(ITEM_MOVES).map(([move, { from, to }]) => [
    move,
    { from: Prisma.raw(`i.status = '${from}'`), to: Prisma.raw(`'${to}'::processing_status`) },
  ]),
) as Record<keyof typeof ITEM_MOVES, { from: Prisma.Sql; to: Prisma.Sql }>;

export type JobRow = {
  id: string;
  userId: string;
  projectId: number;
  verb: BulkVerb;
  status: ProcessingStatus;
  tries: number;
  waitSeconds: number;
  error: string | null;
  errorType: string | null;
  cancelRequestedAt: Date | null;
  startedAt: Date | null;
  completedAt: Date | null;
  createdAt: Date;
  totalItems: number;
  completedItems: number;
  unchangedItems: number;
  liveItems: number;
  failedItems: number;
  cancelledItems: number;
  firstFailure: string | null;
};

const JOB = Prisma.sql`
  SELECT j.id, j.user_id AS "userId", j.project_id AS "projectId", j.verb::text AS verb,
    j.status::text AS status, j.tries, greatest(0, ceil(extract(epoch FROM j.not_before - now())))::int AS "waitSeconds",
    j.error, j.error_type AS "errorType", j.cancel_requested_at AS "cancelRequestedAt", j.started_at AS "startedAt",
    j.completed_at AS "completedAt", j.created_at AS "createdAt", n.*,
    (SELECT concat_ws(' ', f.error, f.detail) FROM publishing_items f WHERE f.job_id = j.id AND f.status = 'failed'
      ORDER BY f.position LIMIT 1) AS "firstFailure"
  FROM publishing_jobs j CROSS JOIN LATERAL (
    SELECT count(*)::int AS "totalItems", count(*) FILTER (WHERE i.status = 'completed')::int AS "completedItems",
      count(*) FILTER (WHERE i.status = 'completed' AND i.is_unchanged)::int AS "unchangedItems",
      count(*) FILTER (WHERE i.status = 'completed' AND i.permalink IS NOT NULL)::int AS "liveItems",
      count(*) FILTER (WHERE i.status = 'failed')::int AS "failedItems",
      count(*) FILTER (WHERE i.status = 'cancelled')::int AS "cancelledItems"
    FROM publishing_items i WHERE i.job_id = j.id) n`;

/** The user's job; without a user it may be any, as a job's own run needs it. */
export async function selectJob(id: string, userId: string | null): Promise<JobRow | undefined> {
  const [row] = await prisma.$queryRaw<JobRow[]>(Prisma.sql`
    ${JOB} WHERE j.id = ${id}::uuid AND (${userId}::uuid IS NULL OR j.user_id = ${userId}::uuid)
      AND ${projectExistsSql("j.project_id")}`);
  return row;
}

export async function selectLatestJob(userId: string, projectId: number): Promise<JobRow | undefined> {
  const [row] = await prisma.$queryRaw<JobRow[]>(Prisma.sql`
    ${JOB} WHERE j.project_id = ${projectId}::int AND j.user_id = ${userId}::uuid ORDER BY j.created_at DESC, j.id DESC LIMIT 1`);
  return row;
}

export type JobItem = {
  position: number;
  contentId: string;
  title: string;
  status: ProcessingStatus;
  unchanged: boolean;
  error: string | null;
  type: string | null;
  detail: string | null;
  wpPostId: string | null;
  wpPermalink: string | null;
  wpPostStatus: string | null;
  wpPostDate: Date | null;
};

/** The job's items after a position, in order. */
export function selectItems(
  jobId: string,
  { status, after = -1, limit }: { status?: ProcessingStatus | undefined; after?: number | undefined; limit: number },
): Promise<JobItem[]> {
  const only = status ? Prisma.sql`AND i.status = ${status}::processing_status` : Prisma.empty;
  return prisma.$queryRaw<JobItem[]>(Prisma.sql`
    SELECT i.position, i.content_piece_id AS "contentId", i.title, i.status::text AS status, i.is_unchanged AS unchanged, i.error,
      i.error_type AS type, i.detail, i.post_id AS "wpPostId", i.permalink AS "wpPermalink",
      i.site_status AS "wpPostStatus", i.site_date AS "wpPostDate"
    FROM publishing_items i WHERE i.job_id = ${jobId}::uuid AND i.position > ${after}::int ${only}
    ORDER BY i.position LIMIT ${limit}::int`);
}

export type NewJob = { projectId: number; verb: BulkVerb };
/** `categoryId`: what the user has chosen for the piece's topic. */
export type NewItem = { id: string; title: string; categoryId?: string | undefined };

/** Returns undefined if the project has a job that has not ended. */
export async function insertJob(db: Pick<Db, "$queryRaw">, userId: string, job: NewJob): Promise<string | undefined> {
  const [row] = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    INSERT INTO publishing_jobs (user_id, project_id, verb)
    VALUES (${userId}::uuid, ${job.projectId}::int, ${job.verb}::publishing_verb)
    ON CONFLICT (project_id) WHERE completed_at IS NULL DO NOTHING RETURNING id`);
  return row?.id;
}

/** Ended jobs of a project whose results stay. */
const KEPT_JOBS = 5;

export async function pruneJobs(db: Pick<Db, "$executeRaw">, projectId: number): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    DELETE FROM publishing_jobs WHERE project_id = ${projectId}::int AND completed_at IS NOT NULL AND id NOT IN (
      SELECT id FROM publishing_jobs WHERE project_id = ${projectId}::int AND completed_at IS NOT NULL
      ORDER BY created_at DESC, id DESC LIMIT ${KEPT_JOBS}::int)`);
}

/** Locks the project's job that has not ended. */
export async function lockLiveJob(db: Pick<Db, "$queryRaw">, userId: string, projectId: number) {
  const [row] = await db.$queryRaw<{ id: string; verb: BulkVerb; isCancelled: boolean }[]>(Prisma.sql`
    SELECT id, verb::text AS verb, cancel_requested_at IS NOT NULL AS "isCancelled" FROM publishing_jobs
    WHERE project_id = ${projectId}::int AND user_id = ${userId}::uuid AND completed_at IS NULL FOR UPDATE`);
  return row;
}

/** Appends the pieces that the job does not have yet; returns how many. */
export async function insertItems(db: Pick<Db, "$executeRaw">, jobId: string, pieces: NewItem[]): Promise<number> {
  return db.$executeRaw(Prisma.sql`
    INSERT INTO publishing_items (job_id, position, content_piece_id, title, category_id)
    SELECT ${jobId}::uuid, x.place + (
      SELECT coalesce(max(position) + 1, 0) FROM publishing_items WHERE job_id = ${jobId}::uuid), x.id, x.title, x."categoryId"
    FROM jsonb_to_recordset(${JSON.stringify(pieces.map((piece, place) => ({ ...piece, place })))}::jsonb)
      AS x (id uuid, title text, "categoryId" text, place int)
    ON CONFLICT (job_id, content_piece_id) DO NOTHING`);
}

/**
 * Queues these pieces of the job again for a call that joins it: those that have not been done yet as they are now. What is
 * under way now may have been read before they changed, so it is looked at again afterwards. A newly chosen category counts.
 */
export async function queuePiecesAgain(
  db: Pick<Db, "$executeRaw">,
  job: { id: string; verb: BulkVerb },
  pieces: NewItem[],
): Promise<void> {
  const piece = Prisma.sql`i.content_piece_id`;
  const isDone =
    job.verb === "unpublish_selected"
      ? Prisma.sql`NOT ${isLiveSql(piece)}`
      : isPublishedSinceSql(piece, Prisma.sql`j.created_at`);
  await db.$executeRaw(Prisma.sql`
    UPDATE publishing_items i SET title = x.title, category_id = coalesce(x."categoryId", i.category_id), is_asked_again = ${MOVE.requeue.from},
      status = CASE WHEN ${MOVE.requeue.from} THEN i.status ELSE ${MOVE.retry.to} END,
      error = NULL, error_type = NULL, detail = NULL
    FROM jsonb_to_recordset(${JSON.stringify(pieces)}::jsonb) AS x (id uuid, title text, "categoryId" text),
      publishing_jobs j
    WHERE j.id = ${job.id}::uuid AND i.job_id = j.id AND i.content_piece_id = x.id
      AND (${MOVE.requeue.from} OR ${MOVE.retry.from} OR ${MOVE.restore.from} OR (${MOVE.repeat.from} AND NOT ${isDone})
        OR (${MOVE.claim.from} AND x."categoryId" IS NOT NULL))`);
}

/** `categoryId`: as in NewItem. */
export type ClaimedItem = { contentId: string; title: string; categoryId: string | null };

/** Claims the next waiting items in order; none when the job was cancelled or has ended. */
export async function claimItems(jobId: string, limit: number): Promise<ClaimedItem[]> {
  const rows = await prisma.$queryRaw<(ClaimedItem & { position: number })[]>(Prisma.sql`
    WITH job AS (
      UPDATE publishing_jobs SET status = 'processing', started_at = coalesce(started_at, now())
      WHERE id = ${jobId}::uuid AND completed_at IS NULL AND cancel_requested_at IS NULL RETURNING id),
    next AS (
      SELECT i.job_id, i.position FROM publishing_items i JOIN job ON job.id = i.job_id WHERE ${MOVE.claim.from}
      ORDER BY i.position LIMIT ${limit}::int FOR UPDATE OF i SKIP LOCKED)
    UPDATE publishing_items i SET status = ${MOVE.claim.to}, is_asked_again = false FROM next
    WHERE i.job_id = next.job_id AND i.position = next.position
    RETURNING i.content_piece_id AS "contentId", i.title, i.category_id AS "categoryId", i.position`);
  return rows.sort((one, other) => one.position - other.position);
}

export type ItemResult = Omit<JobItem, "position" | "title" | "status"> & { ok: boolean };

/** Saves the results of claimed items; returns whether the job was cancelled meanwhile. */
export async function saveResults(jobId: string, results: ItemResult[]): Promise<boolean> {
  // What this job has written stays so, also when it is looked at again and needs no write then.
  const [job] = await retryOnDeadlock(() =>
    prisma.$queryRaw<{ isCancelled: boolean }[]>(Prisma.sql`
    WITH saved AS (UPDATE publishing_items i SET
      status = CASE WHEN i.is_asked_again THEN ${MOVE.requeue.to} WHEN x.ok THEN ${MOVE.complete.to} ELSE ${MOVE.fail.to} END,
      is_unchanged = x.unchanged AND (i.post_id IS NULL OR i.is_unchanged), post_id = x."wpPostId",
      permalink = x."wpPermalink", site_status = x."wpPostStatus", site_date = x."wpPostDate", error = CASE WHEN NOT i.is_asked_again THEN x.error END,
      error_type = CASE WHEN NOT i.is_asked_again THEN x.type END, detail = CASE WHEN NOT i.is_asked_again THEN x.detail END
    FROM jsonb_to_recordset(${JSON.stringify(results)}::jsonb) AS x ("contentId" uuid, ok boolean, unchanged boolean, error text,
      type text, detail text, "wpPostId" text, "wpPermalink" text, "wpPostStatus" text, "wpPostDate" timestamptz)
    WHERE i.job_id = ${jobId}::uuid AND i.content_piece_id = x."contentId" AND ${MOVE.complete.from})
    SELECT cancel_requested_at IS NOT NULL AS "isCancelled" FROM publishing_jobs WHERE id = ${jobId}::uuid`),
  );
  // If there is no row, the project was deleted.
  return job?.isCancelled ?? true;
}

/**
 * What a slice had claimed and did not do waits again; endJob ends it if the user has cancelled. Only the holder of the job's
 * lease may call it.
 */
export async function requeueItems(jobId: string): Promise<void> {
  await retryOnDeadlock(() =>
    prisma.$executeRaw(Prisma.sql`
    UPDATE publishing_items i SET status = ${MOVE.requeue.to} WHERE i.job_id = ${jobId}::uuid AND ${MOVE.requeue.from}`),
  );
}

/** The site could not be reached: the job waits, or, without a wait, its waiting items fail. */
export async function noteUnreachable(
  jobId: string,
  { error, type, waitSeconds }: { error: string; type: string; waitSeconds: number | null },
): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    WITH job AS (
      UPDATE publishing_jobs SET tries = tries + 1, error = ${error}, error_type = ${type},
        not_before = now() + make_interval(secs => ${waitSeconds ?? 0}::int)
      WHERE id = ${jobId}::uuid AND completed_at IS NULL RETURNING id)
    UPDATE publishing_items i SET status = ${MOVE.giveUp.to}, error = ${error}, error_type = ${type} FROM job
    WHERE ${waitSeconds === null}::boolean AND i.job_id = job.id AND ${MOVE.giveUp.from}`);
}

export async function noteReached(jobId: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE publishing_jobs SET tries = 0, error = NULL, error_type = NULL, not_before = NULL
    WHERE id = ${jobId}::uuid AND (tries > 0 OR error IS NOT NULL)`);
}

/** The user cancels: from now on nothing of the job is begun, and endJob ends what waits. */
export async function requestCancel(db: Pick<Db, "$executeRaw">, userId: string, id: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    UPDATE publishing_jobs SET cancel_requested_at = now()
    WHERE id = ${id}::uuid AND user_id = ${userId}::uuid AND completed_at IS NULL AND cancel_requested_at IS NULL`);
}

/** Ends what waits of a cancelled job, also what waits again after its run died; then the job, if nothing of it is left. */
export async function endJob(db: Pick<Db, "$queryRaw" | "$executeRaw">, jobId: string): Promise<boolean> {
  // This is a lock of its own: items that another call adds meanwhile must be counted.
  const [job] = await db.$queryRaw<{ isCancelled: boolean }[]>(Prisma.sql`
    SELECT cancel_requested_at IS NOT NULL AS "isCancelled" FROM publishing_jobs WHERE id = ${jobId}::uuid FOR UPDATE`);
  if (job?.isCancelled) {
    await db.$executeRaw(Prisma.sql`
      UPDATE publishing_items i SET status = ${MOVE.cancel.to} WHERE i.job_id = ${jobId}::uuid AND ${MOVE.cancel.from}`);
  }
  const [counts] = await db.$queryRaw<
    { live: number; completed: number; failed: number; cancelled: number }[]
  >(Prisma.sql`
    SELECT count(*) FILTER (WHERE status IN ('pending', 'processing'))::int AS live,
      count(*) FILTER (WHERE status = 'completed')::int AS completed, count(*) FILTER (WHERE status = 'failed')::int AS failed,
      count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled
    FROM publishing_items WHERE job_id = ${jobId}::uuid`);
  if (!counts || counts.live > 0) return false;
  await db.$executeRaw(Prisma.sql`
    UPDATE publishing_jobs SET status = ${jobEndOf(counts)}::processing_status, completed_at = now()
    WHERE id = ${jobId}::uuid AND completed_at IS NULL`);
  return true;
}

/** Failed items of an ended job wait again; returns how many. None while the project has another live job. */
export async function retryItems(db: Pick<Db, "$executeRaw">, userId: string, id: string): Promise<number> {
  return db.$executeRaw(Prisma.sql`
    WITH job AS (
      UPDATE publishing_jobs j SET status = 'pending', completed_at = NULL, cancel_requested_at = NULL, tries = 0, error = NULL,
        error_type = NULL, not_before = NULL
      WHERE j.id = ${id}::uuid AND j.user_id = ${userId}::uuid AND j.completed_at IS NOT NULL
        AND EXISTS (SELECT 1 FROM publishing_items i WHERE i.job_id = j.id AND ${MOVE.retry.from})
        AND NOT EXISTS (SELECT 1 FROM publishing_jobs o WHERE o.project_id = j.project_id AND o.completed_at IS NULL)
      RETURNING j.id)
    UPDATE publishing_items i SET status = ${MOVE.retry.to}, error = NULL, error_type = NULL, detail = NULL FROM job
    WHERE i.job_id = job.id AND ${MOVE.retry.from}`);
}

/** Live jobs that nobody works on, such as those whose event or process was lost. */
export function selectIdleJobs(graceSeconds: number, limit: number) {
  return prisma.$queryRaw<{ id: string; userId: string }[]>(Prisma.sql`
    SELECT j.id, j.user_id AS "userId" FROM publishing_jobs j
    WHERE j.completed_at IS NULL AND j.created_at < now() - make_interval(secs => ${graceSeconds}::int)
      AND (j.not_before IS NULL OR j.not_before <= now()) AND ${secondsLeftSql("bulk", Prisma.sql`j.id::text`)} = 0
    ORDER BY random() LIMIT ${limit}::int`);
}

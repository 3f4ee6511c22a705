import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import { PROVIDER_SAYS } from "@/lib/errors";
import { isPublishedSinceSql, lacksSql, pieceTitleSql } from "@/lib/features/content/sql/shared";
import { projectTitleSql } from "@/lib/features/projects/sql/shared";
import type { ChunkType, JobType } from "@/lib/features/work/schema";
import { HAS_RUN } from "@/lib/features/work/sql/moves";

/** What went wrong and is left to the user. */

const PIECE = Prisma.sql`q.content_piece_id`;

/**
 * SQL condition: the piece of item `q` still lacks what the item was to write or publish. Each piece is looked up: with EXISTS, PostgreSQL
 * may read the pieces of all users instead.
 */
const isUndone = Prisma.sql`CASE q.job_type WHEN 'outline_generation' THEN ${lacksSql(PIECE, "outline")}
  WHEN 'content_generation' THEN ${lacksSql(PIECE, "body")}
  ELSE ${pieceTitleSql(PIECE)} IS NOT NULL AND NOT ${isPublishedSinceSql(PIECE, Prisma.sql`q.completed_at`)} END`;

/** SQL condition: no newer item is about the piece of item `q`. Each half uses one of the two indexes of a user's items. */
const isNewest = Prisma.join(
  ["NULL", "NOT NULL"].map(
    (ended) => Prisma.sql`NOT EXISTS (SELECT 1 FROM processing_queue n WHERE n.content_piece_id = q.content_piece_id
      AND n.job_type = q.job_type AND n.user_id = q.user_id AND n.completed_at IS ${Prisma.raw(ended)}
      AND (n.created_at, n.id) > (q.created_at, q.id))`,
  ),
  " AND ",
);

/** SQL condition: item `q` has failed, its piece needs it still, and no newer item is about that; the user has not dismissed it. */
const isNeed = Prisma.sql`q.status = 'failed' AND q.dismissed_at IS NULL AND ${isNewest} AND ${isUndone}`;

/** A reason is cut after so many characters: a request names it in full. */
const MAX_REASON = 1_000;

/** SQL value: why item `q` failed, in our words: the provider's differ from piece to piece. Empty if nobody knows. */
const reasonSql = Prisma.sql`trim(left(trim(split_part(coalesce(q.error, ''), ${PROVIDER_SAYS}, 1)), ${MAX_REASON}::int))`;

/** SQL value: how many failures the user has; it changes with their pieces too. */
export function failureCountSql(userId: string): Prisma.Sql {
  return Prisma.sql`(SELECT count(*) FROM processing_queue q WHERE q.user_id = ${userId}::uuid AND ${isNeed})`;
}

/** Reasons that are shown. */
const MAX_REASONS = 20;

/** SQL value (json): the user's failures as Need has them, by reason and, of publishing, by project; most pieces first. */
export function failuresByReasonSql(userId: string): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(json_agg(n ORDER BY n.items DESC, n.reason), '[]') FROM (
    SELECT 'failed' AS kind, CASE WHEN min(f.job_type) = max(f.job_type) THEN min(f.job_type) END AS "jobType", f.reason, count(*) AS items,
      CASE WHEN f.project_id IS NOT NULL THEN json_build_object('id', f.project_id, 'title',
        ${projectTitleSql(Prisma.sql`f.project_id`)}) END AS project
    FROM (SELECT q.job_type, ${reasonSql} AS reason, CASE WHEN NOT ${HAS_RUN} THEN j.project_id END AS project_id
      FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id
      WHERE q.user_id = ${userId}::uuid AND ${isNeed}) f
    GROUP BY f.reason, f.project_id ORDER BY count(*) DESC, f.reason LIMIT ${MAX_REASONS}::int) n)`;
}

/** Failures of one type, reason and project; without a type those of both queues. */
export type Failures<Type = JobType | ChunkType> = {
  jobType?: Type | undefined;
  reason?: string | undefined;
  projectId?: number | undefined;
};

/** SQL conditions: item `q` is one of the user's failures. */
function isOneOf(userId: string, { jobType, reason, projectId }: Failures): Prisma.Sql {
  return Prisma.sql`q.user_id = ${userId}::uuid AND ${jobType ? Prisma.sql`q.job_type = ${jobType}::job_type` : HAS_RUN}
    AND (${reason ?? null}::text IS NULL OR ${reasonSql} = ${reason ?? null})
    AND (${projectId ?? null}::int IS NULL OR EXISTS (
      SELECT 1 FROM processing_jobs j WHERE j.id = q.job_id AND j.project_id = ${projectId ?? null}::int)) AND ${isNeed}`;
}

/**
 * The items that can be tried again of the user's failures, and how many there are in all: of each topic those of its live job,
 * else of the latest, since one job of a topic and type is live.
 */
export async function selectRetriable(
  userId: string,
  failures: Failures<JobType>,
): Promise<{ ids: string[]; total: number }> {
  const [row] = await prisma.$queryRaw<[{ ids: string[]; total: number }]>(Prisma.sql`
    WITH need AS (
      SELECT q.id, q.job_id FROM processing_queue q WHERE ${isOneOf(userId, failures)}),
    chosen AS (
      SELECT DISTINCT ON (j.job_type, j.subject) j.id FROM processing_jobs j JOIN need ON need.job_id = j.id
      WHERE CASE WHEN j.completed_at IS NULL THEN j.cancel_requested_at IS NULL ELSE NOT EXISTS (
        SELECT 1 FROM processing_jobs o WHERE o.job_type = j.job_type AND o.subject = j.subject AND o.completed_at IS NULL) END
      ORDER BY j.job_type, j.subject, j.completed_at DESC NULLS FIRST)
    SELECT coalesce(array_agg(need.id) FILTER (WHERE chosen.id IS NOT NULL), '{}') AS ids, count(*)::int AS total
    FROM need LEFT JOIN chosen ON chosen.id = need.job_id`);
  return row;
}

/** Dismisses failures, which stay in their lists. Returns how many. */
export async function dismissFailures(userId: string, failures: Failures): Promise<number> {
  const [{ count }] = await prisma.$queryRaw<[{ count: number }]>(Prisma.sql`
    WITH need AS (SELECT q.id, q.job_type FROM processing_queue q WHERE ${isOneOf(userId, failures)} ORDER BY q.id FOR UPDATE),
    item AS (
      UPDATE processing_queue q SET dismissed_at = now() FROM need WHERE q.id = need.id AND q.job_type = need.job_type RETURNING q.job_id),
    job AS (
      UPDATE processing_jobs j SET revision = j.revision + 1 FROM (SELECT DISTINCT job_id FROM item) i WHERE j.id = i.job_id)
    SELECT count(*)::int AS count FROM item`);
  return count;
}

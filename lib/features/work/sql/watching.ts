import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import { pieceBodySql, pieceTitleSql } from "@/lib/features/content/sql/shared";
import type { SectionNote } from "@/lib/features/work/schema";
import type { ProcessingStatus } from "@/lib/features/work/states";
import { acquire, draftSql } from "@/lib/lease/lease";

/** An item whose text is being written, or has just ended; `draft` is what its call has written so far. The release before notes less of a section. */
export type WatchedItem = {
  itemId: string;
  contentPieceId: string;
  title: string | null;
  status: ProcessingStatus;
  section: SectionNote | null;
  draft: string | null;
  /** What the text has become, when it is completed. */
  body: string | null;
};

/** Says for half a minute that somebody watches the user's job. */
export async function watchJob(userId: string, jobId: string): Promise<void> {
  const job = Prisma.sql`SELECT j.id::text, j.user_id, NULL::uuid, NULL::uuid FROM processing_jobs j
    WHERE j.id = ${jobId}::uuid AND j.user_id = ${userId}::uuid`;
  await acquire("watching", job, jobId);
}

/**
 * Selects the items of the user's job that are at work, and after them those that have ended within a minute; `rows` in all. The
 * bodies of `known` ones are not read again.
 */
export function selectWatchedItems(
  userId: string,
  jobId: string,
  { rows, known }: { rows: number; known: string[] },
): Promise<WatchedItem[]> {
  const ofJob = Prisma.sql`q.job_id = ${jobId}::uuid AND q.user_id = ${userId}::uuid`;
  return prisma.$queryRaw<WatchedItem[]>(Prisma.sql`
    SELECT q.id AS "itemId", q.content_piece_id AS "contentPieceId", ${pieceTitleSql(Prisma.sql`q.content_piece_id`)} AS title,
      q.status::text AS status, CASE WHEN q.result #> '{section,outlineHash}' IS NOT NULL THEN q.result -> 'section' END AS section,
      ${draftSql("writing", Prisma.sql`q.content_piece_id::text`)} AS draft,
      CASE WHEN q.status = 'completed' AND NOT q.id = ANY(${known}::uuid[]) THEN ${pieceBodySql(Prisma.sql`q.content_piece_id`)} END AS body
    FROM (
      (SELECT q.* FROM processing_queue q WHERE ${ofJob} AND q.status = 'processing' ORDER BY q.started_at, q.id LIMIT ${rows}::int)
      UNION ALL
      (SELECT q.* FROM processing_queue q WHERE ${ofJob} AND q.completed_at > now() - interval '1 minute'
        ORDER BY q.completed_at DESC LIMIT ${rows}::int)) q
    ORDER BY q.completed_at DESC NULLS FIRST, q.started_at, q.id LIMIT ${rows}::int`);
}

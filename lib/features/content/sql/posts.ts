import "server-only";
import { ownSql } from "@/lib/db/own";
import { Prisma, prisma } from "@/lib/db/prisma";
import { IS_NEWER_HERE } from "@/lib/features/content/sql/shared";
import { ACCEPTS_NO_FIELDS, joinPostHere, POST_HERE, type PostHere } from "@/lib/features/sites/sql/shared";
import { secondsLeftSql } from "@/lib/lease/lease";

/** `isBeingWritten`: a direct AI call or the queue is at it. */
export type PieceFacts = PostHere & { isNewerHere: boolean; isBeingWritten: boolean; lacksSearchFields: boolean };

/** The facts of each piece; a piece that is gone is missing. */
export async function selectFacts(userId: string, ids: string[]): Promise<Map<string, PieceFacts>> {
  const rows = await prisma.$queryRaw<(PieceFacts & { id: string })[]>(Prisma.sql`
    SELECT p.id, ${POST_HERE}, ${IS_NEWER_HERE} AS "isNewerHere", ${ACCEPTS_NO_FIELDS} AS "lacksSearchFields",
      ${secondsLeftSql("writing", Prisma.sql`p.id::text`)} > 0 AS "isBeingWritten"
    FROM content_pieces p ${joinPostHere(userId)}
    WHERE p.id = ANY(${ids}::uuid[]) AND ${ownSql("p", userId)}`);
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

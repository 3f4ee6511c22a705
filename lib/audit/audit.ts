import "server-only";
import { type AuditAction, isFolded } from "@/lib/audit/actions";
import type { RequestContext } from "@/lib/auth/actor";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { log } from "@/lib/log";

export type AuditEntry = {
  userId: string | null;
  context: RequestContext;
  action: AuditAction;
  subject?: string;
  /** Facts only: no secrets and no text a user wrote. */
  detail?: Record<string, string | number | boolean | null>;
};

/**
 * Records an event in the transaction that causes it, so that both happen or neither. Folded events (`isFolded`) keep
 * no subject or detail.
 */
export function auditIn(db: Db, entry: AuditEntry): Promise<void> {
  return isFolded(entry.action) ? fold(db, entry) : write(db, entry);
}

/** Does what `auditIn` does, with one event for each subject; not for folded events. */
export async function auditEachIn(
  db: Db,
  { userId, context, action }: Omit<AuditEntry, "subject" | "detail">,
  subjects: string[],
): Promise<void> {
  const { address, requestId } = context;
  const data = subjects.map((subject) => ({ userId, action, subject, address, requestId, detail: {} }));
  await db.auditEvent.createMany({ data });
}

/**
 * Records an event outside a transaction: a refusal, an export, a call to a site. A failure to record it is logged, not
 * thrown.
 */
export async function audit(entry: AuditEntry): Promise<void> {
  try {
    await auditIn(prisma, entry);
  } catch (error) {
    const { action, context } = entry;
    log.error({ err: error, action, requestId: context.requestId }, "audit event not written");
  }
}

async function write(db: Db, { userId, context, action, subject, detail = {} }: AuditEntry): Promise<void> {
  const { address, requestId } = context;
  const data = { userId, action, subject: subject ?? null, address, requestId, detail };
  await db.auditEvent.create({ data, select: { id: true } });
}

/** One row per day and kind for a user, or for an address when the username is unknown. It keeps the last address. */
async function fold(db: Db, { userId, context, action }: AuditEntry): Promise<void> {
  const key = userId
    ? Prisma.sql`(user_id, action, day) WHERE day IS NOT NULL AND user_id IS NOT NULL`
    : Prisma.sql`(address, action, day) WHERE day IS NOT NULL AND user_id IS NULL`;
  await db.$executeRaw(Prisma.sql`
    INSERT INTO audit_events AS e (user_id, action, address, request_id, day, last_at)
    VALUES (${userId}::uuid, ${action}, ${context.address}, ${context.requestId}, ${TODAY}, now())
    ON CONFLICT ${key} DO UPDATE SET times = e.times + 1, last_at = now(),
      address = excluded.address, request_id = excluded.request_id`);
}

const TODAY = Prisma.sql`(now() AT TIME ZONE 'UTC')::date`;

/** Failures are listed, and those under unknown usernames kept, for this long. */
const FAILURE_DAYS = 30;

export type RecentEvent = {
  id: string;
  action: string;
  subject: string | null;
  address: string | null;
  /** The last of `times`. */
  createdAt: Date;
  times: number;
  newBrowser: boolean;
};

/** The newest events, plus each kind of failure of the last 30 days as one entry. */
export function recentEvents(userId: string, count: number): Promise<RecentEvent[]> {
  return prisma.$queryRaw<RecentEvent[]>(Prisma.sql`
    SELECT * FROM (
      (SELECT id, action, subject, address, created_at AS "createdAt", 1::float8 AS times,
         coalesce(detail->'newBrowser' = 'true', false) AS "newBrowser"
       FROM audit_events WHERE user_id = ${userId}::uuid AND day IS NULL
       ORDER BY created_at DESC, id DESC LIMIT ${count})
      UNION ALL
      (SELECT (array_agg(id ORDER BY last_at DESC))[1], action, NULL, (array_agg(address ORDER BY last_at DESC))[1],
         max(last_at), sum(times)::float8, false
       FROM audit_events WHERE user_id = ${userId}::uuid AND day > ${TODAY} - ${FAILURE_DAYS}::int GROUP BY action)
    ) events ORDER BY "createdAt" DESC, id DESC`);
}

/** Deletes old failures under unknown usernames, in batches; called by the scheduled sweep. */
export async function pruneAuditEvents(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    DELETE FROM audit_events WHERE id IN (
      SELECT id FROM audit_events
      WHERE user_id IS NULL AND created_at < now() - make_interval(days => ${FAILURE_DAYS}) LIMIT 10000)`);
}

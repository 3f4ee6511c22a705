import "server-only";
import { type AuditAction, isFolded, isFoldedWhenFrequent } from "@/lib/audit/actions";
import { BACKGROUND, type RequestContext } from "@/lib/auth/actor";
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
export async function auditIn(db: Db, entry: AuditEntry): Promise<void> {
  const { action } = entry;
  const folds = isFolded(action) || (isFoldedWhenFrequent(action) && (await isFrequent(db, entry)));
  return folds ? fold(db, entry) : write(db, entry);
}

/** Events of a kind in a minute that have a row each. */
const FREQUENT = 30;

/** The rule counts all kinds together that share the action's first word. */
async function isFrequent(db: Db, { userId, action }: AuditEntry): Promise<boolean> {
  const kind = `${action.split(".")[0]}.%`;
  const [row] = await db.$queryRaw<{ count: number }[]>(Prisma.sql`
    SELECT count(*)::int AS count FROM audit_events
    WHERE user_id = ${userId}::uuid AND day IS NULL AND action LIKE ${kind} AND created_at > now() - interval '1 minute'`);
  return (row?.count ?? 0) >= FREQUENT;
}

/**
 * Does what `auditIn` does for several subjects, not for folded events: one event each in a user's request, and one with a
 * count in a job, however many calls it takes.
 */
export async function auditEachIn(
  db: Db,
  { userId, context, action }: Omit<AuditEntry, "subject" | "detail"> & { userId: string },
  subjects: string[],
): Promise<void> {
  const { address, requestId } = context;
  if (subjects.length === 0) return;
  if (address === BACKGROUND) return addToJob(db, { userId, context, action }, subjects);
  const data = subjects.map((subject) => ({ userId, action, subject, address, requestId, detail: {} }));
  await db.auditEvent.createMany({ data });
}

/** A job's calls wait for each other here, or two of them would begin the row. The subject of a single one stays. */
async function addToJob(
  db: Db,
  { userId, context: { requestId }, action }: Omit<AuditEntry, "subject" | "detail">,
  subjects: string[],
): Promise<void> {
  const count = subjects.length;
  await db.$executeRaw(Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${action} ${requestId}`}, 0))`);
  const added = await db.$executeRaw(Prisma.sql`
    UPDATE audit_events SET times = times + ${count}::int, subject = NULL, last_at = now()
    WHERE user_id = ${userId}::uuid AND action = ${action} AND request_id = ${requestId} AND address = ${BACKGROUND} AND day IS NULL`);
  if (added > 0) return;
  await db.$executeRaw(Prisma.sql`
    INSERT INTO audit_events (user_id, action, subject, address, request_id, times, last_at)
    VALUES (${userId}::uuid, ${action}, ${count === 1 ? subjects[0] : null}, ${BACKGROUND}, ${requestId}, ${count}::int, now())`);
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

/** What a user looks for after a break-in. Other events never push these out. */
const IS_ABOUT_ACCESS = Prisma.sql`(action LIKE 'session.%' OR action LIKE 'account.%' OR action LIKE 'password.%')`;

/**
 * The newest events about access to the account, as many of the others, and each kind of failure of the last 30 days as one
 * entry.
 */
export function recentEvents(userId: string, count: number): Promise<RecentEvent[]> {
  return prisma.$queryRaw<RecentEvent[]>(Prisma.sql`
    SELECT * FROM (
      (${newestSql(userId, IS_ABOUT_ACCESS, count)}) UNION ALL (${newestSql(userId, Prisma.sql`NOT ${IS_ABOUT_ACCESS}`, count)})
      UNION ALL
      (SELECT (array_agg(id ORDER BY last_at DESC))[1], action, NULL, (array_agg(address ORDER BY last_at DESC))[1],
         max(last_at), sum(times)::float8, false
       FROM audit_events WHERE user_id = ${userId}::uuid AND day > ${TODAY} - ${FAILURE_DAYS}::int GROUP BY action)
    ) events ORDER BY "createdAt" DESC, id DESC`);
}

function newestSql(userId: string, which: Prisma.Sql, count: number): Prisma.Sql {
  return Prisma.sql`SELECT id, action, subject, address, coalesce(last_at, created_at) AS "createdAt", times::float8 AS times,
      coalesce(detail->'newBrowser' = 'true', false) AS "newBrowser"
    FROM audit_events WHERE user_id = ${userId}::uuid AND day IS NULL AND ${which}
    ORDER BY created_at DESC, id DESC LIMIT ${count}`;
}

/** Events of a user with a row each. */
export const MAX_EVENTS = 5_000;

/**
 * Deletes old failures under unknown usernames, and of each user the oldest events beyond 5,000, those about access last; in
 * batches. What older releases wrote stays a month longer, for users to export it. The scheduled sweep calls it.
 */
export async function pruneAuditEvents(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    DELETE FROM audit_events WHERE id IN (
      SELECT id FROM audit_events
      WHERE user_id IS NULL AND created_at < now() - make_interval(days => ${FAILURE_DAYS}) LIMIT 10000)`);
  await prisma.$executeRaw(Prisma.sql`
    WITH bounded AS (SELECT finished_at AS since FROM _prisma_migrations WHERE migration_name = ${BOUNDED_SINCE})
    DELETE FROM audit_events WHERE id IN (
      SELECT old.id FROM bounded, (
          SELECT user_id FROM audit_events WHERE day IS NULL AND user_id IS NOT NULL GROUP BY user_id HAVING count(*) > ${MAX_EVENTS}
        ) many, LATERAL (
          SELECT id, created_at FROM audit_events WHERE user_id = many.user_id AND day IS NULL
          ORDER BY ${IS_ABOUT_ACCESS} DESC, created_at DESC, id DESC OFFSET ${MAX_EVENTS}
        ) old
      WHERE old.created_at > since OR since < now() - interval '1 month' LIMIT 10000)`);
}

/** Its migration: what was written before it is an older release's. */
const BOUNDED_SINCE = "20261128020000_bounded_events";

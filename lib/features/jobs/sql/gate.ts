import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import {
  GATE_CAP_SECONDS,
  GATE_JITTER,
  GATE_LATE_CAP_SECONDS,
  GATE_LATE_SECONDS,
  GATE_QUIET_SECONDS,
  PROBE_SECONDS,
} from "@/lib/features/jobs/rules";
import { type HeldItem, isHolders } from "@/lib/features/jobs/sql/items";

/**
 * The gate between a person's queue items and the provider: open; closed until a moment, by a limit; past that moment
 * closed to all but one item, which tries; or held, until the person has done something about the reason.
 */

/** A paid call may be made: `epoch` names the time the gate has been open since, `isProbe` that this call decides for all. */
export type Try = { epoch: number; isProbe: boolean };

/** Counts the paid call that is about to be made, where the gate is open. Undefined: it is not, or the token is stale. */
export async function openTry(held: HeldItem): Promise<Try | undefined> {
  const [row] = await prisma.$queryRaw<{ epoch: number }[]>(Prisma.sql`
    UPDATE processing_queue q SET is_try_open = true, updated_at = now()
    WHERE ${isHolders(held)} AND NOT EXISTS (SELECT 1 FROM provider_gates g
      WHERE g.user_id = q.user_id AND (g.closed_until IS NOT NULL OR g.held_error IS NOT NULL))
    RETURNING coalesce((SELECT epoch FROM provider_gates g WHERE g.user_id = q.user_id), 0) AS epoch`);
  return row && { ...row, isProbe: false };
}

/** The same for the one item that tries whether a gate may open; the others wait for what it finds out. */
export async function openProbe(held: HeldItem): Promise<Try | undefined> {
  const [row] = await prisma.$queryRaw<{ epoch: number }[]>(Prisma.sql`
    WITH probe AS (
      UPDATE provider_gates g SET probe_item = q.id, probe_until = now() + make_interval(secs => ${PROBE_SECONDS}::int)
      FROM processing_queue q
      WHERE ${isHolders(held)} AND g.user_id = q.user_id AND g.held_error IS NULL AND g.closed_until <= now()
        AND (g.probe_until IS NULL OR g.probe_until <= now() OR g.probe_item = q.id)
      RETURNING g.epoch)
    UPDATE processing_queue q SET is_try_open = true, updated_at = now() FROM probe WHERE ${isHolders(held)} RETURNING probe.epoch`);
  return row && { ...row, isProbe: true };
}

/** What an item before a gate waits for. Undefined: nothing, it is open. */
export async function readGate(userId: string): Promise<{ heldError: string | null; waitSeconds: number } | undefined> {
  const [row] = await prisma.$queryRaw<{ heldError: string | null; waitSeconds: number }[]>(Prisma.sql`
    SELECT held_error AS "heldError",
      greatest(0, ceil(extract(epoch FROM closed_until - now())))::int AS "waitSeconds"
    FROM provider_gates WHERE user_id = ${userId}::uuid AND (closed_until IS NOT NULL OR held_error IS NOT NULL)`);
  return row;
}

/** Waits double with each closing; `past` is how many there were. */
function backoff(past: Prisma.Sql, since: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`least(power(2, least(${past}, 20)), CASE WHEN ${since} < now() - make_interval(secs => ${GATE_LATE_SECONDS}::int)
    THEN ${GATE_LATE_CAP_SECONDS}::int ELSE ${GATE_CAP_SECONDS}::int END)`;
}

/**
 * The provider limits this person: nobody asks it before the wait is over, which is at least what it said. Calls that were
 * under way together (of one epoch) are one closing. `jitter` is from 0 to 1. Answers the seconds until it may be tried.
 */
export async function closeGate(
  userId: string,
  { told, epoch, jitter }: { told: number; epoch: number; jitter: number },
): Promise<number> {
  const spread = 1 + GATE_JITTER * jitter;
  const [{ waitSeconds }] = await prisma.$queryRaw<[{ waitSeconds: number }]>(Prisma.sql`
    INSERT INTO provider_gates AS g (user_id, epoch, level, closed_since, closed_until)
    VALUES (${userId}::uuid, 1, 1, now(), now() + make_interval(secs => greatest(${told}::float8, 1) * ${spread}::float8))
    ON CONFLICT (user_id) DO UPDATE SET
      closed_until = greatest(g.closed_until, now() + make_interval(secs => ${spread}::float8 * greatest(${told}::float8,
        CASE WHEN g.epoch <> ${epoch}::int OR ${isQuiet} THEN 1 ELSE ${backoff(Prisma.sql`g.level`, Prisma.sql`g.closed_since`)} END))),
      level = CASE WHEN g.epoch <> ${epoch}::int THEN g.level WHEN ${isQuiet} THEN 1 ELSE g.level + 1 END,
      closed_since = CASE WHEN ${isQuiet} THEN now() ELSE coalesce(g.closed_since, now()) END,
      epoch = g.epoch + (g.epoch = ${epoch}::int)::int,
      probe_item = CASE WHEN g.epoch = ${epoch}::int THEN NULL ELSE g.probe_item END,
      probe_until = CASE WHEN g.epoch = ${epoch}::int THEN NULL ELSE g.probe_until END, opened_at = NULL
    RETURNING greatest(0, ceil(extract(epoch FROM closed_until - now())))::int AS "waitSeconds"`);
  return waitSeconds;
}

/** It has been open without a limit for so long that the next one is a first one. */
const isQuiet = Prisma.sql`coalesce(g.opened_at < now() - make_interval(secs => ${GATE_QUIET_SECONDS}::int), g.closed_since IS NULL)`;

/** What a try found out: the provider answers, so all may ask; one answer alone does not make its limits forgotten. */
export async function openGate(userId: string, { epoch }: Try): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE provider_gates SET closed_until = NULL, probe_item = NULL, probe_until = NULL, opened_at = now(), level = level / 2
    WHERE user_id = ${userId}::uuid AND epoch = ${epoch}::int`);
}

/** A try that came to nothing and says nothing about limits: the next item tries. */
export async function leaveProbe(userId: string, { epoch }: Try): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE provider_gates SET probe_item = NULL, probe_until = NULL WHERE user_id = ${userId}::uuid AND epoch = ${epoch}::int`);
}

/** Nobody asks until the person has done something about `error`; `key` is what it was said of. */
export async function holdGate(userId: string, { error, key }: { error: string; key: string }): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    INSERT INTO provider_gates AS g (user_id, held_error, held_key) VALUES (${userId}::uuid, ${error}, ${key})
    ON CONFLICT (user_id) DO UPDATE SET held_error = excluded.held_error, held_key = excluded.held_key, closed_until = NULL,
      probe_item = NULL, probe_until = NULL, epoch = g.epoch + 1`);
}

/**
 * The person has done something: held items wait for their runs again, and one of them finds out for all whether it helped.
 * Answers how many.
 */
export async function releaseHold(db: Pick<Db, "$queryRaw">, userId: string): Promise<number> {
  const [{ count }] = await db.$queryRaw<[{ count: number }]>(Prisma.sql`
    WITH gate AS (
      UPDATE provider_gates SET held_error = NULL, held_key = NULL, closed_until = now()
      WHERE user_id = ${userId}::uuid AND held_error IS NOT NULL),
    item AS (
      UPDATE processing_queue q SET is_held = false, error = NULL, run_id = NULL, event_ref = NULL,
        dispatch_seq = q.dispatch_seq + 1, dispatched_at = NULL, updated_at = now()
      WHERE q.user_id = ${userId}::uuid AND q.completed_at IS NULL AND q.is_held RETURNING q.job_id),
    job AS (UPDATE processing_jobs j SET revision = j.revision + 1 FROM (SELECT DISTINCT job_id FROM item) i WHERE j.id = i.job_id)
    SELECT count(*)::int AS count FROM item`);
  return count;
}

/** People whose items are held, with what they are held for. */
export function selectHeld(limit: number): Promise<{ userId: string; key: string }[]> {
  return prisma.$queryRaw(Prisma.sql`
    SELECT user_id AS "userId", coalesce(held_key, '') AS key FROM provider_gates WHERE held_error IS NOT NULL
    ORDER BY user_id LIMIT ${limit}::int`);
}

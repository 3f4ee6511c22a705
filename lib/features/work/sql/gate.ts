import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import {
  GATE_CAP_SECONDS,
  GATE_JITTER,
  GATE_LATE_CAP_SECONDS,
  GATE_LATE_SECONDS,
  GATE_QUIET_SECONDS,
  PROBE_SECONDS,
} from "@/lib/features/work/rules";
import { type ClaimRef, holdsClaim } from "@/lib/features/work/sql/moves";

/**
 * The gate between a user's queue items and the provider. It is open, closed until a time (rate-limited), half-open for one
 * probe once that time has passed, or held until the user has dealt with the reason.
 */

/** A paid call that may be made. `epoch` counts the gate's closings; a probe's outcome decides for all items. */
export type Attempt = { epoch: number; isProbe: boolean };

/** Records that a paid call is about to be made. Undefined: the gate is not open, or the token is stale. */
export async function openAttempt(ref: ClaimRef): Promise<Attempt | undefined> {
  const [row] = await prisma.$queryRaw<{ epoch: number }[]>(Prisma.sql`
    UPDATE processing_queue q SET is_try_open = true, updated_at = now()
    WHERE ${holdsClaim(ref)} AND NOT EXISTS (SELECT 1 FROM provider_gates g
      WHERE g.user_id = q.user_id AND (g.closed_until IS NOT NULL OR g.held_error IS NOT NULL))
    RETURNING coalesce((SELECT epoch FROM provider_gates g WHERE g.user_id = q.user_id), 0) AS epoch`);
  return row && { ...row, isProbe: false };
}

/** Records the one call that probes a gate whose wait is over. Undefined: it is not, or another item is probing. */
export async function openProbe(ref: ClaimRef): Promise<Attempt | undefined> {
  const [row] = await prisma.$queryRaw<{ epoch: number }[]>(Prisma.sql`
    WITH probe AS (
      UPDATE provider_gates g SET probe_item = q.id, probe_until = now() + make_interval(secs => ${PROBE_SECONDS}::int)
      FROM processing_queue q
      WHERE ${holdsClaim(ref)} AND g.user_id = q.user_id AND g.held_error IS NULL AND g.closed_until <= now()
        AND (g.probe_until IS NULL OR g.probe_until <= now() OR g.probe_item = q.id)
      RETURNING g.epoch)
    UPDATE processing_queue q SET is_try_open = true, updated_at = now() FROM probe WHERE ${holdsClaim(ref)} RETURNING probe.epoch`);
  return row && { ...row, isProbe: true };
}

/** Keeps the others waiting while the probe's call is under way. */
export async function extendProbe(userId: string, { epoch }: Attempt): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE provider_gates SET probe_until = now() + make_interval(secs => ${PROBE_SECONDS}::int)
    WHERE user_id = ${userId}::uuid AND epoch = ${epoch}::int AND probe_until IS NOT NULL`);
}

/** What a closed or held gate waits for; undefined when it is open. */
export async function readGate(userId: string): Promise<GateState | undefined> {
  const [row] = await prisma.$queryRaw<GateState[]>(Prisma.sql`
    SELECT held_error AS "heldError", CASE WHEN limited_until > now() THEN limited_until END AS "limitedUntil",
      greatest(0, ceil(extract(epoch FROM closed_until - now())))::int AS "waitSeconds"
    FROM provider_gates WHERE user_id = ${userId}::uuid AND (closed_until IS NOT NULL OR held_error IS NOT NULL)`);
  return row;
}

type GateState = { heldError: string | null; limitedUntil: Date | null; waitSeconds: number };

/** SQL value: seconds, doubling with each closing (`level`). */
function backoff(level: Prisma.Sql, since: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`least(power(2, least(${level}, 20)), CASE WHEN ${since} < now() - make_interval(secs => ${GATE_LATE_SECONDS}::int)
    THEN ${GATE_LATE_CAP_SECONDS}::int ELSE ${GATE_CAP_SECONDS}::int END)`;
}

/**
 * Closes the gate after a rate limit, for at least as long as the provider asked. Calls of one epoch were made together and
 * count as one closing. `jitter` is from 0 to 1. It stays closed for `atMost` seconds; `limitedFor` is when the limit ends, if
 * that is later. Returns the seconds until a probe may be made, and the end of such a limit.
 */
export async function closeGate(
  userId: string,
  { retryAfter, atMost, limitedFor, epoch, jitter }: Limit,
): Promise<Omit<GateState, "heldError">> {
  const spread = 1 + GATE_JITTER * jitter;
  const after = (seconds: Prisma.Sql) => Prisma.sql`now() + make_interval(secs =>
    least(${atMost}::float8, ${spread}::float8 * greatest(${retryAfter}::float8, ${seconds})))`;
  const [state] = await prisma.$queryRaw<[Omit<GateState, "heldError">]>(Prisma.sql`
    INSERT INTO provider_gates AS g (user_id, epoch, level, closed_since, closed_until, limited_until)
    VALUES (${userId}::uuid, 1, 1, now(), ${after(Prisma.sql`1`)}, now() + make_interval(secs => ${limitedFor}::float8))
    ON CONFLICT (user_id) DO UPDATE SET
      closed_until = greatest(g.closed_until, ${after(Prisma.sql`CASE WHEN g.epoch <> ${epoch}::int OR ${isQuiet} THEN 1
        ELSE ${backoff(Prisma.sql`g.level`, Prisma.sql`g.closed_since`)} END`)}),
      limited_until = greatest(g.limited_until, excluded.limited_until),
      level = CASE WHEN g.epoch <> ${epoch}::int THEN g.level WHEN ${isQuiet} THEN 1 ELSE g.level + 1 END,
      closed_since = CASE WHEN ${isQuiet} THEN now() ELSE coalesce(g.closed_since, now()) END,
      epoch = g.epoch + (g.epoch = ${epoch}::int)::int,
      probe_item = CASE WHEN g.epoch = ${epoch}::int THEN NULL ELSE g.probe_item END,
      probe_until = CASE WHEN g.epoch = ${epoch}::int THEN NULL ELSE g.probe_until END, opened_at = NULL
    RETURNING greatest(0, ceil(extract(epoch FROM closed_until - now())))::int AS "waitSeconds",
      CASE WHEN limited_until > now() THEN limited_until END AS "limitedUntil"`);
  return state;
}

type Limit = { retryAfter: number; atMost: number; limitedFor: number | null; epoch: number; jitter: number };

/** SQL condition: the gate has been open for so long that the back-off starts over. */
const isQuiet = Prisma.sql`coalesce(g.opened_at < now() - make_interval(secs => ${GATE_QUIET_SECONDS}::int), g.closed_since IS NULL)`;

/** Opens the gate after a successful probe; the back-off is halved, not forgotten. */
export async function openGate(userId: string, { epoch }: Attempt): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE provider_gates SET closed_until = NULL, limited_until = NULL, probe_item = NULL, probe_until = NULL, opened_at = now(), level = level / 2
    WHERE user_id = ${userId}::uuid AND epoch = ${epoch}::int`);
}

/** Ends a probe that failed for another reason than a limit; the next item probes. */
export async function abandonProbe(userId: string, { epoch }: Attempt): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE provider_gates SET probe_item = NULL, probe_until = NULL WHERE user_id = ${userId}::uuid AND epoch = ${epoch}::int`);
}

/** Holds the gate until the user has dealt with `error`; `key` is the fingerprint of the key and the model it is about. */
export async function holdGate(userId: string, { error, key }: { error: string; key: string }): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    INSERT INTO provider_gates AS g (user_id, held_error, held_key) VALUES (${userId}::uuid, ${error}, ${key})
    ON CONFLICT (user_id) DO UPDATE SET held_error = excluded.held_error, held_key = excluded.held_key, closed_until = NULL,
      probe_item = NULL, probe_until = NULL, epoch = g.epoch + 1`);
}

/** Requeues held items, one of which will probe the gate. Returns how many. */
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

/** Held gates, with the fingerprint of the key and the model each is held for. */
export function selectHeldGates(limit: number): Promise<{ userId: string; key: string }[]> {
  return prisma.$queryRaw(Prisma.sql`
    SELECT user_id AS "userId", coalesce(held_key, '') AS key FROM provider_gates WHERE held_error IS NOT NULL
    ORDER BY user_id LIMIT ${limit}::int`);
}

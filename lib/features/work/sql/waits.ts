import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import {
  BACKOFF_CAP_SECONDS,
  BACKOFF_LATE_CAP_SECONDS,
  BACKOFF_LATE_SECONDS,
  MAX_LIMITED_SECONDS,
  QUIET_SECONDS,
  TURN_SECONDS,
} from "@/lib/features/work/rules";
import { HAS_RUN } from "@/lib/features/work/sql/moves";

/**
 * What a user's items wait for together: a provider's limit, after which one item at a time may try, or the user, who has to deal
 * with a refused key or has paused the queue.
 */

/** SQL value: the end of a turn that begins or is extended now. */
export const TURN_ENDS = Prisma.sql`now() + make_interval(secs => ${TURN_SECONDS}::int)`;

/** SQL condition: the limit's time of the wait `w` has passed, and nobody tries. */
export const isTurnFree = Prisma.sql`(w.not_before <= now() AND (w.taker_until IS NULL OR w.taker_until <= now()))`;

/** SQL condition: nothing of the user of item `q` may begin until the user acts. */
export const isHeldSql = Prisma.sql`EXISTS (SELECT 1 FROM provider_waits w
  WHERE w.user_id = q.user_id AND (w.held_reason IS NOT NULL OR w.paused_at IS NOT NULL))`;

/** A call that the provider limited. `toldSeconds` is what it says, 0 if nothing. `begunAt` is the claim's. */
export type Limited = { userId: string; begunAt: string; toldSeconds: number };

/** `isOver`: for a day there was no success. `limitedUntil` is the end of a long limit. */
export type LimitState = { waitSeconds: number; limitedUntil: Date | null; isOver: boolean; liveItems: number };

/**
 * Notes a limit. A call that began after the last one was noted raises the back-off; one that was under way then only extends the
 * wait, which ends after a day without a success.
 */
export async function noteLimit({ userId, begunAt, toldSeconds }: Limited): Promise<LimitState> {
  const isNew = Prisma.sql`(w.limited_at IS NULL OR ${begunAt}::timestamptz > w.limited_at)`;
  const isQuiet = Prisma.sql`(w.not_before IS NULL AND w.limited_at < ${before(QUIET_SECONDS)})`;
  const level = Prisma.sql`CASE WHEN NOT ${isNew} THEN w.level WHEN ${isQuiet} THEN 1 ELSE w.level + 1 END`;
  const cap = Prisma.sql`CASE WHEN w.limited_since < ${before(BACKOFF_LATE_SECONDS)} THEN ${BACKOFF_LATE_CAP_SECONDS}::int
    ELSE ${BACKOFF_CAP_SECONDS}::int END`;
  const backoff = Prisma.sql`CASE WHEN ${isNew} THEN least(power(2, least(${level}, 20) - 1), ${cap}) ELSE 0 END`;
  const until = (seconds: Prisma.Sql) =>
    Prisma.sql`now() + make_interval(secs => greatest(${toldSeconds}::float8, ${seconds}))`;
  const day = Prisma.sql`make_interval(secs => ${MAX_LIMITED_SECONDS}::int)`;
  const dayEnds = Prisma.sql`CASE WHEN w.limited_since + ${day} > now() THEN w.limited_since ELSE now() END + ${day}`;
  const [state] = await prisma.$queryRaw<[LimitState]>(Prisma.sql`
    INSERT INTO provider_waits AS w (user_id, level, not_before, limited_since, limited_at, limited_until)
    VALUES (${userId}::uuid, 1, least(${until(Prisma.sql`1`)}, now() + ${day}), now(), now(),
      CASE WHEN ${toldSeconds}::float8 > ${BACKOFF_CAP_SECONDS}::int THEN ${until(Prisma.sql`0`)} END)
    ON CONFLICT (user_id) DO UPDATE SET level = ${level},
      not_before = greatest(w.not_before, least(${dayEnds}, ${until(backoff)})),
      limited_since = coalesce(w.limited_since, now()), limited_at = CASE WHEN ${isNew} THEN now() ELSE w.limited_at END,
      limited_until = greatest(w.limited_until, excluded.limited_until), taker_until = CASE WHEN NOT ${isNew} THEN w.taker_until END
    RETURNING greatest(0, extract(epoch FROM not_before - now()))::float8 AS "waitSeconds",
      CASE WHEN limited_until > now() THEN limited_until END AS "limitedUntil",
      limited_since <= ${before(MAX_LIMITED_SECONDS)} AS "isOver",
      (SELECT count(*)::int FROM processing_queue q WHERE q.user_id = ${userId}::uuid AND q.completed_at IS NULL AND ${HAS_RUN}) AS "liveItems"`);
  return state;
}

const before = (seconds: number) => Prisma.sql`now() - make_interval(secs => ${seconds}::int)`;

/** Starts a new day of limits, for what is queued from now on. */
export async function restartLimitDay(userId: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`UPDATE provider_waits SET limited_since = now() WHERE user_id = ${userId}::uuid`);
}

/** SQL condition: the turn of the taker whose call began then has not passed to another. */
const isTurnOf = ({ userId, begunAt }: Turn) => Prisma.sql`w.user_id = ${userId}::uuid AND w.taker_until IS NOT NULL
  AND (w.limited_at IS NULL OR w.limited_at < ${begunAt}::timestamptz)`;

/** An item's turn at the provider, by the claim that took it. */
export type Turn = { userId: string; begunAt: string };

/** Keeps the others waiting while the taker's call is under way. */
export async function extendTurn(turn: Turn): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`UPDATE provider_waits w SET taker_until = ${TURN_ENDS} WHERE ${isTurnOf(turn)}`);
}

/** The taker was answered: the limit is over. The back-off is halved, not forgotten. */
export async function endLimit(turn: Turn): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE provider_waits w SET not_before = NULL, taker_until = NULL, limited_since = NULL, limited_until = NULL, level = w.level / 2
    WHERE ${isTurnOf(turn)}`);
}

/** The taker failed for another reason than the limit: the next item tries. */
export async function passTurn(turn: Turn): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`UPDATE provider_waits w SET taker_until = NULL WHERE ${isTurnOf(turn)}`);
}

/** Holds a user's items until the user has dealt with `reason`; `key` is the fingerprint of the key and the model it is about. */
export async function hold(userId: string, { reason, key }: { reason: string; key: string }): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    INSERT INTO provider_waits (user_id, held_reason, held_key) VALUES (${userId}::uuid, ${reason}, ${key})
    ON CONFLICT (user_id) DO UPDATE SET held_reason = excluded.held_reason, held_key = excluded.held_key, not_before = NULL,
      taker_until = NULL`);
}

/** Ends a hold; one item at a time tries until one succeeds. False: there was none. */
export async function release(userId: string): Promise<boolean> {
  const released = await prisma.$executeRaw(Prisma.sql`
    UPDATE provider_waits SET held_reason = NULL, held_key = NULL, not_before = now(), taker_until = NULL
    WHERE user_id = ${userId}::uuid AND held_reason IS NOT NULL`);
  return released > 0;
}

/** Pauses a user's queue, which may be paused already; returns since when. */
export async function pause(userId: string): Promise<Date> {
  const [{ pausedAt }] = await prisma.$queryRaw<[{ pausedAt: Date }]>(Prisma.sql`
    INSERT INTO provider_waits AS w (user_id, paused_at) VALUES (${userId}::uuid, now())
    ON CONFLICT (user_id) DO UPDATE SET paused_at = coalesce(w.paused_at, now()) RETURNING paused_at AS "pausedAt"`);
  return pausedAt;
}

/** Ends a user's pause, whose time is not one of limits without a success. */
export async function resume(userId: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE provider_waits SET paused_at = NULL, limited_since = limited_since + (now() - greatest(paused_at, limited_since))
    WHERE user_id = ${userId}::uuid AND paused_at IS NOT NULL`);
}

/** Users whose items are held, with the fingerprint of the key and the model each is held for. */
export function selectHeld(limit: number): Promise<{ userId: string; key: string }[]> {
  return prisma.$queryRaw(Prisma.sql`
    SELECT user_id AS "userId", coalesce(held_key, '') AS key FROM provider_waits WHERE held_reason IS NOT NULL
    ORDER BY user_id LIMIT ${limit}::int`);
}

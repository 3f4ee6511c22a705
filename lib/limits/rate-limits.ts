import "server-only";
import { createHmac } from "node:crypto";
import { Prisma, prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { AppError, CALL_MESSAGES, tryAgainIn } from "@/lib/errors";
import { SHARED_ADDRESS } from "@/lib/limits/address";
import { STRANGERS_FACTOR } from "@/lib/limits/bounds";

type Rule = {
  max: number;
  seconds: number;
  /** Counted per address. */
  address?: true;
  /** What a user reads before the time that is left. */
  message?: string;
};

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** We count in Postgres, so that all processes share one count. */
const RULES = {
  loginAccountAddress: { max: 10, seconds: 15 * MINUTE },
  loginAccount: { max: 50, seconds: HOUR },
  loginAddress: { max: 100, seconds: HOUR, address: true },
  /** A known browser has its own count. */
  loginDevice: { max: 10, seconds: 15 * MINUTE },
  /**
   * NIST SP 800-63B's maximum of failures in a row; beyond it the browser counts as unknown. Each sign-in resets it.
   */
  loginDeviceInAll: { max: 100, seconds: 365 * DAY },
  /** Wrong passwords while signed in, per session and per account. */
  proofSession: { max: 10, seconds: 15 * MINUTE },
  proofAccount: { max: 50, seconds: HOUR },
  registerAddress: { max: 20, seconds: HOUR, address: true },
  resetAccount: { max: 3, seconds: HOUR },
  /** The limit of a known browser for one account, once strangers have used up the account's. */
  resetDevice: { max: 3, seconds: HOUR },
  /** All browsers known to an account get two browsers' worth: stolen cookies cannot flood its owner with mails. */
  resetDevicesOfAccount: { max: 6, seconds: HOUR },
  resetAddress: { max: 20, seconds: HOUR, address: true },
  resetConfirmAddress: { max: 20, seconds: HOUR, address: true },
  idTokenAddress: { max: 100, seconds: HOUR, address: true },
  /** Each calls Google; a sign-in takes two. */
  googleAddress: { max: 200, seconds: HOUR, address: true },
  accountNames: { max: 20, seconds: HOUR },
  ai: { max: 30, seconds: MINUTE, message: CALL_MESSAGES.aiAskedOften },
  export: { max: 10, seconds: HOUR },
  /**
   * Connections and their tests, lists of categories and comparisons of live posts: each calls a site several times, or renders
   * texts.
   * Screens keep a list for five minutes.
   */
  site: { max: 30, seconds: MINUTE, message: CALL_MESSAGES.siteAskedOften },
  /** Starts, joined calls and retries of publishing jobs: each writes a row for every piece of a project. */
  publishing: { max: 30, seconds: MINUTE, message: CALL_MESSAGES.publishingStartedOften },
  /** Items of jobs, each a row of the queue. */
  items: { max: 100_000, seconds: DAY, message: CALL_MESSAGES.itemsQueued },
  /** Each reads all rows of a user, 0.1 s of 2 GiB; between them the count is at most too high. */
  recount: { max: 6, seconds: MINUTE },
} as const satisfies Record<string, Rule>;

export type LimitName = keyof typeof RULES;
/** `count`: how many hits it is, 1 by default. */
export type LimitKey = { name: LimitName; subject: string; count?: number };

/**
 * Counts each in turn, narrowest first; throws RATE_LIMITED with the seconds to wait at the first that is used up. A
 * rejected call counts nowhere: otherwise one address could use up another user's limit, or retries their own.
 */
export async function consumeLimits(...hits: LimitKey[]): Promise<void> {
  for (const [at, hit] of hits.entries()) {
    if (await tryLimit(hit)) continue;
    await refundLimits(...hits.slice(0, at));
    throw tooMany(hit, await secondsLeft([hit]));
  }
}

/** Checks without counting. Throws RATE_LIMITED. */
export async function assertWithinLimits(...hits: LimitKey[]): Promise<void> {
  const seconds = await secondsLeft(hits);
  if (seconds !== undefined) throw tooMany(hits[0], seconds);
}

export async function isLimitReached(hit: LimitKey): Promise<boolean> {
  return (await secondsLeft([hit])) !== undefined;
}

/**
 * Counts before `attempt` runs and refunds when it returns true: only failures stay counted, and concurrent attempts
 * cannot exceed the limit.
 */
export async function consumeOnFailure(hits: LimitKey[], attempt: () => Promise<boolean>): Promise<boolean> {
  await consumeLimits(...hits);
  const succeeded = await attempt();
  if (succeeded) await refundLimits(...hits);
  return succeeded;
}

export async function refundLimits(...hits: LimitKey[]): Promise<void> {
  if (hits.length === 0) return;
  const keys = hits.map(keyOf);
  const counts = hits.map(({ count = 1 }) => count);
  // Lock in one order: two sign-ins at once could otherwise deadlock.
  await prisma.$executeRaw(Prisma.sql`
    UPDATE rate_limits r SET hits = greatest(r.hits - counted.count, 0)
    FROM (SELECT l.key, hit.count FROM rate_limits l JOIN unnest(${keys}::text[], ${counts}::int[]) AS hit (key, count) USING (key)
      ORDER BY l.key FOR UPDATE OF l) counted WHERE r.key = counted.key`);
}

/** Resets the limits: after a password reset, the owner may sign in at once. */
export async function resetLimits(...hits: LimitKey[]): Promise<void> {
  const keys = hits.map(keyOf);
  await prisma.$executeRaw(Prisma.sql`DELETE FROM rate_limits WHERE key = ANY(${keys})`);
}

/** Counts. Returns false when the limit is used up; the count then stays as it is. */
export async function tryLimit(hit: LimitKey): Promise<boolean> {
  const seconds = RULES[hit.name].seconds;
  const { count = 1 } = hit;
  const max = allowed(hit);
  if (max < count) return false;
  const counted = await prisma.$executeRaw(Prisma.sql`
    INSERT INTO rate_limits AS r (key, hits, expires_at) VALUES (${keyOf(hit)}, ${count}::int, now() + make_interval(secs => ${seconds}))
    ON CONFLICT (key) DO UPDATE SET
      hits = CASE WHEN r.expires_at <= now() THEN ${count}::int ELSE r.hits + ${count}::int END,
      expires_at = CASE WHEN r.expires_at <= now() THEN excluded.expires_at ELSE r.expires_at END
    WHERE r.expires_at <= now() OR r.hits + ${count}::int <= ${max}`);
  return counted > 0;
}

/** The seconds until none is used up; undefined when none is. */
async function secondsLeft(hits: LimitKey[]): Promise<number | undefined> {
  const keys = hits.map(keyOf);
  const maxima = hits.map((hit) => allowed(hit) - (hit.count ?? 1));
  const [row] = await prisma.$queryRaw<{ seconds: number | null }[]>(Prisma.sql`
    SELECT ceil(extract(epoch FROM max(r.expires_at) - now()))::int AS seconds
    FROM rate_limits r JOIN unnest(${keys}::text[], ${maxima}::float8[]) AS asked (key, max) USING (key)
    WHERE r.expires_at > now() AND r.hits > asked.max`);
  return row?.seconds ?? undefined;
}

function tooMany(hit: LimitKey | undefined, seconds = 1): AppError {
  const rule: Rule | undefined = hit && RULES[hit.name];
  const message = `${rule?.message ?? CALL_MESSAGES.triedOften} ${tryAgainIn(seconds)}`;
  return new AppError("RATE_LIMITED", { message, retryAfter: seconds });
}

function allowed({ name, subject }: LimitKey): number {
  const rule: Rule = RULES[name];
  const shared = rule.address && subject === SHARED_ADDRESS;
  return rule.max * env.RATE_LIMIT_SCALE * (shared ? STRANGERS_FACTOR : 1);
}

/** The key is an HMAC: the table reveals neither accounts nor addresses. */
function keyOf({ name, subject }: LimitKey): string {
  return createHmac("sha256", env.AUTH_SECRET ?? "local")
    .update(`${name}\0${subject}`)
    .digest("base64url");
}

/** Deletes expired counts; called by the scheduled sweep. */
export async function pruneLimits(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`DELETE FROM rate_limits WHERE expires_at < now()`);
}

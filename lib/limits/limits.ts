import "server-only";
import { createHmac } from "node:crypto";
import { Prisma, prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { SHARED_ADDRESS } from "@/lib/limits/address";

type Rule = {
  max: number;
  seconds: number;
  /** Counts an address alone. */
  address?: true;
};

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** How often a thing may happen. Counted in Postgres, so that all processes share one count. */
const RULES = {
  loginAccountAddress: { max: 10, seconds: 15 * MINUTE },
  loginAccount: { max: 50, seconds: HOUR },
  loginAddress: { max: 100, seconds: HOUR, address: true },
  /** A browser that the account knows, by itself. */
  loginDevice: { max: 10, seconds: 15 * MINUTE },
  /** As many failures in a row as NIST SP 800-63B allows; after them it is a stranger's. Each sign-in starts a new count. */
  loginDeviceInAll: { max: 100, seconds: 365 * DAY },
  /** Wrong passwords of somebody signed in, by session and by account. */
  proofSession: { max: 10, seconds: 15 * MINUTE },
  proofAccount: { max: 50, seconds: HOUR },
  registerAddress: { max: 20, seconds: HOUR, address: true },
  resetAccount: { max: 3, seconds: HOUR },
  resetAddress: { max: 20, seconds: HOUR, address: true },
  resetConfirmAddress: { max: 20, seconds: HOUR, address: true },
  idTokenAddress: { max: 100, seconds: HOUR, address: true },
  /** Each asks Google something; a whole sign-in is two. */
  googleAddress: { max: 200, seconds: HOUR, address: true },
  /** Changes of username or e-mail. */
  accountNames: { max: 20, seconds: HOUR },
  ai: { max: 30, seconds: MINUTE },
  export: { max: 10, seconds: HOUR },
} as const satisfies Record<string, Rule>;

export type LimitName = keyof typeof RULES;
export type Hit = { name: LimitName; subject: string };

/** While all clients share one address its limit is ten times as wide. */
const SHARED_FACTOR = 10;

/**
 * Counts these in turn, the narrowest first; RATE_LIMITED with the seconds to wait at the first that is used up. A refused
 * try counts nowhere: nobody could otherwise use up another's limit from one address, or their own by knocking on.
 */
export async function countHits(...hits: Hit[]): Promise<void> {
  for (const [at, hit] of hits.entries()) {
    if (await count(hit)) continue;
    await forgiveHits(...hits.slice(0, at));
    throw tooMany(await secondsLeft([hit]));
  }
}

/** Looks without counting: RATE_LIMITED when one of these is used up. */
export async function refuseUsedUp(...hits: Hit[]): Promise<void> {
  const seconds = await secondsLeft(hits);
  if (seconds !== undefined) throw tooMany(seconds);
}

/** Is this limit used up? */
export async function isUsedUp(hit: Hit): Promise<boolean> {
  return (await secondsLeft([hit])) !== undefined;
}

/**
 * Counts while `attempt` runs and takes it back when that answers true: failures alone stay counted, and of many at once
 * no more run than may fail.
 */
export async function countFailure(hits: Hit[], attempt: () => Promise<boolean>): Promise<boolean> {
  await countHits(...hits);
  const succeeded = await attempt();
  if (succeeded) await forgiveHits(...hits);
  return succeeded;
}

/** Takes counted hits back: a sign-in that succeeded was not a failure. */
export async function forgiveHits(...hits: Hit[]): Promise<void> {
  if (hits.length === 0) return;
  const keys = hits.map(keyOf);
  // Locked in one order: two sign-ins at once would otherwise wait for each other.
  await prisma.$executeRaw(Prisma.sql`
    UPDATE rate_limits r SET hits = greatest(r.hits - 1, 0)
    FROM (SELECT key FROM rate_limits WHERE key = ANY(${keys}) ORDER BY key FOR UPDATE) counted WHERE r.key = counted.key`);
}

/** Forgets what was counted: a person who chose a new password may use it at once. */
export async function clearHits(...hits: Hit[]): Promise<void> {
  const keys = hits.map(keyOf);
  await prisma.$executeRaw(Prisma.sql`DELETE FROM rate_limits WHERE key = ANY(${keys})`);
}

/** Answers whether it was counted; a limit that is used up is left as it is. */
async function count(hit: Hit): Promise<boolean> {
  const seconds = RULES[hit.name].seconds;
  const max = allowed(hit);
  if (max < 1) return false;
  const counted = await prisma.$executeRaw(Prisma.sql`
    INSERT INTO rate_limits AS r (key, hits, expires_at) VALUES (${keyOf(hit)}, 1, now() + make_interval(secs => ${seconds}))
    ON CONFLICT (key) DO UPDATE SET
      hits = CASE WHEN r.expires_at <= now() THEN 1 ELSE r.hits + 1 END,
      expires_at = CASE WHEN r.expires_at <= now() THEN excluded.expires_at ELSE r.expires_at END
    WHERE r.expires_at <= now() OR r.hits + 1 <= ${max}`);
  return counted > 0;
}

/** Until none of these is used up any more; undefined when none is. */
async function secondsLeft(hits: Hit[]): Promise<number | undefined> {
  const keys = hits.map(keyOf);
  const maxima = hits.map(allowed);
  const [row] = await prisma.$queryRaw<{ seconds: number | null }[]>(Prisma.sql`
    SELECT ceil(extract(epoch FROM max(r.expires_at) - now()))::int AS seconds
    FROM rate_limits r JOIN unnest(${keys}::text[], ${maxima}::float8[]) AS asked (key, max) USING (key)
    WHERE r.expires_at > now() AND r.hits + 1 > asked.max`);
  return row?.seconds ?? undefined;
}

function tooMany(seconds = 1): AppError {
  return new AppError("RATE_LIMITED", { retryAfter: Math.max(1, seconds) });
}

function allowed({ name, subject }: Hit): number {
  const rule: Rule = RULES[name];
  const shared = rule.address && subject === SHARED_ADDRESS;
  return rule.max * env.RATE_LIMIT_SCALE * (shared ? SHARED_FACTOR : 1);
}

/** An HMAC: neither an account nor an address can be read back from the table. */
function keyOf({ name, subject }: Hit): string {
  return createHmac("sha256", env.AUTH_SECRET ?? "local")
    .update(`${name}\0${subject}`)
    .digest("base64url");
}

/** Removes counts that have run out; called by the scheduled sweep. */
export async function pruneLimits(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`DELETE FROM rate_limits WHERE expires_at < now()`);
}

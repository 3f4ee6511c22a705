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

/** How often a thing may happen. Counted in Postgres, so that all processes share one count. */
const RULES = {
  loginAccountAddress: { max: 10, seconds: 15 * MINUTE },
  loginAccount: { max: 50, seconds: HOUR },
  loginAddress: { max: 100, seconds: HOUR, address: true },
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
 * Counts these in turn, the narrowest first; RATE_LIMITED with the seconds to wait at the first that is over its limit.
 * What was refused there does not count in the wider ones: nobody could otherwise use up another's from one address.
 */
export async function countHits(...hits: Hit[]): Promise<void> {
  for (const hit of hits) {
    const { hits: counted, seconds } = await count(hit);
    if (counted > allowed(hit)) throw new AppError("RATE_LIMITED", { retryAfter: Math.max(1, seconds) });
  }
}

/** Takes a counted hit back: a sign-in that succeeded was not a failure. */
export async function forgiveHits(...hits: Hit[]): Promise<void> {
  const keys = hits.map(keyOf);
  // Locked in one order: two sign-ins at once would otherwise wait for each other.
  await prisma.$executeRaw(Prisma.sql`
    UPDATE rate_limits r SET hits = greatest(r.hits - 1, 0)
    FROM (SELECT key FROM rate_limits WHERE key = ANY(${keys}) ORDER BY key FOR UPDATE) counted WHERE r.key = counted.key`);
}

/** Forgets what was counted: whoever chose a new password may use it at once. */
export async function clearHits(...hits: Hit[]): Promise<void> {
  const keys = hits.map(keyOf);
  await prisma.$executeRaw(Prisma.sql`DELETE FROM rate_limits WHERE key = ANY(${keys})`);
}

async function count(hit: Hit): Promise<{ hits: number; seconds: number }> {
  const seconds = RULES[hit.name].seconds;
  const [row] = await prisma.$queryRaw<{ hits: number; seconds: number }[]>(Prisma.sql`
    INSERT INTO rate_limits AS r (key, hits, expires_at) VALUES (${keyOf(hit)}, 1, now() + make_interval(secs => ${seconds}))
    ON CONFLICT (key) DO UPDATE SET
      hits = CASE WHEN r.expires_at <= now() THEN 1 ELSE r.hits + 1 END,
      expires_at = CASE WHEN r.expires_at <= now() THEN excluded.expires_at ELSE r.expires_at END
    RETURNING hits, ceil(extract(epoch FROM expires_at - now()))::int AS seconds`);
  return row ?? { hits: 0, seconds: 0 };
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

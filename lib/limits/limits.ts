import "server-only";
import { createHmac } from "node:crypto";
import { Prisma, prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { SHARED_ADDRESS } from "@/lib/limits/address";

type Rule = { max: number; seconds: number };

const MINUTE = 60;
const HOUR = 3600;

/** How often a thing may happen. Counted in Postgres, so that all processes share one count. */
const RULES = {
  loginAccountAddress: { max: 10, seconds: 15 * MINUTE },
  loginAccount: { max: 50, seconds: HOUR },
  loginAddress: { max: 100, seconds: HOUR },
  registerAddress: { max: 20, seconds: HOUR },
  ai: { max: 30, seconds: MINUTE },
} as const satisfies Record<string, Rule>;

export type LimitName = keyof typeof RULES;
export type Hit = { name: LimitName; subject: string };

/** While all clients share one address its limit is ten times as wide. */
const SHARED_FACTOR = 10;

/** Counts each of these once; RATE_LIMITED with the seconds to wait when one is over its limit. */
export async function countHits(...hits: Hit[]): Promise<void> {
  const rows = await Promise.all(hits.map((hit) => count(hit, 1)));
  const over = rows.flatMap((row, index) => {
    const hit = hits[index];
    return hit && row.hits > allowed(hit) ? [row.seconds] : [];
  });
  if (over.length > 0) throw new AppError("RATE_LIMITED", { retryAfter: Math.max(1, ...over) });
}

/** Takes a counted hit back: a sign-in that succeeded was not a failure. */
export async function forgiveHits(...hits: Hit[]): Promise<void> {
  const keys = hits.map(keyOf);
  await prisma.$executeRaw(Prisma.sql`UPDATE rate_limits SET hits = greatest(hits - 1, 0) WHERE key = ANY(${keys})`);
}

async function count(hit: Hit, by: number): Promise<{ hits: number; seconds: number }> {
  const seconds = RULES[hit.name].seconds;
  const [row] = await prisma.$queryRaw<{ hits: number; seconds: number }[]>(Prisma.sql`
    INSERT INTO rate_limits AS r (key, hits, expires_at) VALUES (${keyOf(hit)}, ${by}, now() + make_interval(secs => ${seconds}))
    ON CONFLICT (key) DO UPDATE SET
      hits = CASE WHEN r.expires_at <= now() THEN ${by} ELSE r.hits + ${by} END,
      expires_at = CASE WHEN r.expires_at <= now() THEN excluded.expires_at ELSE r.expires_at END
    RETURNING hits, ceil(extract(epoch FROM expires_at - now()))::int AS seconds`);
  return row ?? { hits: 0, seconds: 0 };
}

function allowed({ name, subject }: Hit): number {
  const shared = subject.endsWith(SHARED_ADDRESS) && name !== "loginAccountAddress";
  return RULES[name].max * env.RATE_LIMIT_SCALE * (shared ? SHARED_FACTOR : 1);
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

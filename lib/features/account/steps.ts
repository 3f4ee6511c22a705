import "server-only";
import { pruneAuditEvents } from "@/lib/audit/audit";
import { Prisma, prisma } from "@/lib/db/prisma";
import { pruneKeys } from "@/lib/idempotency/sql";
import { pruneLeases } from "@/lib/lease/lease";

/** Signed-in browsers and programs of a user. Whoever signs in more often loses the oldest session. */
export const MAX_SESSIONS = 1_000;

/**
 * Deletes sessions and reset links a day after they expired, failed sign-ins under unknown names after 30 days, old
 * idempotency keys, and expired leases that no cascade deletes. The scheduled sweep calls it.
 */
export async function pruneExpired(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`DELETE FROM sessions WHERE expires < now() - interval '1 day'`);
  await pruneSessions();
  await prisma.$executeRaw(Prisma.sql`DELETE FROM password_resets WHERE expires < now() - interval '1 day'`);
  await pruneAuditEvents();
  await pruneKeys();
  await pruneLeases();
}

/** Keeps each user's newest sessions. */
async function pruneSessions(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    DELETE FROM sessions WHERE id IN (
      SELECT old.id FROM (SELECT user_id FROM sessions GROUP BY user_id HAVING count(*) > ${MAX_SESSIONS}) many,
        LATERAL (SELECT s.id FROM sessions s WHERE s.user_id = many.user_id
                 ORDER BY s.created_at DESC, s.id DESC OFFSET ${MAX_SESSIONS}) old)`);
}

import "server-only";
import { pruneAuditEvents } from "@/lib/audit/audit";
import { Prisma, prisma } from "@/lib/db/prisma";
import { pruneKeys } from "@/lib/idempotency/sql";
import { pruneLeases } from "@/lib/lease/lease";

/**
 * Deletes sessions and reset links a day after they expired, failed sign-ins under unknown names after 30 days, old
 * idempotency keys, and expired leases that no cascade deletes. The scheduled sweep calls it.
 */
export async function pruneExpired(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`DELETE FROM sessions WHERE expires < now() - interval '1 day'`);
  await prisma.$executeRaw(Prisma.sql`DELETE FROM password_resets WHERE expires < now() - interval '1 day'`);
  await pruneAuditEvents();
  await pruneKeys();
  await pruneLeases();
}

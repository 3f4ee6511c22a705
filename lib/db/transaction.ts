import "server-only";
import { type Db, prisma } from "@/lib/db/prisma";
import { againAfterDeadlock } from "@/lib/utils/database";

/** How long a transaction waits for a connection, in milliseconds: as long as one may take to open (pool.ts). */
const MAX_WAIT_MS = 5_000;
/** How long it may take: longer than any one statement (time-limits.ts), which ends with the better reason. */
const TIMEOUT_MS = 15_000;

/**
 * Runs `work` in one transaction: a check, the write that rests on it and its audit event happen together or not at all.
 * After a deadlock it runs again, so it touches nothing but the database, and that only through `db`.
 */
export function transaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
  return againAfterDeadlock(() => prisma.$transaction(work, { maxWait: MAX_WAIT_MS, timeout: TIMEOUT_MS }));
}

import "server-only";
import { type Db, prisma } from "@/lib/db/prisma";
import { retryOnDeadlock } from "@/lib/db/retry";

/** The time that a connection may take to open (pool.ts). */
const MAX_WAIT_MS = 5_000;
/** This is longer than any one statement (statement-timeout.ts), whose error says more. */
const TIMEOUT_MS = 15_000;

/**
 * Runs `work` in one transaction: a check, the write that depends on it and its audit event. It is retried after a
 * deadlock, so it must touch nothing but the database, through `db`.
 */
export function transaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
  return retryOnDeadlock(() => prisma.$transaction(work, { maxWait: MAX_WAIT_MS, timeout: TIMEOUT_MS }));
}

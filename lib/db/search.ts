import "server-only";
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { cancelStatement } from "@/lib/db/cancel";
import { pool } from "@/lib/db/pool";
import type { Prisma } from "@/lib/db/prisma";
import { acquireSearchSlot, tooManySearches } from "@/lib/db/search-slots";
import { isQueryCancelled } from "@/lib/db/statement-timeout";
import { AppError } from "@/lib/errors";

const SEARCH_MS = 2_000;
/** A newer search of the same person may cancel it only after this. */
const MIN_RUN_MS = 500;
/** How long to wait for the person's searches in other processes, and how often to check. */
const MAX_WAIT_MS = 1_500;
const POLL_MS = 50;

/**
 * Runs a search: two per person over all processes, two seconds each, on part of the pool. A newer search cancels the
 * person's oldest once that has had half a second. Aborting `signal` cancels the statement. Throws SEARCH_TOO_BROAD
 * when time is up, RATE_LIMITED when cancelled for a newer search or too many of the person's wait, SERVICE_UNAVAILABLE
 * when too many wait in all.
 */
export async function runSearch<Row extends pg.QueryResultRow>(
  userId: string,
  search: Prisma.Sql,
  signal?: AbortSignal,
): Promise<Row[]> {
  const locks = lockKeysOf(userId);
  const releaseSlot = await acquireSearchSlot(userId, () => cancelOldest(pool, locks), signal);
  try {
    const client = await pool.connect();
    let isClean = false;
    try {
      await takeLock(client, locks, signal);
      const rows = await readRows<Row>(client, search, signal);
      await client.query("COMMIT");
      isClean = true;
      return rows;
    } catch (error) {
      isClean = await client.query("ROLLBACK").then(
        () => true,
        () => false,
      );
      throw error;
    } finally {
      // A late cancel must not hit the next statement on this connection.
      client.release(!isClean || signal?.aborted);
    }
  } finally {
    releaseSlot();
  }
}

/** Advisory lock keys, one per search a person may run. */
type LockKeys = [string, string];

function lockKeysOf(userId: string): LockKeys {
  const keys = createHash("sha256").update(`search ${userId}`).digest();
  return [keys.readBigInt64BE(0).toString(), keys.readBigInt64BE(8).toString()];
}

/** Begins the transaction that holds one of the person's locks; one round trip if one is free. */
async function takeLock(client: pg.ClientBase, locks: LockKeys, signal: AbortSignal | undefined): Promise<void> {
  const [one, other] = locks;
  const take = `SELECT CASE WHEN pg_try_advisory_xact_lock(${one}) THEN true
    ELSE pg_try_advisory_xact_lock(${other}) END AS taken`;
  const begun = await client.query(`BEGIN; SET LOCAL statement_timeout = ${SEARCH_MS}; ${take}`);
  // Several statements in one query have several results.
  let result = (begun as unknown as pg.QueryResult[]).at(-1);
  for (const began = performance.now(); !result?.rows[0]?.taken; result = await client.query(take)) {
    if (signal?.aborted || performance.now() - began > MAX_WAIT_MS) throw tooManySearches();
    await cancelOldest(client, locks);
    await pause(POLL_MS);
  }
}

/** Cancels the person's oldest search, once it has had its time. */
async function cancelOldest(db: Pick<pg.ClientBase, "query">, locks: LockKeys): Promise<void> {
  await db.query(
    `SELECT pg_cancel_backend(pid) FROM (
       SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
       WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND (l.classid::bigint << 32) | l.objid::bigint = ANY ($1::bigint[])
         AND a.state = 'active' AND a.query_start < clock_timestamp() - $2::int * interval '1 millisecond'
       ORDER BY a.query_start LIMIT 1) oldest`,
    [locks, MIN_RUN_MS],
  );
}

async function readRows<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  { text, values }: Prisma.Sql,
  signal: AbortSignal | undefined,
): Promise<Row[]> {
  const began = performance.now();
  const cancel = () => cancelStatement(client);
  if (signal?.aborted) throw tooManySearches();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    return (await client.query<Row>(text, values)).rows;
  } catch (error) {
    if (!isQueryCancelled(error)) throw error;
    throw performance.now() - began >= SEARCH_MS ? new AppError("SEARCH_TOO_BROAD") : tooManySearches();
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

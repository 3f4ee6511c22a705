import "server-only";
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { cancelStatement } from "@/lib/db/cancel";
import { pool } from "@/lib/db/pool";
import type { Prisma } from "@/lib/db/prisma";
import { enterSearchLine, tooManyOwn } from "@/lib/db/search-line";
import { isCancelledError } from "@/lib/db/time-limits";
import { AppError } from "@/lib/errors";

/** How long a search may take, in milliseconds. */
const SEARCH_MS = 2_000;
/** How long it is safe from a newer one of the same person. */
const UNDISTURBED_MS = 500;
/** How long one waits for those of the person that other processes run, and how often it looks. */
const MAX_WAIT_MS = 1_500;
const LOOK_MS = 50;

/**
 * Runs a person's search: two of a person at most over all processes, two seconds each, on a part of the pool. A newer one
 * ends the person's oldest that has had its half second. Aborting `signal` cancels the statement.
 * Throws SEARCH_TOO_BROAD when the time is up, RATE_LIMITED when it was ended for a newer one or when too many of the
 * person's wait, SERVICE_UNAVAILABLE when too many of everybody's do.
 */
export async function runSearch<Row extends pg.QueryResultRow>(
  userId: string,
  search: Prisma.Sql,
  signal?: AbortSignal,
): Promise<Row[]> {
  const places = placesOf(userId);
  const leaveLine = await enterSearchLine(userId, () => endOldest(pool, places), signal);
  try {
    const client = await pool.connect();
    let isClean = false;
    try {
      await takePlace(client, places, signal);
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
      // A cancelling that comes late must not meet the next statement of this connection.
      client.release(!isClean || signal?.aborted);
    }
  } finally {
    leaveLine();
  }
}

/** Keys of advisory locks, one for each search that a person may have running. */
type Places = [string, string];

function placesOf(userId: string): Places {
  const keys = createHash("sha256").update(`search ${userId}`).digest();
  return [keys.readBigInt64BE(0).toString(), keys.readBigInt64BE(8).toString()];
}

/** Begins the transaction that holds one of the person's places to its end, in one round trip if one is free. */
async function takePlace(client: pg.ClientBase, places: Places, signal: AbortSignal | undefined): Promise<void> {
  const [one, other] = places;
  const take = `SELECT CASE WHEN pg_try_advisory_xact_lock(${one}) THEN true
    ELSE pg_try_advisory_xact_lock(${other}) END AS taken`;
  const begun = await client.query(`BEGIN; SET LOCAL statement_timeout = ${SEARCH_MS}; ${take}`);
  // Several statements in one have several results.
  let result = (begun as unknown as pg.QueryResult[]).at(-1);
  for (const began = performance.now(); !result?.rows[0]?.taken; result = await client.query(take)) {
    if (signal?.aborted || performance.now() - began > MAX_WAIT_MS) throw tooManyOwn();
    await endOldest(client, places);
    await pause(LOOK_MS);
  }
}

/** Cancels the search that has held one of these places longest, once it has had its time. */
async function endOldest(db: Pick<pg.ClientBase, "query">, places: Places): Promise<void> {
  await db.query(
    `SELECT pg_cancel_backend(pid) FROM (
       SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
       WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND (l.classid::bigint << 32) | l.objid::bigint = ANY ($1::bigint[])
         AND a.state = 'active' AND a.query_start < clock_timestamp() - $2::int * interval '1 millisecond'
       ORDER BY a.query_start LIMIT 1) oldest`,
    [places, UNDISTURBED_MS],
  );
}

async function readRows<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  { text, values }: Prisma.Sql,
  signal: AbortSignal | undefined,
): Promise<Row[]> {
  const began = performance.now();
  const cancel = () => cancelStatement(client);
  if (signal?.aborted) throw tooManyOwn();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    return (await client.query<Row>(text, values)).rows;
  } catch (error) {
    if (!isCancelledError(error)) throw error;
    throw performance.now() - began >= SEARCH_MS ? new AppError("SEARCH_TOO_BROAD") : tooManyOwn();
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

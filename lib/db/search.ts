import "server-only";
import type pg from "pg";
import { cancelStatement } from "@/lib/db/cancel";
import { pool } from "@/lib/db/pool";
import type { Prisma } from "@/lib/db/prisma";
import { isQueryCancelled } from "@/lib/db/statement-timeout";
import { AppError } from "@/lib/errors";
import { inSearch } from "@/lib/limits/place";
import { createDeadline } from "@/lib/utils/deadline";

const SEARCH_MS = 2_000;

/**
 * Runs a search: two of a user at once in a process, two seconds each. Aborting `signal` cancels the statement, so that
 * nobody pays for an answer that is not awaited. Throws SEARCH_TOO_BROAD when time is up, RATE_LIMITED when aborted.
 */
export async function runSearch<Row extends pg.QueryResultRow>(
  userId: string,
  search: Prisma.Sql,
  signal?: AbortSignal,
): Promise<Row[]> {
  try {
    return await inSearch(userId, () => readRows<Row>(search, signal), signal);
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new AppError("RATE_LIMITED", { message: "This search was ended. Search again.", retryAfter: 1 });
  }
}

async function readRows<Row extends pg.QueryResultRow>({ text, values }: Prisma.Sql, signal?: AbortSignal) {
  const client = await pool.connect();
  const { signal: end, clear } = createDeadline(SEARCH_MS, signal);
  const cancel = () => cancelStatement(client);
  end.addEventListener("abort", cancel, { once: true });
  try {
    return (await client.query<Row>(text, values)).rows;
  } catch (error) {
    throw isQueryCancelled(error) ? new AppError("SEARCH_TOO_BROAD") : error;
  } finally {
    clear();
    end.removeEventListener("abort", cancel);
    // A late cancel must not hit the next statement on this connection.
    client.release(end.aborted);
  }
}

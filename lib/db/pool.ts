import "server-only";
import pg from "pg";
import { DatabaseClient } from "@/lib/db/client";
import { applyStatementTimeouts } from "@/lib/db/statement-timeout";
import { timeoutSocket } from "@/lib/db/timeout-socket";
import { env } from "@/lib/env";
import { databaseConfig } from "@/lib/utils/database-address";

/** The limit per process is kind to the database even behind a pooler. */
const MAX_CONNECTIONS = 10;
/** How long users wait to learn that the database is unavailable. */
const CONNECT_TIMEOUT_MS = 5_000;

function createPool(): pg.Pool {
  const pool = new pg.Pool({
    ...databaseConfig(env.DATABASE_URL ?? "", env.DATABASE_CA),
    Client: DatabaseClient,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    stream: () => timeoutSocket(),
  });
  pool.on("connect", applyStatementTimeouts);
  return pool;
}

const globals = globalThis as unknown as { pool?: pg.Pool };

/** Shared by Prisma and the searches; survives hot reloads in development. */
export const pool = globals.pool ?? createPool();
if (env.NODE_ENV === "development") globals.pool = pool;

import "server-only";
import pg from "pg";
import { impatientSocket } from "@/lib/db/impatient-socket";
import { limitStatements } from "@/lib/db/time-limits";
import { env } from "@/lib/env";

/** Connections of one process; behind a pooler this is still kind to the database. */
const MAX_CONNECTIONS = 10;
/** A database that is away is told to the person after this long, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;

function createPool(): pg.Pool {
  const pool = new pg.Pool({
    connectionString: env.DATABASE_URL ?? "",
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    stream: () => impatientSocket(),
  });
  pool.on("connect", limitStatements);
  return pool;
}

const globals = globalThis as unknown as { pool?: pg.Pool };

/** The connections of this process, Prisma's and the searches'; kept over hot reloads in development. */
export const pool = globals.pool ?? createPool();
if (env.NODE_ENV === "development") globals.pool = pool;

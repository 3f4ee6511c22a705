import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { retryOnDeadlock } from "@/lib/db/retry";
import { databaseClient } from "@/scripts/database-client";

type Migration = { name: string; sql: string; checksum: string };
type Recorded = { migration_name: string; checksum: string; finished_at: Date | null };

export const OLDEST_POSTGRES = 15;

/** The lock key of `prisma migrate`, so that the two never run at once. */
const LOCK_KEY = 72707369;

/**
 * Applies prisma/migrations like `prisma migrate deploy` (same table, checksums and lock) without its engine, which
 * would have to be downloaded. Returns the names applied. `only` leaves the others for later. Throws if the server is too old,
 * a migration was edited or failed before, or the database holds other tables.
 */
export async function applyMigrations(
  url: string,
  folder = path.resolve("prisma/migrations"),
  only?: readonly string[],
): Promise<string[]> {
  const migrations = readMigrations(folder).filter(({ name }) => !only || only.includes(name));
  const client = databaseClient(url);
  await client.connect();
  try {
    await requireVersion(client);
    await client.query("SELECT pg_advisory_lock($1)", [LOCK_KEY]);
    await prepareTable(client);
    const recorded = await client.query<Recorded>(
      "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
    );
    const pending = migrations.filter((migration) => isPending(migration, recorded.rows));
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

/** Throws if the server is too old: our statements use what came with this version. */
async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; number: number }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number",
  );
  const [server] = rows;
  if (server && server.number >= OLDEST_POSTGRES * 10_000) return;
  throw new Error(`Content Planner needs PostgreSQL ${OLDEST_POSTGRES} or newer; this one is ${server?.version}.`);
}

/** Returns the migrations in the order they are applied. */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(folder, entry.name, "migration.sql")))
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const content = readFileSync(path.join(folder, name, "migration.sql"));
      return { name, sql: content.toString("utf8"), checksum: createHash("sha256").update(content).digest("hex") };
    });
}

async function prepareTable(client: pg.Client): Promise<void> {
  const found = await client.query<{ migrations: string | null; others: number }>(
    `SELECT to_regclass('_prisma_migrations')::text AS migrations,
       (SELECT count(*)::int FROM pg_class t WHERE t.relkind IN ('r', 'p') AND t.relnamespace = current_schema()::regnamespace
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e')) AS others`,
  );
  const state = found.rows[0];
  if (state?.migrations) return;
  if (state && state.others > 0) {
    throw new Error(
      "The database of DATABASE_URL contains tables of another application: give Content Planner an empty database.",
    );
  }
  await client.query(
    `CREATE TABLE _prisma_migrations (
       id VARCHAR(36) PRIMARY KEY NOT NULL,
       checksum VARCHAR(64) NOT NULL,
       finished_at TIMESTAMPTZ,
       migration_name VARCHAR(255) NOT NULL,
       logs TEXT,
       rolled_back_at TIMESTAMPTZ,
       started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
       applied_steps_count INTEGER NOT NULL DEFAULT 0
     )`,
  );
}

function isPending(migration: Migration, recorded: Recorded[]): boolean {
  const rows = recorded.filter((row) => row.migration_name === migration.name);
  if (rows.some((row) => row.finished_at === null)) {
    throw new Error(
      `Migration ${migration.name} failed earlier: repair the database, then run npx prisma migrate resolve --rolled-back ${migration.name}.`,
    );
  }
  if (rows.some((row) => row.checksum !== migration.checksum)) {
    throw new Error(
      `Migration ${migration.name} was edited after it was applied: revert the edit and add a new migration.`,
    );
  }
  return rows.length === 0;
}

/** Applies a migration. Processes of the release before may lock its tables in another order meanwhile: a deadlock is no failure. */
async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await retryOnDeadlock(() => applyOnce(client, migration), MAX_ATTEMPTS);
  } catch (cause) {
    await client.query("INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ($1, $2, $3, $4)", [
      randomUUID(),
      migration.checksum,
      migration.name,
      String(cause),
    ]);
    throw new Error(`Migration ${migration.name} failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

const MAX_ATTEMPTS = 10;

/** Applies a migration and records it in one transaction. */
async function applyOnce(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query("BEGIN");
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

import { randomUUID } from "node:crypto";
import pg from "pg";
import { DIRECT } from "@/tests/support/direct-rows";

/** This jest worker's database, past a pooler: migrated, emptied when the run starts, shared by the worker's suites. */
export function databaseUrl(): string {
  const { TEST_DATABASE_BASE, DATABASE_URL, TEST_POOLER_PORT } = process.env;
  if (!TEST_DATABASE_BASE || !DATABASE_URL) throw new Error("Tests with a database belong in tests/api.");
  const url = new URL(DATABASE_URL);
  if (url.port === TEST_POOLER_PORT) url.port = new URL(TEST_DATABASE_BASE).port;
  return url.href;
}

let pool: pg.Pool | undefined;

/** Runs a statement on this worker's database with a client of the tests' own. */
export async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  pool ??= newPool();
  return (await pool.query<Row>(text, values)).rows;
}

/** Empties this worker's database. Other suites have left their rows in it, some of them hundreds of megabytes. */
export async function deleteEverything(): Promise<void> {
  await query("TRUNCATE users, audit_events, rate_limits CASCADE");
}

/** Connections that nobody has to close: they do not keep jest alive and tolerate the server's end. */
function newPool(): pg.Pool {
  const made = new pg.Pool({
    connectionString: databaseUrl(),
    application_name: DIRECT,
    max: 3,
    idleTimeoutMillis: 1_000,
    allowExitOnIdle: true,
  });
  made.on("error", () => undefined);
  return made;
}

/** Runs a statement in an open transaction: its locks are held until `releaseLock` commits. */
export async function holdTransaction<Row extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
): Promise<{ rows: Row[]; also(text: string, values: unknown[]): Promise<void>; releaseLock(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl(), application_name: DIRECT });
  await client.connect();
  await client.query("BEGIN");
  const { rows } = await client.query<Row>(text, values);
  return {
    rows,
    async also(more, moreValues) {
      await client.query(more, moreValues);
    },
    async releaseLock() {
      await client.query("COMMIT");
      await client.end();
    },
  };
}

/** Resolves once `count` connections to this database wait for a lock. */
export async function waitForLock(url = databaseUrl(), count = 1): Promise<void> {
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = $1";
  for (;;) {
    if ((await query(waiting, [new URL(url).pathname.slice(1)])).length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A separate database for a test that must be alone, migrated or empty. Drop it when done. */
export async function createDatabase(content: "migrated" | "empty"): Promise<{ url: string; drop(): Promise<void> }> {
  const template =
    content === "migrated" ? new URL(process.env.TEST_DATABASE_BASE ?? "").pathname.slice(1) : "template0";
  const name = `copy_${randomUUID().replaceAll("-", "")}`;
  await withClient(databaseUrl(), (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  const url = new URL(databaseUrl());
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await withClient(databaseUrl(), (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { acquireLock } from "@/scripts/lock-file";
import { applyMigrations, readMigrations } from "@/scripts/migrate";
import { startPostgres } from "@/scripts/postgres";
import { countDirectRows } from "@/tests/support/direct-rows";

declare global {
  var testPostgres: TestPostgres | undefined;
}

export type TestPostgres = {
  /** Its `template_…` database holds the migrations and no data; `worker_1` … are copies of it that count tests' rows. */
  url: string;
  /** The server's log, including failed statements. */
  log: string;
  /** Gives every worker a fresh copy. */
  renew(): Promise<void>;
  stop(): Promise<void>;
};

const MIGRATIONS = path.resolve("prisma/migrations");

/**
 * Starts a PostgreSQL for tests; the next run reuses its data folder in the temporary directory. TEST_POSTGRES_URL names a server to
 * use instead (scripts/test-postgres.ts).
 */
export async function startTestPostgres(workers: number): Promise<TestPostgres> {
  const slot = takeSlot();
  const given = process.env.TEST_POSTGRES_URL;
  const server = given
    ? { url: given, stop: async () => undefined }
    : await startPostgres({ dataDir: slot.folder, database: "postgres", purpose: "test" });
  const url = await prepareTemplate(server.url);
  const renew = () => makeWorkerDatabases(server.url, path.basename(new URL(url).pathname), workers);
  await renew();
  return {
    url,
    log: path.join(slot.folder, "postgres.log"),
    renew,
    async stop() {
      await server.stop();
      slot.release();
    },
  };
}

/** Concurrent runs must not share a server: take the first data folder not held by a living run. */
function takeSlot(): { folder: string; release(): void } {
  const checkout = createHash("sha256").update(`${process.cwd()} ${os.userInfo().username}`).digest("hex").slice(0, 12);
  const base = path.join(os.tmpdir(), `content-planner-tests-${checkout}`);
  for (let number = 1; ; number++) {
    const lock = path.join(base, `${number}.lock`);
    if (acquireLock(lock, {}).holder) continue;
    return { folder: path.join(base, String(number)), release: () => rmSync(lock, { force: true }) };
  }
}

/** A database with all migrations, named after their content: created once, then copied. */
async function prepareTemplate(server: string): Promise<string> {
  const checksums = readMigrations(MIGRATIONS).map((migration) => migration.name + migration.checksum);
  const template = `template_${createHash("sha256").update(checksums.join()).digest("hex").slice(0, 16)}`;
  await onServer(server, async (client) => {
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [template]);
    if (found.rowCount) return;
    await client.query("DROP DATABASE IF EXISTS unfinished WITH (FORCE)");
    await client.query("CREATE DATABASE unfinished");
    await applyMigrations(databaseOf(server, "unfinished"), MIGRATIONS);
    await client.query(`ALTER DATABASE unfinished RENAME TO ${template}`);
  });
  return databaseOf(server, template);
}

async function makeWorkerDatabases(server: string, template: string, workers: number): Promise<void> {
  await onServer(server, async (client) => {
    const old = await client.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE datname ~ '^(worker|copy|template)_' AND datname <> $1",
      [template],
    );
    for (const row of old.rows) await client.query(`DROP DATABASE ${pg.escapeIdentifier(row.datname)} WITH (FORCE)`);
    for (let worker = 1; worker <= workers; worker++) {
      await client.query(`CREATE DATABASE worker_${worker} TEMPLATE ${template} STRATEGY FILE_COPY`);
      await onServer(databaseOf(server, `worker_${worker}`), async (own) => void (await own.query(countDirectRows())));
    }
  });
}

async function onServer(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function databaseOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

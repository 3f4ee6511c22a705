import path from "node:path";
import { isTlsFailure } from "@/lib/db/client";
import { databaseClient } from "@/scripts/database-client";
import { placeOf } from "@/scripts/found";
import { applyMigrations } from "@/scripts/migrate";
import { APP_DATABASE, type RunningPostgres, startPostgres } from "@/scripts/postgres";
import { type Print, step } from "@/scripts/progress";

export type Database = {
  url: string;
  /** Address of the database past its pooler. */
  directUrl: string;
  /** The embedded server, if the database is on it. */
  embedded: RunningPostgres | undefined;
  stop(): Promise<void>;
};

const CONNECT_TIMEOUT_MS = 10_000;

/** Opens the database of the environment, or the embedded one in `folder`; migrated unless `migrate` is false. */
export async function openDatabase(
  environment: { DATABASE_URL?: string; DIRECT_DATABASE_URL?: string },
  folder: string,
  print: Print,
  migrate = true,
): Promise<Database> {
  const database = environment.DATABASE_URL
    ? await reach(environment.DATABASE_URL, environment.DIRECT_DATABASE_URL || environment.DATABASE_URL)
    : await startEmbedded(folder, print);
  if (!migrate) return database;
  try {
    const applied = await applyMigrations(database.directUrl);
    if (applied.length > 0) print(`✓ ${applied.length} ${applied.length === 1 ? "migration" : "migrations"} applied`);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return database;
}

/**
 * Tells the queue that the engine and the workers of an earlier start are gone, whatever they were killed in. Only for a
 * database and an engine that are this process's alone: nobody else can be working then. The app sends every item to the
 * new engine as it starts, and the next claim of one whose lease ends here counts an attempt.
 */
export async function releaseLostWork(url: string): Promise<void> {
  const client = databaseClient(url);
  await client.connect();
  try {
    await client.query("UPDATE leases SET until = now() WHERE until > now()");
    await client.query(
      "UPDATE processing_queue SET sent_at = NULL, run_id = NULL WHERE completed_at IS NULL AND sent_at IS NOT NULL",
    );
  } finally {
    await client.end();
  }
}

async function startEmbedded(folder: string, print: Print): Promise<Database> {
  const dataDir = path.join(folder, "postgres");
  const server = await step(print, "PostgreSQL", () => startIn(dataDir));
  return { url: server.url, directUrl: server.url, embedded: server, stop: server.stop };
}

function startIn(dataDir: string): Promise<RunningPostgres> {
  return startPostgres({ dataDir, database: APP_DATABASE, purpose: "app" });
}

/** Starts the embedded database again at the address that the app knows it by. */
export async function restartEmbedded(folder: string, url: string): Promise<RunningPostgres> {
  const server = await startIn(path.join(folder, "postgres"));
  if (server.url === url) return server;
  await server.stop();
  throw new Error(`PostgreSQL's port ${new URL(url).port} is taken by another program.`);
}

async function reach(url: string, directUrl: string): Promise<Database> {
  if (!URL.canParse(url))
    throw new Error("DATABASE_URL is not an address such as postgresql://user:password@host/name.");
  const client = databaseClient(url, { connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (cause) {
    if (isTlsFailure(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : String(cause);
    throw new Error(
      `The database of DATABASE_URL (${placeOf(url)}) cannot be reached: ${reason}. Start it, or unset DATABASE_URL to use the embedded one.`,
      { cause },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
  return { url, directUrl, embedded: undefined, stop: async () => undefined };
}

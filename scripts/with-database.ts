import path from "node:path";
import { type Database, openDatabase } from "@/scripts/database";
import { loadEnvFiles } from "@/scripts/env-files";
import { lockFolder } from "@/scripts/folder-lock";
import { runningPostgres } from "@/scripts/postgres";

export type DatabaseOptions = {
  /** True by default. */
  migrate?: boolean;
  /** True if a running app may be using an embedded database. */
  whileRunning?: boolean;
};

/** Runs `work` on the database of the environment, or on the embedded one. */
export async function withDatabase<Result>(
  work: (database: Database) => Promise<Result> | Result,
  { migrate = true, whileRunning = false }: DatabaseOptions = {},
): Promise<Result> {
  loadEnvFiles();
  const { DATABASE_URL, DIRECT_DATABASE_URL } = process.env;
  const running = DATABASE_URL || !whileRunning ? undefined : await runningPostgres(path.join(".data", "postgres"));
  if (running) return work({ url: running, directUrl: running, embedded: undefined, stop: async () => undefined });
  // The embedded database is stopped afterwards, so a running app must not be using it.
  const lock = DATABASE_URL ? undefined : await lockFolder(".data", "no port");
  try {
    const database = await openDatabase({ DATABASE_URL, DIRECT_DATABASE_URL }, ".data", console.log, migrate);
    try {
      return await work(database);
    } finally {
      await database.stop();
    }
  } finally {
    lock?.release();
  }
}

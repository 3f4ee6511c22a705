import { type Database, openDatabase } from "@/scripts/database";
import { loadEnvFiles } from "@/scripts/env-files";
import { lockFolder } from "@/scripts/folder-lock";

/** Runs `work` on the migrated database of the environment, or on the embedded one. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result> | Result): Promise<Result> {
  loadEnvFiles();
  const { DATABASE_URL, DIRECT_DATABASE_URL } = process.env;
  // The embedded database is stopped afterwards, so a running app must not be using it.
  const lock = DATABASE_URL ? undefined : await lockFolder(".data", "no port");
  try {
    const database = await openDatabase({ DATABASE_URL, DIRECT_DATABASE_URL }, ".data", console.log);
    try {
      return await work(database);
    } finally {
      await database.stop();
    }
  } finally {
    lock?.release();
  }
}

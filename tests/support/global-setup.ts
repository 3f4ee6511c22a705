import { startTestPostgres } from "@/tests/support/test-postgres";

/** One PostgreSQL for the whole run, given or started here, with a migrated database per jest worker. */
export default async function globalSetup(options: { maxWorkers: number }): Promise<void> {
  if (globalThis.testPostgres || process.env.TEST_DATABASE_BASE) return;
  globalThis.testPostgres = await startTestPostgres(options.maxWorkers);
  process.env.TEST_DATABASE_BASE = globalThis.testPostgres.url;
}

import { expect, test } from "@playwright/test";
import pg from "pg";
import { e2eQuery, registerUser } from "@/tests/support/e2e-user";

const { E2E_DATABASE_URL = "" } = process.env;

/** How long a search may take (lib/db/search.ts), in milliseconds. */
const SEARCH_MS = 2_000;

/** Statements that wait for a lock, and for how many milliseconds so far. */
function waiting(): Promise<{ ms: number }[]> {
  return e2eQuery(
    `SELECT extract(epoch FROM clock_timestamp() - query_start)::float8 * 1000 AS ms FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'`,
  );
}

test("cancels a search in the database when its browser disconnects", async ({ context }) => {
  await registerUser(context, `gone.${Date.now()}`);
  const holder = new pg.Client({ connectionString: E2E_DATABASE_URL });
  await holder.connect();
  try {
    // While the lock is held, a search waits like one with a lot to read.
    await holder.query("BEGIN");
    await holder.query("LOCK TABLE content_pieces IN ACCESS EXCLUSIVE MODE");
    const left = expect(context.request.get("/api/content?search=soil", { timeout: 500 })).rejects.toThrow(/imeout/);
    await expect.poll(async () => (await waiting()).length).toBe(1);
    await left;
    let longest = 0;
    await expect
      .poll(
        async () => {
          const found = await waiting();
          longest = Math.max(longest, ...found.map(({ ms }) => ms));
          return found.length;
        },
        { intervals: [20] },
      )
      .toBe(0);
    // It was cancelled before its own timeout.
    expect(longest).toBeLessThan(SEARCH_MS - 300);
  } finally {
    await holder.end();
  }
});

import pg from "pg";

/**
 * What the app's process `bootId` held when it ended, which its launcher saw: its leases run out now instead of with their
 * time. Tokens stay, so that a post whose answer was lost is still looked up first. Queue items of a process that was
 * `asked` to end wait again without having cost an attempt; others are the sweep's, which counts one.
 */
export async function endLeases(databaseUrl: string, bootId: string, asked: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    if (asked) await client.query(RELEASE_ITEMS, [bootId]);
    await client.query("UPDATE leases SET until = now() WHERE boot_id = $1 AND until > now()", [bootId]);
  } finally {
    await client.end();
  }
}

/** Their runs go on with them where the engine still has them; where it has not, they are overdue. */
const RELEASE_ITEMS = `UPDATE processing_queue q SET status = 'pending', claim_token = NULL, is_try_open = false, updated_at = now()
  FROM leases l WHERE l.boot_id = $1 AND l.kind = 'writing' AND l.token = q.claim_token AND q.status = 'processing'`;

import { databaseClient } from "@/scripts/database-client";

/**
 * Expires the leases of the app process `bootId` now that it has exited. If the exit was `asked` for, its queue items
 * wait again at no cost; otherwise the next claim counts an attempt.
 */
export async function expireLeases(databaseUrl: string, bootId: string, asked: boolean): Promise<void> {
  const client = databaseClient(databaseUrl, { connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    if (asked) await client.query(RELEASE_ITEMS, [bootId]);
    await client.query("UPDATE leases SET until = now() WHERE boot_id = $1 AND until > now()", [bootId]);
  } finally {
    await client.end();
  }
}

/** Their runs continue if the engine still has them; if not, the items are overdue. */
const RELEASE_ITEMS = `UPDATE processing_queue q SET status = 'pending', claim_token = NULL, updated_at = now()
  FROM leases l WHERE l.boot_id = $1 AND l.kind IN ('writing', 'bulk') AND l.token = q.claim_token AND q.status = 'processing'`;

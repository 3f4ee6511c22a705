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
    for (const statement of [asked ? RELEASE_ITEMS : EXPIRE_ITEMS, ...EXPIRE]) await client.query(statement, [bootId]);
  } finally {
    await client.end();
  }
}

const EXPIRE_ITEMS = `UPDATE processing_queue SET lease_until = now()
  WHERE boot_id = $1 AND status = 'processing' AND lease_until > now()`;

const RELEASE_ITEMS = `UPDATE processing_queue SET status = 'pending', claim_token = NULL, lease_until = NULL,
    dispatch_seq = dispatch_seq + 1, dispatched_at = NULL, updated_at = now()
  WHERE boot_id = $1 AND status = 'processing'`;

const EXPIRE = [
  `UPDATE content_pieces SET publish_lease_until = now() WHERE publish_boot_id = $1 AND publish_lease_until > now()`,
  `UPDATE content_pieces SET writing_lease_until = now() WHERE writing_boot_id = $1 AND writing_lease_until > now()`,
  `UPDATE chat_sessions SET reply_lease_until = now() WHERE reply_boot_id = $1 AND reply_lease_until > now()`,
];

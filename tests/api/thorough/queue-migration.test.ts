import pg from "pg";
import { applyMigrations, readMigrations } from "@/scripts/migrate";
import { createDatabase } from "@/tests/support/db";

// A queue of the version before: what its rows mean afterwards, and what its processes may still write.

const LAST_BEFORE = "20261128100000";

it("takes over what is sent, waits or is held, and lets processes of the version before go on", async () => {
  const database = await createDatabase("empty");
  const client = new pg.Client({ connectionString: database.url });
  try {
    const names = readMigrations("prisma/migrations").map(({ name }) => name);
    await applyMigrations(
      database.url,
      "prisma/migrations",
      names.filter((name) => name < LAST_BEFORE),
    );
    await client.connect();
    await client.query(
      `WITH u AS (INSERT INTO users (username) VALUES ('before') RETURNING id),
         p AS (INSERT INTO projects (user_id, title) SELECT id, 'Beds' FROM u RETURNING id, user_id),
         t AS (INSERT INTO topics (project_id, user_id, name, description) SELECT id, user_id, 'Soil', 'd' FROM p RETURNING *),
         j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, status, total_items)
           SELECT user_id, project_id, id, 'outline_generation', 'processing', 4 FROM t RETURNING *),
         g AS (INSERT INTO provider_gates (user_id, level, closed_since, closed_until, held_error, held_key)
           SELECT id, 3, now() - interval '1 hour', now() + interval '1 hour', 'The key was refused.', 'print' FROM u)
       INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, status, claim_token, dispatched_at,
         dispatch_seq, is_held, is_try_open, created_at)
       SELECT j.job_type, j.id, j.user_id, j.topic_id, gen_random_uuid(), s.status::processing_status, s.token, s.sent, s.seq, s.held,
         s.open, now() + s.n * interval '1 second'
       FROM j, (VALUES (1, 'pending', NULL::uuid, now(), 2, false, false), (2, 'pending', NULL, NULL, 0, false, false),
         (3, 'pending', NULL, now(), 1, true, false), (4, 'processing', gen_random_uuid(), now(), 0, false, true))
         AS s (n, status, token, sent, seq, held, open)`,
    );
    await applyMigrations(database.url);
    const { rows } = await client.query(
      `SELECT status::text, sends, sent_at IS NOT NULL AS "isSent", claim_token IS NOT NULL AS "isClaimed"
       FROM processing_queue ORDER BY created_at`,
    );
    expect(rows).toEqual([
      { status: "pending", sends: 2, isSent: true, isClaimed: false },
      { status: "pending", sends: 0, isSent: false, isClaimed: false },
      // Held items have no run; they are sent once the hold is over.
      { status: "pending", sends: 1, isSent: false, isClaimed: false },
      { status: "processing", sends: 0, isSent: true, isClaimed: true },
    ]);
    const waits = await client.query(
      `SELECT level, not_before > now() AS "isLimited", limited_since < now() AS "isSince", held_reason, held_key FROM provider_waits`,
    );
    const held = { held_reason: "The key was refused.", held_key: "print" };
    expect(waits.rows).toEqual([{ level: 3, isLimited: true, isSince: true, ...held }]);
    // The version before opens a call, gives an item back and holds another.
    await client.query("UPDATE processing_queue SET is_try_open = true WHERE status = 'processing'");
    await client.query(
      "UPDATE processing_queue SET status = 'pending', claim_token = NULL, is_try_open = false, is_held = true WHERE status = 'processing'",
    );
    // This one claims an item that the version before holds.
    await client.query(
      "UPDATE processing_queue SET status = 'processing', claim_token = gen_random_uuid() WHERE is_held",
    );
    expect((await client.query("SELECT 1 FROM processing_queue WHERE status = 'processing'")).rowCount).toBe(2);
  } finally {
    await client.end();
    await database.drop();
  }
});

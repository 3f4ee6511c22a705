import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { applyMigrations } from "@/scripts/migrate";
import { createDatabase } from "@/tests/support/db";

/** Until this one, a piece remembered the one site it was published to last, by the address of its REST API. */
const SINCE = "20261123080000";
/** See sites-migration.test.ts. */
const SEVERAL_SITES = "20261130100000";

const A = "https://www.a.example/wp-json/";
const A_AS_WRITTEN_BEFORE = "http://a.example/index.php?rest_route=/";
const B = "https://b.example:8443/blog/wp-json/";

let folder: string;
let database: Awaited<ReturnType<typeof createDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "migrations-"));
  database = await createDatabase("empty");
  const all = readdirSync("prisma/migrations").filter((name) => /^\d/.test(name));
  const copy = (name: string) => cpSync(`prisma/migrations/${name}`, path.join(folder, name), { recursive: true });
  for (const name of all.filter((one) => one < SINCE)) copy(name);
  await applyMigrations(database.url, folder);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await insertUser("settled", A);
  await insertUser("moving", null);
  for (const name of all.filter((one) => one >= SINCE && one < SEVERAL_SITES)) copy(name);
  await applyMigrations(database.url, folder);
}, 60_000);
afterAll(async () => {
  await client.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function insertUser(username: string, site: string | null): Promise<void> {
  await client.query(
    `WITH u AS (INSERT INTO users (username, wordpress_url, wordpress_site) VALUES ($1, 'https://a.example', $2) RETURNING id),
       p AS (INSERT INTO projects (user_id, title) SELECT id, 'P' FROM u RETURNING id, user_id),
       t AS (INSERT INTO topics (project_id, user_id, name, description) SELECT id, user_id, 'T', 'd' FROM p RETURNING *),
       c AS (INSERT INTO content_pieces (user_id, project_id, topic_id, title, status, wp_site, wp_post_id, wp_permalink, wp_category_id,
           wp_category_name, wp_remote_hash, wp_unanswered_hash, wp_sent_hash, wp_sent_source, wp_renderer, publish_error, last_synced_at)
         SELECT t.user_id, t.project_id, t.id, v.title, v.status::content_status, v.site, v.post, v.post, v.post, v.post, v.post,
           v.unanswered, v.post, v.post, v.post::int, v.error, v.synced::timestamptz
         FROM t, (VALUES ('live', 'wp_published', $4, '1', NULL, NULL, '2026-01-02'), ('edited since', 'review', $3, '2', 'sent', NULL, NULL),
             ('live elsewhere', 'wp_published', $5, '3', NULL, NULL, NULL), ('failed', 'wp_failed', NULL, NULL, NULL, 'No', NULL),
             ('lost', 'draft', NULL, NULL, NULL, NULL, NULL), ('never published', 'draft', NULL, NULL, NULL, NULL, NULL))
           AS v (title, status, site, post, unanswered, error, synced)
         WHERE $1 = 'settled' OR v.title = 'live'
         RETURNING *)
     INSERT INTO leases (kind, subject, user_id, content_piece_id, token, until)
     SELECT 'publishing', id::text, user_id, id, $6::uuid, now() - interval '1 minute' FROM c WHERE title = 'lost'`,
    [username, site, A, A_AS_WRITTEN_BEFORE, B, randomUUID()],
  );
}

async function postsOf(username: string) {
  const { rows } = await client.query(
    `SELECT p.title, p.status AS piece, s.place, s.is_default AS "isDefault", w.*, w.unanswered_since IS NOT NULL AS open
     FROM users u JOIN content_pieces p ON p.user_id = u.id LEFT JOIN piece_posts w ON w.content_piece_id = p.id
     LEFT JOIN sites s ON s.id = w.site_id WHERE u.username = $1 ORDER BY p.title`,
    [username],
  );
  return rows;
}

it("finds one site behind every address of it, and makes the one in use the default", async () => {
  const { rows } = await client.query(
    "SELECT u.username, s.place, s.api_root, s.is_default FROM sites s JOIN users u ON u.id = s.user_id ORDER BY 1, 2",
  );
  expect(rows).toEqual([
    { username: "moving", place: "a.example", api_root: A_AS_WRITTEN_BEFORE, is_default: true },
    { username: "settled", place: "a.example", api_root: A, is_default: true },
    { username: "settled", place: "b.example:8443/blog", api_root: B, is_default: false },
  ]);
});

it("keeps every post with its site, and what is still open about it", async () => {
  const posts = await postsOf("settled");
  expect(posts.map(({ title, place, post_id, status, open }) => [title, place, post_id, status, open])).toEqual([
    ["edited since", "a.example", "2", "unpublished", true],
    ["failed", "a.example", null, "wp_failed", false],
    ["live", "a.example", "1", "wp_published", false],
    ["live elsewhere", "b.example:8443/blog", "3", "wp_published", false],
    ["lost", "a.example", null, "unpublished", true],
    ["never published", null, null, null, false],
  ]);
  expect(posts.find(({ title }) => title === "live")).toMatchObject({
    permalink: "1",
    category_id: "1",
    category_name: "1",
    remote_hash: "1",
    unanswered_hashes: [],
    sent_hash: "1",
    sent_source: "1",
    renderer: 1,
    publish_error: null,
    last_synced_at: new Date("2026-01-02T00:00:00Z"),
  });
  expect(posts.find(({ title }) => title === "edited since")?.unanswered_hashes).toEqual(["sent"]);
  expect(posts.find(({ title }) => title === "failed")?.publish_error).toBe("No");
});

it("shows a piece that is live on another site only as unpublished, and leaves the other statuses", async () => {
  expect((await postsOf("settled")).map(({ title, piece }) => [title, piece])).toEqual([
    ["edited since", "review"],
    ["failed", "wp_failed"],
    ["live", "wp_published"],
    ["live elsewhere", "unpublished"],
    ["lost", "draft"],
    ["never published", "draft"],
  ]);
  expect((await postsOf("moving")).map(({ title, piece }) => [title, piece])).toEqual([["live", "wp_published"]]);
});

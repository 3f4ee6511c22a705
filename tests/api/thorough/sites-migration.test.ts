import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { applyMigrations } from "@/scripts/migrate";
import { createDatabase } from "@/tests/support/db";

/** Until this one, all pieces were shown as they are on their owner's default site. */
const SINCE = "20261130100000";

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
  await insertOwner();
  await client.query(
    `INSERT INTO users (username, wordpress_url, wordpress_username, wordpress_password)
     VALUES ('typed', 'https://typed.example', 'u', 'sealed'), ('nothing', NULL, NULL, NULL)`,
  );
  for (const name of all.filter((one) => one >= SINCE)) copy(name);
  await applyMigrations(database.url, folder);
}, 60_000);
afterAll(async () => {
  await client.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** A user whose default site is A and who was connected to B and C before. */
async function insertOwner(): Promise<void> {
  await client.query(`
    WITH u AS (INSERT INTO users (username, wordpress_url, wordpress_site, wordpress_username, wordpress_password)
        VALUES ('owner', 'https://a.example', 'https://a.example/wp-json/', 'u', 'sealed') RETURNING id),
      s AS (INSERT INTO sites (user_id, place, api_root, is_default)
        SELECT id, l || '.example', 'https://' || l || '.example/wp-json/', l = 'a' FROM u, unnest(ARRAY['a', 'b', 'c']) l RETURNING *),
      p AS (INSERT INTO projects (user_id, title) SELECT id, t FROM u, unnest(ARRAY['on A', 'mostly on B', 'nowhere']) t RETURNING *),
      t AS (INSERT INTO topics (project_id, user_id, name, description) SELECT id, user_id, 'T', 'd' FROM p RETURNING *),
      c AS (INSERT INTO content_pieces (user_id, project_id, topic_id, title, status)
        SELECT p.user_id, p.id, t.id, v.title, v.status::content_status
        FROM p JOIN t ON t.project_id = p.id JOIN (VALUES
          ('on A', 'a live', 'wp_published'), ('on A', 'a draft', 'draft'),
          ('mostly on B', 'b live', 'unpublished'), ('mostly on B', 'b and a live', 'wp_published'),
          ('mostly on B', 'b review', 'review'), ('mostly on B', 'only a', 'wp_published'),
          ('nowhere', 'n draft', 'draft')) AS v (project, title, status) ON v.project = p.title
        RETURNING *)
    INSERT INTO piece_posts (content_piece_id, site_id, post_id, status)
    SELECT c.id, s.id, '7', v.status::content_status
    FROM c JOIN (VALUES ('a live', 'a', 'wp_published'), ('b live', 'b', 'wp_published'), ('b and a live', 'b', 'wp_draft'),
        ('b and a live', 'a', 'wp_published'), ('b review', 'b', 'wp_draft'), ('only a', 'a', 'wp_published')) AS v (title, site, status)
      ON v.title = c.title JOIN s ON s.place = v.site || '.example'`);
}

it("gives a project with posts the site that most of them are on, and leaves the others to the default one", async () => {
  const { rows } = await client.query(
    "SELECT p.title, s.place FROM projects p LEFT JOIN sites s ON s.id = p.site_id ORDER BY p.title",
  );
  expect(rows).toEqual([
    { title: "mostly on B", place: "b.example" },
    { title: "nowhere", place: null },
    { title: "on A", place: "a.example" },
  ]);
});

it("shows each piece as it is on its project's site, and loses no status that is the user's", async () => {
  const { rows } = await client.query("SELECT title, status FROM content_pieces ORDER BY title");
  expect(rows.map(({ title, status }) => [title, status])).toEqual([
    ["a draft", "draft"],
    ["a live", "wp_published"],
    ["b and a live", "wp_draft"],
    ["b live", "wp_published"],
    ["b review", "review"],
    ["n draft", "draft"],
    ["only a", "unpublished"],
  ]);
});

it("copies the settings to the default site, which has to be found again where it was not", async () => {
  const { rows } = await client.query(
    `SELECT u.username, s.place, s.url, s.username AS login, s.password, s.api_root AS root, s.is_default AS "isDefault"
     FROM sites s JOIN users u ON u.id = s.user_id ORDER BY 1, 2`,
  );
  const sealed = { login: "u", password: "sealed", isDefault: true };
  const former = { url: null, login: null, password: null, isDefault: false };
  expect(rows).toEqual([
    { username: "owner", place: "a.example", url: "https://a.example", root: "https://a.example/wp-json/", ...sealed },
    { username: "owner", place: "b.example", root: "https://b.example/wp-json/", ...former },
    { username: "owner", place: "c.example", root: "https://c.example/wp-json/", ...former },
    { username: "typed", place: null, url: "https://typed.example", root: null, ...sealed },
  ]);
});

it("keeps every post that is known", async () => {
  const { rows } = await client.query("SELECT count(*)::int AS posts, count(post_id)::int AS known FROM piece_posts");
  expect(rows).toEqual([{ posts: 6, known: 6 }]);
});

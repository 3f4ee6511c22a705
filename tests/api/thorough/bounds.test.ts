import { readFileSync } from "node:fs";
import { MAX_SESSIONS, pruneExpired } from "@/lib/features/account/steps";
import { MAX_PIECES } from "@/lib/features/content/rules";
import { MAX_SECTIONS } from "@/lib/features/generation/rules";
import { MAX_INSTRUCTIONS } from "@/lib/features/instructions/rules";
import { MAX_PROJECTS } from "@/lib/features/projects/schema";
import { pruneFormerSites } from "@/lib/features/sites/steps";
import { MAX_KEYWORDS, MAX_TOPICS } from "@/lib/features/topics/schema";
import { MAX_KEY_BYTES, MAX_KEYS } from "@/lib/idempotency/sql";
import { COUNTED_TEXTS } from "@/lib/limits/counted-texts";
import { pruneLimits } from "@/lib/limits/rate-limits";
import { deleteEverything, query } from "@/tests/support/db";
import { newPiece, newUser, newWorkspace } from "@/tests/support/factories";

// What keeps each table from growing for ever.

type Bound = {
  words: string;
  /** The columns of a unique index: the table has one row for each of something else that is bounded. */
  oneFor?: string;
  /** Refused beyond this number. */
  most?: number;
  /** Its rows count towards the user's storage. */
  isCounted?: true;
  /** A file that names what ends it. */
  file?: [string, string];
  /** A test below shows that old rows go. */
  isPruned?: true;
};

/** Rows of a queue go with their job. */
const QUEUED: Bound = {
  words: "100,000 for each user and day, as long as their jobs stay",
  file: ["lib/limits/rate-limits.ts", "items: { max: 100_000"],
};
const BOUNDS: Record<string, Bound> = {
  _prisma_migrations: { words: "one for each migration in prisma/migrations" },
  abandoned_posts: { words: "a deleted piece's draft on a site, for a week", isPruned: true },
  accounts: { words: "a user's sign-in with Google or Firebase", oneFor: "provider, provider_account_id" },
  audit_events: { words: "of a user the newest, and folded ones; of strangers 30 days", isPruned: true },
  buyer_personas: { words: "one for each project", oneFor: "project_id" },
  chat_messages: { words: "the user's storage", isCounted: true },
  chat_sessions: { words: "the user's storage", isCounted: true },
  content_pieces: { words: "10,000 for each project, and the user's storage", most: MAX_PIECES, isCounted: true },
  content_processing_queue: QUEUED,
  content_revisions: { words: "the rule of which stay, and the user's storage", isCounted: true },
  engine_state: { words: "one", oneFor: "id" },
  idempotency_keys: { words: "a day, 10,000 answers and 20 MB for each user", isPruned: true },
  keywords: { words: "500 for each topic, and the user's storage", most: MAX_KEYWORDS, isCounted: true },
  leases: {
    words: "one for each thing that is held; a day longer than it is",
    oneFor: "kind, subject",
    isPruned: true,
  },
  outline_processing_queue: QUEUED,
  password_resets: { words: "three an hour for each user, for a day", isPruned: true },
  piece_posts: { words: "one for each piece on each site", oneFor: "content_piece_id, site_id" },
  processing_jobs: {
    words: "20 of each subject, 100 of a user and failed ones; see queue-rows/pruning",
    file: ["lib/features/work/rules.ts", "KEPT_JOBS = 100"],
  },
  processing_queue: QUEUED,
  projects: { words: "1,000 for each user, and their storage", most: MAX_PROJECTS, isCounted: true },
  provider_gates: { words: "one for each user", oneFor: "user_id" },
  provider_waits: { words: "one for each user", oneFor: "user_id" },
  publishing_items: { words: "one for each piece of a job", oneFor: "job_id, content_piece_id" },
  publishing_jobs: {
    words: "none since the release that moved them",
    file: ["prisma/next-release/migration.sql", 'DROP TABLE "publishing_items", "publishing_jobs"'],
  },
  publishing_queue: QUEUED,
  rate_limits: { words: "one for each limit, until it ends", oneFor: "key", isPruned: true },
  saved_instructions: { words: "50 for each user", most: MAX_INSTRUCTIONS, isCounted: true },
  sessions: { words: "30 days, and 1,000 for each user", isPruned: true },
  site_connections: { words: "thirty a minute for each user, for ten minutes", isPruned: true },
  sites: { words: "those with posts, and the user's own", oneFor: "user_id, place", isPruned: true },
  topics: { words: "500 for each project, and the user's storage", most: MAX_TOPICS, isCounted: true },
  usage: { words: "one for each user", oneFor: "user_id" },
  usage_changes: {
    words: "nothing writes them any more; the next release drops the table",
    file: ["prisma/next-release/migration.sql", 'DROP TABLE "usage_changes"'],
  },
  users: { words: "one for each user name; registrations are limited by address", oneFor: "username_key" },
  verification_tokens: { words: "nothing writes them: nobody signs in by e-mail" },
  work_totals: { words: "one for each user and kind of work", oneFor: "user_id, job_type" },
  written_sections: {
    words: "100 for each outline of a piece, until the text is complete",
    oneFor: "content_piece_id, outline_hash, position",
    most: MAX_SECTIONS,
  },
};

afterAll(deleteEverything);

it("has a bound for every table", async () => {
  const tables = await query<{ name: string }>(`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`);
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(BOUNDS));
});

it("has in code what it says in words", async () => {
  const indexes = await query<{ name: string }>(`
    SELECT i.indrelid::regclass || ': ' || (SELECT string_agg(a.attname, ', ' ORDER BY k.nth)
      FROM unnest(i.indkey) WITH ORDINALITY k (num, nth) JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.num) AS name
    FROM pg_index i WHERE i.indisunique AND i.indpred IS NULL`);
  const unique = indexes.map(({ name }) => name);
  for (const [table, { oneFor, most, isCounted, file, isPruned, words }] of Object.entries(BOUNDS)) {
    if (oneFor) expect(unique).toContain(`${table}: ${oneFor}`);
    if (most && most >= 1_000) expect(words).toContain(most.toLocaleString("en-US"));
    else if (most) expect(words).toContain(String(most));
    if (isCounted) expect(COUNTED_TEXTS).toHaveProperty(table);
    if (file) expect(readFileSync(file[0], "utf8")).toContain(file[1]);
    if (!isPruned && !oneFor && !most && !isCounted && !file)
      expect(words).toMatch(/prisma\/migrations$|^nothing writes them/);
  }
  const pruned = Object.keys(BOUNDS).filter((table) => BOUNDS[table]?.isPruned);
  expect(pruned).toEqual(PRUNED.map(({ table }) => table).sort());
});

type Pruned = {
  table: string;
  prune: () => Promise<void>;
  /** Inserts rows of which some have to go; `id` is a user's. Returns which stay, as SQL condition, and how many. */
  fill: (id: string) => Promise<{ stays: string; count: number }>;
};

const PRUNED: Pruned[] = [
  {
    table: "abandoned_posts",
    prune: pruneFormerSites,
    async fill(id) {
      const site = await aSite(id, "now()");
      await query(
        `INSERT INTO abandoned_posts (content_piece_id, site_id, user_id, unanswered_since)
         SELECT gen_random_uuid(), $1, $2, now() - n * interval '1 day' FROM generate_series(6, 8) n`,
        [site, id],
      );
      return { stays: "user_id = $1", count: 1 };
    },
  },
  {
    table: "audit_events",
    prune: pruneExpired,
    async fill() {
      await query(`INSERT INTO audit_events (action, address, created_at)
        SELECT 'session.sign_in_failed', 'a-stranger', now() - n * interval '1 day' FROM generate_series(29, 31) n`);
      return { stays: "address = 'a-stranger' AND $1::uuid IS NOT NULL", count: 1 };
    },
  },
  {
    table: "idempotency_keys",
    prune: pruneExpired,
    async fill(id) {
      await query(
        `INSERT INTO idempotency_keys (user_id, key, call_hash, kept, created_at)
         SELECT $1, 'k' || n, 'h', CASE WHEN n > 1 THEN '{}' END, now() - interval '1 hour' + n * interval '1 millisecond'
         FROM generate_series(0, $2::int + 4) n`,
        [id, MAX_KEYS],
      );
      // k0 and k1 are under way; of the answers the oldest three go.
      return { stays: "user_id = $1", count: MAX_KEYS + 2 };
    },
  },
  {
    table: "leases",
    prune: pruneExpired,
    async fill(id) {
      await query(
        `INSERT INTO leases (kind, subject, user_id, token, until)
         SELECT 'category', 'bounds' || n, $1, gen_random_uuid(), now() - n * interval '1 hour' FROM generate_series(23, 25, 2) n`,
        [id],
      );
      return { stays: "user_id = $1", count: 1 };
    },
  },
  {
    table: "password_resets",
    prune: pruneExpired,
    async fill(id) {
      await query(
        `INSERT INTO password_resets (token_hash, user_id, expires)
         SELECT 'bounds' || n, $1, now() - n * interval '1 hour' FROM generate_series(23, 25, 2) n`,
        [id],
      );
      return { stays: "user_id = $1", count: 1 };
    },
  },
  {
    table: "rate_limits",
    prune: pruneLimits,
    async fill() {
      await query(`INSERT INTO rate_limits (key, hits, expires_at)
        SELECT 'bounds' || n, 1, now() + n * interval '1 hour' FROM generate_series(-1, 1, 2) n`);
      return { stays: "key LIKE 'bounds%' AND $1::uuid IS NOT NULL", count: 1 };
    },
  },
  {
    table: "sessions",
    prune: pruneExpired,
    async fill(id) {
      await query("DELETE FROM sessions WHERE user_id = $1", [id]);
      await query(
        `INSERT INTO sessions (session_token, user_id, expires, created_at)
         SELECT 'bounds' || n, $1, now() + interval '1 day', now() - n * interval '1 second' FROM generate_series(1, $2::int) n`,
        [id, MAX_SESSIONS + 20],
      );
      return { stays: `user_id = $1 AND substr(session_token, 7)::int <= ${MAX_SESSIONS}`, count: MAX_SESSIONS };
    },
  },
  {
    table: "site_connections",
    prune: pruneFormerSites,
    async fill(id) {
      await query(
        `INSERT INTO site_connections (id, user_id, session_token, url, places, expires_at)
         SELECT 'bounds' || n, $1, 's', 'https://x.example', '{}', now() + n * interval '1 minute' FROM generate_series(-1, 1, 2) n`,
        [id],
      );
      return { stays: "user_id = $1", count: 1 };
    },
  },
  {
    table: "sites",
    prune: pruneFormerSites,
    async fill(id) {
      await aSite(id, "now()");
      await aSite(id, "now() - interval '2 days'");
      return { stays: "user_id = $1", count: 1 };
    },
  },
];

it.each(PRUNED)("lets what is old or too much go: $table", async ({ table, prune, fill }) => {
  const { id } = await newUser();
  const { stays, count } = await fill(id);
  await prune();
  expect(await query(`SELECT count(*)::int AS count FROM ${table} WHERE ${stays}`, [id])).toEqual([{ count }]);
  if (table === "sessions") expect(await query("SELECT 1 FROM sessions WHERE user_id = $1", [id])).toHaveLength(count);
});

it("keeps the newest answers of repeated calls up to their bytes", async () => {
  const { id } = await newUser();
  const bytes = 60_000;
  const most = Math.floor(MAX_KEY_BYTES / bytes);
  await query(
    `INSERT INTO idempotency_keys (user_id, key, call_hash, kept, created_at)
     SELECT $1, n::text, 'h', repeat('x', $2), now() - n * interval '1 second' FROM generate_series(1, $3::int) n`,
    [id, bytes, most + 3],
  );
  await pruneExpired();
  const [row] = await query(
    "SELECT count(*)::int AS count, max(key::int) AS oldest FROM idempotency_keys WHERE user_id = $1",
    [id],
  );
  expect(row).toEqual({ count: most, oldest: most });
});

it("keeps a former site that a piece or an abandoned post is on, and the default one", async () => {
  const workspace = await newWorkspace();
  const { id } = workspace;
  const [ofPiece, ofPost, byDefault] = [await anOldSite(id), await anOldSite(id), await anOldSite(id)];
  const pieceId = await newPiece(workspace, workspace);
  await query("INSERT INTO piece_posts (content_piece_id, site_id) VALUES ($1, $2)", [pieceId, ofPiece]);
  await query(
    "INSERT INTO abandoned_posts (content_piece_id, site_id, user_id, unanswered_since) VALUES (gen_random_uuid(), $1, $2, now())",
    [ofPost, id],
  );
  await query("UPDATE sites SET is_default = true WHERE id = $1", [byDefault]);
  await pruneFormerSites();
  expect(await query("SELECT 1 FROM sites WHERE user_id = $1", [id])).toHaveLength(3);
});

const anOldSite = (userId: string) => aSite(userId, "now() - interval '2 days'");

async function aSite(userId: string, createdAt: string): Promise<string> {
  const [row] = await query<{ id: string }>(
    `INSERT INTO sites (user_id, place, api_root, created_at)
     VALUES ($1, gen_random_uuid() || '.example/', 'https://x.example/wp-json/', ${createdAt}) RETURNING id`,
    [userId],
  );
  return row?.id ?? "";
}

import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { makeBackup } from "@/scripts/backup/backup";
import { LEFT_OUT, readSequences } from "@/scripts/backup/catalog";
import { line } from "@/scripts/backup/format";
import { restoreBackup } from "@/scripts/backup/restore";
import { findUnreadable, unreadableReport } from "@/scripts/backup/unreadable";
import { applyMigrations, readMigrations } from "@/scripts/migrate";
import { createDatabase, query } from "@/tests/support/db";
import { insert, newPiece } from "@/tests/support/factories";
import { newFormerJob, newWorld, storeReset, type World } from "@/tests/support/world";

type Database = Awaited<ReturnType<typeof createDatabase>>;

const ours = process.env.DATABASE_URL;
/** What a text format of rows could stumble over. */
const HOSTILE = [
  "\\.",
  "a\n\\.\nb",
  "tab\tand \\N",
  "line\r\nend\r",
  "\\",
  '{"quoted": "\\n"}',
  "👩🏽‍🌾 и 园艺",
  " ",
  "",
];

let folder: string;
let source: Database;
let backup: string;
let world: World;
const databases: Database[] = [];

async function newDatabase(content: "migrated" | "empty"): Promise<Database> {
  const made = await createDatabase(content);
  databases.push(made);
  return made;
}

// Before the app is loaded, which reads its environment.
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "backup-"));
  backup = path.join(folder, "planner.backup");
  source = await newDatabase("migrated");
  process.env.DATABASE_URL = source.url;
  world = await newWorld();
  await fillTheRest(world);
  await makeBackup(source.url, backup, new Date("2026-11-20T10:00:00Z"));
}, 60_000);
afterAll(async () => {
  const { prisma } = await import("@/lib/db/prisma");
  await prisma.$disconnect();
  process.env.DATABASE_URL = ours;
  for (const database of databases) await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Rows of the tables that a world has none of, and texts that are hard to write down. */
async function fillTheRest({ id, pieceId, projectId, topicId }: World): Promise<void> {
  const { seal } = await import("@/lib/crypto/secret-box");
  await query("UPDATE users SET openai_api_key = $2, wordpress_password = $3 WHERE id = $1", [
    id,
    seal("sk-of-theirs", { owner: id, field: "openaiApiKey" }),
    seal("password of theirs", { owner: id, field: "wordpressPassword" }),
  ]);
  await query(
    "INSERT INTO accounts (user_id, type, provider, provider_account_id) VALUES ($1, 'oauth', 'google', '7')",
    [id],
  );
  const site = await insert<string>(
    "sites (user_id, place, api_root) VALUES ($1, 'blog.example', 'https://blog.example/')",
    [id],
  );
  await query(
    `INSERT INTO piece_posts (content_piece_id, site_id, post_id, unanswered_hashes)
     VALUES ($1, $2, '17', ARRAY['a', '"b"', NULL, '{c}'])`,
    [pieceId, site],
  );
  await query("INSERT INTO abandoned_posts VALUES (gen_random_uuid(), $1, $2, '1969-07-20 20:17:40.123+00')", [
    site,
    id,
  ]);
  await query(
    `INSERT INTO written_sections (content_piece_id, outline_hash, position, heading, text, model, prompt_version, tokens_in,
       tokens_out, duration_ms) VALUES ($1, 'h', 0, 'Alpha', 'text', 'm', '1', 1, 2, 3)`,
    [pieceId],
  );
  await query(
    "INSERT INTO content_revisions (content_piece_id, author, title, body) VALUES ($1, 'ai', 'T', 'of the AI')",
    [pieceId],
  );
  await query("INSERT INTO provider_gates (user_id, closed_until) VALUES ($1, now())", [id]);
  await query("INSERT INTO provider_waits (user_id, not_before) VALUES ($1, now())", [id]);
  await query("INSERT INTO work_totals (user_id, job_type) VALUES ($1, 'publishing')", [id]);
  await query("INSERT INTO idempotency_keys (user_id, key, call_hash) VALUES ($1, 'key', 'hash')", [id]);
  await query("INSERT INTO usage (user_id, bytes) VALUES ($1, 7)", [id]);
  await storeReset(world);
  await newFormerJob(world);
  for (const text of HOSTILE) await newPiece(world, { projectId, topicId }, { title: `T ${text}`, body: text });
  await newPiece(world, { projectId, topicId }, { title: "Two megabytes", body: "wörds and\n".repeat(190_000) });
  // A gap, and a sequence that nobody has used.
  await query("SELECT setval(pg_get_serial_sequence('projects', 'id'), 4711)");
}

async function on<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A fingerprint of each table, generated columns included. */
function fingerprints(url: string, without: string[] = []): Promise<Record<string, string>> {
  return on(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
    );
    const found: Record<string, string> = {};
    for (const { name } of rows.filter((row) => !without.includes(row.name))) {
      const { rows: counted } = await client.query<{ print: string }>(
        `SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS print FROM ${name} t`,
      );
      found[name] = counted[0]?.print ?? "";
    }
    return found;
  });
}

async function restored(file = backup): Promise<{ url: string; result: Awaited<ReturnType<typeof restoreBackup>> }> {
  const { url } = await newDatabase("empty");
  return { url, result: await restoreBackup(url, file) };
}

describe("a back-up", () => {
  it("has rows of every table in this test, so that a new one is not forgotten", async () => {
    const empty = Object.entries(await fingerprints(source.url, Object.keys(LEFT_OUT))).filter(([, print]) =>
      print.startsWith("0 "),
    );
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  it("restores every row of every table and every sequence into an empty database", async () => {
    const { url, result } = await restored();
    // Unfinished items wait again; see below.
    const without = [...Object.keys(LEFT_OUT), "processing_queue"];
    expect(await fingerprints(url, without)).toEqual(await fingerprints(source.url, without));
    expect(await on(url, readSequences)).toEqual(await on(source.url, readSequences));
    expect(result).toMatchObject({ at: "2026-11-20T10:00:00.000Z", newerMigrations: 0 });
    expect(result.rows).toBeGreaterThan(40);
  });

  it("leaves nothing of the schema behind: keys, triggers and constraints are as before", async () => {
    const { url } = await restored();
    const schema = (from: string) =>
      on(from, async (client) => {
        const constraints = await client.query(
          "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2",
        );
        const triggers = await client.query(
          "SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2",
        );
        return [constraints.rows, triggers.rows];
      });
    expect(await schema(url)).toEqual(await schema(source.url));
  });

  it("leaves sessions, links and counters behind, which would be wrong or dangerous later", async () => {
    expect(await query("SELECT 1 FROM sessions")).not.toEqual([]);
    expect(await query("SELECT 1 FROM password_resets")).not.toEqual([]);
    const { url } = await restored();
    const prints = await fingerprints(url);
    const fresh = await fingerprints((await newDatabase("migrated")).url, ["_prisma_migrations"]);
    for (const name of Object.keys(LEFT_OUT).filter((each) => each in fresh)) {
      expect([name, prints[name]]).toEqual([name, fresh[name]]);
    }
    const text = gunzipSync(readFileSync(backup)).toString("utf8");
    for (const { token_hash } of await query<{ token_hash: string }>("SELECT token_hash FROM password_resets")) {
      expect(text).not.toContain(token_hash);
    }
  });

  it("lets unfinished items wait again, under dispatches that no engine has seen", async () => {
    const { url } = await restored();
    const read = (client: pg.Client) =>
      client.query("SELECT id, status, sent_at, sends, retry_count FROM processing_queue ORDER BY id");
    const [before, after] = [(await on(source.url, read)).rows, (await on(url, read)).rows];
    expect(before.map(({ status }) => status).sort()).toEqual(["failed", "failed", "pending"]);
    for (const [at, row] of before.entries()) {
      if (row.status === "failed") expect(after[at]).toEqual(row);
      else expect(after[at]).toEqual({ ...row, sent_at: null, sends: row.sends + 1_000_000 });
    }
  });

  it("is of one moment, while others write", async () => {
    const busy = await newDatabase("migrated");
    const file = path.join(folder, "busy.backup");
    const stop = { now: false };
    // Each transaction adds a user and a project of theirs, and the tables are copied by name: projects before users.
    const writing = on(busy.url, async (client) => {
      let written = 0;
      for (; !stop.now; written++) {
        await client.query(`BEGIN; WITH owner AS (INSERT INTO users (username) VALUES ('u${written}') RETURNING id)
          INSERT INTO projects (user_id, title) SELECT id, 'P' FROM owner; COMMIT`);
      }
      return written;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await makeBackup(busy.url, file).finally(() => {
      stop.now = true;
    });
    expect(await writing).toBeGreaterThan(10);
    const { url } = await restored(file);
    const { rows } = await on(url, (client) =>
      client.query(
        "SELECT (SELECT count(*) FROM users)::int AS users, (SELECT count(*) FROM projects)::int AS projects",
      ),
    );
    expect(rows[0].users).toBeGreaterThan(0);
    expect(rows[0].projects).toBe(rows[0].users);
  });

  it("is readable by its owner only, whatever the umask, and leaves no other file", async () => {
    const before = process.umask(0);
    try {
      const file = path.join(folder, "private.backup");
      await makeBackup(source.url, file);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });

  it("never replaces a file, and leaves none that looks whole when it fails", async () => {
    await expect(makeBackup(source.url, backup)).rejects.toThrow(/planner\.backup exists: name a new file\.$/);
    const { url } = await newDatabase("empty");
    await expect(makeBackup(url, path.join(folder, "none.backup"))).rejects.toThrow("there is nothing to back up");
    expect(readdirSync(folder).filter((name) => name.startsWith("none"))).toEqual([]);
  });
});

describe("restoring", () => {
  async function expectRefused(file: string, sentence: RegExp, url?: string): Promise<void> {
    const target = url ?? (await newDatabase("empty")).url;
    const before = await fingerprints(target);
    await expect(restoreBackup(target, file)).rejects.toThrow(sentence);
    expect(await fingerprints(target)).toEqual(before);
  }

  function changedCopy(name: string, change: (content: Buffer) => Buffer): string {
    const file = path.join(folder, name);
    writeFileSync(file, change(readFileSync(backup)));
    return file;
  }

  it.each([0.01, 0.5, 0.99, 0.9999])(
    "refuses a file cut at %d of its length before it writes anything",
    async (part) => {
      const file = changedCopy("cut.backup", (content) => content.subarray(0, Math.floor(content.length * part)));
      await expectRefused(
        file,
        /^This (back-up is cut or was changed: .*nothing was restored|file is not a back-up .*)\.$/,
      );
    },
  );

  it("refuses rows that were taken out or changed, though the file is a proper gzip", async () => {
    const lines = gunzipSync(readFileSync(backup)).toString("latin1").split("\n");
    const at = lines.findIndex((text) => text.startsWith('{"table":"users"')) + 1;
    const without = lines.toSpliced(at, 1);
    const changed = lines.with(at, `${lines[at]}x`);
    const resealed = lines.slice(0, -2).concat(JSON.stringify({ sha256: "0".repeat(64) }), "");
    for (const text of [without, changed, resealed, [...lines, "more"]]) {
      const file = changedCopy("changed.backup", () => gzipSync(Buffer.from(text.join("\n"), "latin1")));
      await expectRefused(file, /^This back-up is cut or was changed/);
    }
  });

  it("refuses a flipped bit", async () => {
    const file = changedCopy("flipped.backup", (content) => {
      const at = Math.floor(content.length / 2);
      content.writeUInt8(content.readUInt8(at) ^ 1, at);
      return content;
    });
    await expectRefused(file, /^This back-up is cut or was changed/);
  });

  it.each([
    ["an empty file", Buffer.alloc(0)],
    ["text", Buffer.from("-- PostgreSQL database dump")],
    ["another gzip", gzipSync("hello\n")],
    ["random bytes in a gzip", gzipSync(randomBytes(3_000_000))],
  ])("refuses %s", async (_what, content) => {
    const file = path.join(folder, "foreign.backup");
    writeFileSync(file, content);
    await expectRefused(file, /^This file is not a back-up of Content Planner\.$/);
  });

  it("refuses a database that has rows, and one that somebody uses", async () => {
    const used = await newDatabase("empty");
    await on(used.url, () => restoreBackup(used.url, backup)).then(
      () => expect("restored").toBe("refused"),
      (error: Error) => expect(error.message).toMatch(/^Another program is connected to this database: stop the app/),
    );
    const { url } = await newDatabase("migrated");
    await on(url, (client) => client.query("INSERT INTO users (username) VALUES ('somebody')"));
    await expectRefused(backup, /^The database is not empty \(\w+ has rows\): restore into a new database\.$/, url);
  });

  it("refuses a back-up of a newer version, and says so", async () => {
    const content = gunzipSync(readFileSync(backup)).toString("latin1").split("\n");
    const header = JSON.parse(content[0] ?? "");
    header.migrations.push({ name: "99990101000000_new", checksum: "x" });
    const file = changedCopy("newer.backup", () => resealed([line(header).trimEnd(), ...content.slice(1, -2)]));
    await expectRefused(
      file,
      /made by a newer Content Planner .*99990101000000_new.*: restore it with that version\.$/,
    );
    const future = changedCopy("future.backup", () => gzipSync(line({ ...header, version: 2 })));
    await expectRefused(future, /made by a newer Content Planner: restore it with that version\.$/);
  });

  it("applies the migrations that came after the back-up", async () => {
    const older = await newDatabase("empty");
    const names = readMigrations("prisma/migrations").map(({ name }) => name);
    await applyMigrations(older.url, "prisma/migrations", names.slice(0, -1));
    await on(older.url, (client) => client.query("INSERT INTO users (username) VALUES ('of-before')"));
    const file = path.join(folder, "older.backup");
    await makeBackup(older.url, file);
    const { url, result } = await restored(file);
    expect(result.newerMigrations).toBe(1);
    const { rows } = await on(url, (client) => client.query("SELECT username FROM users"));
    expect(rows).toEqual([{ username: "of-before" }]);
  });

  it("can be repeated after it failed half way", async () => {
    const { url } = await newDatabase("empty");
    const copy = path.join(folder, "removed.backup");
    copyFileSync(backup, copy);
    await on(url, (client) => client.query("CREATE EXTENSION IF NOT EXISTS pg_trgm"));
    await applyMigrations(url);
    await on(url, (client) => client.query("ALTER TABLE usage ADD CONSTRAINT never CHECK (false)"));
    await expect(restoreBackup(url, copy)).rejects.toThrow(/never/);
    await on(url, (client) => client.query("ALTER TABLE usage DROP CONSTRAINT never"));
    expect((await restoreBackup(url, copy)).rows).toBeGreaterThan(40);
  });

  it("says which secrets the keys of this installation do not open, and what to do", async () => {
    const { url } = await restored();
    expect(await findUnreadable(url, process.env.ENCRYPTION_KEYS ?? "")).toEqual([]);
    const others = `k9:${randomBytes(32).toString("base64")}`;
    const report = unreadableReport(await findUnreadable(url, others));
    expect(report).toContain("1 AI provider keys (sealed with k1), 1 WordPress passwords (sealed with k1)");
    expect(report).toContain("Add the keys of the installation that was backed up to ENCRYPTION_KEYS");
    expect(unreadableReport([])).toBe("");
    for (const secret of [process.env.ENCRYPTION_KEYS?.split(":")[1], process.env.AUTH_SECRET, "sk-of-theirs"]) {
      expect(gunzipSync(readFileSync(backup)).toString("utf8")).not.toContain(secret);
    }
  });
});

/** The lines with a hash of their own, as whoever made them would have written it. */
function resealed(lines: string[]): Buffer {
  const { createHash } = jest.requireActual<typeof import("node:crypto")>("node:crypto");
  const content = Buffer.from(`${lines.join("\n")}\n`, "latin1");
  const seal = line({ sha256: createHash("sha256").update(content).digest("hex") });
  return gzipSync(Buffer.concat([content, Buffer.from(seal)]));
}

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { applyMigrations } from "@/scripts/migrate";
import { createDatabase, query } from "@/tests/support/db";

let folder: string;
let database: Awaited<ReturnType<typeof createDatabase>>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "migrations-"));
  add("1_first", "CREATE TABLE first (id int); INSERT INTO first VALUES (1);");
  add("2_second", "ALTER TABLE first ADD COLUMN name text;");
  database = await createDatabase("empty");
});

afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

function add(name: string, sql: string): void {
  mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, name, "migration.sql"), sql);
}

async function rows<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

describe("applyMigrations", () => {
  it("applies every migration once, in order, and nothing the second time", async () => {
    expect(await applyMigrations(database.url, folder)).toEqual(["1_first", "2_second"]);
    expect(await applyMigrations(database.url, folder)).toEqual([]);
    expect(await rows("SELECT * FROM first")).toEqual([{ id: 1, name: null }]);
  });

  it("applies only new migrations", async () => {
    await applyMigrations(database.url, folder);
    add("3_third", "INSERT INTO first VALUES (3, 'three');");
    expect(await applyMigrations(database.url, folder)).toEqual(["3_third"]);
  });

  it("lets one of two concurrent starts do the work", async () => {
    const both = await Promise.all([applyMigrations(database.url, folder), applyMigrations(database.url, folder)]);
    expect(both.map((names) => names.length).sort()).toEqual([0, 2]);
  });

  it("keeps the table of prisma migrate deploy", async () => {
    await applyMigrations(database.url, folder);
    const columns = await rows(
      `SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
       FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`,
    );
    const text = (name: string, size: number | null, nullable: string) => ({
      column_name: name,
      data_type: size ? "character varying" : "text",
      character_maximum_length: size,
      is_nullable: nullable,
      column_default: null,
    });
    const time = (name: string, nullable: string, fallback: string | null) => ({
      column_name: name,
      data_type: "timestamp with time zone",
      character_maximum_length: null,
      is_nullable: nullable,
      column_default: fallback,
    });
    expect(columns).toEqual([
      text("id", 36, "NO"),
      text("checksum", 64, "NO"),
      time("finished_at", "YES", null),
      text("migration_name", 255, "NO"),
      text("logs", null, "YES"),
      time("rolled_back_at", "YES", null),
      time("started_at", "NO", "now()"),
      {
        column_name: "applied_steps_count",
        data_type: "integer",
        character_maximum_length: null,
        is_nullable: "NO",
        column_default: "0",
      },
    ]);
    expect(
      await rows(
        "SELECT checksum, applied_steps_count, finished_at IS NOT NULL AS done FROM _prisma_migrations ORDER BY migration_name",
      ),
    ).toEqual([
      {
        checksum: "8e5ae63deb3b2c04b6e63453a8e40cda3c895c869c3e7c1edb5f01a8645c13a9",
        applied_steps_count: 1,
        done: true,
      },
      {
        checksum: "ef874da10edd5fb2e9970cdc29f1005b71af1b1cd2df105ec28e8ea86dbd4c37",
        applied_steps_count: 1,
        done: true,
      },
    ]);
  });

  it("refuses a migration that was edited after it was applied", async () => {
    await applyMigrations(database.url, folder);
    add("1_first", "CREATE TABLE first (id bigint);");
    await expect(applyMigrations(database.url, folder)).rejects.toThrow(
      "Migration 1_first was edited after it was applied",
    );
  });

  it("rolls back a failed migration, records why, and refuses to continue until it is resolved", async () => {
    add("3_broken", "CREATE TABLE half (id int); SELECT nothing FROM nowhere;");
    await expect(applyMigrations(database.url, folder)).rejects.toThrow('relation "nowhere" does not exist');
    expect(
      await rows(
        "SELECT to_regclass('half') AS half, finished_at, logs FROM _prisma_migrations WHERE migration_name = '3_broken'",
      ),
    ).toEqual([{ half: null, finished_at: null, logs: expect.stringContaining("nowhere") }]);
    await expect(applyMigrations(database.url, folder)).rejects.toThrow("Migration 3_broken failed earlier");
    await rows("UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '3_broken'");
    add("3_broken", "CREATE TABLE half (id int);");
    expect(await applyMigrations(database.url, folder)).toEqual(["3_broken"]);
  });

  it("begins a migration again that was ended to break a deadlock with what runs meanwhile", async () => {
    await applyMigrations(database.url, folder);
    await rows("CREATE TABLE second ()");
    add("3_locking", "LOCK TABLE first; SELECT pg_sleep(0.2); LOCK TABLE second;");
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    // It never looks for a deadlock itself.
    await other.query("SET deadlock_timeout = '1h'");
    await other.query("BEGIN; LOCK TABLE second;");
    const migrated = applyMigrations(database.url, folder);
    const isLocked = `SELECT 1 FROM pg_locks WHERE relation = 'first'::regclass AND mode = 'AccessExclusiveLock' AND granted`;
    while ((await rows(isLocked)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await other.query("LOCK TABLE first; COMMIT;");
    await other.end();
    expect(await migrated).toEqual(["3_locking"]);
  });

  it("leaves a foreign database alone", async () => {
    await rows("CREATE TABLE orders (id int)");
    await expect(applyMigrations(database.url, folder)).rejects.toThrow("contains tables of another application");
    expect(await rows("SELECT to_regclass('_prisma_migrations') AS made")).toEqual([{ made: null }]);
  });

  it("has applied the product's migrations to every worker's database", async () => {
    cpSync("prisma/migrations", folder, { recursive: true });
    rmSync(path.join(folder, "1_first"), { recursive: true });
    rmSync(path.join(folder, "2_second"), { recursive: true });
    const names = await applyMigrations(database.url, folder);
    expect(names.length).toBeGreaterThan(0);
    const applied = await query<{ migration_name: string }>("SELECT migration_name FROM _prisma_migrations ORDER BY 1");
    expect(applied.map((row) => row.migration_name)).toEqual(names);
  });
});

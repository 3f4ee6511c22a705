import { spawn } from "node:child_process";
import path from "node:path";
import pg from "pg";
import { applyMigrations } from "@/scripts/migrate";
import { createDatabase } from "@/tests/support/db";

// Deployments run `prisma migrate deploy`, everything else our own runner: both must leave the same database.

const TABLES = `SELECT c.relname, c.relkind, c.relpersistence, c.relispartition, pg_get_expr(c.relpartbound, c.oid) AS bound,
    pg_get_partkeydef(c.oid) AS partitions, obj_description(c.oid, 'pg_class') AS comment, c.reloptions
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')`;
const COLUMNS = `SELECT c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull, a.attgenerated,
    a.attidentity, a.attcollation::regcollation::text AS collation, a.attstorage, pg_get_expr(d.adbin, d.adrelid) AS value,
    col_description(c.oid, a.attnum) AS comment
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'S') AND a.attnum > 0 AND NOT a.attisdropped`;
const CATALOGS: Record<string, string> = {
  tables: TABLES,
  columns: COLUMNS,
  constraints: `SELECT conrelid::regclass::text, conname, contype, condeferrable, condeferred, convalidated, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace`,
  indexes: `SELECT indexrelid::regclass::text, indisunique, indisvalid, pg_get_indexdef(indexrelid) FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = 'public'::regnamespace`,
  functions: `SELECT p.oid::regprocedure::text, pg_get_functiondef(p.oid) FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  triggers:
    "SELECT tgrelid::regclass::text, tgname, tgenabled, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
  enums: `SELECT t.typname, e.enumlabel, rank() OVER (PARTITION BY t.typname ORDER BY e.enumsortorder) FROM pg_enum e
    JOIN pg_type t ON t.oid = e.enumtypid`,
  extensions: "SELECT extname, extversion FROM pg_extension",
  statistics: "SELECT stxname, pg_get_statisticsobjdef(oid) FROM pg_statistic_ext",
  migrations:
    "SELECT migration_name, checksum, finished_at IS NOT NULL, rolled_back_at, applied_steps_count FROM _prisma_migrations",
};

async function catalogOf(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found: Record<string, string[]> = {};
    for (const [name, sql] of Object.entries(CATALOGS)) {
      const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
      found[name] = rows.map((row) => JSON.stringify(row)).sort();
    }
    return found;
  } finally {
    await client.end();
  }
}

/** Runs `prisma migrate deploy` with Prisma's own engine, in the form that needs no download. */
function migrateDeploy(url: string): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, ["node_modules/prisma/build/index.js", "migrate", "deploy"], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      DATABASE_URL: url,
      CHECKPOINT_DISABLE: "1",
      PRISMA_SCHEMA_ENGINE_BINARY: path.resolve("tests/support/schema-engine.mjs"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const output of [child.stdout, child.stderr]) output.on("data", (chunk: Buffer) => (printed += chunk));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, printed })));
}

async function withEmpty(work: (url: string) => Promise<void>): Promise<void> {
  const database = await createDatabase("empty");
  try {
    await work(database.url);
  } finally {
    await database.drop();
  }
}

it("leaves the same schema and the same record as our runner", async () => {
  await withEmpty(async (theirs) => {
    expect(await migrateDeploy(theirs)).toMatchObject({
      code: 0,
      printed: expect.stringContaining("All migrations have been successfully applied."),
    });
    await withEmpty(async (ours) => {
      await applyMigrations(ours);
      const [expected, found] = [await catalogOf(theirs), await catalogOf(ours)];
      expect(found).toEqual(expected);
      for (const name of [
        "tables",
        "columns",
        "constraints",
        "indexes",
        "functions",
        "triggers",
        "enums",
        "migrations",
      ]) {
        expect([name, expected[name]?.length]).toEqual([name, expect.any(Number)]);
        expect(expected[name]).not.toEqual([]);
      }
    });
    // Each takes the other's work as done.
    expect(await applyMigrations(theirs)).toEqual([]);
  });
}, 60_000);

it("finds nothing to do after our runner", async () => {
  await withEmpty(async (url) => {
    await applyMigrations(url);
    expect(await migrateDeploy(url)).toMatchObject({
      code: 0,
      printed: expect.stringContaining("No pending migrations to apply."),
    });
  });
}, 60_000);

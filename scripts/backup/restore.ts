import { once } from "node:events";
import path from "node:path";
import { finished } from "node:stream/promises";
import type pg from "pg";
import { type CopyStreamQuery, from as copyFrom } from "pg-copy-streams";
import { countLines } from "@/scripts/backup/backup";
import { readApplied, readForeignKeys, readTables, type Table } from "@/scripts/backup/catalog";
import { type BackupCounts, BackupFileError, type BackupHeader, readBackup } from "@/scripts/backup/format";
import { databaseClient } from "@/scripts/database-client";
import { applyMigrations, readMigrations } from "@/scripts/migrate";

export type Restored = { at: string; tables: number; rows: number; newerMigrations: number };

const MIGRATIONS = path.resolve("prisma/migrations");

/**
 * Restores a back-up into an empty database that nobody else uses, and applies the migrations that came later. The file is
 * read to its end before anything is written, and the data arrives in one transaction. Unfinished work is handed out again.
 * Throws BackupFileError, or an error that says what prevents it.
 */
export async function restoreBackup(url: string, file: string, folder = MIGRATIONS): Promise<Restored> {
  const { header, counts } = await verify(file);
  const known = migrationsOf(header, folder);
  await requireEmpty(url, header);
  await applyMigrations(url, folder, known);
  const client = databaseClient(url);
  // A lost connection fails the statement under way.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("BEGIN");
    await copyAll(client, file, counts);
    await client.query("COMMIT");
    const newer = await applyMigrations(url, folder);
    for (const statement of RELEASE_WORK) await client.query(statement);
    return restoredOf(header, counts, newer.length);
  } finally {
    await client.end();
  }
}

function restoredOf(header: BackupHeader, counts: BackupCounts, newerMigrations: number): Restored {
  const rows = Object.values(counts.rows);
  return {
    at: header.at,
    tables: rows.length,
    rows: rows.reduce((total, count) => total + count, 0),
    newerMigrations,
  };
}

/** Reads the whole file, so that a damaged one changes nothing. */
async function verify(file: string): Promise<{ header: BackupHeader; counts: BackupCounts }> {
  let header: BackupHeader | undefined;
  let counts: BackupCounts | undefined;
  const found: Record<string, number> = {};
  let table = "";
  for await (const part of readBackup(file)) {
    if (part.kind === "header") header = part.header;
    else if (part.kind === "counts") counts = part.counts;
    else if (part.kind === "rows") found[table] = (found[table] ?? 0) + countLines(part.rows);
    else {
      table = part.name;
      found[table] = 0;
    }
  }
  if (!header || !counts || JSON.stringify(found) !== JSON.stringify(counts.rows)) {
    throw new BackupFileError("This back-up is cut or was changed: take another one, nothing was restored.");
  }
  return { header, counts };
}

/** Returns the names of its migrations, which must be ours too, unchanged. */
function migrationsOf({ migrations }: BackupHeader, folder: string): string[] {
  const ours = new Map(readMigrations(folder).map(({ name, checksum }) => [name, checksum]));
  const unknown = migrations.find(({ name }) => !ours.has(name));
  if (unknown) {
    throw new BackupFileError(
      `This back-up was made by a newer Content Planner (its database has the migration ${unknown.name}): restore it with that version.`,
    );
  }
  const changed = migrations.find(({ name, checksum }) => ours.get(name) !== checksum);
  if (changed)
    throw new BackupFileError(`The migration ${changed.name} is not the one that this back-up was made with.`);
  return migrations.map(({ name }) => name);
}

async function requireEmpty(url: string, { migrations }: BackupHeader): Promise<void> {
  const client = databaseClient(url);
  await client.connect();
  try {
    const { rows: others } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    if (others[0]?.count) {
      throw new Error("Another program is connected to this database: stop the app, then restore.");
    }
    const applied = await readApplied(client);
    if (!applied) return;
    for (const table of await readTables(client)) {
      const { rows } = await client.query(`SELECT FROM ${client.escapeIdentifier(table.name)} LIMIT 1`);
      if (rows.length > 0) {
        throw new Error(`The database is not empty (${table.name} has rows): restore into a new database.`);
      }
    }
    if (JSON.stringify(applied) !== JSON.stringify(migrations)) {
      throw new Error("The database was migrated by another version than the back-up: restore into a new database.");
    }
  } finally {
    await client.end();
  }
}

/** Copies without foreign keys and triggers, so that the rows' order does not matter and nothing is counted twice. */
async function copyAll(client: pg.Client, file: string, counts: BackupCounts): Promise<void> {
  const name = (value: string) => client.escapeIdentifier(value);
  const keys = await readForeignKeys(client);
  const tables = await readTables(client);
  for (const key of keys) await client.query(`ALTER TABLE ${name(key.table)} DROP CONSTRAINT ${name(key.name)}`);
  for (const table of tables) await client.query(`ALTER TABLE ${name(table.name)} DISABLE TRIGGER USER`);
  await copyTables(client, file, counts, new Set(tables.map((table) => table.name)));
  for (const { name: sequence, value, isCalled } of counts.sequences) {
    await client.query("SELECT setval(quote_ident($1)::regclass, $2, $3)", [sequence, value, isCalled]);
  }
  for (const table of tables) await client.query(`ALTER TABLE ${name(table.name)} ENABLE TRIGGER USER`);
  for (const key of keys) {
    await client.query(`ALTER TABLE ${name(key.table)} ADD CONSTRAINT ${name(key.name)} ${key.definition}`);
  }
}

async function copyTables(client: pg.Client, file: string, counts: BackupCounts, known: Set<string>): Promise<void> {
  let copy: { stream: CopyStreamQuery; table: Table } | undefined;
  const end = async () => {
    if (!copy) return;
    const { stream, table } = copy;
    copy = undefined;
    stream.end();
    await finished(stream);
    if (stream.rowCount !== counts.rows[table.name]) throw new Error(`Not all rows of ${table.name} arrived.`);
  };
  for await (const part of readBackup(file)) {
    if (part.kind === "rows") {
      if (copy && !copy.stream.write(part.rows)) await once(copy.stream, "drain");
      continue;
    }
    await end();
    if (part.kind !== "table") continue;
    if (!known.has(part.name)) throw new BackupFileError(`This back-up has a table ${part.name}, which is not ours.`);
    copy = { stream: client.query(copyFrom(copyInto(client, part))), table: part };
  }
  await end();
}

function copyInto(client: pg.Client, { name, columns }: Table): string {
  return `COPY ${client.escapeIdentifier(name)} (${columns.map(client.escapeIdentifier).join(", ")}) FROM STDIN`;
}

/**
 * Nobody is working, so every unfinished item waits, at no cost. The engine may know events of the time after the back-up and
 * would take the same ones for repetitions: ours continue far behind them. They are statements for the newest tables.
 */
const RELEASE_WORK = [
  "UPDATE processing_queue SET status = 'pending', claim_token = NULL WHERE status = 'processing'",
  "UPDATE processing_queue SET sent_at = NULL, sends = sends + 1000000, run_id = NULL WHERE status = 'pending'",
];

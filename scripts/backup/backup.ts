import { createHash } from "node:crypto";
import { closeSync, createWriteStream, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { readApplied, readSequences, readTables, type Table } from "@/scripts/backup/catalog";
import { type BackupHeader, END_OF_TABLE, FORMAT, line } from "@/scripts/backup/format";
import { databaseClient } from "@/scripts/database-client";
import { readJson } from "@/scripts/json-file";
import { readKeyIds } from "@/scripts/sealed-secrets";

export type MadeBackup = { tables: number; rows: number };

/**
 * Writes all that the database at `url` holds to a new file, as of one moment, while others read and write it. The file is
 * readable by its owner only, and appears when it is whole. Throws if it exists or the database was never migrated.
 */
export async function makeBackup(url: string, file: string, now = new Date()): Promise<MadeBackup> {
  if (existsSync(file)) throw new Error(`${file} exists: name a new file.`);
  const partial = `${file}.${process.pid}.partial`;
  const client = databaseClient(url);
  // A lost connection fails the statement under way.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const made = { tables: 0, rows: 0 };
    // It is opened at once, so that it can be removed however early this fails, and is on the disk before it gets its name.
    const output = createWriteStream(partial, { fd: openSync(partial, "wx", 0o600), flush: true });
    await pipeline(Readable.from(sealed(content(client, now, made))), createGzip(), output);
    await client.query("COMMIT");
    renameSync(partial, file);
    syncFolder(path.dirname(file));
    return made;
  } finally {
    rmSync(partial, { force: true });
    await client.end().catch(() => undefined);
  }
}

async function* content(client: pg.Client, now: Date, made: MadeBackup): AsyncGenerator<Buffer> {
  yield text(line(await headerOf(client, now)));
  const rows: Record<string, number> = {};
  for (const table of await readTables(client)) {
    let count = 0;
    yield text(line({ table: table.name, columns: table.columns }));
    for await (const chunk of client.query(copyTo(`COPY (${select(client, table)}) TO STDOUT`))) {
      count += countLines(chunk as Buffer);
      yield chunk as Buffer;
    }
    yield text(END_OF_TABLE);
    rows[table.name] = count;
    made.tables++;
    made.rows += count;
  }
  yield text(line({ rows, sequences: await readSequences(client) }));
}

async function headerOf(client: pg.Client, now: Date): Promise<BackupHeader> {
  const migrations = await readApplied(client);
  if (!migrations) throw new Error("The database is empty: there is nothing to back up.");
  const { version } = readJson("package.json") as { version: string };
  return {
    format: FORMAT,
    version: 1,
    at: now.toISOString(),
    app: version,
    migrations,
    keyIds: await readKeyIds(client),
  };
}

/** A partitioned table cannot be copied by its name. */
function select(client: pg.Client, { name, columns }: Table): string {
  return `SELECT ${columns.map(client.escapeIdentifier).join(", ")} FROM ${client.escapeIdentifier(name)}`;
}

/** Yields the parts, and at the end the hash of everything before. */
async function* sealed(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const part of parts) {
    hash.update(part);
    yield part;
  }
  yield text(line({ sha256: hash.digest("hex") }));
}

/** Counts rows, each of which is one line in COPY's text format. */
export function countLines(rows: Buffer): number {
  let count = 0;
  for (let at = rows.indexOf(10); at >= 0; at = rows.indexOf(10, at + 1)) count++;
  return count;
}

function text(value: string): Buffer {
  return Buffer.from(value, "utf8");
}

/** A renamed file survives a power cut once its folder is written. Windows has no such call. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const opened = openSync(folder, "r");
  fsyncSync(opened);
  closeSync(opened);
}

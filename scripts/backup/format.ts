import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { z } from "zod";

/**
 * A back-up is one gzip file of lines. The first describes it. Then come the tables: a line with name and columns, the rows as
 * COPY's text format has them, and `\.` alone. After them a line with the counts of rows and the sequences, and one with the
 * SHA-256 of everything before it.
 */
export const FORMAT = "content-planner-backup";
export const END_OF_TABLE = "\\.\n";

const header = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  at: z.iso.datetime(),
  app: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Ids of the keys that seal the secrets in it; the keys themselves are not in it. */
  keyIds: z.array(z.string()),
});
const table = z.object({ table: z.string(), columns: z.array(z.string()) });
const counts = z.object({
  rows: z.record(z.string(), z.number().int()),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
});
const seal = z.object({ sha256: z.string() });

export type BackupHeader = z.infer<typeof header>;
export type BackupCounts = z.infer<typeof counts>;
export type BackupPart =
  | { kind: "header"; header: BackupHeader }
  | { kind: "table"; name: string; columns: string[] }
  /** Whole rows of the last table. */
  | { kind: "rows"; rows: Buffer }
  | { kind: "counts"; counts: BackupCounts };

export function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** The file is not a back-up, or not all of it. The message says so in a sentence. */
export class BackupFileError extends Error {
  override readonly name = "BackupFileError";
}

/** Our own lines are short; anything longer is not one. */
const MAX_LINE = 1_048_576;

/** Reads a back-up in order, in constant memory. Throws BackupFileError if it is cut or changed, at its end at the latest. */
export async function* readBackup(file: string): AsyncGenerator<BackupPart> {
  const hash = createHash("sha256");
  let state: "header" | "tables" | "rows" | "seal" | "done" = "header";
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of unzipped(file)) {
      rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      for (;;) {
        const taken = state === "rows" ? takeRows(rest) : takeLine(rest);
        if (!taken) break;
        rest = rest.subarray(taken.length);
        if (state === "rows") {
          hash.update(taken);
          if (taken.toString("latin1", 0, 4) === END_OF_TABLE) state = "tables";
          else yield { kind: "rows", rows: taken };
          continue;
        }
        const value = parse(taken, state === "header");
        if (state === "seal") {
          if (seal.parse(value).sha256 !== hash.digest("hex")) throw changed();
          state = "done";
          continue;
        }
        if (state === "done") throw changed();
        hash.update(taken);
        const part = partOf(value, state);
        if (part.kind === "table") state = "rows";
        else state = part.kind === "counts" ? "seal" : "tables";
        yield part;
      }
    }
  } catch (cause) {
    if (cause instanceof BackupFileError || (cause as NodeJS.ErrnoException).syscall) throw cause;
    throw state === "header" ? notOurs(cause) : changed(cause);
  }
  if (state === "header") throw notOurs();
  if (state !== "done" || rest.length > 0) throw changed();
}

function unzipped(file: string): AsyncIterable<Buffer> {
  const unzip = createGunzip();
  // The error reaches the code that reads.
  pipeline(createReadStream(file), unzip, () => undefined);
  return unzip;
}

/** All whole rows, or the end of the table; the buffer begins with a line. */
function takeRows(buffer: Buffer): Buffer | undefined {
  if (buffer.toString("latin1", 0, END_OF_TABLE.length) === END_OF_TABLE)
    return buffer.subarray(0, END_OF_TABLE.length);
  const end = buffer.indexOf(`\n${END_OF_TABLE}`);
  const length = (end < 0 ? buffer.lastIndexOf(10) : end) + 1;
  return length > 0 ? buffer.subarray(0, length) : undefined;
}

function takeLine(buffer: Buffer): Buffer | undefined {
  const end = buffer.indexOf(10);
  if (end < 0 && buffer.length > MAX_LINE) throw notOurs();
  return end < 0 ? undefined : buffer.subarray(0, end + 1);
}

function parse(text: Buffer, isFirst: boolean): unknown {
  try {
    return JSON.parse(text.toString("utf8"));
  } catch (cause) {
    throw isFirst ? notOurs(cause) : changed(cause);
  }
}

function partOf(value: unknown, state: "header" | "tables"): BackupPart {
  if (state === "header") {
    const version = z.object({ format: z.literal(FORMAT), version: z.number() }).safeParse(value);
    if (version.success && version.data.version > 1) {
      throw new BackupFileError("This back-up was made by a newer Content Planner: restore it with that version.");
    }
    return { kind: "header", header: header.parse(value) };
  }
  const begun = table.safeParse(value);
  if (begun.success) return { kind: "table", name: begun.data.table, columns: begun.data.columns };
  return { kind: "counts", counts: counts.parse(value) };
}

function notOurs(cause?: unknown): BackupFileError {
  return new BackupFileError("This file is not a back-up of Content Planner.", { cause });
}

function changed(cause?: unknown): BackupFileError {
  return new BackupFileError("This back-up is cut or was changed: take another one, nothing was restored.", { cause });
}

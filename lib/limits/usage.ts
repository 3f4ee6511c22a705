import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { codesOf } from "@/lib/utils/database";

/** What a person stores of what they may, in bytes. */
export type StorageUse = { usedBytes: number; maxBytes: number };

/** SQLSTATEs of take_room(); see the migration that makes it. */
const NO_ROOM = "UR001";
const TOO_MANY_SAVES = "UR002";

/** Bytes one person may store: texts with their revisions, and 128 for each row. */
export function maxStoredBytes(): number {
  return env.STORAGE_MAX_MB_PER_USER * 1024 * 1024;
}

function maxSaves(): number {
  return Math.ceil(env.SAVES_PER_MINUTE_PER_USER * env.RATE_LIMIT_SCALE);
}

/**
 * Counts a save and asks for room, as part of the statement that writes: `bytes` is the most that it adds. What it locks is
 * the last lock of its transaction. Run the write through `withinRoom`.
 */
export function roomFor(userId: string, bytes: number | Prisma.Sql): Prisma.Sql {
  const need = typeof bytes === "number" ? Prisma.sql`${bytes}::bigint` : bytes;
  return Prisma.sql`take_room(${userId}::uuid, ${need}, ${maxStoredBytes()}::bigint, ${maxSaves()}::int)`;
}

/**
 * The same as a statement of its own, for a transaction: what that has written before is counted already, `bytes` is what it
 * still adds.
 */
export function takeRoom(userId: string, bytes = 0, db: Pick<Db, "$queryRaw"> = prisma) {
  return db.$queryRaw(Prisma.sql`SELECT ${roomFor(userId, bytes)}`);
}

/** The most that a row with these texts adds, in bytes. */
export function bytesOf(...texts: (string | null | undefined)[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), ROW_BYTES);
}

const ROW_BYTES = 128;

/** Runs a write that takes room. Throws STORAGE_FULL, or RATE_LIMITED with the seconds to wait; nothing is written then. */
export async function withinRoom<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

function refusalOf(error: unknown): AppError | undefined {
  const codes = codesOf(error);
  if (codes.includes(NO_ROOM)) return new AppError("STORAGE_FULL");
  if (!codes.includes(TOO_MANY_SAVES)) return undefined;
  const message = "That was too many saves within a minute. Wait a little, then save again.";
  const seconds = /wait (\d+) s/.exec(String((error as Error).message))?.[1] ?? 60;
  return new AppError("RATE_LIMITED", { message, retryAfter: Number(seconds) });
}

/** SQL: what a person stores now. */
export function storedBytes(userId: string): Prisma.Sql {
  return Prisma.sql`(
    SELECT coalesce((SELECT bytes FROM usage WHERE user_id = ${userId}::uuid), 0)
      + coalesce((SELECT sum(bytes) FROM usage_changes WHERE user_id = ${userId}::uuid), 0))::float8`;
}

/** How much a person stores, and how much they may. */
export async function storageUse(userId: string): Promise<StorageUse> {
  const [row] = await prisma.$queryRaw<{ bytes: number }[]>(Prisma.sql`SELECT ${storedBytes(userId)} AS bytes`);
  return { usedBytes: row?.bytes ?? 0, maxBytes: maxStoredBytes() };
}

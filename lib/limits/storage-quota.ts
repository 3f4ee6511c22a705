import "server-only";
import { errorCodes } from "@/lib/db/errors";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

export type StorageUsage = { usedBytes: number; maxBytes: number };

/** SQLSTATEs of take_room(), defined in its migration. */
const STORAGE_FULL = "UR001";
const TOO_MANY_SAVES = "UR002";

/** Texts with their revisions, plus 128 bytes per row. */
export function storageQuotaBytes(): number {
  return env.STORAGE_MAX_MB_PER_USER * 1024 * 1024;
}

function maxSaves(): number {
  return Math.ceil(env.SAVES_PER_MINUTE_PER_USER * env.RATE_LIMIT_SCALE);
}

/**
 * SQL that counts a save and reserves space within the statement that writes; `bytes` is the most it adds. Its lock
 * must be the last of its transaction. Run the write through `withinQuota`.
 */
export function reserveStorageSql(userId: string, bytes: number | Prisma.Sql): Prisma.Sql {
  const need = typeof bytes === "number" ? Prisma.sql`${bytes}::bigint` : bytes;
  return Prisma.sql`take_room(${userId}::uuid, ${need}, ${storageQuotaBytes()}::bigint, ${maxSaves()}::int)`;
}

/**
 * The same as a separate statement in a transaction: earlier writes are counted already, `bytes` is what is still to
 * come.
 */
export function reserveStorage(userId: string, bytes: number, db: Pick<Db, "$queryRaw">) {
  return db.$queryRaw(Prisma.sql`SELECT ${reserveStorageSql(userId, bytes)}`);
}

/** The most a row with these texts adds. */
export function rowBytes(...texts: (string | null | undefined)[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), ROW_BYTES);
}

const ROW_BYTES = 128;

/** Runs a write that reserves space. Throws STORAGE_FULL or RATE_LIMITED; then nothing is written. */
export async function withinQuota<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw quotaError(error) ?? error;
  }
}

function quotaError(error: unknown): AppError | undefined {
  const codes = errorCodes(error);
  if (codes.includes(STORAGE_FULL)) return new AppError("STORAGE_FULL");
  if (!codes.includes(TOO_MANY_SAVES)) return undefined;
  const message = "You saved too many times within a minute. Wait a little, then save again.";
  // take_room() ends its message with the seconds.
  const [, seconds = "60"] = /wait (\d+) s/.exec((error as Error).message) ?? [];
  return new AppError("RATE_LIMITED", { message, retryAfter: Number(seconds) });
}

export function storedBytesSql(userId: string): Prisma.Sql {
  return Prisma.sql`(
    SELECT coalesce((SELECT bytes FROM usage WHERE user_id = ${userId}::uuid), 0)
      + coalesce((SELECT sum(bytes) FROM usage_changes WHERE user_id = ${userId}::uuid), 0))::float8`;
}

export async function storageUsage(userId: string): Promise<StorageUsage> {
  const [{ bytes }] = await prisma.$queryRaw<[{ bytes: number }]>(
    Prisma.sql`SELECT ${storedBytesSql(userId)} AS bytes`,
  );
  return { usedBytes: bytes, maxBytes: storageQuotaBytes() };
}

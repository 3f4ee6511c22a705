import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { env } from "@/lib/env";
import { AppError, CALL_MESSAGES, isAppError, tryAgainIn } from "@/lib/errors";
import { bytesOfRow, COUNTED_TEXTS, ROW_BYTES } from "@/lib/limits/counted-texts";
import { tryLimit } from "@/lib/limits/rate-limits";
import { log } from "@/lib/log";

/** The quota counts texts with their revisions, plus 128 bytes per row. */
export function storageQuotaBytes(): number {
  return env.STORAGE_MAX_MB_PER_USER * 1024 * 1024;
}

function maxSaves(): number {
  return Math.ceil(env.SAVES_PER_MINUTE_PER_USER * env.RATE_LIMIT_SCALE);
}

/** The most a row with these texts adds. */
export function rowBytes(...texts: (string | null | undefined)[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), ROW_BYTES);
}

/**
 * Counts a save that adds at most so many bytes. It locks the user's count until the transaction ends, so it comes last, except
 * where that lock also guards a cap. Throws STORAGE_FULL and RATE_LIMITED: call it within `withinQuota`.
 */
export async function store(db: Pick<Db, "$queryRaw">, userId: string, bytes: number): Promise<void> {
  const stored = await db.$queryRaw<unknown[]>(storeSql(userId, Prisma.sql`SELECT ${bytes}::bigint AS bytes`));
  if (stored.length === 0) throw await refusal(db, userId);
}

/**
 * SQL of `store` for a statement that does it all. `added` selects (bytes), or no row if nothing is stored. It returns a row if
 * there is room; else the statement must write nothing, and its caller throws `refusal`.
 */
export function storeSql(userId: string, added: Prisma.Sql): Prisma.Sql {
  const isWindowOver = Prisma.sql`u.window_ends <= clock_timestamp()`;
  const quota = Prisma.sql`${storageQuotaBytes()}::bigint`;
  return Prisma.sql`
    INSERT INTO usage AS u (user_id, bytes, saves, window_ends)
    SELECT ${userId}::uuid, bytes, 1, clock_timestamp() + interval '1 minute' FROM (${added}) added WHERE bytes <= ${quota}
    ON CONFLICT (user_id) DO UPDATE SET bytes = u.bytes + excluded.bytes, is_exact = false,
      saves = CASE WHEN ${isWindowOver} THEN 1 ELSE u.saves + 1 END,
      window_ends = CASE WHEN ${isWindowOver} THEN excluded.window_ends ELSE u.window_ends END
    WHERE u.bytes + excluded.bytes <= ${quota} AND (u.saves < ${maxSaves()}::int OR ${isWindowOver})
    RETURNING user_id`;
}

/** Why a save was not stored. */
export async function refusal(db: Pick<Db, "$queryRaw">, userId: string): Promise<AppError> {
  const [used] = await db.$queryRaw<{ seconds: number }[]>(Prisma.sql`
    SELECT greatest(1, ceil(extract(epoch FROM window_ends - clock_timestamp())))::int AS seconds FROM usage
    WHERE user_id = ${userId}::uuid AND saves >= ${maxSaves()}::int AND window_ends > clock_timestamp()`);
  if (!used) return new AppError("STORAGE_FULL");
  const message = `${CALL_MESSAGES.savedOften} ${tryAgainIn(used.seconds)}`;
  return new AppError("RATE_LIMITED", { message, retryAfter: used.seconds });
}

/** Counts bytes whatever room there is, and no save: for what was paid for or published. It comes last too. */
export async function storeAnyway(db: Pick<Db, "$executeRaw">, userId: string, bytes: number): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    INSERT INTO usage AS u (user_id, bytes) VALUES (${userId}::uuid, ${bytes}::bigint)
    ON CONFLICT (user_id) DO UPDATE SET bytes = u.bytes + excluded.bytes, is_exact = false`);
}

/**
 * Call it once a deletion has been committed: a recount finds what it freed. Within its transaction the lock would meet those
 * of queue items.
 */
export async function noteDeletion(userId: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`UPDATE usage SET is_exact = false WHERE user_id = ${userId}::uuid`);
}

/** Runs a write that calls `store`. If there is no room left, it recounts and tries once more. */
export async function withinQuota<T>(userId: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isAppError(error, "STORAGE_FULL")) throw error;
    await storageUsage(userId);
    return write();
  }
}

/** Runs a write that adds at most so many bytes, and `store`. */
export function storing<T>(userId: string, bytes: number, write: (db: Db) => Promise<T>): Promise<T> {
  return withinQuota(userId, () =>
    transaction(async (db) => {
      const written = await write(db);
      await store(db, userId, bytes);
      return written;
    }),
  );
}

/** SQL value: at least what the user stores, without a recount. */
export function countedBytesSql(userId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce((SELECT bytes FROM usage WHERE user_id = ${userId}), 0)::float8`;
}

/** `removingBytes`: those of the used ones that are deleted, and whose rows are still there. */
export type StorageUsage = { usedBytes: number; removingBytes: number; maxBytes: number };

/** Recounts if anything was written or deleted since the last time. While `recount` is used up, the figure may be too high. */
export async function storageUsage(userId: string): Promise<StorageUsage> {
  const [counted] = await prisma.$queryRaw<(Count & { isExact: boolean })[]>(
    Prisma.sql`SELECT ${COUNT}, is_exact AS "isExact" FROM usage WHERE user_id = ${userId}::uuid`,
  );
  const isDue = !counted?.isExact && (await tryLimit({ name: "recount", subject: userId }));
  const { usedBytes = 0, removingBytes = 0 } = (isDue ? await recount(userId) : counted) ?? {};
  return { usedBytes, removingBytes, maxBytes: storageQuotaBytes() };
}

/** Throws STORAGE_FULL: nobody should pay for text that cannot be saved. */
export async function assertRoom(userId: string): Promise<void> {
  const { usedBytes, maxBytes } = await storageUsage(userId);
  if (usedBytes >= maxBytes) throw new AppError("STORAGE_FULL");
}

/** Users that one sweep recounts; the next one goes on. */
const MAX_RECOUNTED = 500;

/** Recounts users who wrote or deleted since the last time; called by the scheduled sweep. */
export async function recountUsers(): Promise<void> {
  const users = await prisma.$queryRaw<{ id: string }[]>(
    Prisma.sql`SELECT user_id AS id FROM usage WHERE NOT is_exact LIMIT ${MAX_RECOUNTED}::int`,
  );
  for (const { id } of users) {
    await recount(id).catch((error: unknown) => log.warn({ err: error, userId: id }, "storage not recounted"));
  }
}

type Count = Omit<StorageUsage, "maxBytes">;
const COUNT = Prisma.sql`bytes::float8 AS "usedBytes", removing_bytes::float8 AS "removingBytes"`;

function recount(userId: string): Promise<Count> {
  return transaction(async (db) => {
    // Locks the count, which must be there for it.
    await storeAnyway(db, userId, 0);
    // This is a second statement: the snapshot of the one that waited for the lock is older.
    const [counted] = await db.$queryRaw<[Count]>(Prisma.sql`
      UPDATE usage SET (bytes, removing_bytes) = (
        SELECT coalesce(sum(bytes), 0), coalesce(sum(bytes) FILTER (WHERE is_deleted), 0)
        FROM (${storedRowsSql(Prisma.sql`${userId}::uuid`)}) stored), is_exact = true
      WHERE user_id = ${userId}::uuid RETURNING ${COUNT}`);
    return counted;
  });
}

/** SQL value: what a user stores, from the rows themselves. */
export function storedBytesSql(userId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(sum(bytes), 0)::bigint FROM (${storedRowsSql(userId)}) stored)`;
}

/** SQL: (bytes, is_deleted) of each row that counts towards a user's storage. */
function storedRowsSql(userId: Prisma.Sql): Prisma.Sql {
  const rows = Object.entries(COUNTED_TEXTS).map(([table, counted]) => {
    const { parent } = counted;
    const [from, owner, knowing] = parent
      ? [`${table} r JOIN ${parent.table} o ON o.id = r.${parent.key}`, "o", COUNTED_TEXTS[parent.table]]
      : [`${table} r`, "r", counted];
    const isDeleted = knowing?.isDeletable ? `${owner}.deleted_at IS NOT NULL` : "false";
    const select = `SELECT ${bytesOfRow("r", counted)} AS bytes, ${isDeleted} AS is_deleted FROM ${from}`;
    return Prisma.sql`${Prisma.raw(`${select} WHERE ${owner}.user_id`)} = ${userId}`;
  });
  return Prisma.join(rows, " UNION ALL ");
}

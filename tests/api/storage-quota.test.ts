import { Prisma, prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import {
  reserveStorage,
  reserveStorageSql,
  rowBytes,
  storageQuotaBytes,
  storageUsage,
  withinQuota,
} from "@/lib/limits/storage-quota";
import { query } from "@/tests/support/db";
import { newPerson } from "@/tests/support/factories";

const MB = 1_048_576;
const usual = env.STORAGE_MAX_MB_PER_USER;
beforeEach(() => Object.assign(env, { STORAGE_MAX_MB_PER_USER: 2 }));
afterEach(() => Object.assign(env, { STORAGE_MAX_MB_PER_USER: usual }));

/** A person with this many stored bytes, and changes not yet added to the sum. */
async function personWith(bytes: number, changes = 0): Promise<string> {
  const { id } = await newPerson();
  await query("DELETE FROM usage_changes WHERE user_id = $1", [id]);
  await query("UPDATE usage SET bytes = $2, saves = 0 WHERE user_id = $1", [id, bytes]);
  if (changes > 0) await query("INSERT INTO usage_changes (user_id, bytes) VALUES ($1, $2)", [id, changes]);
  return id;
}

const outcome = (write: () => Promise<unknown>) =>
  withinQuota(write).then(
    () => "stored",
    (error: { type?: string }) => error.type,
  );

it("counts the bytes of a row's texts plus 128 for the row", () => {
  expect(rowBytes()).toBe(128);
  expect(rowBytes("né", null, undefined, "園")).toBe(128 + 3 + 3);
  expect(storageQuotaBytes()).toBe(2 * MB);
});

it("enforces the quota to the byte, for a size given as a number or as SQL", async () => {
  const id = await personWith(2 * MB - 150, 50);
  for (const need of [100, 101]) {
    const expected = need === 100 ? "stored" : "STORAGE_FULL";
    expect(await outcome(() => reserveStorage(id, need, prisma))).toBe(expected);
    const sql = Prisma.sql`SELECT ${reserveStorageSql(id, Prisma.sql`${need}::bigint`)}`;
    expect(await outcome(() => prisma.$queryRaw(sql))).toBe(expected);
  }
  const [row] = await query("SELECT saves FROM usage WHERE user_id = $1", [id]);
  expect(row).toEqual({ saves: 2 });
});

it("reports the person's own usage and the quota", async () => {
  const [id, other] = [await personWith(700, 25), await personWith(9_000, 90)];
  expect(await storageUsage(id)).toEqual({ usedBytes: 725, maxBytes: 2 * MB });
  expect(await storageUsage(other)).toEqual({ usedBytes: 9_090, maxBytes: 2 * MB });
  await query("DELETE FROM usage WHERE user_id = $1", [id]);
  expect(await storageUsage(id)).toMatchObject({ usedBytes: 25 });
  expect(await storageUsage(await personWith(0))).toMatchObject({ usedBytes: 0 });
});

it("says how long to wait when a minute's saves are used up", async () => {
  const id = await personWith(0);
  await query("UPDATE usage SET saves = $2, window_ends = now() + interval '40 seconds' WHERE user_id = $1", [
    id,
    env.SAVES_PER_MINUTE_PER_USER,
  ]);
  const refused = await withinQuota(() => reserveStorage(id, 1, prisma)).catch((error: unknown) => error);
  expect(refused).toMatchObject({ type: "RATE_LIMITED", message: expect.stringContaining("within a minute") });
  const { retryAfter } = refused as { retryAfter: number };
  expect(retryAfter).toBeGreaterThan(20);
  expect(retryAfter).toBeLessThanOrEqual(40);
});

it("rethrows any other failure, and returns the result of the write", async () => {
  const failure = new Error("The database is away.");
  await expect(withinQuota(() => Promise.reject(failure))).rejects.toBe(failure);
  expect(await withinQuota(async () => 7)).toBe(7);
});

import { createHmac } from "node:crypto";
import { env } from "@/lib/env";
import type { AppError } from "@/lib/errors";
import {
  assertWithinLimits,
  consumeLimits,
  consumeOnFailure,
  isLimitReached,
  type LimitKey,
  type LimitName,
  pruneLimits,
  refundLimits,
  resetLimits,
} from "@/lib/limits/rate-limits";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";

const scale = env.RATE_LIMIT_SCALE;
afterEach(() => Object.assign(env, { RATE_LIMIT_SCALE: scale }));
beforeEach(() => query("DELETE FROM rate_limits"));

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;

/** Every rule. Rules by address allow ten times as much when all clients share one address. */
const RULES: [LimitName, number, number, "account" | "address"][] = [
  ["loginAccountAddress", 10, 15 * MINUTE, "account"],
  ["loginAccount", 50, HOUR, "account"],
  ["loginAddress", 100, HOUR, "address"],
  ["loginDevice", 10, 15 * MINUTE, "account"],
  ["loginDeviceInAll", 100, YEAR, "account"],
  ["proofSession", 10, 15 * MINUTE, "account"],
  ["proofAccount", 50, HOUR, "account"],
  ["registerAddress", 20, HOUR, "address"],
  ["resetAccount", 3, HOUR, "account"],
  ["resetDevice", 3, HOUR, "account"],
  ["resetDevicesOfAccount", 6, HOUR, "account"],
  ["resetAddress", 20, HOUR, "address"],
  ["resetConfirmAddress", 20, HOUR, "address"],
  ["idTokenAddress", 100, HOUR, "address"],
  ["googleAddress", 200, HOUR, "address"],
  ["accountNames", 20, HOUR, "account"],
  ["ai", 30, MINUTE, "account"],
  ["export", 10, HOUR, "account"],
  ["site", 30, MINUTE, "account"],
  ["publishing", 30, MINUTE, "account"],
  ["items", 100_000, 24 * HOUR, "account"],
  ["recount", 6, MINUTE, "account"],
];

const setCounts = (count: number) => query("UPDATE rate_limits SET hits = $1", [count]);

async function counts(): Promise<number[]> {
  const rows = await query<{ hits: number }>("SELECT hits FROM rate_limits ORDER BY hits");
  return rows.map((row) => row.hits);
}

async function epoch(moment: string, from = ""): Promise<number> {
  const [row] = await query<{ epoch: number }>(`SELECT extract(epoch FROM ${moment})::float8 AS epoch ${from}`);
  return row?.epoch ?? 0;
}

/** The seconds to wait, or undefined when the call may be made. */
async function refusal(call: Promise<unknown>): Promise<number | undefined> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return undefined;
  expect(error).toMatchObject({ type: "RATE_LIMITED" });
  return (error as AppError).retryAfter;
}

describe("each limit", () => {
  it.each(RULES)("%s: %d within %d seconds", async (name, max, seconds) => {
    const key = { name, subject: "somebody" };
    const began = await epoch("clock_timestamp()");
    await consumeLimits(key);
    const counted = await epoch("clock_timestamp()");
    const end = await epoch("expires_at", "FROM rate_limits");
    // The column keeps milliseconds.
    expect(end - began).toBeGreaterThan(seconds - 0.01);
    expect(end - counted).toBeLessThan(seconds + 0.01);
    await setCounts(max - 1);
    expect(await isLimitReached(key)).toBe(false);
    expect(await refusal(assertWithinLimits(key))).toBeUndefined();
    await consumeLimits(key);
    expect(await isLimitReached(key)).toBe(true);
    expect(await refusal(assertWithinLimits(key))).toBeGreaterThan(0);
    expect(await refusal(consumeLimits(key))).toBeGreaterThan(0);
    expect(await counts()).toEqual([max]);
  });

  it.each(RULES)("%s has its maximum for a shared address", async (name, max, _, by) => {
    const key = { name, subject: "shared" };
    await consumeLimits(key);
    await setCounts(max * (by === "address" ? 10 : 1) - 1);
    await consumeLimits(key);
    expect(await isLimitReached(key)).toBe(true);
  });

  it("starts over when its window has expired", async () => {
    const key: LimitKey = { name: "ai", subject: "somebody" };
    await consumeLimits(key);
    await query("UPDATE rate_limits SET hits = 30, expires_at = now() - interval '1 second'");
    expect(await isLimitReached(key)).toBe(false);
    await consumeLimits(key);
    expect(await counts()).toEqual([1]);
    expect(await epoch("expires_at - now()", "FROM rate_limits")).toBeGreaterThan(30);
  });

  it("counts as many hits as a call has, all or none", async () => {
    const hits = (count: number): LimitKey => ({ name: "ai", subject: "somebody", count });
    await consumeLimits(hits(10));
    await consumeLimits(hits(20));
    expect(await counts()).toEqual([30]);
    await refundLimits(hits(5));
    expect(await refusal(consumeLimits(hits(6)))).toBeGreaterThan(30);
    expect(await counts()).toEqual([25]);
    await query("UPDATE rate_limits SET expires_at = now() - interval '1 second'");
    await consumeLimits(hits(7));
    expect(await counts()).toEqual([7]);
  });

  it("does not extend its window when used", async () => {
    const key: LimitKey = { name: "ai", subject: "somebody" };
    await consumeLimits(key);
    await query("UPDATE rate_limits SET expires_at = now() + interval '20 seconds'");
    await consumeLimits(key);
    await setCounts(30);
    expect(await refusal(consumeLimits(key))).toBeLessThanOrEqual(20);
  });

  it("refuses every call when RATE_LIMIT_SCALE leaves less than one", async () => {
    const key: LimitKey = { name: "export", subject: "somebody" };
    Object.assign(env, { RATE_LIMIT_SCALE: 0.05 });
    expect(await refusal(consumeLimits(key))).toBe(1);
    expect(await counts()).toEqual([]);
    Object.assign(env, { RATE_LIMIT_SCALE: 0.1 });
    await consumeLimits(key);
    expect(await refusal(consumeLimits(key))).toBeGreaterThan(1);
  });
});

describe("several limits at once", () => {
  const keys: [LimitKey, LimitKey, LimitKey] = [
    { name: "loginAccountAddress", subject: "somebody 192.0.2.1" },
    { name: "loginAddress", subject: "192.0.2.1" },
    { name: "loginAccount", subject: "somebody" },
  ];

  /** Uses up the last limit, and counts once against the others. */
  async function exhaustLast(): Promise<void> {
    await consumeLimits(keys[2]);
    await setCounts(50);
    await consumeLimits(keys[0], keys[1]);
  }

  it("count nothing when the last of them refuses", async () => {
    await exhaustLast();
    expect(await refusal(consumeLimits(...keys))).toBeGreaterThan(0);
    expect(await counts()).toEqual([1, 1, 50]);
  });

  it("return the wait of the one that refuses", async () => {
    await exhaustLast();
    await query("UPDATE rate_limits SET expires_at = now() + interval '100 seconds' WHERE hits = 50");
    const wait = await refusal(consumeLimits(...keys));
    expect(wait).toBeGreaterThan(90);
    expect(wait).toBeLessThanOrEqual(100);
  });

  it("return the longest wait when several are used up", async () => {
    await consumeLimits(...keys);
    await setCounts(100);
    await query("UPDATE rate_limits SET expires_at = now() + interval '100 seconds'");
    await resetLimits(keys[1]);
    await consumeLimits(keys[1]);
    await query("UPDATE rate_limits SET hits = 100, expires_at = now() + interval '300 seconds' WHERE hits = 1");
    expect(await refusal(assertWithinLimits(...keys))).toBeGreaterThan(290);
  });

  it("are free again after a reset", async () => {
    await consumeLimits(...keys);
    await resetLimits(keys[0], keys[2]);
    expect(await counts()).toEqual([1]);
  });

  it("stay counted only after a failure", async () => {
    expect(await consumeOnFailure(keys, async () => false)).toBe(false);
    expect(await counts()).toEqual([1, 1, 1]);
    expect(await consumeOnFailure(keys, async () => true)).toBe(true);
    expect(await counts()).toEqual([1, 1, 1]);
    expect(await consumeOnFailure(keys.slice(0, 1), async () => true)).toBe(true);
    expect(await counts()).toEqual([1, 1, 1]);
  });

  it("are never refunded below zero", async () => {
    await consumeLimits(...keys);
    await refundLimits(...keys);
    await refundLimits(...keys);
    expect(await counts()).toEqual([0, 0, 0]);
  });

  it("are refunded in the order of their keys", async () => {
    await consumeLimits(...keys);
    const [first, second] = await query<{ key: string }>("SELECT key FROM rate_limits ORDER BY key");
    const lock = "SELECT key FROM rate_limits WHERE key = $1 FOR UPDATE";
    const holder = await holdTransaction(lock, [first?.key]);
    const refund = refundLimits(...keys);
    await waitForLock();
    // Still free: a refund that waits for the first has not locked the second.
    await holder.also("SELECT key FROM rate_limits WHERE key = $1 FOR UPDATE NOWAIT", [second?.key]);
    await holder.releaseLock();
    await refund;
    expect(await counts()).toEqual([0, 0, 0]);
  });
});

it("stores keys that cannot be guessed without our secret", async () => {
  await consumeLimits({ name: "ai", subject: "somebody" });
  const guesses = ["local", ""].map((secret) =>
    createHmac("sha256", secret).update("ai\0somebody").digest("base64url"),
  );
  const rows = await query<{ key: string }>("SELECT key FROM rate_limits");
  expect(rows).toHaveLength(1);
  expect(guesses).not.toContain(rows[0]?.key);
});

it("prunes only limits whose window is over", async () => {
  await consumeLimits({ name: "ai", subject: "somebody" });
  await query("UPDATE rate_limits SET expires_at = now() - interval '1 second'");
  await consumeLimits({ name: "export", subject: "somebody" }, { name: "export", subject: "another" });
  await pruneLimits();
  expect(await counts()).toEqual([1, 1]);
});

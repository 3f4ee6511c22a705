import { createHash } from "node:crypto";
import {
  createSession,
  createSessionByPassword,
  deleteOtherSessions,
  endSession,
  hashToken,
  isFreshSession,
  listSessions,
  slideSession,
} from "@/lib/auth/sessions";
import { prisma } from "@/lib/db/prisma";
import type { SessionOut } from "@/lib/features/account/sessions/schema";
import { type Caller, createCaller } from "@/tests/support/app";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import { newUser, PASSWORD, registerUser, type User } from "@/tests/support/factories";

const FIREFOX = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:126.0) Gecko/20100101 Firefox/126.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";

const DAY = 86_400_000;

async function signInWith({ username }: User, userAgent: string, address?: string): Promise<Caller> {
  const caller = createCaller(undefined, address);
  const answer = await caller.post("/api/login", { username, password: PASSWORD }, { "user-agent": userAgent });
  expect(answer.status).toBe(200);
  return caller;
}

const list = async (caller: Caller) => (await caller.get<SessionOut[]>("/api/user/sessions")).body;

/** Sessions opened elsewhere, each a minute older than the one before. */
const addSessions = (userId: string, count: number) =>
  query(
    `INSERT INTO sessions (session_token, user_id, expires, created_at)
     SELECT $1 || n, $1::uuid, now() + interval '20 days', now() - n * interval '1 minute'
     FROM generate_series(1, $2) n`,
    [userId, count],
  );

describe("GET /api/user/sessions", () => {
  it("lists device and address, the current session first, then the newest", async () => {
    const user = await registerUser();
    await signInWith(user, FIREFOX, "10.9.9.1");
    await signInWith(user, IPHONE, "10.9.9.2");
    const sessions = await list(user.caller);
    expect(sessions.map(({ device, address, current }) => [device, address, current])).toEqual([
      ["Unknown device", expect.stringMatching(/^10\./), true],
      ["Safari on iPhone", "10.9.9.2", false],
      ["Firefox on macOS", "10.9.9.1", false],
    ]);
  });

  it("reveals neither token nor hash nor the user agent", async () => {
    const user = await newUser();
    await signInWith(user, FIREFOX);
    const { text } = await user.caller.get("/api/user/sessions");
    const token = user.caller.cookie()?.split("=")[1] ?? "-";
    const hash = createHash("sha256").update(token).digest("base64url");
    for (const secret of [token, hash, "Gecko", "oken", "serAgent"]) expect(text).not.toContain(secret);
  });

  it("says when each was last used, by the day of its last extension", async () => {
    const user = await newUser();
    const device = await signInWith(user, FIREFOX);
    const days = async () => {
      const [, other] = await list(user.caller);
      return (Date.now() - Date.parse(other?.lastUsed ?? "")) / 86_400_000;
    };
    await query(
      `UPDATE sessions SET created_at = now() - interval '9 days', expires = now() + interval '25 days'
       WHERE user_id = $1 AND user_agent = $2`,
      [user.id, FIREFOX],
    );
    expect(await days()).toBeCloseTo(5, 2);
    expect((await device.get("/api/user")).status).toBe(200);
    expect(await days()).toBeCloseTo(0, 2);
  });

  it("never shows a last use before the sign-in, and leaves out expired sessions", async () => {
    const user = await newUser();
    await query(
      `INSERT INTO sessions (session_token, user_id, expires) VALUES
       ($1 || 'a', $1::uuid, now() + interval '1 minute'), ($1 || 'b', $1::uuid, now() - interval '1 second')`,
      [user.id],
    );
    const sessions = await list(user.caller);
    expect(sessions).toHaveLength(2);
    for (const { createdAt, lastUsed } of sessions) {
      expect(Date.parse(lastUsed)).toBeGreaterThanOrEqual(Date.parse(createdAt) - 1_000);
    }
  });

  it("returns a hundred of 10,000, including the current one", async () => {
    const user = await newUser();
    await query("UPDATE sessions SET created_at = now() - interval '9 days' WHERE user_id = $1", [user.id]);
    await addSessions(user.id, 10_000);
    const sessions = await list(user.caller);
    expect(sessions).toHaveLength(100);
    expect(sessions.map(({ current }) => current).indexOf(true)).toBe(0);
    const times = sessions.slice(1).map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it("accepts any user agent at sign-in", async () => {
    const user = await newUser();
    const hostile = [
      "x".repeat(50_000),
      "<img src=x onerror=alert(1)>/1.0 y",
      "constructor/1.0 y",
      "__proto__/1.0 y",
      "' OR 1=1; DROP TABLE sessions; --",
      "\u00ff\u0080\u009f",
      "(".repeat(8_000),
      "\t \t",
    ];
    for (const userAgent of hostile) await signInWith(user, userAgent);
    const sessions = await list(user.caller);
    expect(sessions).toHaveLength(hostile.length + 1);
    for (const { device } of sessions) expect(device).toBe("Unknown device");
    const rows = await query<{ kept: string | null }>(
      "SELECT user_agent AS kept FROM sessions WHERE user_id = $1 ORDER BY created_at OFFSET 1",
      [user.id],
    );
    expect(rows.map(({ kept }) => kept?.length ?? null)).toEqual([300, 34, 17, 15, 33, 1, 300, null]);
  });

  it("keeps device and address when a new password replaces the session", async () => {
    const user = await newUser();
    const device = await signInWith(user, FIREFOX, "10.9.9.3");
    const body = { password: "a wholly other long phrase", currentPassword: PASSWORD };
    expect((await device.call("PATCH", "/api/user", body, { "user-agent": IPHONE })).status).toBe(200);
    expect(await list(device)).toMatchObject([{ device: "Safari on iPhone", address: "10.9.9.3" }]);
  });
});

describe("DELETE /api/user/sessions", () => {
  it("ends all other sessions at once and keeps the current one", async () => {
    const user = await newUser();
    const other = await newUser();
    const devices = [await signInWith(user, FIREFOX), await signInWith(user, IPHONE)];
    const ended = await user.caller.delete("/api/user/sessions");
    expect(ended.status).toBe(204);
    for (const device of devices) expect((await device.get("/api/user")).status).toBe(401);
    expect(await list(user.caller)).toMatchObject([{ current: true }]);
    expect((await user.caller.delete("/api/user/sessions")).status).toBe(204);
    expect((await other.caller.get("/api/user")).status).toBe(200);
  });
});

describe("a session's token and its end", () => {
  const client = { address: "10.9.9.4" };
  const rowOf = async (token: string) => {
    const rows = await query<{ expires: Date; user_agent: string | null; address: string | null }>(
      "SELECT expires, user_agent, address FROM sessions WHERE session_token = $1",
      [hashToken(token)],
    );
    return rows[0];
  };

  it("is 256 random bits, stored as a hash, with the browser and the address that tell it apart", async () => {
    const { id } = await newUser();
    const { token, expires } = await createSession(id, { ...client, userAgent: FIREFOX }, prisma);
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect(await rowOf(token)).toEqual({ expires, user_agent: FIREFOX, address: client.address });
    const shared = await createSession(id, { address: "shared" }, prisma);
    expect(await rowOf(shared.token)).toMatchObject({ user_agent: null, address: null });
  });

  it("is extended when a day of its thirty has passed, to the millisecond", async () => {
    const { id } = await newUser();
    const { token, expires } = await createSession(id, client, prisma);
    const other = await createSession(id, client, prisma);
    const [almost, day] = [DAY - 1, DAY].map((ms) => new Date(expires.getTime() - 30 * DAY + ms));
    expect(await slideSession(token, expires, almost)).toBeUndefined();
    const next = new Date(expires.getTime() + DAY);
    expect(await slideSession(token, expires, day)).toEqual(next);
    expect((await rowOf(token))?.expires).toEqual(next);
    expect((await rowOf(other.token))?.expires).toEqual(other.expires);
    // What another request has extended meanwhile stays as it is.
    expect(await slideSession(token, expires, new Date(next.getTime() + DAY))).toBeDefined();
    expect((await rowOf(token))?.expires).toEqual(next);
  });

  it("is given for the account's password of now alone, to nobody who is disabled", async () => {
    const { id } = await newUser();
    const [row] = await query<{ password: string }>("SELECT password FROM users WHERE id = $1", [id]);
    const password = row?.password ?? "";
    const stranger = await newUser();
    const session = await createSessionByPassword(id, password, client, prisma);
    expect(await rowOf(session?.token ?? "")).toMatchObject({ address: client.address });
    expect(await query("SELECT id FROM sessions WHERE user_id = $1", [id])).toHaveLength(2);
    expect(await query("SELECT id FROM sessions WHERE user_id = $1", [stranger.id])).toHaveLength(1);
    expect(await createSessionByPassword(id, "another hash", client, prisma)).toBeUndefined();
    await query("UPDATE users SET disabled_at = now() WHERE id = $1", [id]);
    expect(await createSessionByPassword(id, password, client, prisma)).toBeUndefined();
  });

  it("waits for a reset of the password that is under way, and is not given after it", async () => {
    const { id } = await newUser();
    const [row] = await query<{ password: string }>("SELECT password FROM users WHERE id = $1", [id]);
    const reset = await holdTransaction("UPDATE users SET password = 'a new hash' WHERE id = $1", [id]);
    const session = createSessionByPassword(id, row?.password ?? "", client, prisma);
    await waitForLock();
    await reset.releaseLock();
    expect(await session).toBeUndefined();
  });

  it("is fresh for so many minutes after the sign-in", async () => {
    const { id } = await newUser();
    const [old, fresh] = [await createSession(id, client, prisma), await createSession(id, client, prisma)];
    await query("UPDATE sessions SET created_at = now() - interval '6 minutes' WHERE session_token = $1", [
      hashToken(old.token),
    ]);
    expect([await isFreshSession(old.token, 5), await isFreshSession(old.token, 7)]).toEqual([false, true]);
    expect([await isFreshSession(fresh.token, 5), await isFreshSession("none", 5)]).toEqual([true, false]);
  });

  it("ends alone, or with all others of the user, which are counted", async () => {
    const [user, other] = [await newUser(), await newUser()];
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => createSession(user.id, client, prisma)));
    await endSession(one?.token ?? "");
    expect(await rowOf(one?.token ?? "")).toBeUndefined();
    expect(await deleteOtherSessions(user.id, two?.token ?? "", prisma)).toBe(2);
    expect([await rowOf(two?.token ?? ""), await rowOf(three?.token ?? "")]).toEqual([expect.anything(), undefined]);
    expect((await other.caller.get("/api/user")).status).toBe(200);
    const listed = await listSessions(user.id, undefined);
    expect(listed.map(({ current }) => current)).toEqual([false]);
  });
});

describe("the scheduled sweep", () => {
  it("deletes sessions and reset links that expired more than a day ago, and nothing else", async () => {
    const user = await newUser();
    const hash = (name: string) => `${name} ${user.id}`;
    for (const [name, hours] of [
      ["long ago", -25],
      ["today", -23],
      ["open", 1],
    ] as const) {
      const row = [hash(name), user.id, hours];
      await query(
        "INSERT INTO sessions (session_token, user_id, expires) VALUES ($1, $2, now() + make_interval(hours => $3))",
        row,
      );
      await query(
        "INSERT INTO password_resets (token_hash, user_id, expires, used_at) VALUES ($1, $2, now() + make_interval(hours => $3), now())",
        row,
      );
    }
    const { pruneExpired } = await import("@/lib/features/account/steps");
    await pruneExpired();
    const left = (column: string, table: string) =>
      query(`SELECT ${column} AS hash FROM ${table} WHERE user_id = $1 AND ${column} LIKE '% %' ORDER BY 1`, [user.id]);
    const kept = [{ hash: hash("open") }, { hash: hash("today") }];
    expect(await left("session_token", "sessions")).toEqual(kept);
    expect(await left("token_hash", "password_resets")).toEqual(kept);
    expect((await user.caller.get("/api/user")).status).toBe(200);
  });
});

import { createHash } from "node:crypto";
import type { SessionOut } from "@/lib/features/account/schema";
import { type Caller, createCaller } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { newPerson, newRegistered, PASSWORD, type Person } from "@/tests/support/factories";

const FIREFOX = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:126.0) Gecko/20100101 Firefox/126.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";

async function signInWith({ username }: Person, userAgent: string, address?: string): Promise<Caller> {
  const caller = createCaller(undefined, address);
  const answer = await caller.post("/api/login", { username, password: PASSWORD }, { "user-agent": userAgent });
  expect(answer.status).toBe(200);
  return caller;
}

const list = async (caller: Caller) => (await caller.get<SessionOut[]>("/api/user/sessions")).body;

/** Sessions that somebody opened elsewhere, one a minute back in time. */
const addSessions = (userId: string, count: number) =>
  query(
    `INSERT INTO sessions (session_token, user_id, expires, created_at)
     SELECT $1 || n, $1::uuid, now() + interval '20 days', now() - n * interval '1 minute'
     FROM generate_series(1, $2) n`,
    [userId, count],
  );

describe("GET /api/user/sessions", () => {
  it("names device and address; the one that asks is first, then the newest", async () => {
    const person = await newRegistered();
    await signInWith(person, FIREFOX, "10.9.9.1");
    await signInWith(person, IPHONE, "10.9.9.2");
    const sessions = await list(person.caller);
    expect(sessions.map(({ device, address, current }) => [device, address, current])).toEqual([
      ["Unknown device", expect.stringMatching(/^10\./), true],
      ["Safari on iPhone", "10.9.9.2", false],
      ["Firefox on macOS", "10.9.9.1", false],
    ]);
  });

  it("tells nobody the token, its hash or the browser's own words", async () => {
    const person = await newPerson();
    await signInWith(person, FIREFOX);
    const { text } = await person.caller.get("/api/user/sessions");
    const token = person.caller.cookie()?.split("=")[1] ?? "-";
    const hash = createHash("sha256").update(token).digest("base64url");
    for (const secret of [token, hash, "Gecko", "oken", "serAgent"]) expect(text).not.toContain(secret);
  });

  it("says when each was last used, by the day on which its end was moved on", async () => {
    const person = await newPerson();
    const device = await signInWith(person, FIREFOX);
    const days = async () => {
      const [, other] = await list(person.caller);
      return (Date.now() - Date.parse(other?.lastUsed ?? "")) / 86_400_000;
    };
    await query(
      `UPDATE sessions SET created_at = now() - interval '9 days', expires = now() + interval '25 days'
       WHERE user_id = $1 AND user_agent = $2`,
      [person.id, FIREFOX],
    );
    expect(await days()).toBeCloseTo(5, 2);
    expect((await device.get("/api/user")).status).toBe(200);
    expect(await days()).toBeCloseTo(0, 2);
  });

  it("never says last used before signed in, and leaves out what has run out", async () => {
    const person = await newPerson();
    await query(
      `INSERT INTO sessions (session_token, user_id, expires) VALUES
       ($1 || 'a', $1::uuid, now() + interval '1 minute'), ($1 || 'b', $1::uuid, now() - interval '1 second')`,
      [person.id],
    );
    const sessions = await list(person.caller);
    expect(sessions).toHaveLength(2);
    for (const { createdAt, lastUsed } of sessions) {
      expect(Date.parse(lastUsed)).toBeGreaterThanOrEqual(Date.parse(createdAt) - 1_000);
    }
  });

  it("sends a hundred of 10,000, this one among them", async () => {
    const person = await newPerson();
    await query("UPDATE sessions SET created_at = now() - interval '9 days' WHERE user_id = $1", [person.id]);
    await addSessions(person.id, 10_000);
    const sessions = await list(person.caller);
    expect(sessions).toHaveLength(100);
    expect(sessions.map(({ current }) => current).indexOf(true)).toBe(0);
    const times = sessions.slice(1).map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it("takes any words of a browser at sign-in", async () => {
    const person = await newPerson();
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
    for (const userAgent of hostile) await signInWith(person, userAgent);
    const sessions = await list(person.caller);
    expect(sessions).toHaveLength(hostile.length + 1);
    for (const { device } of sessions) expect(device).toBe("Unknown device");
    const rows = await query<{ kept: string | null }>(
      "SELECT user_agent AS kept FROM sessions WHERE user_id = $1 ORDER BY created_at OFFSET 1",
      [person.id],
    );
    expect(rows.map(({ kept }) => kept?.length ?? null)).toEqual([300, 34, 17, 15, 33, 1, 300, null]);
  });

  it("keeps device and address of a new password's session", async () => {
    const person = await newPerson();
    const device = await signInWith(person, FIREFOX, "10.9.9.3");
    const body = { password: "a wholly other long phrase", currentPassword: PASSWORD };
    expect((await device.call("PATCH", "/api/user", body, { "user-agent": IPHONE })).status).toBe(200);
    expect(await list(device)).toMatchObject([{ device: "Safari on iPhone", address: "10.9.9.3" }]);
  });
});

describe("DELETE /api/user/sessions", () => {
  it("ends all others at once and leaves this one", async () => {
    const person = await newPerson();
    const other = await newPerson();
    const devices = [await signInWith(person, FIREFOX), await signInWith(person, IPHONE)];
    const ended = await person.caller.delete("/api/user/sessions");
    expect(ended.status).toBe(204);
    for (const device of devices) expect((await device.get("/api/user")).status).toBe(401);
    expect(await list(person.caller)).toMatchObject([{ current: true }]);
    expect((await person.caller.delete("/api/user/sessions")).status).toBe(204);
    expect((await other.caller.get("/api/user")).status).toBe(200);
  });
});

describe("the scheduled sweep", () => {
  it("forgets sessions and reset links that ran out more than a day ago, and nothing else", async () => {
    const person = await newPerson();
    const hash = (name: string) => `${name} ${person.id}`;
    for (const [name, hours] of [
      ["long ago", -25],
      ["today", -23],
      ["open", 1],
    ] as const) {
      const row = [hash(name), person.id, hours];
      await query(
        "INSERT INTO sessions (session_token, user_id, expires) VALUES ($1, $2, now() + make_interval(hours => $3))",
        row,
      );
      await query(
        "INSERT INTO password_resets (token_hash, user_id, expires, used_at) VALUES ($1, $2, now() + make_interval(hours => $3), now())",
        row,
      );
    }
    const { forgetEnded } = await import("@/lib/features/account/writes/forget");
    await forgetEnded();
    const left = (column: string, table: string) =>
      query(`SELECT ${column} AS hash FROM ${table} WHERE user_id = $1 AND ${column} LIKE '% %' ORDER BY 1`, [
        person.id,
      ]);
    const kept = [{ hash: hash("open") }, { hash: hash("today") }];
    expect(await left("session_token", "sessions")).toEqual(kept);
    expect(await left("token_hash", "password_resets")).toEqual(kept);
    expect((await person.caller.get("/api/user")).status).toBe(200);
  });
});

import { readFileSync } from "node:fs";
import pg from "pg";
import type { AuditAction } from "@/lib/audit/actions";
import { audit, auditEachIn } from "@/lib/audit/audit";
import { actorFromSignIn } from "@/lib/auth/actor";
import { transaction } from "@/lib/db/transaction";
import { recentActivity } from "@/lib/features/account/sessions/reads";
import { activityOut } from "@/lib/features/account/sessions/schema";
import { pruneExpired } from "@/lib/features/account/steps";
import { callAction } from "@/tests/support/action-request";
import { createCaller } from "@/tests/support/app";
import { createDatabase, query } from "@/tests/support/db";
import { newUser, PASSWORD, type User } from "@/tests/support/factories";
import { newWorld, storeReset } from "@/tests/support/world";

jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);

const NEW_PASSWORD = "a wholly other long phrase";
const ORIGIN = { requestId: "activity", address: "203.0.113.9" };
const DAY_ROWS = "SELECT times, address, request_id FROM audit_events WHERE user_id = $1 AND action = $2";

let networks = 0;
const network = () => `172.27.${++networks}`;

/** 'Recent account activity' as the page sends it. */
async function activityOf({ id }: { id: string }) {
  return activityOut.array().parse(await recentActivity(actorFromSignIn(id, ORIGIN)));
}

const timesOf = async (user: { id: string }, action: AuditAction) =>
  (await activityOf(user)).filter((event) => event.action === action).map(({ times }) => times);

describe("failures in the audit trail", () => {
  it("are one line with a count and the last time, and do not push out a change of the e-mail", async () => {
    const user = await newUser();
    const email = `${user.username}@x.example`;
    expect((await user.caller.patch("/api/user", { email, currentPassword: PASSWORD })).status).toBe(200);
    const where = network();
    const guesses = Array.from({ length: 50 }, async (_, n) => {
      const stranger = createCaller(undefined, `${where}.${n % 5}`);
      return (await stranger.post("/api/login", { username: user.username, password: "not it at all" })).status;
    });
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]));
    const events = await activityOf(user);
    expect(events.map(({ action, times }) => [action, times])).toEqual([
      ["session.sign_in_failed", 50],
      ["account.email_changed", 1],
      ["account.registered", 1],
    ]);
    const [failures, changed] = events;
    expect(Date.parse(failures?.createdAt ?? "")).toBeGreaterThan(Date.parse(changed?.createdAt ?? ""));
    expect(failures?.address).toMatch(new RegExp(`^${where}\\.[0-4]$`));
    // Two rows if the test runs over midnight.
    expect((await query(DAY_ROWS, [user.id, "session.sign_in_failed"])).length).toBeLessThanOrEqual(2);
  });

  it("take one row per kind and day, however many there are, and leave room for fifty other events", async () => {
    const user = await newUser();
    await query(
      `INSERT INTO audit_events (user_id, action, times, day, created_at, last_at)
       SELECT $1, action, 1000000, (now() AT TIME ZONE 'UTC')::date - n, now() - n * interval '1 day', now() - n * interval '1 day'
       FROM unnest($2::text[]) AS action, generate_series(1, 400) AS n`,
      [user.id, ["session.sign_in_failed", "account.password_refused", "password.reset_requested"]],
    );
    await query(
      `INSERT INTO audit_events (user_id, action, created_at)
       SELECT $1, 'account.email_changed', now() - n * interval '1 year' FROM generate_series(1, 60) AS n`,
      [user.id],
    );
    const failure = { userId: user.id, context: ORIGIN, action: "session.sign_in_failed" } as const;
    await Promise.all(Array.from({ length: 300 }, () => audit(failure)));
    expect((await query(DAY_ROWS, [user.id, failure.action])).length).toBeLessThanOrEqual(402);
    const events = await activityOf(user);
    expect(events).toHaveLength(53);
    expect(events[0]).toMatchObject({ action: failure.action, address: ORIGIN.address });
    // Those of 30 days, including today.
    expect(events[0]?.times).toBeGreaterThanOrEqual(28_000_300);
    expect(events[0]?.times).toBeLessThanOrEqual(29_000_300);
    expect(events.filter(({ action }) => action === "account.email_changed")).toHaveLength(49);
  });

  it("include reset links requested by strangers", async () => {
    const user = await newUser();
    const event = { userId: user.id, context: ORIGIN, action: "password.reset_requested" } as const;
    for (let n = 0; n < 3; n++) await audit(event);
    expect(await timesOf(user, "password.reset_requested")).toEqual([3]);
  });
});

describe("many events of one kind", () => {
  const fill = (user: User, action: AuditAction, count: number, from: string) =>
    query(
      `INSERT INTO audit_events (user_id, action, subject, created_at)
       SELECT $1, $2, n::text, ${from} + n * interval '1 millisecond' FROM generate_series(1, $3::int) n`,
      [user.id, action, count],
    );

  it("push no sign-in and no change of the password out of the list", async () => {
    const user = await newUser();
    await user.caller.patch("/api/user", { password: NEW_PASSWORD, currentPassword: PASSWORD });
    await fill(user, "content.published", 100, "now()");
    const actions = (await activityOf(user)).map(({ action }) => action);
    expect(actions.filter((action) => action === "content.published")).toHaveLength(50);
    expect(actions.slice(50)).toEqual(["account.password_changed", "account.registered"]);
  });

  it("go beyond the newest 5,000 of a user, those about the account last", async () => {
    const user = await newUser();
    await fill(user, "session.signed_in", 4_000, "now() - interval '1 day'");
    await fill(user, "content.published", 1_500, "now()");
    await pruneExpired();
    const kept = await query(
      `SELECT action, count(*)::int AS count, min(subject::int) AS oldest FROM audit_events
       WHERE user_id = $1 AND action <> 'account.registered' GROUP BY 1 ORDER BY 1`,
      [user.id],
    );
    expect(kept).toEqual([
      { action: "content.published", count: 999, oldest: 502 },
      { action: "session.signed_in", count: 4_000, oldest: 1 },
    ]);
  });

  it("stay for a month when an older release wrote them", async () => {
    const user = await newUser();
    const released = (ago: string) =>
      query(
        `UPDATE _prisma_migrations SET finished_at = now() - $1::interval WHERE migration_name LIKE '%bounded_events'`,
        [ago],
      );
    const count = async () =>
      (await query("SELECT 1 FROM audit_events WHERE user_id = $1 AND action = 'content.published'", [user.id])).length;
    await fill(user, "content.published", 5_500, "now() - interval '40 days'");
    try {
      await released("29 days");
      await pruneExpired();
      expect(await count()).toBe(5_500);
      await released("32 days");
      await pruneExpired();
      expect(await count()).toBe(4_999);
    } finally {
      await released("0");
    }
  });

  it("are counted in one line beyond 30 changes of settings in a minute", async () => {
    const user = await newUser();
    const entry = { userId: user.id, context: ORIGIN, action: "settings.api_key_changed" } as const;
    for (let n = 1; n <= 33; n++) await audit(entry);
    const times = await timesOf(user, "settings.api_key_changed");
    expect(times).toHaveLength(31);
    expect(times.toSorted((a, b) => b - a).slice(0, 2)).toEqual([3, 1]);
  });

  it("are one line for what a job does in several calls, and one each in a user's requests", async () => {
    const user = await newUser();
    const action = "content.published";
    const job = { userId: user.id, context: { requestId: "queue-1", address: "background" }, action } as const;
    await transaction((db) => auditEachIn(db, job, ["a"]));
    const line = async () => (await activityOf(user)).find((event) => event.action === action);
    expect(await line()).toMatchObject({ subject: "a", times: 1 });
    const ids = Array.from({ length: 100 }, (_, n) => `${n}`);
    await Promise.all([1, 2, 3].map(() => transaction((db) => auditEachIn(db, job, ids))));
    expect(await timesOf(user, action)).toEqual([301]);
    expect((await line())?.subject).toBeNull();
    const other = { ...job, context: { ...job.context, requestId: "queue-2" } };
    await Promise.all([1, 2, 3].map(() => transaction((db) => auditEachIn(db, other, ids))));
    await transaction((db) => auditEachIn(db, { userId: user.id, context: ORIGIN, action }, ["x", "y"]));
    expect((await timesOf(user, action)).sort((a, b) => a - b)).toEqual([1, 1, 300, 301]);
  });

  it("are found by an index among 100,000", async () => {
    const user = await newUser();
    await fill(user, "content.published", 100_000, "now()");
    await query("ANALYZE audit_events");
    const plan = async (where: string) =>
      JSON.stringify(await query(`EXPLAIN (FORMAT JSON) ${where}`.replaceAll("$1", `'${user.id}'`)));
    const access = "(action LIKE 'session.%' OR action LIKE 'account.%' OR action LIKE 'password.%')";
    expect(
      await plan(`SELECT id FROM audit_events WHERE user_id = $1 AND day IS NULL AND ${access}
        ORDER BY created_at DESC, id DESC LIMIT 50`),
    ).toContain("audit_events_newest");
    expect(
      await plan(`UPDATE audit_events SET times = times + 1 WHERE user_id = $1 AND action = 'content.published'
        AND request_id = 'queue-1' AND address = 'background' AND day IS NULL`),
    ).toContain("audit_events_of_jobs");
  });
});

describe("refused password checks", () => {
  it("are recorded: a wrong current password at every endpoint that asks for it", async () => {
    const user = await newUser();
    const actions = await import("@/lib/features/account/google/actions");
    const cookie = user.caller.cookie();
    const wrong = { currentPassword: "not it at all" };
    await user.caller.patch("/api/user", { email: "x@x.example", ...wrong });
    await user.caller.call("DELETE", "/api/user", { confirm: user.username, password: "not it at all" });
    await callAction(() => actions.linkGoogleAction(wrong), { cookie });
    await callAction(() => actions.unlinkGoogleAction(wrong), { cookie });
    expect(await timesOf(user, "account.password_refused")).toEqual([4]);
    // An empty password or the right one is no refused check.
    await user.caller.patch("/api/user", { email: "y@x.example" });
    await user.caller.patch("/api/user", { email: `${user.username}@x.example`, currentPassword: PASSWORD });
    expect(await timesOf(user, "account.password_refused")).toEqual([4]);
  });

  it("are recorded: a sign-in that is too old to delete the account", async () => {
    const user = await newUser();
    await query("UPDATE users SET password = NULL WHERE id = $1", [user.id]);
    await query("UPDATE sessions SET created_at = now() - interval '1 hour' WHERE user_id = $1", [user.id]);
    const answer = await user.caller.call("DELETE", "/api/user", { confirm: user.username });
    expect(answer.status).toBe(400);
    expect(await timesOf(user, "account.proof_refused")).toEqual([1]);
  });

  it("are recorded: a used or expired reset link, but not one that was never sent", async () => {
    const [used, expired] = [await newWorld(), await newWorld()];
    for (const world of [used, expired]) await storeReset(world);
    await query("UPDATE password_resets SET expires = now() - interval '1 minute' WHERE user_id = $1", [expired.id]);
    const confirm = (token: string) =>
      createCaller().post("/api/password-reset/confirm", { token, password: NEW_PASSWORD });
    expect((await confirm(used.resetToken)).status).toBe(200);
    for (const token of [used.resetToken, used.resetToken, expired.resetToken, "x"]) {
      expect((await confirm(token)).status).toBe(400);
    }
    expect([await timesOf(used, "password.reset_refused"), await timesOf(expired, "password.reset_refused")]).toEqual([
      [2],
      [1],
    ]);
  });
});

describe("a sign-in from a new browser", () => {
  const isNew = async (user: User) =>
    (await activityOf(user)).filter(({ action }) => action === "session.signed_in").map(({ newBrowser }) => newBrowser);

  it("is marked once for each browser, and not again after the password has changed", async () => {
    const user = await newUser();
    const browser = createCaller();
    const signIn = (password: string, caller = browser) =>
      caller.post("/api/login", { username: user.username, password });
    await signIn(PASSWORD);
    await signIn(PASSWORD);
    await user.caller.patch("/api/user", { password: NEW_PASSWORD, currentPassword: PASSWORD });
    await signIn(NEW_PASSWORD);
    expect(await isNew(user)).toEqual([false, false, true]);
    await signIn(NEW_PASSWORD, createCaller());
    expect(await isNew(user)).toEqual([true, false, false, true]);
  });
});

describe("unknown usernames", () => {
  it("take one row per address and day, which is deleted after 30 days", async () => {
    const address = `${network()}.1`;
    const stranger = createCaller(undefined, address);
    for (const name of ["nobody.a", "nobody.b", "nobody.c"]) {
      expect((await stranger.post("/api/login", { username: name, password: "not it at all" })).status).toBe(401);
    }
    const rows = () => query("SELECT user_id, times FROM audit_events WHERE address = $1", [address]);
    expect(await rows()).toEqual([{ user_id: null, times: 3 }]);
    const age = (days: number) =>
      query("UPDATE audit_events SET created_at = now() - make_interval(days => $2) WHERE address = $1", [
        address,
        days,
      ]);
    await age(29);
    await pruneExpired();
    expect(await rows()).toHaveLength(1);
    await age(31);
    const user = await newUser();
    await query("UPDATE audit_events SET created_at = now() - interval '5 years' WHERE user_id = $1", [user.id]);
    await pruneExpired();
    expect(await rows()).toEqual([]);
    expect(await timesOf(user, "account.registered")).toEqual([1]);
  });
});

it("merges existing events into one row per kind and day, and keeps the counts", async () => {
  const database = await createDatabase("empty");
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const id = "3f2f4e0c-5a0e-4c39-9d3c-0a4a3b9d7aff";
    await client.query(`
      CREATE TABLE audit_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), user_id uuid, action text NOT NULL,
        subject text, address text, request_id text, detail jsonb NOT NULL DEFAULT '{}', created_at timestamptz(3) NOT NULL);
      INSERT INTO audit_events (user_id, action, address, created_at)
        SELECT '${id}', 'session.sign_in_failed', '10.0.0.' || n, '2026-11-01T10:00Z'::timestamptz + n * interval '1 hour'
        FROM generate_series(1, 20) n;
      INSERT INTO audit_events (user_id, action, address, created_at)
        SELECT NULL, 'session.sign_in_failed', '10.0.0.' || n % 2, '2026-11-01T10:00Z' FROM generate_series(1, 10) n;
      INSERT INTO audit_events (user_id, action, created_at) VALUES ('${id}', 'account.email_changed', '2026-11-01T11:00Z');
    `);
    await client.query(readFileSync("prisma/migrations/20261122140000_audit_folds/migration.sql", "utf8"));
    const { rows } = await client.query(
      `SELECT user_id IS NULL AS unknown, action, address, times, to_char(day, 'DD') AS day,
         extract(hour FROM last_at AT TIME ZONE 'UTC')::int AS last
       FROM audit_events ORDER BY unknown, action, created_at, address`,
    );
    expect(rows).toEqual([
      { unknown: false, action: "account.email_changed", address: null, times: 1, day: null, last: null },
      { unknown: false, action: "session.sign_in_failed", address: "10.0.0.13", times: 13, day: "01", last: 23 },
      { unknown: false, action: "session.sign_in_failed", address: "10.0.0.20", times: 7, day: "02", last: 6 },
      { unknown: true, action: "session.sign_in_failed", address: "10.0.0.0", times: 5, day: "01", last: 10 },
      { unknown: true, action: "session.sign_in_failed", address: "10.0.0.1", times: 5, day: "01", last: 10 },
    ]);
  } finally {
    await client.end();
    await database.drop();
  }
});

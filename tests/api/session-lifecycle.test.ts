import { randomUUID } from "node:crypto";
import { createCaller } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { newUser, PASSWORD, type User } from "@/tests/support/factories";
import { PROJECT, startTokenIssuer, type TokenIssuer } from "@/tests/support/id-tokens";
import { cookiesOf } from "@/tests/support/session-cookies";
import { type SignInResult, signInMethods } from "@/tests/support/sign-in-methods";
import { newWorld, storeReset } from "@/tests/support/world";

jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);

const NEW_PASSWORD = "a wholly other long phrase";
const HTTP = "http://localhost:3000";
const HTTPS = "https://planner.example";

let issuer: TokenIssuer;
beforeAll(async () => {
  issuer = await startTokenIssuer();
  // Before the first route is loaded, which reads the environment.
  Object.assign(process.env, { FIREBASE_PROJECT_ID: PROJECT, FIREBASE_JWKS_URL: issuer.url });
});
afterAll(() => issuer.close());

const passed = new Set<string>();
afterAll(() => process.stdout.write(`S8: ${passed.size} of 8\n`));

/** The status of a call with this cookie. */
const userStatus = async (cookie: string | undefined) => (await createCaller(cookie).get("/api/user")).status;

const newAddress = () => `172.18.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;

/** Another session of the user, as on a second device. */
async function secondCookie({ username }: User): Promise<string | undefined> {
  const caller = createCaller();
  await caller.post("/api/login", { username, password: PASSWORD });
  return caller.cookie();
}

describe("S8: a session", () => {
  it("is rotated by every kind of sign-in: a new token, and the browser's old one is invalid", async () => {
    const ways = await signInMethods(issuer);
    expect(Object.keys(ways)).toHaveLength(7);
    for (const [name, enter] of Object.entries(ways)) {
      const before = await newUser();
      const elsewhere = await secondCookie(before);
      const old = before.caller.cookie();
      const known = await newUser();
      const entered = await enter({ username: known.username, password: PASSWORD, cookie: old, address: newAddress() });
      expect([name, entered.ok, entered.cookie]).toEqual([name, true, expect.stringMatching(/^session=[\w-]{43}$/)]);
      expect([name, await userStatus(old), await userStatus(entered.cookie)]).toEqual([name, 401, 200]);
      // The first user's other devices stay signed in: the browser changed hands, not the account.
      expect([name, await userStatus(elsewhere)]).toEqual([name, 200]);
    }
    passed.add("rotated");
  });

  it("survives a failed sign-in", async () => {
    for (const [name, enter] of Object.entries(await signInMethods(issuer))) {
      const user = await newUser();
      const cookie = user.caller.cookie();
      const entered: SignInResult = await enter({
        username: user.username,
        password: "short",
        cookie,
        address: newAddress(),
        forged: true,
      });
      expect([name, entered.ok, entered.cookie]).toEqual([name, false, undefined]);
      expect([name, await userStatus(cookie)]).toEqual([name, 200]);
    }
  });

  it("is invalid after logout, by route and by form", async () => {
    const { signOutAction } = await import("@/lib/features/account/sign-in/actions");
    const { callAction } = await import("@/tests/support/action-request");
    for (const leave of [
      (cookie: string | undefined) => createCaller(cookie).post("/api/logout"),
      (cookie: string | undefined) => callAction(() => signOutAction(undefined), { cookie }),
    ]) {
      const user = await newUser();
      const cookie = user.caller.cookie();
      const elsewhere = await secondCookie(user);
      await leave(cookie);
      expect([await userStatus(cookie), await userStatus(elsewhere)]).toEqual([401, 200]);
    }
    passed.add("logout");
  });

  it("is invalid after a reset, on every device, by route and by form", async () => {
    const { confirmResetAction } = await import("@/lib/features/account/reset/actions");
    const { callAction } = await import("@/tests/support/action-request");
    for (const confirm of [
      (token: string) => createCaller().post("/api/password-reset/confirm", { token, password: NEW_PASSWORD }),
      (token: string) => callAction(() => confirmResetAction({ token, password: NEW_PASSWORD })),
    ]) {
      const user = await newWorld();
      const cookies = [user.caller.cookie(), await secondCookie(user)];
      await storeReset(user);
      await confirm(user.resetToken);
      expect(await Promise.all(cookies.map(userStatus))).toEqual([401, 401]);
    }
    passed.add("reset");
  });

  it("is invalid after the account is deleted, on every device", async () => {
    const user = await newUser();
    const cookies = [user.caller.cookie(), await secondCookie(user)];
    const body = { confirm: user.username, password: PASSWORD };
    expect((await user.caller.call("DELETE", "/api/user", body)).status).toBe(204);
    expect(await Promise.all(cookies.map(userStatus))).toEqual([401, 401]);
    passed.add("deletion");
  });

  it("is invalid once the account is disabled, and ends 30 days after it was last extended", async () => {
    const user = await newUser();
    const left = "SELECT extract(epoch FROM expires - now()) / 86400 AS days FROM sessions WHERE user_id = $1";
    const days = async () => Number((await query<{ days: string }>(left, [user.id]))[0]?.days);
    expect(await days()).toBeCloseTo(30, 2);
    const set = (interval: string) =>
      query(`UPDATE sessions SET expires = now() + $2::interval WHERE user_id = $1`, [user.id, interval]);
    // It is extended at most once a day.
    await set("29 days 1 hour");
    await user.caller.get("/api/user");
    expect(await days()).toBeCloseTo(29 + 1 / 24, 2);
    await set("28 days 23 hours");
    await user.caller.get("/api/user");
    expect(await days()).toBeCloseTo(30, 2);
    await query("UPDATE users SET disabled_at = now() WHERE id = $1", [user.id]);
    expect(await userStatus(user.caller.cookie())).toBe(401);
  });
});

describe("S8: the session cookie", () => {
  const cookies = new Map<string, Awaited<ReturnType<typeof cookiesOf>>>();
  beforeAll(async () => {
    for (const url of [HTTP, HTTPS]) {
      cookies.set(url, await cookiesOf(url, issuer, `s8${randomUUID().slice(0, 8)}`));
    }
  });
  const on = (url: string) => cookies.get(url) ?? [];

  it("is set by eleven endpoints on http and on https", () => {
    const routes = ["POST /api/login", "POST /api/register", "POST /api/firebase-auth", "POST /api/logout", "slid"];
    const actions = ["signInAction", "registerAction", "signInForm", "registerForm", "signOutAction", "next-auth"];
    for (const url of [HTTP, HTTPS]) expect(on(url).map(({ from }) => from)).toEqual([...routes, ...actions]);
  });

  it.each([
    ["HttpOnly", true, true, ({ httpOnly }: SetCookie) => httpOnly],
    ["Secure", false, true, ({ secure }: SetCookie) => secure],
    ["SameSite", "lax", "lax", ({ sameSite }: SetCookie) => sameSite],
    [
      "__Host-",
      "session / ",
      "__Host-session / ",
      ({ name, path, domain }: SetCookie) => `${name} ${path} ${domain ?? ""}`,
    ],
  ])("is %s: on http %s, on https %s", (what, http, https, read) => {
    for (const cookie of on(HTTP)) expect([cookie.from, read(cookie)]).toEqual([cookie.from, http]);
    for (const cookie of on(HTTPS)) expect([cookie.from, read(cookie)]).toEqual([cookie.from, https]);
    passed.add(what);
  });

  it("covers all eight cases", () => {
    expect(passed.size).toBe(8);
  });
});

type SetCookie = Awaited<ReturnType<typeof cookiesOf>>[number];

import { NextRequest } from "next/server";
import { callNextAuth } from "@/lib/auth/next-auth";
import { hashPassword } from "@/lib/auth/password";
import { addressLimitSubject } from "@/lib/auth/password-attempts";
import { handleNextAuth } from "@/lib/features/account/google/writes/oauth";
import { requestReset } from "@/lib/features/account/reset/writes";
import { consumeLimits } from "@/lib/limits/rate-limits";
import { type Caller, createCaller } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { newUser, PASSWORD, registerUser, type User } from "@/tests/support/factories";
import { type Call, callAll, type SecondProcess, startSecondProcess } from "@/tests/support/second-process";
import { newWorld, storeReset } from "@/tests/support/world";

const NEW_PASSWORD = "a wholly other long phrase";

jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);
jest.mock("@/lib/auth/next-auth", () => ({ callNextAuth: jest.fn() }));
jest.mock("@/lib/email/mailer", () => ({
  ...jest.requireActual("@/lib/email/mailer"),
  isMailEnabled: true,
  sendMail: jest.fn(),
}));

let second: SecondProcess;
beforeAll(async () => {
  second = await startSecondProcess();
});
afterAll(() => second.close());

let networks = 0;
const network = () => `172.24.${++networks}`;

type Guess = { username: string; address: string; password?: string; cookie?: string | undefined };

const login = ({ username, address, password = "not it at all", cookie }: Guess): Call => ({
  method: "POST",
  url: "/api/login",
  body: { username, password },
  address,
  ...(cookie ? { cookie } : {}),
});

/** Makes all calls at once, half of them in each process, and returns the statuses. */
async function inBoth(calls: Call[]): Promise<number[]> {
  const half = Math.ceil(calls.length / 2);
  const outcomes = await Promise.all([callAll(calls.slice(0, half)), second.callAll(calls.slice(half))]);
  return outcomes.flat().map(({ status }) => status);
}

const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;
const repeat = <T>(times: number, of: (n: number) => T) => Array.from({ length: times }, (_, n) => of(n));

/** The device cookie of a browser that signed in to the account and out again. */
async function knownBrowser({ username }: { username: string }, password = PASSWORD): Promise<string | undefined> {
  const caller = createCaller();
  expect((await caller.post("/api/login", { username, password })).status).toBe(200);
  await caller.post("/api/logout");
  return caller.device();
}

/** Uses up the limits of the account, of the shared address and of the account at that address. */
async function hammer(username: string, address: string): Promise<void> {
  for (const [name, subject, times] of [
    ["loginAccountAddress", `${username} ${address}`, 10],
    ["loginAddress", address, 100],
    ["loginAccount", username, 50],
  ] as const) {
    for (let n = 0; n < times; n++) await consumeLimits({ name, subject }).catch(() => undefined);
  }
}

describe("S24: a stranger locks nobody out", () => {
  it("accepts all 1,000 right passwords from a known browser while a stranger hammers two processes", async () => {
    const user = await newUser();
    const address = `${network()}.1`;
    const cookie = await knownBrowser(user);
    await hammer(user.username, address);
    let refused = 0;
    let guessed = 0;
    for (let round = 0; round < 25; round++) {
      const right = repeat(40, () => login({ ...user, address, password: PASSWORD, cookie }));
      const wrong = repeat(10, (n) => login({ ...user, address: n % 2 ? address : `${address}${n}` }));
      const statuses = await inBoth(right.flatMap((call, n) => [call, ...wrong.slice(n, n + 1)]));
      refused += right.length - count(statuses, 200);
      guessed += count(statuses, 401);
    }
    process.stdout.write(
      `S24: ${refused} of 1000 right passwords from a known browser refused, ${guessed} guesses passed\n`,
    );
    expect(refused).toBe(0);
    expect(guessed).toBe(0);
  }, 240_000);

  it("lets 200 people behind one address sign in at once, and stops 300 parallel guesses after ten", async () => {
    const people: User[] = [];
    for (let n = 0; n < 200; n++) people.push(await newUser());
    const address = `${network()}.1`;
    // Ten failures remain for the address. Eight passwords are compared at once; a waiting sign-in is not a failure.
    for (let n = 0; n < 90; n++) await consumeLimits({ name: "loginAddress", subject: address });
    const statuses = await inBoth(people.map(({ username }) => login({ username, address, password: PASSWORD })));
    expect(count(statuses, 200)).toBe(200);
    const [victim] = people;
    const guesses = await inBoth(repeat(300, () => login({ ...(victim as User), address: `${address}9` })));
    expect([count(guesses, 401), count(guesses, 429)]).toEqual([10, 290]);
  }, 240_000);

  it("does not count a refused attempt towards any limit", async () => {
    await query("DELETE FROM rate_limits");
    const user = await newUser();
    await inBoth(repeat(60, () => login({ ...user, address: `${network()}.1` })));
    await inBoth(repeat(60, () => login({ ...user, address: "172.25.0.1" })));
    const rows = await query<{ hits: number }>("SELECT hits FROM rate_limits ORDER BY hits DESC LIMIT 1");
    expect(rows).toEqual([{ hits: 50 }]);
  });

  it("accepts a mailed link, which makes the browser known, even after a stranger has used up the limit of wrong links", async () => {
    const world = await newWorld();
    await storeReset(world);
    const address = `${network()}.1`;
    const confirm = (caller: Caller, token: string) =>
      caller.post("/api/password-reset/confirm", { token, password: NEW_PASSWORD });
    const stranger = createCaller(undefined, address);
    for (let n = 0; n < 20; n++) expect((await confirm(stranger, `wrong-${n}`)).status).toBe(400);
    expect((await confirm(stranger, "wrong")).status).toBe(429);
    const owner = createCaller(undefined, address);
    expect((await confirm(owner, world.resetToken)).status).toBe(200);
    await hammer(world.username, address);
    const input = { username: world.username, password: NEW_PASSWORD };
    expect((await createCaller(undefined, address).post("/api/login", input)).status).toBe(429);
    expect((await owner.post("/api/login", input)).status).toBe(200);
  });

  it("lets a known browser request a link and Google when strangers at its address are over the limit", async () => {
    const { caller, username } = await registerUser();
    const address = `${network()}.1`;
    for (let n = 0; n < 20; n++) await consumeLimits({ name: "resetAddress", subject: address });
    for (let n = 0; n < 200; n++) await consumeLimits({ name: "googleAddress", subject: address });
    const devices = [caller.device()?.slice("device=".length) ?? ""];
    const ask = (context: object) =>
      requestReset({ email: `${username}@x.example` }, { requestId: "x", address, ...context });
    await expect(ask({})).rejects.toMatchObject({ type: "RATE_LIMITED" });
    await expect(ask({ devices: ["forged"] })).rejects.toMatchObject({ type: "RATE_LIMITED" });
    await expect(ask({ devices })).resolves.toMatchObject({ message: expect.any(String) });
    expect(await addressLimitSubject({ address, devices })).not.toBe(address);
  });

  it("accepts the owner's current password while strangers, or a stolen session, guess it", async () => {
    const user = await newUser();
    const address = `${network()}.1`;
    const change = (caller: Caller, currentPassword: string) =>
      caller.patch("/api/user", { email: `${user.username}@x.example`, currentPassword });
    const owner = createCaller(undefined, address);
    await owner.post("/api/login", { username: user.username, password: PASSWORD });
    await hammer(user.id, address);
    const stolen = createCaller(user.caller.cookie(), address);
    for (let n = 0; n < 10; n++) expect((await change(stolen, "not it at all")).status).toBe(400);
    expect((await change(stolen, PASSWORD)).status).toBe(429);
    await hammer(user.id, address);
    expect((await change(owner, PASSWORD)).status).toBe(200);
  });
});

describe("a known browser's own guesses", () => {
  const guess = async (user: { username: string }, cookie: string | undefined, times: number) => {
    const address = `${network()}.1`;
    const statuses = await inBoth(repeat(times, () => login({ ...user, address, cookie })));
    return count(statuses, 401);
  };
  const nextQuarter = () => query("UPDATE rate_limits SET expires_at = expires_at - interval '15 minutes'");

  it("are limited to ten in fifteen minutes and a hundred in all, and then count as a stranger's", async () => {
    const user = await newUser();
    const cookie = await knownBrowser(user);
    const address = `${network()}.1`;
    await hammer(user.username, address);
    for (let quarter = 0; quarter < 10; quarter++) {
      // The last guesses may start when the hundred are used up, and then count as a stranger's.
      if (quarter === 9) await hammer(user.username, address);
      expect(await guess(user, cookie, 30)).toBe(10);
      await nextQuarter();
    }
    await query("DELETE FROM rate_limits WHERE hits < 100");
    await hammer(user.username, address);
    const [status] = await inBoth([login({ ...user, address, password: PASSWORD, cookie })]);
    expect(status).toBe(429);
  });

  it("do not count for the user's other browsers or for strangers", async () => {
    const user = await newUser();
    const [laptop, phone] = [await knownBrowser(user), await knownBrowser(user)];
    expect(await guess(user, laptop, 20)).toBe(10);
    const address = `${network()}.1`;
    const right = (cookie?: string) => login({ ...user, address, password: PASSWORD, cookie });
    expect(await inBoth([right(laptop)])).toEqual([429]);
    expect(await inBoth([right(phone)])).toEqual([200]);
    expect(await inBoth([right()])).toEqual([200]);
  });
});

describe("the device cookie", () => {
  /** Is the right password accepted with this cookie after strangers have used up every limit? */
  async function isKnown({ username }: { username: string }, cookie: string | undefined, password = PASSWORD) {
    const address = `${network()}.1`;
    await hammer(username, address);
    const [outcome] = await callAll([login({ username, address, password, cookie })]);
    return outcome?.status === 200;
  }

  it("is no session, reveals nothing about the account, and is new at each sign-in", async () => {
    const user = await registerUser();
    const { caller, username, id } = user;
    const first = caller.device();
    await caller.post("/api/login", { username, password: PASSWORD });
    const next = caller.device();
    expect(next).not.toBe(first);
    expect((await createCaller(next).get("/api/user")).status).toBe(401);
    const value = next?.slice("device=".length) ?? "";
    const readable = value.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
    for (const secret of [username, id, PASSWORD]) expect([value, ...readable].join(" ")).not.toContain(secret);
    expect(await isKnown(user, next)).toBe(true);
  });

  it("has no effect when forged, for another account, or after the password has changed", async () => {
    const user = await newUser();
    const cookie = await knownBrowser(user);
    const [head, payload, mark] = cookie?.split(".") ?? [];
    expect(await isKnown(user, cookie)).toBe(true);
    expect(await isKnown(user, `${head}.${payload}.${mark?.replace(/^./, (one) => (one === "A" ? "B" : "A"))}`)).toBe(
      false,
    );
    expect(await isKnown(await newUser(), cookie)).toBe(false);
    await user.caller.patch("/api/user", { password: NEW_PASSWORD, currentPassword: PASSWORD });
    expect(await isKnown(user, cookie, NEW_PASSWORD)).toBe(false);
    expect(await isKnown(user, user.caller.device(), NEW_PASSWORD)).toBe(true);
  });

  it("has no effect after a reset, or for a new account with a deleted one's name", async () => {
    const world = await newWorld();
    const cookie = await knownBrowser(world);
    await storeReset(world);
    await createCaller().post("/api/password-reset/confirm", { token: world.resetToken, password: NEW_PASSWORD });
    expect(await isKnown(world, cookie, NEW_PASSWORD)).toBe(false);
    const user = await newUser();
    const old = await knownBrowser(user);
    await query("DELETE FROM users WHERE id = $1", [user.id]);
    await query("INSERT INTO users (username, password) VALUES ($1, $2)", [
      user.username,
      await hashPassword(PASSWORD),
    ]);
    expect(await isKnown(user, old)).toBe(false);
  });

  it("remembers five accounts of a browser, and works beside a planted cookie", async () => {
    const people = [];
    const browser = createCaller();
    for (let n = 0; n < 6; n++) {
      const user = await newUser();
      await browser.post("/api/login", { username: user.username, password: PASSWORD });
      people.push(user);
    }
    const known = [];
    for (const user of people) known.push(await isKnown(user, `device=planted; ${browser.device()}`));
    expect(known).toEqual([false, true, true, true, true, true]);
    expect(browser.device()?.length).toBeLessThan(1500);
  });

  it("is set by a mailed link, a new password and Google too", async () => {
    const user = await registerUser();
    const world = await newWorld();
    await storeReset(world);
    const [link, change] = [createCaller(), createCaller()];
    const reset = { token: world.resetToken, password: NEW_PASSWORD };
    expect((await link.post("/api/password-reset/confirm", reset)).status).toBe(200);
    await change.post("/api/login", { username: user.username, password: PASSWORD });
    const before = change.device();
    await change.patch("/api/user", { password: NEW_PASSWORD, currentPassword: PASSWORD });
    expect(change.device()).not.toBe(before);
    expect(await isKnown(world, link.device(), NEW_PASSWORD)).toBe(true);
    expect(await isKnown(user, change.device(), NEW_PASSWORD)).toBe(true);

    jest.mocked(callNextAuth).mockImplementationOnce(async (_request, _context, { events }) => {
      await events?.signIn?.({ user: { id: user.id }, isNewUser: false } as never);
      return { response: new Response(null, { status: 302 }), failure: undefined };
    });
    const back = new NextRequest("http://localhost:3000/api/auth/callback/google");
    const nextauth = ["callback", "google"];
    const answer = await handleNextAuth(back, { params: Promise.resolve({ nextauth }) });
    const set = answer.headers.getSetCookie().find((one) => one.startsWith("device="));
    expect(await isKnown(user, set?.split(";")[0], NEW_PASSWORD)).toBe(true);
  });

  it("is limited to this host, and to TLS on https", async () => {
    const { username } = await registerUser();
    const input = { username, password: PASSWORD };
    const before = process.env.APP_URL;
    process.env.APP_URL = "https://planner.example";
    await jest.isolateModulesAsync(async () => {
      const { POST } = await import("@/app/api/login/route");
      const { callAction } = await import("@/tests/support/action-request");
      const { signInAction } = await import("@/lib/features/account/sign-in/actions");
      const { prisma } = await import("@/lib/db/prisma");
      const headers = { "content-type": "application/json", "x-forwarded-for": `${network()}.1` };
      const url = "https://planner.example/api/login";
      const answer = await POST(
        new Request(url, { method: "POST", headers, body: JSON.stringify(input) }),
        {} as never,
      );
      expect(answer.headers.getSetCookie()[1]).toMatch(
        /^__Host-device=[\w.-]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure$/,
      );
      const { cookies } = await callAction(() => signInAction(input));
      expect(cookies["__Host-device"]?.options).toMatchObject({ secure: true, httpOnly: true, path: "/" });
      expect(cookies["__Host-device"]?.options).not.toHaveProperty("domain");
      await prisma.$disconnect();
    });
    process.env.APP_URL = before;
  });

  it("is set by every sign-in route and action, with the attributes of the session cookie", async () => {
    const { callAction, wrapFormAction } = await import("@/tests/support/action-request");
    const actions = await import("@/lib/features/account/sign-in/actions");
    const { username } = await registerUser();
    const input = { username, password: PASSWORD };
    const fresh = () => ({ username: `${username}${Math.random().toString(36).slice(2, 6)}`, password: PASSWORD });
    const year = 365 * 86_400;
    for (const [path, body] of [
      ["/api/login", input],
      ["/api/register", fresh()],
    ] as const) {
      const set = (await createCaller().post(path, body)).headers.getSetCookie()[1];
      expect(set).toMatch(/^device=[\w.-]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/);
    }
    const calls: (() => Promise<unknown>)[] = [
      () => actions.signInAction(input),
      () => actions.registerAction(fresh()),
      () => wrapFormAction(actions.signInForm)(input),
      () => wrapFormAction(actions.registerForm)(fresh()),
    ];
    for (const call of calls) {
      const { cookies } = await callAction(call);
      expect(cookies.device?.options).toEqual({
        httpOnly: true,
        secure: false,
        sameSite: "lax",
        path: "/",
        maxAge: year,
      });
    }
  });
});

describe("guesses an hour at one account", () => {
  /** Guesses by each of the account's names in turn, over both processes, from so many addresses. */
  async function anHour(addresses: number, { names = 1, stolen = false } = {}): Promise<number> {
    const user = await newUser();
    const email = `${user.username}@x.example`;
    await query("UPDATE users SET email = $2 WHERE id = $1", [user.id, email]);
    const known = stolen ? await knownBrowser(user) : undefined;
    const from = (n: number) => `10.${++networks % 250}.${n >> 8}.${n & 255}`;
    const places = repeat(addresses, from);
    let guessed = 0;
    for (let quarter = 0; quarter < 4; quarter++) {
      const tries = quarter === 0 ? Math.max(60, addresses) : 60;
      const place = (n: number) => places[n % addresses] ?? "";
      const name = (n: number) => (n % names ? email : user.username);
      const calls = repeat(tries * names, (n) =>
        login({ username: name(n), address: place(Math.floor(n / names)), cookie: known }),
      );
      guessed += count(await inBoth(calls), 401);
      await query("UPDATE rate_limits SET expires_at = expires_at - interval '15 minutes'");
    }
    return guessed;
  }

  it("are bounded, however many addresses they come from (printed)", async () => {
    const [one, many] = [await anHour(1), await anHour(1000)];
    const [both, stolen] = [await anHour(100, { names: 2 }), await anHour(1, { stolen: true })];
    process.stdout.write(
      `S24: guesses an hour at one account: ${one} from one address (or many that nothing tells apart), ${many} from 1,000, ` +
        `${both} when username and e-mail are both known, ${stolen} more with a known browser's stolen cookie\n`,
    );
    expect([one, many, both, stolen]).toEqual([40, 50, 100, 40]);
  }, 120_000);
});

import { tryAgainIn } from "@/lib/errors";
import { createCaller } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { newUser, newWorkspace, PASSWORD } from "@/tests/support/factories";
import {
  type Call,
  callAll,
  type Outcome,
  type SecondProcess,
  startSecondProcess,
} from "@/tests/support/second-process";

const TOO_MANY = "Too many attempts.";

let second: SecondProcess;
beforeAll(async () => {
  second = await startSecondProcess();
});
afterAll(() => second.close());

/** Makes the same calls in both processes at once. */
async function bothAtOnce(calls: Call[]): Promise<Outcome[]> {
  return (await Promise.all([callAll(calls), second.callAll(calls)])).flat();
}

function times(count: number, call: (n: number) => Call): Call[] {
  return Array.from({ length: count }, (_, n) => call(n));
}

const wrong = (username: string, address: string): Call => ({
  method: "POST",
  url: "/api/login",
  body: { username, password: "not it at all" },
  address,
});

/** So many calls passed, and every other response said how long to wait. */
function expectPassed(outcomes: Outcome[], passed: number, status: number, window: number, sentence = TOO_MANY): void {
  const refused = outcomes.filter((outcome) => outcome.status === 429);
  expect(outcomes.filter((outcome) => outcome.status === status)).toHaveLength(passed);
  expect(refused).toHaveLength(outcomes.length - passed);
  for (const { type, error, retryAfter } of refused) {
    expect([type, error]).toEqual(["RATE_LIMITED", `${sentence} ${tryAgainIn(Number(retryAfter))}`]);
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(Number(retryAfter)).toBeLessThanOrEqual(window);
  }
}

async function letWindowsRunOut(): Promise<void> {
  await query("UPDATE rate_limits SET expires_at = now() - interval '1 second'");
}

let networks = 0;
/** Addresses that no other test uses. */
const network = () => `172.20.${++networks}`;

describe("limits over two processes", () => {
  const shown: string[] = [];
  afterAll(() => process.stdout.write(`S11: ${shown.join(", ")} refuse at N+1 over 2 processes\n`));

  it("refuse the 11th wrong sign-in of an account from one address until the window ends", async () => {
    const { username } = await newUser();
    const address = `${network()}.1`;
    const attempts = times(10, () => wrong(username, address));
    expectPassed(await bothAtOnce(attempts), 10, 401, 15 * 60);
    await letWindowsRunOut();
    expectPassed(await bothAtOnce(attempts), 10, 401, 15 * 60);
    shown.push("login");
  });

  it("refuse the 51st of an account from any address", async () => {
    const { username } = await newUser();
    const here = network();
    expectPassed(await bothAtOnce(times(30, (n) => wrong(username, `${here}.${n}`))), 50, 401, 3600);
  });

  it("refuse the 101st from an address, whatever the account", async () => {
    const { username } = await newUser();
    const address = `${network()}.1`;
    expectPassed(await bothAtOnce(times(60, (n) => wrong(`${username}${n >> 2}`, address))), 100, 401, 3600);
  });

  it("refuse the 21st new account from an address", async () => {
    const address = `${network()}.1`;
    const stem = `n${Date.now()}`;
    const accounts = (prefix: string) =>
      times(15, (n) => ({
        method: "POST",
        url: "/api/register",
        body: { username: `${stem}${prefix}${n}`, password: PASSWORD },
        address,
      }));
    const outcomes = await Promise.all([callAll(accounts("a")), second.callAll(accounts("b"))]);
    expectPassed(outcomes.flat(), 20, 201, 3600);
    await letWindowsRunOut();
    expectPassed(await callAll(accounts("c").slice(0, 1)), 1, 201, 3600);
    shown.push("register");
  });

  it("refuse a user's 31st AI call within a minute, and nobody else's", async () => {
    const workspace = await newWorkspace();
    const other = await newWorkspace();
    const ask = ({ caller, topicId }: typeof workspace): Call => ({
      method: "POST",
      url: `/api/topics/${topicId}/suggest-keywords`,
      body: {},
      cookie: caller.cookie() ?? "",
    });
    // Without a key the call ends in 400, after the limit and before the provider.
    const sentence = "The AI was asked 30 times within a minute.";
    expectPassed(await bothAtOnce(times(25, () => ask(workspace))), 30, 400, 60, sentence);
    expectPassed(await callAll([ask(other)]), 1, 400, 60);
    await letWindowsRunOut();
    expectPassed(await bothAtOnce([ask(workspace)]), 2, 400, 60);
    shown.push("AI");
  });
});

it("connection tests and lists of categories are limited together, with a sentence of their own", async () => {
  const [user, other] = [await newUser(), await newUser()];
  const ask = (caller: typeof user.caller, n: number) =>
    n % 2
      ? caller.post<{ error: string; type: string }>("/api/wordpress/test")
      : caller.get<{ error: string; type: string }>("/api/wordpress/categories");
  // Without a site the call ends in 400, after the limit.
  for (let n = 0; n < 30; n++) expect((await ask(user.caller, n)).status).toBe(400);
  for (const n of [0, 1]) {
    const { status, body, headers } = await ask(user.caller, n);
    const wait = tryAgainIn(Number(headers.get("retry-after")));
    expect([status, body.type, body.error]).toEqual([
      429,
      "RATE_LIMITED",
      `Your WordPress site was asked 30 times within a minute. ${wait}`,
    ]);
  }
  expect((await ask(other.caller, 0)).status).toBe(400);
});

describe("limits count only failures and lock nobody else out", () => {
  const right = (username: string, address: string): Call => ({
    ...wrong(username, address),
    body: { username, password: PASSWORD },
  });

  it("do not count a successful sign-in", async () => {
    const { username } = await newUser();
    const address = `${network()}.1`;
    for (const call of times(12, () => right(username, address))) expectPassed(await callAll([call]), 1, 200, 900);
    expectPassed(await callAll(times(9, () => wrong(username, address))), 9, 401, 900);
    expectPassed(await callAll([right(username, address)]), 1, 200, 900);
    expectPassed(await callAll([wrong(username, address)]), 1, 401, 900);
    expectPassed(await callAll([right(username, address)]), 0, 200, 900);
  });

  it("let the owner sign in while a stranger tries hundreds of passwords from one address", async () => {
    const { username } = await newUser();
    const address = `${network()}.1`;
    for (let round = 0; round < 3; round++) await bothAtOnce(times(50, () => wrong(username.toUpperCase(), address)));
    expectPassed(await callAll([right(username, address)]), 0, 200, 900);
    expectPassed(await callAll([right(username, `${network()}.1`)]), 1, 200, 900);
  });

  it("treat the addresses of one IPv6 network as one, and ignore forged entries", async () => {
    const { username } = await newUser();
    const attempts = times(12, (n) => wrong(username, `${n}.${n}.${n}.${n}, 2001:db8:77:1:${n}::${n + 1}`));
    expectPassed(await callAll(attempts), 10, 401, 900);
    expectPassed(await callAll([wrong(username, "2001:db8:77:2::1")]), 1, 401, 900);
  });

  it("give the time until the window ends, not its length", async () => {
    const { username } = await newUser();
    const address = `${network()}.1`;
    await callAll(times(10, () => wrong(username, address)));
    await query("UPDATE rate_limits SET expires_at = now() + interval '70 seconds' WHERE hits = 10");
    const [refused] = await callAll([wrong(username, address)]);
    expect(Number(refused?.retryAfter)).toBeGreaterThan(65);
    expect(Number(refused?.retryAfter)).toBeLessThanOrEqual(70);
  });
});

describe("limits without a trusted proxy", () => {
  it("are ten times as high for the shared address, but not for an account of that name", async () => {
    const { consumeLimits } = await import("@/lib/limits/rate-limits");
    const passed = async (name: "registerAddress" | "loginAccount", subject: string, count: number) =>
      (await Promise.allSettled(Array.from({ length: count }, () => consumeLimits({ name, subject })))).filter(
        ({ status }) => status === "fulfilled",
      ).length;
    expect(await passed("registerAddress", "shared", 210)).toBe(200);
    expect(await passed("registerAddress", "192.0.2.1", 30)).toBe(20);
    expect(await passed("loginAccount", "shared", 60)).toBe(50);
  });

  it("store neither account names nor addresses", async () => {
    const { username } = await newUser();
    await createCaller(undefined, "192.0.2.77").post("/api/login", { username, password: "not it at all" });
    const rows = JSON.stringify(await query("SELECT * FROM rate_limits"));
    expect(rows).not.toContain(username);
    expect(rows).not.toContain("192.0.2.77");
  });
});

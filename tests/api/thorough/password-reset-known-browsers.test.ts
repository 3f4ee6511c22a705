import { randomUUID } from "node:crypto";
import { sendMail } from "@/lib/email/mailer";
import { type Answer, type Caller, createCaller } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { PASSWORD } from "@/tests/support/factories";

// Strangers may ask for an account's reset mails three times an hour; a browser that signed in to it has its own.

const work: Promise<void>[] = [];
jest.mock("@/lib/transport/after-response", () => ({
  afterResponse: (_what: string, task: () => Promise<void>) => work.push(task()),
}));
jest.mock("@/lib/email/mailer", () => ({
  ...jest.requireActual("@/lib/email/mailer"),
  isMailEnabled: true,
  sendMail: jest.fn(),
}));

async function newOwner() {
  const caller = createCaller();
  const username = `k${randomUUID().slice(0, 12)}`;
  const email = `${username}@example.com`;
  expect((await caller.post("/api/register", { username, email, password: PASSWORD })).status).toBe(201);
  return { caller, username, email };
}

/** Another browser that signed in to the account. */
async function knownBrowser({ username }: { username: string }): Promise<Caller> {
  const caller = createCaller();
  expect((await caller.post("/api/login", { username, password: PASSWORD })).status).toBe(200);
  return caller;
}

const ask = (email: string, caller = createCaller()) => caller.post("/api/password-reset", { email });

async function askTimes(times: number, email: string, caller?: Caller): Promise<number[]> {
  const statuses = [];
  for (let n = 0; n < times; n++) statuses.push((await ask(email, caller)).status);
  return statuses;
}

async function strangersUseUp(email: string): Promise<void> {
  expect(await askTimes(4, email)).toEqual([202, 202, 202, 429]);
}

/** Once the work after all answers has ended. */
async function mailsTo(address: string): Promise<number> {
  await Promise.all(work);
  return jest.mocked(sendMail).mock.calls.filter(([{ to }]) => to === address).length;
}

/** The parts of an answer that a caller can compare. */
function seen({ status, headers, body }: Answer<Record<string, unknown>>) {
  const { requestId: _, ...rest } = body;
  return { status, body: rest, headers: [...headers.keys()].sort() };
}

it("mails the owner three times more from a browser they signed in with", async () => {
  const { email, caller } = await newOwner();
  await strangersUseUp(email);
  expect(await mailsTo(email)).toBe(3);
  expect(await askTimes(4, email, caller)).toEqual([202, 202, 202, 429]);
  expect(await mailsTo(email)).toBe(6);
});

it("mails nobody for a browser that signed in to other accounts, and answers it alike with and without an account", async () => {
  const { email } = await newOwner();
  const unknown = `nobody-${randomUUID()}@example.com`;
  const { caller } = await newOwner();
  await strangersUseUp(email);
  await strangersUseUp(unknown);
  for (const expected of [202, 202, 202, 429]) {
    const [theirs, nobodys] = [seen(await ask(email, caller)), seen(await ask(unknown, caller))];
    expect(theirs).toEqual(nobodys);
    expect(theirs.status).toBe(expected);
  }
  expect([await mailsTo(email), await mailsTo(unknown)]).toEqual([3, 0]);
});

it("treats a forged cookie as none", async () => {
  const { email, caller } = await newOwner();
  await strangersUseUp(email);
  const [head, , signature] = caller.device()?.split(".") ?? [];
  const [, payload] = (await newOwner()).caller.device()?.split(".") ?? [];
  expect(await askTimes(1, email, createCaller(`${head}.${payload}.${signature}`))).toEqual([429]);
});

it("gives the thief of a cookie no more than its browser has, however the cookie is joined to others", async () => {
  const { email, caller } = await newOwner();
  const thief = await newOwner();
  await strangersUseUp(email);
  const stolen = caller.device() ?? "";
  expect(await askTimes(1, email, createCaller(`${thief.caller.device()}; ${stolen}`))).toEqual([202]);
  // A sign-in adds the thief's account to the stolen cookie, first.
  for (const expected of [202, 202, 429]) {
    const joined = createCaller(stolen);
    await joined.post("/api/login", { username: thief.username, password: PASSWORD });
    expect(await askTimes(1, email, createCaller(joined.device()))).toEqual([expected]);
  }
  expect(await mailsTo(email)).toBe(6);
  expect(await askTimes(1, email, await knownBrowser({ username: email }))).toEqual([202]);
  expect(await mailsTo(email)).toBe(7);
});

it("mails an owner no more than nine times an hour, however many browsers know the account", async () => {
  const owner = await newOwner();
  await strangersUseUp(owner.email);
  for (let n = 0; n < 3; n++)
    expect(await askTimes(3, owner.email, await knownBrowser(owner))).toEqual([202, 202, 202]);
  expect(await mailsTo(owner.email)).toBe(9);
});

it("mails nobody for a disabled account", async () => {
  const { email, caller } = await newOwner();
  await strangersUseUp(email);
  await query("UPDATE users SET disabled_at = now() WHERE email = $1", [email]);
  expect(await askTimes(1, email, caller)).toEqual([202]);
  expect(await mailsTo(email)).toBe(3);
});

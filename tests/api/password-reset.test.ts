import { createHash, randomInt, randomUUID } from "node:crypto";
import { type Answer, createCaller } from "@/tests/support/app";
import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { PASSWORD, type User } from "@/tests/support/factories";
import { type MailServer, startMailServer } from "@/tests/support/mail";

const NEW_PASSWORD = "a wholly other long phrase";
const ORIGIN = { requestId: "test", address: "10.1.2.3" };

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  // Before the first route is loaded, which reads the environment.
  process.env.SMTP_URL = mail.url;
});
afterAll(() => mail.close());

type Mailed = User & { email: string };

async function newMailedUser(): Promise<Mailed> {
  const caller = createCaller();
  const username = `m${randomUUID().slice(0, 12)}`;
  const email = `${username}@example.com`;
  const answer = await caller.post<{ id: string }>("/api/register", { username, email, password: PASSWORD });
  expect(answer.status).toBe(201);
  return { caller, id: answer.body.id, username, email };
}

const ask = (email: unknown, caller = createCaller()) => caller.post("/api/password-reset", { email });
const confirm = (token: string, password = NEW_PASSWORD, caller = createCaller()) =>
  caller.post("/api/password-reset/confirm", { token, password });
const signIn = (username: string, password: string, caller = createCaller()) =>
  caller.post("/api/login", { username, password });

/** Requests a link and returns the token in the newest mail. */
async function mailedToken(email: string, count = 1): Promise<string> {
  expect((await ask(email)).status).toBe(202);
  const mails = await mail.waitFor(email, count);
  return tokenIn(mails.at(-1)?.text ?? "");
}

function tokenIn(text: string): string {
  const token = /http:\/\/localhost:3000\/auth\/reset#token=([\w-]{43})\s/.exec(text)?.[1];
  if (!token) throw new Error(`No link in: ${text}`);
  return token;
}

/** The parts of a response that a caller can compare; the request's id always differs. */
function seen({ status, headers, body }: Answer<Record<string, unknown>>) {
  const { requestId: _, ...rest } = body;
  return { status, body: rest, headers: [...headers.keys()].sort() };
}

describe("requesting a link", () => {
  it("mails one to the account's address, in plain text and in HTML without external resources", async () => {
    const { email, username } = await newMailedUser();
    const answer = await ask(`  ${email.toUpperCase()} `);
    expect(answer.status).toBe(202);
    expect(answer.body.message).toMatch(/on its way/);
    const [received] = await mail.waitFor(email);
    expect(received).toMatchObject({ subject: "Reset your password", to: [{ address: email }] });
    expect(received?.text).toContain(`Hello ${username}`);
    expect(received?.html).toContain(`/auth/reset#token=${tokenIn(received?.text ?? "")}`);
    expect(received?.html).not.toMatch(/<img|<script|url\(|<link/i);
    expect(received?.headers).toContainEqual(
      expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }),
    );
  });

  it("stores the token hashed, for one hour", async () => {
    const { email, id } = await newMailedUser();
    const token = await mailedToken(email);
    const rows = await query<{ token_hash: string; minutes: number }>(
      "SELECT token_hash, extract(epoch FROM expires - now()) / 60 AS minutes FROM password_resets WHERE user_id = $1",
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.token_hash).toBe(createHash("sha256").update(token).digest("base64url"));
    expect(Number(rows[0]?.minutes)).toBeGreaterThan(58);
    expect(Number(rows[0]?.minutes)).toBeLessThanOrEqual(60);
  });

  it("answers an invalid address with its sentence", async () => {
    for (const email of [
      "no mail",
      "",
      "a@b",
      "a@b.c\r\nBcc: x@y.example",
      `${"x".repeat(250)}@example.com`,
      7,
      null,
    ]) {
      const answer = await ask(email);
      expect([answer.status, answer.body.error]).toEqual([400, "Please enter a valid email address"]);
      expect(answer.body.fields).toHaveProperty("email");
    }
    expect((await createCaller().post("/api/password-reset", {})).body.error).toBe(
      "Please enter a valid email address",
    );
  });

  it("sends nothing to an unknown address or a disabled account, and stores no token", async () => {
    const { sendResetLink } = await import("@/lib/features/account/reset/writes");
    const { email, id } = await newMailedUser();
    await query("UPDATE users SET disabled_at = now() WHERE id = $1", [id]);
    const before = mail.connections();
    await sendResetLink(email, ORIGIN);
    await sendResetLink(`nobody-${randomUUID()}@example.com`, ORIGIN);
    expect(mail.connections()).toBe(before);
    expect(await query("SELECT 1 FROM password_resets WHERE user_id = $1", [id])).toEqual([]);
  });

  it("invalidates earlier links, also when two are requested at once", async () => {
    const { sendResetLink } = await import("@/lib/features/account/reset/writes");
    const { email, id } = await newMailedUser();
    const first = await mailedToken(email);
    await Promise.all([sendResetLink(email, ORIGIN), sendResetLink(email, ORIGIN)]);
    expect(await query("SELECT 1 FROM password_resets WHERE user_id = $1", [id])).toHaveLength(1);
    expect((await confirm(first)).status).toBe(400);
    const tokens = (await mail.waitFor(email, 3)).slice(1).map(({ text }) => tokenIn(text ?? ""));
    const answers = [];
    for (const token of tokens) answers.push((await confirm(token)).status);
    expect(answers.sort()).toEqual([200, 400]);
  });

  it("logs a mail server's refusal, and answers as usual", async () => {
    const { email, id } = await newMailedUser();
    const { log } = await import("@/lib/log");
    const logged = jest.spyOn(log, "error");
    mail.refuse(true);
    try {
      expect((await ask(email)).status).toBe(202);
      // Other work of the process may log errors of its own: only the mail's says that the refusal has come.
      await eventually(
        async () => JSON.stringify(logged.mock.calls, errorParts),
        (calls) => calls.includes("mailbox unavailable"),
      );
    } finally {
      mail.refuse(false);
    }
    const [row] = await query<{ token_hash: string }>("SELECT token_hash FROM password_resets WHERE user_id = $1", [
      id,
    ]);
    expect(row).toBeDefined();
    expect(JSON.stringify(logged.mock.calls, errorParts)).not.toMatch(/#token=/);
  });
});

describe("a deployment without a mail server", () => {
  it("says that resets are not set up, to everybody alike, and stores no token", async () => {
    const { email, id } = await newMailedUser();
    const before = { SMTP_URL: process.env.SMTP_URL, APP_URL: process.env.APP_URL };
    Object.assign(process.env, { SMTP_URL: "", APP_URL: "https://planner.example" });
    try {
      await jest.isolateModulesAsync(async () => {
        const { POST } = await import("@/app/api/password-reset/route");
        for (const address of [email, `nobody-${randomUUID()}@example.com`]) {
          const headers = { "content-type": "application/json" };
          const body = JSON.stringify({ email: address });
          const answer = await POST(new Request("https://planner.example/x", { method: "POST", headers, body }));
          expect(answer.status).toBe(503);
          expect(await answer.json()).toMatchObject({
            type: "SERVICE_UNAVAILABLE",
            error: "Password reset by e-mail is not set up on this server.",
          });
        }
        const { canMailResets } = await import("@/lib/features/account/reset/reads");
        expect(canMailResets()).toBe(false);
        await (await import("@/lib/db/prisma")).prisma.$disconnect();
      });
    } finally {
      Object.assign(process.env, before);
    }
    expect(await query("SELECT 1 FROM password_resets WHERE user_id = $1", [id])).toEqual([]);
  });
});

/** JSON.stringify would leave out an error's message. */
function errorParts(_key: string, value: unknown): unknown {
  return value instanceof Error ? { ...value, text: `${value.stack}` } : value;
}

describe("S10: resets do not reveal accounts", () => {
  it("gives the same response with and without an account, and limits both at the fourth in an hour", async () => {
    const { email } = await newMailedUser();
    const unknown = `nobody-${randomUUID()}@example.com`;
    for (const expected of [202, 202, 202, 429, 429]) {
      const [known, none] = [seen(await ask(email)), seen(await ask(unknown))];
      expect(known).toEqual(none);
      expect(known.status).toBe(expected);
    }
    expect((await ask(email)).headers.get("retry-after")).toMatch(/^\d+$/);
    process.stdout.write(
      "S10 reset: same status, body and header names; S11 reset: refused at the 4th, account or not\n",
    );
  });

  it("limits an address, and does not count its refused requests for other people", async () => {
    const caller = createCaller(undefined, ownAddress());
    for (let n = 0; n < 20; n++) expect((await ask(`n${n}-${randomUUID()}@example.com`, caller)).status).toBe(202);
    const victim = `v-${randomUUID()}@example.com`;
    for (let n = 0; n < 4; n++) expect((await ask(victim, caller)).status).toBe(429);
    expect((await ask(victim)).status).toBe(202);
  });

  it("looks the address up after the response, so that timing reveals nothing (n = 200, printed)", async () => {
    const mark = randomUUID().slice(0, 8);
    await query(
      "INSERT INTO users (username, email) SELECT $1 || n, $1 || n || '@example.com' FROM generate_series(1, 200) n",
      [mark],
    );
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let n = 1; n <= 200; n++) {
      for (const [kind, name] of [
        ["known", `${mark}${n}`],
        ["unknown", `${mark}x${n}`],
      ] as const) {
        const begun = process.hrtime.bigint();
        expect((await ask(`${name}@example.com`)).status).toBe(202);
        times[kind].push(Number(process.hrtime.bigint() - begun) / 1e6);
      }
    }
    const median = (values: number[]) => (values.sort((a, b) => a - b)[100] ?? 0).toFixed(1);
    process.stdout.write(
      `S10 reset, n = 200: ${median(times.known)} ms known, ${median(times.unknown)} ms unknown (median)\n`,
    );
    // Let mails sent after the responses end before the mail server does.
    await mail.waitFor(`${mark}200@example.com`);
  }, 60_000);
});

describe("choosing a new password", () => {
  it("sets it, verifies the address, mails the user and records it", async () => {
    const { email, id, username } = await newMailedUser();
    const token = await mailedToken(email);
    const answer = await confirm(token);
    expect([answer.status, answer.body.message]).toEqual([200, "Your password was changed. Sign in with the new one."]);
    // No session cookie, only the device cookie.
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^device=/)]);
    expect((await signIn(username, PASSWORD)).status).toBe(401);
    expect((await signIn(username, NEW_PASSWORD)).status).toBe(200);
    const [row] = await query("SELECT email_verified FROM users WHERE id = $1", [id]);
    expect(row?.email_verified).toBeInstanceOf(Date);
    const notice = (await mail.waitFor(email, 2)).at(-1);
    expect(notice?.subject).toBe("Your password was changed");
    expect(`${notice?.text}${notice?.html}`).not.toContain(NEW_PASSWORD);
    const trail = await query<{ action: string; detail: object }>(
      "SELECT action, detail FROM audit_events WHERE user_id = $1 ORDER BY created_at",
      [id],
    );
    expect(trail.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["password.reset_requested", "password.reset"]),
    );
    expect(JSON.stringify(trail)).not.toContain(token);
  });

  it("S8: ends every session of the user, and nobody else's", async () => {
    const user = await newMailedUser();
    const other = await newMailedUser();
    const second = createCaller();
    await signIn(user.username, PASSWORD, second);
    for (const caller of [user.caller, second]) expect((await caller.get("/api/user")).status).toBe(200);
    expect((await confirm(await mailedToken(user.email))).status).toBe(200);
    for (const caller of [user.caller, second]) expect((await caller.get("/api/user")).status).toBe(401);
    expect((await other.caller.get("/api/user")).status).toBe(200);
    process.stdout.write("S8 reset: 2 of 2 sessions dead, another user's alive\n");
  });

  it("accepts a link once, also when it is sent twice at once", async () => {
    const { email } = await newMailedUser();
    const token = await mailedToken(email);
    const answers = await Promise.all([confirm(token), confirm(token, "another long phrase")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const again = await confirm(token);
    expect([again.status, again.body.type]).toEqual([400, "VALIDATION_ERROR"]);
    expect(again.body.error).toMatch(/request a new link/);
    expect(again.body.fields).toHaveProperty("token");
  });

  it("refuses a link that is unknown, expired or of a disabled account", async () => {
    const { email, id, username } = await newMailedUser();
    for (const unknown of ["", "x".repeat(43), "\0", "ä".repeat(100)]) {
      expect((await confirm(unknown)).body).toMatchObject({
        type: "VALIDATION_ERROR",
        error: expect.stringMatching(/new link/),
      });
    }
    const token = await mailedToken(email);
    await query("UPDATE password_resets SET expires = now() WHERE user_id = $1", [id]);
    expect((await confirm(token)).status).toBe(400);
    await query("UPDATE password_resets SET expires = now() + interval '1 hour' WHERE user_id = $1", [id]);
    await query("UPDATE users SET disabled_at = now() WHERE id = $1", [id]);
    expect((await confirm(token)).status).toBe(400);
    await query("UPDATE users SET disabled_at = NULL WHERE id = $1", [id]);
    expect((await signIn(username, PASSWORD)).status).toBe(200);
  });

  it("applies the rules of registration to the password without using up the link", async () => {
    const { email } = await newMailedUser();
    const token = await mailedToken(email);
    for (const bad of ["short", "password123", "long enough\0", "x".repeat(129)]) {
      const answer = await confirm(token, bad);
      expect([answer.status, answer.body.fields]).toEqual([400, { password: [expect.any(String)] }]);
    }
    expect((await confirm(token)).status).toBe(200);
  });

  it("disconnects sign-ins added before the address was verified, and keeps later ones", async () => {
    const { email, id } = await newMailedUser();
    const connect = async () => {
      await query("UPDATE users SET firebase_uid = $2 WHERE id = $1", [id, `uid-${id}`]);
      await query(
        "INSERT INTO accounts (user_id, type, provider, provider_account_id) VALUES ($1, 'oauth', 'google', $2)",
        [id, randomUUID()],
      );
    };
    const connected = () =>
      query("SELECT u.firebase_uid, a.provider FROM users u LEFT JOIN accounts a ON a.user_id = u.id WHERE u.id = $1", [
        id,
      ]);
    await connect();
    await confirm(await mailedToken(email));
    expect(await connected()).toEqual([{ firebase_uid: null, provider: null }]);
    expect((await mail.waitFor(email, 2)).at(-1)?.text).toContain("disconnected");
    await connect();
    await confirm(await mailedToken(email, 3));
    expect(await connected()).toEqual([{ firebase_uid: `uid-${id}`, provider: "google" }]);
    expect((await mail.waitFor(email, 4)).at(-1)?.text).not.toContain("disconnected");
  });

  it("clears the user's failed sign-ins", async () => {
    const { email, username } = await newMailedUser();
    const caller = createCaller(undefined, ownAddress());
    for (let n = 0; n < 11; n++) await signIn(username, "not it at all", caller);
    expect((await signIn(username, PASSWORD, caller)).status).toBe(429);
    expect((await confirm(await mailedToken(email), NEW_PASSWORD, caller)).status).toBe(200);
    expect((await signIn(username, NEW_PASSWORD, caller)).status).toBe(200);
  });

  it("limits wrong links by address", async () => {
    const caller = createCaller(undefined, ownAddress());
    for (let n = 0; n < 20; n++) expect((await confirm(`wrong-${n}`, NEW_PASSWORD, caller)).status).toBe(400);
    expect((await confirm("wrong", NEW_PASSWORD, caller)).status).toBe(429);
  });
});

/** An address that no other suite calls from, because its failures would count here. */
function ownAddress(): string {
  return `172.16.${randomInt(256)}.${randomInt(256)}`;
}

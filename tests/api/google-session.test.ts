import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { NextRequest } from "next/server";
import { INTENT_COOKIE, sealIntent } from "@/lib/auth/google-intent";
import { createWithFreeUsername } from "@/lib/auth/new-user";
import { callNextAuth, googleAuthorizationUrl } from "@/lib/auth/next-auth";
import { authOptions } from "@/lib/auth/options";
import { storeSession } from "@/lib/auth/sessions";
import { prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { handleNextAuth } from "@/lib/features/account/google/writes/oauth";
import { callAction, nextHeaders } from "@/tests/support/action-request";
import { query } from "@/tests/support/db";
import { newUser, type User } from "@/tests/support/factories";

/** What Google returns with the browser: a profile, or the reason why there is none. */
const google = jest.fn();
jest.mock("../../node_modules/next-auth/core/lib/oauth/callback.js", () => {
  const actual = jest.requireActual("../../node_modules/next-auth/core/lib/oauth/callback.js");
  return { __esModule: true, default: (...args: unknown[]) => google() ?? actual.default(...args) };
});
jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);
jest.mock("@/lib/auth/sessions", () => mocked("@/lib/auth/sessions", "storeSession"));
jest.mock("@/lib/auth/new-user", () => mocked("@/lib/auth/new-user", "createWithFreeUsername"));

/** The real module, with one function that a test can make fail. */
function mocked(path: string, name: string) {
  const actual = jest.requireActual<Record<string, (...args: unknown[]) => unknown>>(path);
  return { ...actual, [name]: jest.fn(actual[name]) };
}

const CALLBACK = "http://localhost:3000/api/auth/callback/google";

const newSubject = () => `sub-${randomUUID()}`;

function googleReturns(subject: string, { isConfirmed = true, email = `${subject}@google.example` } = {}): void {
  const account = { provider: "google", type: "oauth", providerAccountId: subject };
  const profile = { id: subject, email, name: "Jo", image: null };
  const OAuthProfile = { sub: subject, email, email_verified: isConfirmed };
  google.mockResolvedValueOnce({ profile, account, OAuthProfile, cookies: [] });
}

function connect({ id }: User, subject: string) {
  const account =
    "INSERT INTO accounts (user_id, type, provider, provider_account_id) VALUES ($1, 'oauth', 'google', $2)";
  return query(account, [id, subject]);
}

/** The browser returns from Google with its session and other cookies. */
async function returnFromGoogle({ caller }: User, others: string[] = [], search = "") {
  const cookie = caller.cookie();
  const headers = { cookie: [cookie, ...others].join("; "), "x-forwarded-for": "10.68.0.1" };
  const request = new NextRequest(`${CALLBACK}${search}`, { headers });
  const params = Promise.resolve({ nextauth: ["callback", "google"] });
  const { answer: response } = await callAction(() => handleNextAuth(request, { params }), { cookie });
  const session = response.headers.getSetCookie().find((cookie) => cookie.startsWith("session="));
  return { location: response.headers.get("location"), session: session?.split(";")[0] };
}

const sessionsOf = ({ id }: User) => query("SELECT id FROM sessions WHERE user_id = $1", [id]);
const isSignedIn = async ({ caller }: User) => (await caller.get("/api/user")).status === 200;

/** Everything that can go wrong in the callback, with the reason passed to the page. */
const FAILURES: [what: string, reason: string, fail: (user: User) => unknown][] = [
  ["Google's response cannot be read", "Refused", () => google.mockRejectedValueOnce(oauthError("bad answer"))],
  ["the state does not match", "State", () => google.mockRejectedValueOnce(oauthError("state mismatch"))],
  ...["connect ECONNREFUSED", "outgoing request timed out after 10000ms", "expected 200 OK, got: 503 Unavailable"].map(
    (message): (typeof FAILURES)[number] => [
      `Google cannot be reached: ${message}`,
      "Unreachable",
      () => google.mockRejectedValueOnce(oauthError(message, message.split(" ")[1])),
    ],
  ),
  ["Google has not confirmed the e-mail", "Unconfirmed", () => googleReturns(newSubject(), { isConfirmed: false })],
  [
    "the account is disabled",
    "Disabled",
    async () => {
      const [owner, subject] = [await newUser(), newSubject()];
      await connect(owner, subject);
      await query("UPDATE users SET disabled_at = now() WHERE id = $1", [owner.id]);
      googleReturns(subject);
    },
  ],
  [
    "an account with this e-mail was created meanwhile",
    "Failed",
    () => {
      googleReturns(newSubject());
      jest.mocked(createWithFreeUsername).mockRejectedValueOnce(new Error("taken"));
    },
  ],
  [
    "the new session cannot be stored",
    "Failed",
    async () => {
      const [owner, subject] = [await newUser(), newSubject()];
      await connect(owner, subject);
      googleReturns(subject);
      jest.mocked(storeSession).mockRejectedValueOnce(new Error("The database is away."));
    },
  ],
];

function oauthError(message: string, code = ""): Error {
  return Object.assign(new Error(message), { name: "OAuthCallbackError", code });
}

it.each(FAILURES)("keeps the current session when %s", async (_what, reason, fail) => {
  const user = await newUser();
  await fail(user);
  const { location, session } = await returnFromGoogle(user);
  expect([location, session]).toEqual([`/auth?error=${reason}`, undefined]);
  expect(await sessionsOf(user)).toHaveLength(1);
  expect(await isSignedIn(user)).toBe(true);
});

it.each([
  ["access_denied", "Cancelled"],
  ["server_error", "Refused"],
])("keeps the current session when Google returns %s", async (error, reason) => {
  const user = await newUser();
  const { location } = await returnFromGoogle(user, [], `?error=${error}`);
  expect(location).toBe(`/auth?error=${reason}`);
  expect(await isSignedIn(user)).toBe(true);
});

it("does not link an account by its e-mail alone, even if the sign-in was admitted", async () => {
  const [user, subject] = [await newUser(), newSubject()];
  await query("UPDATE users SET email = $2 WHERE id = $1", [user.id, `${subject}@google.example`]);
  googleReturns(subject);
  const options = authOptions({ admit: async () => true, signedIn: async () => undefined });
  const context = { params: Promise.resolve({ nextauth: ["callback", "google"] }) };
  const { answer } = await callAction(() => callNextAuth(new NextRequest(CALLBACK), context, options));
  expect(answer.failure).toBe("Exists");
  expect(await query("SELECT id FROM accounts WHERE user_id = $1", [user.id])).toEqual([]);
});

it("keeps the current session when a required fresh sign-in fails", async () => {
  const [user, subject] = [await newUser(), newSubject()];
  await connect(user, subject);
  googleReturns(subject);
  jest.mocked(storeSession).mockRejectedValueOnce(new Error("The database is away."));
  const intent = await sealIntent({ purpose: "again", userId: user.id });
  const { location } = await returnFromGoogle(user, [`${INTENT_COOKIE}=${intent}`]);
  expect(location).toBe("/settings?error=Failed");
  expect(await isSignedIn(user)).toBe(true);
});

it.each(["another user's", "the same user's"])("replaces the current session: %s", async (whose) => {
  const [user, subject] = [await newUser(), newSubject()];
  const owner = whose === "the same user's" ? user : await newUser();
  const before = await sessionsOf(user);
  await connect(owner, subject);
  googleReturns(subject);
  const { session } = await returnFromGoogle(user);
  expect(session).toMatch(/^session=[\w-]{43}$/);
  expect(session).not.toBe(user.caller.cookie());
  expect(await isSignedIn(user)).toBe(false);
  const left = await sessionsOf(user);
  expect(left).not.toContainEqual(before[0]);
  expect(left).toHaveLength(owner === user ? 1 : 0);
});

it("sets the new session even if the browser cannot be recorded as known", async () => {
  const [user, subject] = [await newUser(), newSubject()];
  await connect(user, subject);
  googleReturns(subject);
  jest.spyOn(prisma.user, "findUniqueOrThrow").mockRejectedValueOnce(new Error("The database is away."));
  const { session } = await returnFromGoogle(user);
  expect(session).toMatch(/^session=[\w-]{43}$/);
});

describe("on the way to Google", () => {
  const options = () => authOptions({ admit: async () => false, signedIn: async () => undefined });
  const issuer = env.GOOGLE_ISSUER;
  let server: Server | undefined;
  afterEach(() => {
    server?.close();
    Object.assign(env, { GOOGLE_ISSUER: issuer });
  });

  /** Serves Google's discovery document with this status. */
  async function serve(status: number): Promise<string> {
    const one = createServer((_request, response) => {
      const document = { issuer: env.GOOGLE_ISSUER, authorization_endpoint: `${env.GOOGLE_ISSUER}/authorize` };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(document));
    });
    server = one;
    await new Promise<void>((resolve) => {
      one.listen(0, "127.0.0.1", resolve);
    });
    const url = `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
    Object.assign(env, { GOOGLE_ISSUER: url });
    return url;
  }

  it("asks for the e-mail and the name, and stores the state, the nonce and the challenge in cookies", async () => {
    const url = await serve(200);
    const { answer, cookies } = await callAction(() => googleAuthorizationUrl(options(), "/content?tab=a"));
    if (!(answer instanceof URL)) throw new Error(`no address: ${answer}`);
    expect(answer.origin + answer.pathname).toBe(`${url}/authorize`);
    expect(Object.fromEntries(answer.searchParams)).toEqual({
      client_id: "test",
      scope: "openid email profile",
      response_type: "code",
      redirect_uri: CALLBACK,
      state: expect.any(String),
      nonce: expect.any(String),
      code_challenge: expect.any(String),
      code_challenge_method: "S256",
    });
    expect(Object.keys(cookies).sort()).toEqual([
      "next-auth.csrf-token",
      "next-auth.nonce",
      "next-auth.pkce.code_verifier",
      "next-auth.state",
      "sign-in-next",
    ]);
    expect(cookies["sign-in-next"]?.value).toBe("http://localhost:3000/content?tab=a");
  });

  it("says whether Google is unreachable or the browser accepts no cookies", async () => {
    await serve(503);
    expect((await callAction(() => googleAuthorizationUrl(options(), "/"))).answer).toBe("Unreachable");
    jest
      .spyOn(nextHeaders, "cookies")
      .mockResolvedValue({ get: () => undefined, getAll: () => [], set: () => undefined });
    expect((await callAction(() => googleAuthorizationUrl(options(), "/"))).answer).toBe("State");
  });

  it("maps the fields of a profile, and missing ones to null", () => {
    const [provider] = options().providers as unknown as { profile: (profile: object) => unknown }[];
    const full = { sub: "7", email: "jo@example.com", name: "Jo", picture: "https://x.example/a.png", locale: "de" };
    expect(provider?.profile(full)).toEqual({ id: "7", email: full.email, name: "Jo", image: full.picture });
    expect(provider?.profile({ sub: "7" })).toEqual({ id: "7", email: null, name: null, image: null });
  });
});

import { randomUUID } from "node:crypto";
import { NextRequest } from "next/server";
import { INTENT_COOKIE, sealIntent } from "@/lib/auth/intent";
import { createWithFreeUsername } from "@/lib/auth/new-user";
import { storeSession } from "@/lib/auth/sessions";
import { prisma } from "@/lib/db/prisma";
import { serveNextAuth } from "@/lib/features/account/writes/google-flow";
import { callAction } from "@/tests/support/action-request";
import { query } from "@/tests/support/db";
import { newPerson, type Person } from "@/tests/support/factories";

/** What Google says when the browser comes back from it: a profile, or the reason why there is none. */
const google = jest.fn();
jest.mock("../../node_modules/next-auth/core/lib/oauth/callback.js", () => ({
  __esModule: true,
  default: () => google(),
}));
jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);
jest.mock("@/lib/auth/sessions", () => mocked("@/lib/auth/sessions", "storeSession"));
jest.mock("@/lib/auth/new-user", () => mocked("@/lib/auth/new-user", "createWithFreeUsername"));

/** A module as it is, with one function that a test can let fail. */
function mocked(path: string, name: string) {
  const actual = jest.requireActual<Record<string, (...args: unknown[]) => unknown>>(path);
  return { ...actual, [name]: jest.fn(actual[name]) };
}

const newSubject = () => `sub-${randomUUID()}`;

function answers(subject: string, { isConfirmed = true, email = `${subject}@google.example` } = {}): void {
  const account = { provider: "google", type: "oauth", providerAccountId: subject };
  const profile = { id: subject, email, name: "Jo", image: null };
  const OAuthProfile = { sub: subject, email, email_verified: isConfirmed };
  google.mockResolvedValueOnce({ profile, account, OAuthProfile, cookies: [] });
}

function connect({ id }: Person, subject: string) {
  const account =
    "INSERT INTO accounts (user_id, type, provider, provider_account_id) VALUES ($1, 'oauth', 'google', $2)";
  return query(account, [id, subject]);
}

/** The browser comes back to us, with its session and what else it carries. */
async function comeBack({ caller }: Person, ...others: string[]) {
  const cookie = caller.cookie();
  const headers = { cookie: [cookie, ...others].join("; "), "x-forwarded-for": "10.68.0.1" };
  const request = new NextRequest("http://localhost:3000/api/auth/callback/google", { headers });
  const params = Promise.resolve({ nextauth: ["callback", "google"] });
  const { answer: response } = await callAction(() => serveNextAuth(request, { params }), { cookie });
  const session = response.headers.getSetCookie().find((cookie) => cookie.startsWith("session="));
  return { location: response.headers.get("location"), session: session?.split(";")[0] };
}

const sessionsOf = ({ id }: Person) => query("SELECT id FROM sessions WHERE user_id = $1", [id]);
const isSignedIn = async ({ caller }: Person) => (await caller.get("/api/user")).status === 200;

/** Everything that can go wrong on the way back; each leads to a page with this reason. */
const FAILURES: [what: string, reason: string, fail: (person: Person) => unknown][] = [
  ["Google answers nothing that can be read", "Refused", () => google.mockRejectedValueOnce(oauthError("bad answer"))],
  ["the state does not match", "State", () => google.mockRejectedValueOnce(oauthError("state mismatch"))],
  ["Google has not confirmed the address", "Unconfirmed", () => answers(newSubject(), { isConfirmed: false })],
  [
    "the account is disabled",
    "Disabled",
    async () => {
      const [owner, subject] = [await newPerson(), newSubject()];
      await connect(owner, subject);
      await query("UPDATE users SET disabled_at = now() WHERE id = $1", [owner.id]);
      answers(subject);
    },
  ],
  [
    "somebody else has made an account with this address meanwhile",
    "Failed",
    () => {
      answers(newSubject());
      jest.mocked(createWithFreeUsername).mockRejectedValueOnce(new Error("taken"));
    },
  ],
  [
    "the new session cannot be stored",
    "Failed",
    async () => {
      const [owner, subject] = [await newPerson(), newSubject()];
      await connect(owner, subject);
      answers(subject);
      jest.mocked(storeSession).mockRejectedValueOnce(new Error("The database is away."));
    },
  ],
];

function oauthError(message: string): Error {
  return Object.assign(new Error(message), { name: "OAuthCallbackError" });
}

it.each(FAILURES)("keeps the session there is when %s", async (_what, reason, fail) => {
  const person = await newPerson();
  await fail(person);
  const { location, session } = await comeBack(person);
  expect([location, session]).toEqual([`/auth?error=${reason}`, undefined]);
  expect(await sessionsOf(person)).toHaveLength(1);
  expect(await isSignedIn(person)).toBe(true);
});

it("keeps it too when a fresh sign-in that was asked for fails", async () => {
  const [person, subject] = [await newPerson(), newSubject()];
  await connect(person, subject);
  answers(subject);
  jest.mocked(storeSession).mockRejectedValueOnce(new Error("The database is away."));
  const intent = await sealIntent({ purpose: "again", userId: person.id });
  const { location } = await comeBack(person, `${INTENT_COOKIE}=${intent}`);
  expect(location).toBe("/settings?error=Failed");
  expect(await isSignedIn(person)).toBe(true);
});

it.each(["another person's", "the same person's"])("puts the new session in its place: %s", async (whose) => {
  const [person, subject] = [await newPerson(), newSubject()];
  const owner = whose === "the same person's" ? person : await newPerson();
  const before = await sessionsOf(person);
  await connect(owner, subject);
  answers(subject);
  const { session } = await comeBack(person);
  expect(session).toMatch(/^session=[\w-]{43}$/);
  expect(session).not.toBe(person.caller.cookie());
  expect(await isSignedIn(person)).toBe(false);
  const left = await sessionsOf(person);
  expect(left).not.toContainEqual(before[0]);
  expect(left).toHaveLength(owner === person ? 1 : 0);
});

it("hands over the new session also when its browser cannot be made known to the account", async () => {
  const [person, subject] = [await newPerson(), newSubject()];
  await connect(person, subject);
  answers(subject);
  jest.spyOn(prisma.user, "findUniqueOrThrow").mockRejectedValueOnce(new Error("The database is away."));
  const { session } = await comeBack(person);
  expect(session).toMatch(/^session=[\w-]{43}$/);
});

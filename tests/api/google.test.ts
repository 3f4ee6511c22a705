import { createHash, randomUUID } from "node:crypto";
import { decodeJwt, SignJWT } from "jose";
import { NextRequest } from "next/server";
import { actorFromToken } from "@/lib/auth/actor";
import {
  expiredIntentCookie,
  INTENT_COOKIE,
  intentCookieOptions,
  openIntent,
  sealIntent,
} from "@/lib/auth/google-intent";
import { authOptions } from "@/lib/auth/options";
import { prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { acceptGoogleIdentity, type OAuthVisit, unlinkGoogle } from "@/lib/features/account/google/writes/link";
import { handleNextAuth } from "@/lib/features/account/google/writes/oauth";
import { consumeLimits } from "@/lib/limits/rate-limits";
import { query } from "@/tests/support/db";
import { newUser, PASSWORD, type User } from "@/tests/support/factories";

let addresses = 0;

/** A visit from an address that no other test uses. */
function visit(rest: Partial<OAuthVisit> = {}): OAuthVisit {
  const context = { requestId: "google", address: `10.66.${process.pid % 250}.${++addresses}` };
  return { context, actor: undefined, token: undefined, intent: undefined, ...rest };
}

async function visitOf({ caller, id }: User, purpose?: "connect" | "again"): Promise<OAuthVisit> {
  const token = caller.cookie()?.split("=")[1];
  const { context } = visit();
  const found = await actorFromToken(token, context);
  return { context, token, actor: found?.actor, intent: purpose ? { purpose, userId: id } : undefined };
}

function identity(rest: object = {}) {
  const subject = `sub-${randomUUID()}`;
  return { subject, email: `${subject}@google.example`, isEmailVerified: true, ...rest };
}

async function userWith(email: string, state: { verified?: boolean; disabled?: boolean } = {}): Promise<User> {
  const user = await newUser();
  await query("UPDATE users SET email = $2, email_verified = $3, disabled_at = $4 WHERE id = $1", [
    user.id,
    email,
    state.verified ? new Date() : null,
    state.disabled ? new Date() : null,
  ]);
  return user;
}

const link = (id: string, subject: string) =>
  query("INSERT INTO accounts (user_id, type, provider, provider_account_id) VALUES ($1, 'oauth', 'google', $2)", [
    id,
    subject,
  ]);

async function accountsOf(id: string): Promise<string[]> {
  const rows = await query<{ id: string }>("SELECT provider_account_id AS id FROM accounts WHERE user_id = $1", [id]);
  return rows.map((row) => row.id);
}

const sessionsOf = (id: string) => query("SELECT id FROM sessions WHERE user_id = $1", [id]);
const actionsOf = async (id: string) =>
  (await query<{ action: string }>("SELECT action FROM audit_events WHERE user_id = $1 ORDER BY created_at", [id])).map(
    ({ action }) => action,
  );

describe("an unknown Google account", () => {
  it("creates an account when Google has confirmed its e-mail and no account has it", async () => {
    expect(await acceptGoogleIdentity(identity(), visit())).toBeUndefined();
    expect(await acceptGoogleIdentity(identity({ isEmailVerified: false }), visit())).toBe("Unconfirmed");
    expect(await acceptGoogleIdentity(identity({ email: null }), visit())).toBe("Unconfirmed");
  });

  it.each([
    ["both have verified the e-mail", true, true, {}, undefined],
    ["we have not", true, false, {}, "Exists"],
    ["Google has not", false, true, {}, "Unconfirmed"],
    ["neither has", false, false, {}, "Unconfirmed"],
    ["the account is disabled", true, true, { disabled: true }, "Exists"],
  ] as const)(
    "joins the account with its e-mail only if both sides verified it: %s",
    async (_case, theirs, ours, state, refusal) => {
      const google = identity({ isEmailVerified: theirs });
      const user = await userWith(google.email, { verified: ours, ...state });
      expect(await acceptGoogleIdentity(google, visit())).toBe(refusal);
      expect(await accountsOf(user.id)).toEqual(refusal ? [] : [google.subject]);
      expect((await actionsOf(user.id)).includes("account.identity_connected")).toBe(refusal === undefined);
    },
  );

  it("does not join an account connected to another Google account, because e-mail addresses are reassigned", async () => {
    const google = identity();
    const user = await userWith(google.email, { verified: true });
    await link(user.id, "the one before");
    expect(await acceptGoogleIdentity(google, visit())).toBe("Exists");
    expect(await accountsOf(user.id)).toEqual(["the one before"]);
  });

  it("counts as a registration from its address: the 21st in an hour is refused", async () => {
    const { context } = visit();
    for (let n = 0; n < 20; n++) expect(await acceptGoogleIdentity(identity(), visit({ context }))).toBeUndefined();
    expect(await acceptGoogleIdentity(identity(), visit({ context }))).toBe("TooMany");
  });
});

describe("a connected Google account", () => {
  it("signs in to its own account whatever its e-mail is now, not to that of the current session", async () => {
    const google = identity({ email: null, isEmailVerified: false });
    const owner = await newUser();
    await link(owner.id, google.subject);
    const before = await newUser();
    expect(await acceptGoogleIdentity(google, await visitOf(before))).toBeUndefined();
    expect(await accountsOf(before.id)).toEqual([]);
  });

  it("is refused while the account is disabled", async () => {
    const google = identity();
    const owner = await userWith(google.email, { disabled: true });
    await link(owner.id, google.subject);
    expect(await acceptGoogleIdentity(google, visit())).toBe("Disabled");
  });
});

describe("connecting from the settings", () => {
  it("connects any unknown Google account, keeps the session, and records it once", async () => {
    const user = await newUser();
    const google = identity({ isEmailVerified: false });
    expect(await acceptGoogleIdentity(google, await visitOf(user, "connect"))).toBeUndefined();
    expect(await acceptGoogleIdentity(google, await visitOf(user, "connect"))).toBeUndefined();
    expect(await accountsOf(user.id)).toEqual([google.subject]);
    expect(await sessionsOf(user.id)).toHaveLength(1);
    expect((await actionsOf(user.id)).filter((action) => action === "account.identity_connected")).toHaveLength(1);
  });

  it("refuses another user's Google account, a second one, and an ended or another user's session", async () => {
    const [user, other] = [await newUser(), await newUser()];
    const google = identity();
    await link(other.id, google.subject);
    expect(await acceptGoogleIdentity(google, await visitOf(user, "connect"))).toBe("ConnectedElsewhere");
    await link(user.id, "mine");
    expect(await acceptGoogleIdentity(identity(), await visitOf(user, "connect"))).toBe("ConnectedAlready");
    const intent = { purpose: "connect", userId: user.id } as const;
    expect(await acceptGoogleIdentity(identity(), visit({ intent }))).toBe("SessionEnded");
    expect(await acceptGoogleIdentity(identity(), { ...(await visitOf(other)), intent })).toBe("SessionEnded");
    expect([await accountsOf(user.id), await accountsOf(other.id)]).toEqual([["mine"], [google.subject]]);
  });

  it("gives a Google account to only one of two people who connect it at once", async () => {
    const people = await Promise.all([newUser(), newUser()]);
    const google = identity();
    const visits = await Promise.all(people.map((user) => visitOf(user, "connect")));
    const answers = await Promise.all(visits.map((one) => acceptGoogleIdentity(google, one)));
    expect(answers.map(String).sort()).toEqual(["ConnectedElsewhere", "undefined"]);
    expect((await Promise.all(people.map(({ id }) => accountsOf(id)))).flat()).toEqual([google.subject]);
  });
});

describe("signing in again to confirm", () => {
  it("accepts the connected account only", async () => {
    const user = await newUser();
    const google = identity();
    expect(await acceptGoogleIdentity(google, await visitOf(user, "again"))).toBe("AnotherAccount");
    await link(user.id, google.subject);
    expect(await acceptGoogleIdentity(identity(), await visitOf(user, "again"))).toBe("AnotherAccount");
    expect(await sessionsOf(user.id)).toHaveLength(1);
    expect(await acceptGoogleIdentity(google, await visitOf(user, "again"))).toBeUndefined();
  });
});

it("records a refused sign-in and a refused confirmation for the account they concern", async () => {
  const google = identity();
  const owner = await userWith(google.email);
  expect(await acceptGoogleIdentity(google, visit())).toBe("Exists");
  expect(await actionsOf(owner.id)).toContain("session.sign_in_failed");
  const disabled = await userWith(identity().email, { disabled: true });
  await link(disabled.id, `disabled-${disabled.id}`);
  expect(await acceptGoogleIdentity(identity({ subject: `disabled-${disabled.id}` }), visit())).toBe("Disabled");
  expect(await actionsOf(disabled.id)).toContain("session.sign_in_failed");
  const user = await newUser();
  expect(await acceptGoogleIdentity(identity(), await visitOf(user, "again"))).toBe("AnotherAccount");
  expect(await actionsOf(user.id)).toContain("account.proof_refused");
});

describe("disconnecting", () => {
  async function disconnect(user: User, currentPassword?: string) {
    const { actor, token } = await visitOf(user);
    if (!actor) throw new Error("not signed in");
    return unlinkGoogle(actor, token, { currentPassword });
  }

  it("needs the password, and disconnects this user only", async () => {
    const [user, other] = [await newUser(), await newUser()];
    await link(user.id, `mine-${user.id}`);
    await link(other.id, `theirs-${other.id}`);
    for (const wrong of [undefined, "not it at all"]) await expect(disconnect(user, wrong)).rejects.toThrow(AppError);
    expect(await accountsOf(user.id)).toHaveLength(1);
    expect(await disconnect(user, PASSWORD)).toMatchObject({ isGoogleConnected: false, hasPassword: true });
    expect([await accountsOf(user.id), (await accountsOf(other.id)).length]).toEqual([[], 1]);
    expect(await actionsOf(user.id)).toContain("account.identity_disconnected");
  });

  it("refuses to remove the only way to sign in", async () => {
    const user = await newUser();
    await link(user.id, `only-${user.id}`);
    await query("UPDATE users SET password = NULL WHERE id = $1", [user.id]);
    await expect(disconnect(user)).rejects.toThrow(/^Set a password first/);
    expect(await accountsOf(user.id)).toHaveLength(1);
  });
});

describe("the options for next-auth", () => {
  const admit = jest.fn(async () => true);
  const signedIn = jest.fn(async () => undefined);
  const options = () => authOptions({ admit, signedIn });

  it("keep sessions in the database, with our secret", () => {
    expect(options()).toMatchObject({
      secret: env.AUTH_SECRET,
      session: { strategy: "database", maxAge: 30 * 86_400, updateAge: 86_400 },
    });
    expect(options().session?.generateSessionToken?.()).toMatch(/^[\w-]{43}$/);
  });

  it("ask Google for an ID token within ten seconds", () => {
    expect(options().providers).toMatchObject([{ id: "google", idToken: true, httpOptions: { timeout: 10_000 } }]);
  });

  it("pass on the profile, with the address only if Google verified it", async () => {
    const ask = (profile: object) => options().callbacks?.signIn?.({ profile } as never);
    await ask({ sub: "7", email: "Jo@Example.com", email_verified: true });
    expect(admit).toHaveBeenLastCalledWith({ subject: "7", email: "jo@example.com", isEmailVerified: true });
    await ask({ sub: "7" });
    expect(admit).toHaveBeenLastCalledWith({ subject: "7", email: null, isEmailVerified: false });
    await ask({ sub: "7", email_verified: false });
    expect(admit).toHaveBeenLastCalledWith({ subject: "7", email: null, isEmailVerified: false });
    for (const [isNewUser, isNew] of [
      [true, true],
      [false, false],
      [undefined, false],
    ]) {
      await options().events?.signIn?.({ user: { id: "me" }, isNewUser } as never);
      expect(signedIn).toHaveBeenLastCalledWith({ id: "me", isNew });
    }
  });

  it("expose a session's end and the user's name only", async () => {
    const exposed = (user: object) =>
      options().callbacks?.session?.({
        session: { expires: "2027", token: "x" },
        user: { password: "x", ...user },
      } as never);
    expect(await exposed({ name: "Jo" })).toEqual({ expires: "2027", user: { name: "Jo" } });
    expect(await exposed({})).toEqual({ expires: "2027", user: { name: null } });
  });

  it("leave Google out when only half of it is configured", async () => {
    const { GOOGLE_CLIENT_SECRET } = process.env;
    delete process.env.GOOGLE_CLIENT_SECRET;
    await jest.isolateModulesAsync(async () => {
      const { isGoogleEnabled } = await import("@/lib/auth/google");
      expect(isGoogleEnabled).toBe(false);
    });
    process.env.GOOGLE_CLIENT_SECRET = GOOGLE_CLIENT_SECRET;
  });
});

it("returns to paths of this app only", async () => {
  const options = authOptions({ admit: async () => false, signedIn: async () => undefined });
  const baseUrl = "http://localhost:3000";
  const back = (url: string) => options.callbacks?.redirect?.({ url, baseUrl });
  for (const own of ["/content?tab=a#b", `${baseUrl}/content?tab=a#b`]) {
    expect(await back(own)).toBe(`${baseUrl}/content?tab=a#b`);
  }
  for (const other of [
    "https://evil.example",
    "//evil.example",
    `${baseUrl}.evil.example/x`,
    "/api/user",
    "javascript:1",
  ]) {
    expect([other, await back(other)]).toEqual([other, `${baseUrl}/`]);
  }
});

it("refuses a caller over the limit without asking Google", async () => {
  const address = `10.67.0.${++addresses}`;
  const back = () =>
    handleNextAuth(
      new NextRequest("http://localhost:3000/api/auth/callback/google", { headers: { "x-forwarded-for": address } }),
      { params: Promise.resolve({ nextauth: ["callback", "google"] }) },
    );
  for (let n = 0; n < 200; n++) await consumeLimits({ name: "googleAddress", subject: address });
  expect((await back()).headers.get("location")).toBe("/auth?error=TooOften");
});

describe("while the database is down", () => {
  function callNextAuth(...nextauth: string[]) {
    const headers = { cookie: `session=${"x".repeat(43)}; sign-in-next=http%3A%2F%2Flocalhost%3A3000%2Fcontent` };
    const request = new NextRequest(`http://localhost:3000/api/auth/${nextauth.join("/")}`, { headers });
    jest.spyOn(prisma, "$queryRaw").mockRejectedValueOnce(Object.assign(new Error("gone"), { code: "ECONNREFUSED" }));
    return handleNextAuth(request, { params: Promise.resolve({ nextauth }) });
  }

  it("redirects a return from Google to the sign-in page with an error, and responds with 503 elsewhere", async () => {
    const back = await callNextAuth("callback", "google");
    expect([back.status, back.headers.get("location")]).toEqual([302, "/auth?error=Failed&next=%2Fcontent"]);
    const session = await callNextAuth("session");
    expect([session.status, (await session.json()).type]).toEqual([503, "SERVICE_UNAVAILABLE"]);
  });
});

describe("the sealed intent of a visit to Google", () => {
  const intent = { purpose: "connect", userId: "0b8f7f5e-5f0e-4a53-8d8a-3f1d0b0a7c11" } as const;

  it("survives sealing and opening", async () => {
    expect(await openIntent(await sealIntent(intent))).toEqual(intent);
  });

  it("lasts fifteen minutes, out of reach of scripts and other sites", async () => {
    expect([INTENT_COOKIE, intentCookieOptions]).toEqual([
      "google-intent",
      { httpOnly: true, secure: false, sameSite: "lax", path: "/", maxAge: 900 },
    ]);
    expect(expiredIntentCookie).toBe("google-intent=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    const { exp = 0, iat } = decodeJwt(await sealIntent(intent));
    expect(iat).toBeUndefined();
    expect(Math.abs(exp - Date.now() / 1000 - 900)).toBeLessThan(30);
  });

  it("is ignored when absent, forged, unsigned, changed or too old", async () => {
    const sealed = await sealIntent(intent);
    const [header, , signature] = sealed.split(".");
    const claims = Buffer.from(JSON.stringify({ purpose: "connect", sub: randomUUID(), exp: 4e9 })).toString(
      "base64url",
    );
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    const sealedWith = (key: Uint8Array) =>
      new SignJWT({ purpose: "connect" })
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(intent.userId)
        .setExpirationTime("15m")
        .sign(key);
    const foreign = await sealedWith(new TextEncoder().encode("somebody else's secret, 32 bytes long"));
    // The key of a server that has no secret.
    const guessed = await sealedWith(createHash("sha256").update("google-intent\0local").digest());
    const changed = `${header}.${claims}.${signature}`;
    for (const cookie of [undefined, "", "x.y.z", changed, `${none}.${claims}.`, foreign, guessed]) {
      expect(await openIntent(cookie)).toBeUndefined();
    }
    jest.useFakeTimers({ now: Date.now() + 16 * 60_000, doNotFake: ["nextTick", "setImmediate"] });
    expect(await openIntent(sealed)).toBeUndefined();
    jest.useRealTimers();
  });
});

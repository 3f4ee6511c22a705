import { randomInt, randomUUID } from "node:crypto";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { createCaller } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { newUser, PASSWORD } from "@/tests/support/factories";
import { PROJECT, startTokenIssuer, type TokenIssuer } from "@/tests/support/id-tokens";

let issuer: TokenIssuer;
beforeAll(async () => {
  issuer = await startTokenIssuer();
  // Before the first route is loaded, which reads the environment.
  Object.assign(process.env, { FIREBASE_PROJECT_ID: PROJECT, FIREBASE_JWKS_URL: issuer.url });
});
afterAll(() => issuer.close());

type User = { id: string; username: string; email: string | null; displayName: string | null; photoURL: string | null };

/** A call with this token, as clients make it. */
function send(token: string | undefined, body?: unknown, caller = createCaller()) {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return caller.post<User & { error: string; type: string }>("/api/firebase-auth", body, headers);
}

/** A user of the provider who is new here. */
function newIdentity(parts: JWTPayload = {}) {
  const uid = `uid-${randomUUID()}`;
  return { sub: uid, email: `${uid}@example.com`, email_verified: true, ...parts };
}

const usersWith = ({ sub, email }: { sub?: string | undefined; email?: unknown }) =>
  query<{ id: string; email_verified: Date | null }>(
    "SELECT id, email_verified FROM users WHERE firebase_uid = $1 OR email = $2",
    [sub ?? null, email ?? null],
  );

describe("a verified ID token", () => {
  it("creates an account at the first sign-in, finds it later, and starts a new session each time", async () => {
    const identity = newIdentity();
    const caller = createCaller();
    const body = {
      firebaseUid: identity.sub,
      email: identity.email.toUpperCase(),
      displayName: "Jo Garden",
      photoURL: null,
    };
    const first = await send(await issuer.token(identity), body, caller);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ email: identity.email, displayName: "Jo Garden", photoURL: null });
    expect(first.body.username).toMatch(/^[A-Za-z0-9._-]{3,40}$/);
    expect(first.headers.get("set-cookie")).toMatch(/^session=[\w-]{43}; .*HttpOnly/);
    expect((await caller.get("/api/user")).body).toMatchObject({ id: first.body.id });
    const cookie = caller.cookie();
    const second = await send(await issuer.token(identity), undefined, caller);
    expect([second.status, second.body.id]).toEqual([200, first.body.id]);
    expect(caller.cookie()).not.toBe(cookie);
    expect(await usersWith(identity)).toEqual([{ id: first.body.id, email_verified: expect.any(Date) }]);
  });

  it.each([undefined, false, "true", 1])(
    "does not treat an e-mail as verified when email_verified is %p",
    async (claim) => {
      const identity = newIdentity({ email_verified: claim });
      expect((await send(await issuer.token(identity))).status).toBe(200);
      expect(await usersWith(identity)).toEqual([{ id: expect.any(String), email_verified: null }]);
    },
  );

  it("assigns a free username when the preferred one is taken", async () => {
    const { username } = await newUser();
    const answer = await send(await issuer.token(newIdentity({ email: `${username}@example.net` })));
    expect(answer.body.username).toMatch(new RegExp(`^${username}-[0-9a-f]{6}$`));
  });

  it("creates an account without e-mail for a token without one", async () => {
    const identity = newIdentity({ email: undefined, email_verified: undefined });
    const answer = await send(await issuer.token(identity), { email: null });
    expect([answer.status, answer.body.email]).toEqual([200, null]);
    const bodyEmail = await send(await issuer.token(identity), { email: "else@example.com" });
    expect(bodyEmail.status).toBe(401);
  });

  it("creates one account for two first sign-ins at once", async () => {
    const identity = newIdentity();
    const token = await issuer.token(identity);
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it("lets the body add a missing name and picture, and nothing else", async () => {
    const identity = newIdentity();
    const token = await issuer.token(identity);
    const { body: user } = await send(token, {
      username: "chief",
      id: randomUUID(),
      emailVerified: true,
      disabledAt: null,
    });
    expect(user).toMatchObject({ displayName: null, photoURL: null });
    expect(user.username).not.toBe("chief");
    const named = await send(token, { displayName: "Jo", photoURL: "https://pics.example/jo.png" });
    expect(named.body).toMatchObject({ id: user.id, displayName: "Jo", photoURL: "https://pics.example/jo.png" });
    const again = await send(token, { displayName: "Somebody else" });
    expect(again.body.displayName).toBe("Jo");
    for (const photoURL of ["javascript:alert(1)", "data:text/html,x", "nowhere", "ftp://pics.example/jo.png"]) {
      expect((await send(token, { photoURL })).status).toBe(400);
    }
  });

  it("refuses an invalid e-mail in the body, and accepts the token's own in any case", async () => {
    const identity = newIdentity();
    const token = await issuer.token(identity);
    for (const email of ["nowhere", "a@", "a b@example.com", `${"x".repeat(250)}@example.com`, 5]) {
      const answer = await send(token, { email });
      expect([email, answer.status, answer.body.type]).toEqual([email, 400, "VALIDATION_ERROR"]);
      expect(answer.body).toMatchObject({ fields: { email: ["Please enter a valid email address"] } });
    }
    expect(await usersWith(identity)).toEqual([]);
    const owner = `${identity.sub}@EXAMPLE.com`;
    for (const email of [owner, ` ${identity.email} `, "", null]) {
      expect([email, (await send(token, { email })).status]).toEqual([email, 200]);
    }
  });

  it("records the browser as known to the account, as every sign-in does", async () => {
    const caller = createCaller();
    expect((await send(await issuer.token(newIdentity()), {}, caller)).status).toBe(200);
    expect(caller.device()).toMatch(/^device=[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it("refuses a disabled account", async () => {
    const identity = newIdentity();
    const { body } = await send(await issuer.token(identity));
    await query("UPDATE users SET disabled_at = now() WHERE id = $1", [body.id]);
    const answer = await send(await issuer.token(identity));
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([401, null]);
  });
});

describe("an e-mail that an account already has", () => {
  async function registered(email: string) {
    const username = `r${randomUUID().slice(0, 12)}`;
    const answer = await createCaller().post<User>("/api/register", { username, email, password: PASSWORD });
    expect(answer.status).toBe(201);
    return answer.body;
  }
  const verify = (id: string) => query("UPDATE users SET email_verified = now() WHERE id = $1", [id]);

  it("is joined only if both the provider and we have verified it", async () => {
    const cases = [
      { ours: false, theirs: false },
      { ours: false, theirs: true },
      { ours: true, theirs: false },
      { ours: true, theirs: undefined },
      { ours: true, theirs: "true" },
    ];
    for (const { ours, theirs } of cases) {
      const identity = newIdentity({ email_verified: theirs });
      const user = await registered(identity.email);
      if (ours) await verify(user.id);
      const answer = await send(await issuer.token(identity));
      expect([answer.status, answer.body.type, answer.body.error, answer.headers.get("set-cookie")]).toEqual([
        409,
        "DUPLICATE",
        "An account with this e-mail exists: sign in with your password and connect Google in Settings",
        null,
      ]);
      expect(await query("SELECT firebase_uid FROM users WHERE id = $1", [user.id])).toEqual([{ firebase_uid: null }]);
      expect(await usersWith({ sub: identity.sub })).toEqual([]);
    }
    const identity = newIdentity();
    const user = await registered(identity.email);
    await verify(user.id);
    const joined = await send(await issuer.token({ ...identity, email: identity.email.toUpperCase() }));
    expect([joined.status, joined.body.id]).toEqual([200, user.id]);
    const trail = await query(
      "SELECT 1 FROM audit_events WHERE user_id = $1 AND action = 'account.identity_connected'",
      [user.id],
    );
    expect(trail).toHaveLength(1);
  });

  it("is not joined by a second identity", async () => {
    const identity = newIdentity();
    const { body: user } = await send(await issuer.token(identity));
    const other = await send(await issuer.token({ ...identity, sub: `uid-${randomUUID()}` }));
    expect(other.status).toBe(409);
    expect(await usersWith(identity)).toEqual([expect.objectContaining({ id: user.id })]);
  });
});

describe("a refused sign-in of a known account", () => {
  const failures = async (id: string) => {
    const rows = await query<{ times: number }>(
      "SELECT times FROM audit_events WHERE user_id = $1 AND action = 'session.sign_in_failed'",
      [id],
    );
    return rows.reduce((sum, { times }) => sum + times, 0);
  };

  it("is recorded: an expired token, another user's body, a disabled account, an e-mail that must not be joined", async () => {
    const now = Math.floor(Date.now() / 1000);
    const identity = newIdentity();
    const { body: user } = await send(await issuer.token(identity));
    expect((await send(await issuer.token({ ...identity, iat: now - 3610, exp: now - 10 }))).status).toBe(401);
    expect((await send(await issuer.token(identity), { firebaseUid: "uid-other" })).status).toBe(401);
    expect((await send(await issuer.token({ ...identity, sub: `uid-${randomUUID()}` }))).status).toBe(409);
    expect(await failures(user.id)).toBe(3);
    await query("UPDATE users SET disabled_at = now() WHERE id = $1", [user.id]);
    expect((await send(await issuer.token(identity))).status).toBe(401);
    expect(await failures(user.id)).toBe(4);
  });

  it("is not recorded without the provider's signature, because anybody could claim the account's id", async () => {
    const now = Math.floor(Date.now() / 1000);
    const identity = newIdentity();
    const { body: user } = await send(await issuer.token(identity));
    const [head, , signature] = (await issuer.token(identity)).split(".");
    const [, expired] = (await issuer.token({ ...identity, iat: now - 3610, exp: now - 10 })).split(".");
    for (const token of [await issuer.forged(identity), `${head}.${expired}.${signature}`, "a.b.c"]) {
      expect((await send(token)).status).toBe(401);
    }
    expect(await failures(user.id)).toBe(0);
  });
});

describe("answers 401 and creates nothing for", () => {
  const now = () => Math.floor(Date.now() / 1000);
  const bad: Record<string, (identity: ReturnType<typeof newIdentity>) => Promise<string> | string> = {
    "another audience": (identity) => issuer.token({ ...identity, aud: "another-project" }),
    "another issuer": (identity) =>
      issuer.token({ ...identity, iss: "https://securetoken.google.com/another-project" }),
    "another key's signature": (identity) => issuer.forged(identity),
    "an unknown key": (identity) => issuer.token(identity, { kid: "key-2" }),
    "a changed payload": async (identity) => {
      const [head, , signature] = (await issuer.token({ ...identity, sub: "uid-other" })).split(".");
      const [, payload] = (await issuer.token(identity)).split(".");
      return `${head}.${payload}.${signature}`;
    },
    "an expired token": (identity) => issuer.token({ ...identity, iat: now() - 3610, exp: now() - 10 }),
    "a token without expiry": (identity) => issuer.token({ ...identity, exp: undefined }),
    "a token from the future": (identity) => issuer.token({ ...identity, iat: now() + 3600, exp: now() + 7200 }),
    "a sign-in in the future": (identity) => issuer.token({ ...identity, auth_time: now() + 3600 }),
    "an old token with a long lifetime": (identity) =>
      issuer.token({ ...identity, iat: now() - 86_400, exp: now() + 86_400 }),
    "no subject": (identity) => issuer.token({ ...identity, sub: "" }),
    "a subject that cannot be stored": (identity) => issuer.token({ ...identity, sub: `${identity.sub}\0` }),
    "alg none": ({ sub, email }) =>
      new UnsecuredJWT({ email })
        .setIssuer(`https://securetoken.google.com/${PROJECT}`)
        .setAudience(PROJECT)
        .setSubject(sub)
        .setIssuedAt()
        .setExpirationTime("1h")
        .encode(),
    "HS256 with the public key as its secret": async ({ sub, email }) =>
      new SignJWT({ email })
        .setProtectedHeader({ alg: "HS256", kid: "key-1" })
        .setIssuer(`https://securetoken.google.com/${PROJECT}`)
        .setAudience(PROJECT)
        .setSubject(sub)
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(await issuer.publicKey()),
    garbage: () => "a.b.c",
    "a text that is no token": () => "x".repeat(5000),
  };

  it.each(Object.keys(bad))("%s", async (name) => {
    const identity = newIdentity();
    const token = (await bad[name]?.(identity)) ?? "";
    const answer = await send(token);
    expect([answer.status, answer.body.type, answer.headers.get("set-cookie")]).toEqual([401, "UNAUTHENTICATED", null]);
    expect(await usersWith(identity)).toEqual([]);
  });

  it("a body with another uid or e-mail", async () => {
    const identity = newIdentity();
    const token = await issuer.token(identity);
    for (const body of [
      { firebaseUid: "uid-other" },
      { email: "else@example.com" },
      { firebaseUid: ` ${identity.sub}` },
    ]) {
      expect((await send(token, body)).status).toBe(401);
    }
    expect(await usersWith(identity)).toEqual([]);
  });

  it("a missing or garbled header", async () => {
    const identity = newIdentity();
    const token = await issuer.token(identity);
    for (const authorization of [
      undefined,
      "",
      "Bearer",
      "Bearer ",
      token,
      `Basic ${token}`,
      `Bearer ${token} ${token}`,
    ]) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      expect((await createCaller().post("/api/firebase-auth", {}, headers)).status).toBe(401);
    }
    expect(await usersWith(identity)).toEqual([]);
  });
});

describe("limits and outages", () => {
  it("limits refused tokens by address, without refusing valid ones", async () => {
    const caller = createCaller(undefined, ownAddress());
    const good = await issuer.token(newIdentity());
    for (let n = 0; n < 100; n++) expect((await send("a.b.c", {}, caller)).status).toBe(401);
    expect((await send("a.b.c", {}, caller)).status).toBe(429);
    for (let n = 0; n < 105; n++) expect((await send(good, {}, caller)).status).toBe(200);
    expect((await send("a.b.c", {}, caller)).status).toBe(429);
  }, 60_000);

  it("creates no more accounts from one address than registration does", async () => {
    const caller = createCaller(undefined, ownAddress());
    for (let n = 0; n < 20; n++) expect((await send(await issuer.token(newIdentity()), {}, caller)).status).toBe(200);
    const identity = newIdentity();
    expect((await send(await issuer.token(identity), {}, caller)).status).toBe(429);
    expect(await usersWith(identity)).toEqual([]);
  });

  it("answers that the provider is unavailable when its keys cannot be fetched", async () => {
    issuer.answer(500);
    try {
      const answer = await signInOnNewServer(await issuer.token(newIdentity()));
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "30"]);
      expect(await answer.json()).toMatchObject({
        type: "SERVICE_UNAVAILABLE",
        error: expect.stringMatching(/provider could not be reached/),
      });
    } finally {
      issuer.answer(200);
    }
  });

  it("says that it is not set up when no project is configured", async () => {
    delete process.env.FIREBASE_PROJECT_ID;
    try {
      const answer = await signInOnNewServer(await issuer.token(newIdentity()));
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({ error: "Sign-in with ID tokens is not set up on this server." });
    } finally {
      process.env.FIREBASE_PROJECT_ID = PROJECT;
    }
  });
});

/** A call to a fresh process: no keys fetched yet, and the current environment. */
async function signInOnNewServer(token: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const request = new Request("http://localhost:3000/api/firebase-auth", { method: "POST", headers, body: "{}" });
  let answer: Response | undefined;
  await jest.isolateModulesAsync(async () => {
    const { POST } = await import("@/app/api/firebase-auth/route");
    const { prisma } = await import("@/lib/db/prisma");
    answer = await POST(request);
    await prisma.$disconnect();
  });
  if (!answer) throw new Error("no answer");
  return answer;
}

/** An address that no other suite calls from, because its failures would count here. */
function ownAddress(): string {
  return `172.16.${randomInt(256)}.${randomInt(256)}`;
}

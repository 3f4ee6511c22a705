import { createCaller } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { newUser, PASSWORD } from "@/tests/support/factories";

const NEW_PASSWORD = "another battery, another staple";

describe("register, sign in and out", () => {
  it("registers, signs in at once and never sends a secret", async () => {
    const { caller, username } = await newUser();
    const me = await caller.get("/api/user");
    expect(me.status).toBe(200);
    expect(me.body).toMatchObject({ username, hasOpenaiApiKey: false, hasWordpressPassword: false });
    expect(me.text).not.toMatch(/argon2|"password"/);
    expect(caller.cookie()).toMatch(/^session=[\w-]{43}$/);
  });

  it("signs in by username or e-mail, whatever their case, with a new session each time", async () => {
    const caller = createCaller();
    const name = `Case.${Date.now()}`;
    await caller.post("/api/register", { username: name, email: `${name}@Example.com`, password: PASSWORD });
    const first = caller.cookie();
    expect((await caller.post("/api/login", { username: name.toUpperCase(), password: PASSWORD })).status).toBe(200);
    expect(caller.cookie()).not.toBe(first);
    expect((await caller.post("/api/login", { username: `${name}@example.COM`, password: PASSWORD })).status).toBe(200);
  });

  it("answers a wrong name and a wrong password alike", async () => {
    const { username } = await newUser();
    const caller = createCaller();
    const wrongPassword = await caller.post("/api/login", { username, password: "not it at all" });
    const wrongName = await caller.post("/api/login", { username: `${username}x`, password: "not it at all" });
    expect([wrongPassword.status, wrongName.status]).toEqual([401, 401]);
    expect(wrongPassword.body.error).toBe(wrongName.body.error);
  });

  it("names the field that is taken", async () => {
    const { username } = await newUser();
    const taken = await createCaller().post("/api/register", { username: username.toUpperCase(), password: PASSWORD });
    expect(taken.status).toBe(409);
    expect(taken.body).toMatchObject({ type: "DUPLICATE", fields: { username: [expect.any(String)] } });
  });

  it("refuses common, short and NUL passwords and bad usernames with a sentence for the field", async () => {
    for (const [field, body] of [
      ["password", { username: "somebody", password: "password123" }],
      ["password", { username: "somebody", password: "short" }],
      ["password", { username: "somebody", password: "long enough\0" }],
      ["username", { username: "a b", password: PASSWORD }],
      ["email", { username: "somebody", email: "no mail", password: PASSWORD }],
    ] as const) {
      const answer = await createCaller().post<{ fields: Record<string, string[]> }>("/api/register", body);
      expect(answer.status).toBe(400);
      expect(answer.body.fields[field]?.[0]).toBeTruthy();
    }
  });

  it("ends the session on logout and refuses its cookie afterwards", async () => {
    const { caller } = await newUser();
    const cookie = caller.cookie();
    expect((await caller.post("/api/logout")).status).toBe(204);
    expect(caller.cookie()).toBeUndefined();
    expect((await createCaller(cookie).get("/api/user")).status).toBe(401);
  });

  it("stores the token hashed and refuses an expired session", async () => {
    const { caller, id } = await newUser();
    const [row] = await query<{ session_token: string }>("SELECT session_token FROM sessions WHERE user_id = $1", [id]);
    expect(caller.cookie()).not.toContain(row?.session_token);
    await query("UPDATE sessions SET expires = now() - interval '1 second' WHERE user_id = $1", [id]);
    expect((await caller.get("/api/user")).status).toBe(401);
  });

  it("extends the session at the next API call when a page, which cannot set cookies, is loaded first", async () => {
    const { caller, id } = await newUser();
    await query("UPDATE sessions SET expires = now() + interval '5 days' WHERE user_id = $1", [id]);
    const { actorFromToken } = await import("@/lib/auth/actor");
    expect(
      await actorFromToken(caller.cookie()?.split("=")[1], { requestId: "a-page", address: "10.1.1.1" }),
    ).toBeDefined();
    // An error response sends the cookie too.
    const answer = await caller.post("/api/projects", { title: "" });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([400, expect.stringContaining("HttpOnly")]);
    await query("UPDATE sessions SET expires = now() + interval '5 days' WHERE user_id = $1", [id]);
    expect((await caller.respond("GET", "/api/user/export")).headers.get("set-cookie")).toContain("HttpOnly");
  });

  it("extends a session once a day and sends the cookie again", async () => {
    const { caller, id } = await newUser();
    expect((await caller.get("/api/user")).headers.get("set-cookie")).toBeNull();
    await query("UPDATE sessions SET expires = now() + interval '28 days' WHERE user_id = $1", [id]);
    expect((await caller.get("/api/user")).headers.get("set-cookie")).toContain("HttpOnly");
    expect((await caller.get("/api/user")).headers.get("set-cookie")).toBeNull();
  });

  it("limits failed sign-ins per account and says how long to wait", async () => {
    const { username } = await newUser();
    const attempt = () =>
      createCaller(undefined, "10.9.9.9").post("/api/login", { username, password: "not it at all" });
    for (let n = 0; n < 10; n++) expect((await attempt()).status).toBe(401);
    const refused = await attempt();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // A stranger's failures do not lock the owner out at another address.
    expect((await createCaller().post("/api/login", { username, password: PASSWORD })).status).toBe(200);
  });
});

describe("sign-in limits", () => {
  it("counts by the name typed, whatever its case, so that an e-mail does not reveal its username (S10)", async () => {
    const username = `two.names.${Date.now()}`;
    const email = `${username}@example.com`;
    await createCaller().post("/api/register", { username, email, password: PASSWORD });
    for (const [first, second] of [
      [username, email],
      [`nobody.${username}`, `nobody.${email}`],
    ] as const) {
      const caller = createCaller();
      const attempt = async (name: string) =>
        (await caller.post("/api/login", { username: name, password: "not it at all" })).status;
      for (let n = 0; n < 10; n++) expect(await attempt(n % 2 ? first : first.toUpperCase())).toBe(401);
      expect([await attempt(first), await attempt(second)]).toEqual([429, 401]);
    }
  });

  it("refuses an address over its limit before it uses up other accounts' limits", async () => {
    const address = "10.77.77.77";
    const { username } = await newUser();
    const attempt = async (name: string, from: string) =>
      (await createCaller(undefined, from).post("/api/login", { username: name, password: "not it at all" })).status;
    await query("DELETE FROM rate_limits");
    for (let n = 0; n < 100; n++) expect(await attempt(`nobody.${n}`, address)).toBe(401);
    for (let n = 0; n < 9; n++) expect(await attempt(username, address)).toBe(429);
    const [counted] = await query<{ most: number }>("SELECT max(hits)::int AS most FROM rate_limits WHERE hits < 100");
    // The nine refused tries do not count towards the account's limits either.
    expect(counted?.most).toBe(1);
    for (let from = 0; from < 5; from++) {
      for (let n = 0; n < 10; n++) expect(await attempt(username, `10.78.78.${from}`)).toBe(401);
    }
    expect(await attempt(username, "10.78.79.1")).toBe(429);
  }, 120_000);

  it("limits changes of username and e-mail, which reveal what is taken", async () => {
    const { caller } = await newUser();
    const change = (n: number) =>
      caller.patch("/api/user", { email: `mine.${n}.${Date.now()}@example.com`, currentPassword: PASSWORD });
    for (let n = 0; n < 20; n++) expect((await change(n)).status).toBe(200);
    expect((await change(20)).status).toBe(429);
    expect((await caller.patch("/api/user", { password: NEW_PASSWORD, currentPassword: PASSWORD })).status).toBe(200);
  });
});

describe("cross-site and malformed requests", () => {
  it("refuses a foreign Origin and a foreign Sec-Fetch-Site, and allows callers other than browsers", async () => {
    const { caller } = await newUser();
    const body = { title: "x" };
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: "http://localhost:3000" },
    ]) {
      const answer = await caller.post("/api/projects", body, headers as Record<string, string>);
      expect([answer.status, answer.body.type]).toEqual([403, "FORBIDDEN_ORIGIN"]);
    }
    expect((await caller.post("/api/projects", body, { origin: "http://127.0.0.1:3000" })).status).toBe(201);
    expect((await caller.post("/api/projects", body)).status).toBe(201);
  });

  it("answers 415, 413 and 400 for a wrong type, a huge body and broken JSON", async () => {
    const { caller } = await newUser();
    const wrongType = await caller.post("/api/projects", "title=x", { "content-type": "text/plain" });
    expect(wrongType.status).toBe(415);
    expect((await caller.post("/api/projects", { title: "x".repeat(1_100_000) })).status).toBe(413);
    const broken = await caller.post("/api/projects", "{", { "content-type": "application/json" });
    expect([broken.status, broken.body.type]).toEqual([400, "VALIDATION_ERROR"]);
  });

  it("checks origin and media type, rate limit, body and existence in this order", async () => {
    const { caller } = await newUser();
    const url = "/api/projects/2147483000/generate-content-ideas";
    const send = async (body: string, headers: Record<string, string>) =>
      (await caller.post(url, body, headers)).status;
    const json = { "content-type": "application/json" };
    expect(await send("{", { ...json, origin: "https://evil.example" })).toBe(403);
    expect(await send("{", { "content-type": "text/plain" })).toBe(415);
    for (let n = 0; n < 29; n++) expect(await send("{", json)).toBe(400);
    expect(await send('{"topicId":2147483000}', json)).toBe(404);
    expect(await send("{", json)).toBe(429);
    expect(await send("{", { "content-type": "text/plain" })).toBe(415);
  });

  it("checks the session before anything else", async () => {
    const answer = await createCaller().post("/api/projects", "{", { origin: "https://evil.example" });
    expect([answer.status, answer.body.type]).toEqual([401, "UNAUTHENTICATED"]);
    expect(answer.body.requestId).toBe(answer.headers.get("x-request-id"));
  });
});

describe("settings", () => {
  it("seals key and site password, shows a hint, and keeps them when the fields are empty", async () => {
    const { caller, id } = await newUser();
    const saved = await caller.patch("/api/user/settings", {
      openaiApiKey: "sk-test-1234567890abcd",
      wordpressUrl: "blog.example.com/",
      wordpressUsername: "maren",
      wordpressPassword: "abcd efgh ijkl",
    });
    expect(saved.body).toMatchObject({
      hasOpenaiApiKey: true,
      openaiApiKeyHint: "abcd",
      wordpressUrl: "https://blog.example.com",
      hasWordpressPassword: true,
    });
    const [row] = await query("SELECT openai_api_key, wordpress_password FROM users WHERE id = $1", [id]);
    expect(JSON.stringify(row)).not.toMatch(/sk-test|abcd efgh/);
    await caller.patch("/api/user/settings", { openaiApiKey: "", wordpressPassword: "", wordpressUsername: "maren2" });
    expect((await caller.get("/api/user")).body).toMatchObject({ hasOpenaiApiKey: true, wordpressUsername: "maren2" });
    await caller.patch("/api/user/settings", { openaiApiKey: null });
    expect((await caller.get("/api/user")).body).toMatchObject({ hasOpenaiApiKey: false, openaiApiKeyHint: null });
  });

  it("asks for the password when the site's address changes, and clears all three fields with the address", async () => {
    const { caller } = await newUser();
    const site = { wordpressUrl: "https://a.example", wordpressUsername: "m", wordpressPassword: "pw pw pw" };
    await caller.patch("/api/user/settings", site);
    const moved = await caller.patch("/api/user/settings", { wordpressUrl: "https://b.example" });
    expect(moved.status).toBe(400);
    expect(moved.body).toMatchObject({ fields: { wordpressPassword: [expect.any(String)] } });
    const cleared = await caller.patch("/api/user/settings", { wordpressUrl: "" });
    expect(cleared.body).toMatchObject({ wordpressUrl: null, wordpressUsername: null, hasWordpressPassword: false });
  });
});

import pg from "pg";
import { hashPassword } from "@/lib/auth/password";
import { createCaller } from "@/tests/support/app";
import { type Backend, eventually, startBackend } from "@/tests/support/backend";
import { databaseUrl, deleteEverything, query, waitForLock } from "@/tests/support/db";
import { newUser, PASSWORD, type User } from "@/tests/support/factories";
import { connectedSite, storePost } from "@/tests/support/posts";
import { newFormerJob, newWorld, storeReset, type World } from "@/tests/support/world";

const NEW_PASSWORD = "a wholly other long phrase";

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => backend.close());

type Answer = { type: string; error: string; fields: Record<string, string[]>; username: string; email: string | null };

const change = ({ caller }: User, body: object) => caller.patch<Answer>("/api/user", body);
const signIn = (username: string, password: string) => createCaller().post("/api/login", { username, password });

async function secondDevice({ username }: User) {
  const caller = createCaller();
  await caller.post("/api/login", { username, password: PASSWORD });
  return caller;
}

/** An account that has only ever signed in through a provider. */
async function withoutPassword(): Promise<User> {
  const user = await newUser();
  await query("UPDATE users SET password = NULL WHERE id = $1", [user.id]);
  return user;
}

describe("PATCH /api/user", () => {
  it("changes username and e-mail with the current password, and keeps the sessions", async () => {
    const user = await newUser();
    const device = await secondDevice(user);
    const name = `new-${user.username}`;
    const changed = await change(user, { username: name, email: `${name}@Example.com`, currentPassword: PASSWORD });
    expect(changed).toMatchObject({ status: 200, body: { username: name, email: `${name}@example.com` } });
    expect((await device.get("/api/user")).status).toBe(200);
    expect((await signIn(name, PASSWORD)).status).toBe(200);
    expect((await change(user, { email: "", currentPassword: PASSWORD })).body.email).toBeNull();
  });

  it("sets a new password: other sessions end, this one gets a new cookie", async () => {
    const user = await newUser();
    const device = await secondDevice(user);
    const before = user.caller.cookie();
    expect((await change(user, { password: NEW_PASSWORD, currentPassword: PASSWORD })).status).toBe(200);
    expect(user.caller.cookie()).not.toBe(before);
    expect((await user.caller.get("/api/user")).status).toBe(200);
    expect((await createCaller(before).get("/api/user")).status).toBe(401);
    expect((await device.get("/api/user")).status).toBe(401);
    expect((await signIn(user.username, PASSWORD)).status).toBe(401);
    expect((await signIn(user.username, NEW_PASSWORD)).status).toBe(200);
  });

  it("refuses a missing password, a wrong one and any after too many wrong ones", async () => {
    const user = await newUser();
    for (const currentPassword of [undefined, "", "not it at all"]) {
      const refused = await change(user, { username: "anything", currentPassword });
      expect(refused).toMatchObject({ status: 400, body: { fields: { currentPassword: [expect.any(String)] } } });
    }
    for (let n = 0; n < 9; n++) await change(user, { username: "anything", currentPassword: "not it at all" });
    expect((await change(user, { username: "anything", currentPassword: PASSWORD })).status).toBe(429);
  });

  it("names the field that is taken, too common or invalid", async () => {
    const user = await newUser();
    const other = await newUser();
    const refused = [
      [409, "username", { username: other.username.toUpperCase() }],
      [400, "password", { password: "password123" }],
      [400, "password", { password: "short" }],
      [400, "email", { email: "no mail" }],
      [400, "username", { username: "a b" }],
    ] as const;
    for (const [status, field, body] of refused) {
      const answer = await change(user, { ...body, currentPassword: PASSWORD });
      expect([field, answer.status]).toEqual([field, status]);
      expect(answer.body.fields[field]?.[0]).toBeTruthy();
    }
    expect((await change(user, { currentPassword: PASSWORD })).status).toBe(400);
  });

  it("invalidates reset links and the verification when the e-mail changes", async () => {
    const world = await newWorld();
    await storeReset(world);
    await query("UPDATE users SET email = $2, email_verified = now() WHERE id = $1", [
      world.id,
      `${world.mark}@a.example`.toLowerCase(),
    ]);
    await change(world, { email: `${world.mark}@b.example`, currentPassword: PASSWORD });
    expect(await query("SELECT email_verified FROM users WHERE id = $1", [world.id])).toEqual([
      { email_verified: null },
    ]);
    const used = await createCaller().post("/api/password-reset/confirm", {
      token: world.resetToken,
      password: NEW_PASSWORD,
    });
    expect(used.status).toBe(400);
  });

  it("asks an account without a password for a fresh sign-in instead", async () => {
    const user = await withoutPassword();
    expect((await change(user, { password: NEW_PASSWORD })).status).toBe(200);
    expect((await signIn(user.username, NEW_PASSWORD)).status).toBe(200);
    const stale = await withoutPassword();
    await query("UPDATE sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1", [stale.id]);
    const refused = await change(stale, { password: NEW_PASSWORD });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toContain("fresh sign-in");
  });
});

describe("during a password reset", () => {
  /** The response to a call during a reset: it has read the old hash and waits for the row. */
  async function duringReset<T>({ id }: User, call: () => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: databaseUrl() });
    await client.connect();
    try {
      await client.query("BEGIN");
      await client.query("UPDATE users SET password = $2 WHERE id = $1", [id, await hashPassword(NEW_PASSWORD)]);
      await client.query("DELETE FROM sessions WHERE user_id = $1", [id]);
      const called = call();
      await waitForLock();
      await client.query("COMMIT");
      return await called;
    } finally {
      await client.end();
    }
  }

  const calls: [string, (user: User) => Promise<{ status: number }>][] = [
    ["a sign-in", ({ username }) => signIn(username, PASSWORD)],
    ["a new password", (user) => change(user, { password: "somebody else's phrase", currentPassword: PASSWORD })],
    ["a new address", (user) => change(user, { email: "thief@x.example", currentPassword: PASSWORD })],
    [
      "a deletion",
      ({ caller, username }) => caller.call("DELETE", "/api/user", { confirm: username, password: PASSWORD }),
    ],
  ];

  it.each(calls)("%s with the old password has no effect", async (_name, call) => {
    const user = await newUser();
    const [before] = await query("SELECT username, email FROM users WHERE id = $1", [user.id]);
    expect((await duringReset(user, () => call(user))).status).toBe(401);
    expect(await query("SELECT username, email FROM users WHERE id = $1", [user.id])).toEqual([before]);
    expect(await query("SELECT 1 FROM sessions WHERE user_id = $1", [user.id])).toEqual([]);
    expect((await signIn(user.username, NEW_PASSWORD)).status).toBe(200);
  });
});

describe("DELETE /api/user", () => {
  it("needs the typed username and the password, and changes nothing without them", async () => {
    const user = await newUser();
    const attempts = [
      {},
      { confirm: user.username },
      { confirm: user.username, password: "not it at all" },
      { confirm: user.username.toUpperCase(), password: PASSWORD },
      { confirm: "", password: PASSWORD },
    ];
    for (const body of attempts) expect((await user.caller.call("DELETE", "/api/user", body)).status).toBe(400);
    expect((await user.caller.get("/api/user")).status).toBe(200);
  });

  it("waits for an item that the queue is finishing, without a deadlock", async () => {
    const world = await newWorld();
    const client = new pg.Client({ connectionString: databaseUrl() });
    await client.connect();
    try {
      await client.query("BEGIN");
      // Locks as for a finished item: the item first, then its piece.
      const { rows } = await client.query<{ piece: string }>(
        "SELECT content_piece_id AS piece FROM processing_queue WHERE user_id = $1 AND completed_at IS NULL FOR UPDATE",
        [world.id],
      );
      expect(rows).toHaveLength(1);
      const deleted = world.caller.call("DELETE", "/api/user", { confirm: world.username, password: PASSWORD });
      await waitForLock();
      // The waiting deletion must not lock the piece, which would be a deadlock.
      await client.query("SET LOCAL lock_timeout = '500ms'");
      await client.query("UPDATE content_pieces SET body = 'Written.' WHERE id = $1", [rows[0]?.piece]);
      await client.query("COMMIT");
      expect((await deleted).status).toBe(204);
    } finally {
      await client.end();
    }
  });

  it("leaves no row in any table, signs out, and ends running work (S19)", async () => {
    // What other suites have deleted would be removed beside it, and change their users' counts.
    await deleteEverything();
    await newWorld();
    // The scheduled sweep would change these rows if it ran meanwhile.
    const { countLengths } = await import("@/lib/features/content/steps");
    const { recountUsers } = await import("@/lib/limits/storage-quota");
    await countLengths();
    await recountUsers();
    const before = await fingerprints();
    const world = await newWorldEverywhere();
    const full = await fingerprints();
    const tables = Object.keys(full).filter((table) => !NOBODYS.includes(table));
    expect(tables.filter((table) => full[table] === before[table])).toEqual([]);
    let release = () => {};
    const deletedFirst = new Promise<void>((resolve) => {
      release = resolve;
    });
    backend.ai.turns.push({ calls: [{ name: "create_project", input: { title: "Too late" } }], until: deletedFirst });
    const asks = backend.ai.requests.length;
    const underWay = world.caller.post("/api/chat/message", { sessionId: world.chatId, message: "One more project" });
    await eventually(
      async () => backend.ai.requests.length,
      (count) => count > asks,
    );
    const deleted = await world.caller.call("DELETE", "/api/user", { confirm: world.username, password: PASSWORD });
    expect([deleted.status, world.caller.cookie()]).toEqual([204, undefined]);
    release();
    expect((await underWay).status).toBeGreaterThanOrEqual(400);
    await backend.engine.engine.idle();
    // The rows go after the answer.
    const changed = async () => {
      const after = await fingerprints();
      return tables.filter((table) => after[table] !== before[table]);
    };
    expect(await eventually(changed, ({ length }) => length === 0)).toEqual([]);
    process.stdout.write(`S19: ${tables.length} tables filled and looked at, 0 rows left\n`);
  });
});

/** Tables without rows of a user. */
const NOBODYS = ["engine_state", "rate_limits", "usage_changes", "verification_tokens", "_prisma_migrations"];

/** A user with rows in every table, and work in the queue. */
async function newWorldEverywhere(): Promise<World> {
  const world = await newWorld();
  await storeReset(world);
  await query("INSERT INTO accounts (user_id, type, provider, provider_account_id) VALUES ($1, 'oidc', 'google', $2)", [
    world.id,
    world.mark,
  ]);
  await world.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
  await world.caller.post("/api/projects", { title: world.mark }, { "idempotency-key": '"once"' });
  for (const kind of ["generate-outline-queue", "generate-all-content-queue"]) {
    await world.caller.post(`/api/topics/${world.topicId}/${kind}`);
  }
  await query(
    `INSERT INTO leases (kind, subject, user_id, content_piece_id, token, until)
     SELECT 'publishing', id::text, user_id, id, gen_random_uuid(), now() FROM content_pieces WHERE id = $1`,
    [world.pieceId],
  );
  await query(
    `INSERT INTO written_sections (content_piece_id, outline_hash, position, heading, text, model, prompt_version, tokens_in, tokens_out, duration_ms)
     VALUES ($1, 'of an outline', 0, $2, $2, 'model', 'section-1', 1, 1, 1)`,
    [world.pieceId, world.mark],
  );
  await query("INSERT INTO provider_gates (user_id) VALUES ($1)", [world.id]);
  await query("INSERT INTO provider_waits (user_id) VALUES ($1)", [world.id]);
  await query("INSERT INTO work_totals (user_id, job_type) VALUES ($1, 'publishing')", [world.id]);
  await newFormerJob(world);
  const siteId = await connectedSite(world.id, "https://blog.example");
  await storePost(world.pieceId, siteId, { postId: "7" });
  await query(
    "INSERT INTO abandoned_posts (content_piece_id, site_id, user_id, unanswered_since) VALUES (gen_random_uuid(), $1, $2, now())",
    [siteId, world.id],
  );
  return world;
}

/** One hash per table, which also shows changed, missing or extra rows of other people. */
async function fingerprints(): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await query<{ hash: string | null }>(
      `SELECT md5(string_agg(t::text, chr(10) ORDER BY t::text)) AS hash FROM "${name}" t`,
    );
    hashes[name] = row?.hash ?? "";
  }
  return hashes;
}

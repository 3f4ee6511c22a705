import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { sweepQueues } from "@/inngest/functions/sweep-queues";
import { prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { tryAgainIn } from "@/lib/errors";
import { removeDeleted } from "@/lib/features/deletion/steps";
import { rowBytes, storageUsage, store, withinQuota } from "@/lib/limits/storage-quota";
import { applyMigrations } from "@/scripts/migrate";
import { createDatabase, holdTransaction, query, waitForLock } from "@/tests/support/db";
import { newPiece, newUser, newWorkspace, PASSWORD, type User } from "@/tests/support/factories";
import { connectedSite, storePost } from "@/tests/support/posts";
import { countStatements } from "@/tests/support/statements";
import { newWorld } from "@/tests/support/world";

// That each call counts what it stores is checked after every suite, in tests/support/db-setup.ts.

const MB = 1024 * 1024;
const usual = { STORAGE_MAX_MB_PER_USER: env.STORAGE_MAX_MB_PER_USER };
/** Longer as PostgreSQL's text of an array than its words. */
const LIST = Array.from({ length: 9 }, (_, n) => `a "quoted" word\\${n}`);
const allow = (megabytes: number) => Object.assign(env, { STORAGE_MAX_MB_PER_USER: megabytes });
afterEach(() => Object.assign(env, usual));

/** The sum of a user's texts plus 128 bytes per row, from the rows themselves. */
const STORED = `SELECT coalesce(sum(octet_length(convert_to(text, 'UTF8')) + 128), 0)::int AS bytes FROM (
  SELECT concat(title, description, writing_tone, writing_language, writing_instructions) AS text FROM projects WHERE user_id = $1
  UNION ALL SELECT text FROM saved_instructions WHERE user_id = $1
  UNION ALL SELECT concat(name, b.description, interests::text, challenges::text) FROM buyer_personas b
    JOIN projects p ON p.id = b.project_id WHERE p.user_id = $1
  UNION ALL SELECT concat(name, description, category) FROM topics WHERE user_id = $1
  UNION ALL SELECT keyword FROM keywords k JOIN topics t ON t.id = k.topic_id WHERE t.user_id = $1
  UNION ALL SELECT concat(title, body, outline, focus_keyword, angle, intent, meta_title, meta_description, slug, excerpt)
    FROM content_pieces WHERE user_id = $1
  UNION ALL SELECT concat(r.title, r.body, r.outline) FROM content_revisions r
    JOIN content_pieces p ON p.id = r.content_piece_id WHERE p.user_id = $1
  UNION ALL SELECT '' FROM chat_sessions WHERE user_id = $1
  UNION ALL SELECT content FROM chat_messages m JOIN chat_sessions s ON s.id = m.session_id WHERE s.user_id = $1) rows`;

async function stored({ id }: Pick<User, "id">): Promise<number> {
  const [row] = await query<{ bytes: number }>(STORED, [id]);
  return row?.bytes ?? 0;
}

/** As if so many bytes had been counted, and perhaps too many. */
async function setCounted({ id }: Pick<User, "id">, bytes: number, isExact: boolean): Promise<void> {
  await query(
    `INSERT INTO usage (user_id, bytes, is_exact) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO UPDATE SET bytes = excluded.bytes, is_exact = excluded.is_exact`,
    [id, bytes, isExact],
  );
}

const save = ({ id }: Pick<User, "id">, bytes: number) =>
  withinQuota(id, () => store(prisma, id, bytes)).then(
    () => "stored",
    ({ type }: { type: string }) => type,
  );

describe("a user's storage", () => {
  it("is what the rows say, at once after a write and after a removal", async () => {
    const world = await newWorld();
    const { caller, id, pieceId, keywordId, topicId, projectId } = world;
    const used = async () => (await storageUsage(id)).usedBytes;
    const before = await used();
    expect(before).toBe(await stored(world));
    await caller.patch(`/api/content/${pieceId}`, { body: "né 園 ".repeat(1_000) });
    expect(await used()).toBeGreaterThan(before + 14_000);
    expect(await used()).toBe(await stored(world));
    for (const one of [`content/${pieceId}`, `keywords/${keywordId}`, `topics/${topicId}`, `projects/${projectId}`]) {
      expect((await caller.delete(`/api/${one}`)).status).toBe(204);
      await removeDeleted();
      expect([one, await used()]).toEqual([one, await stored(world)]);
    }
    expect(await storageUsage((await newUser()).id)).toEqual({
      usedBytes: 0,
      removingBytes: 0,
      maxBytes: 2048 * MB,
    });
  });

  it("is limited to the byte", async () => {
    allow(2);
    expect(rowBytes("né", null, undefined, "園")).toBe(128 + 3 + 3);
    const user = await newUser();
    expect(await save(user, 2 * MB + 1)).toBe("STORAGE_FULL");
    await setCounted(user, 2 * MB - 100, true);
    expect([await save(user, 101), await save(user, 100)]).toEqual(["STORAGE_FULL", "stored"]);
    expect(await query("SELECT bytes::int, saves FROM usage WHERE user_id = $1", [user.id])).toEqual([
      { bytes: 2 * MB, saves: 1 },
    ]);
  });

  it("refuses a save beyond the limit with a sentence, and keeps the old text until there is room", async () => {
    allow(1);
    const workspace = await newWorkspace();
    const piece = await newPiece(workspace, workspace, { body: "a".repeat(200_000) });
    const url = `/api/content/${piece}`;
    expect((await workspace.caller.patch(url, { body: "b".repeat(200_000) })).status).toBe(200);
    const before = [(await workspace.caller.get(url)).body, await stored(workspace)];
    for (const more of [{}, { status: "review" }]) {
      const refused = await workspace.caller.patch(url, { body: "c".repeat(400_000), ...more });
      expect(refused).toMatchObject({
        status: 409,
        body: {
          type: "STORAGE_FULL",
          error: "There is no room left in your account. Delete pieces or projects you no longer need, then try again.",
        },
      });
    }
    expect([(await workspace.caller.get(url)).body, await stored(workspace)]).toEqual(before);
    // Calls that store no text still work.
    expect((await workspace.caller.patch(url, { status: "review" })).status).toBe(200);
    // Deleting frees space, as soon as the rows are gone.
    expect((await workspace.caller.delete(url)).status).toBe(204);
    await removeDeleted();
    const place = `/api/projects/${workspace.projectId}/topics/${workspace.topicId}/content`;
    for (const title of ["Another", "A third"]) {
      expect((await workspace.caller.post(place, { title, body: "c".repeat(400_000) })).status).toBe(201);
    }
  });

  it("is never exceeded by 20 concurrent saves", async () => {
    allow(1);
    const workspace = await newWorkspace();
    const url = `/api/projects/${workspace.projectId}/topics/${workspace.topicId}/content`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => workspace.caller.post(url, { title: `${n}`, body: "x".repeat(100_000) })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
    const bytes = await stored(workspace);
    expect(bytes).toBeLessThanOrEqual(MB);
    process.stdout.write(`S25: 20 saves of 100 KB at once into 1 MB: ${bytes} bytes stored\n`);
  });

  it("is limited for every call that stores a user's text, and counts at least what that adds", async () => {
    const world = await newWorld();
    const { caller, projectId, topicId, pieceId, keywordId, personaId, revisionId, instructionId } = world;
    const [empty] = await query<{ id: number }>("INSERT INTO projects (user_id, title) VALUES ($1, 'E') RETURNING id", [
      world.id,
    ]);
    const project = { title: "One more" };
    const topic = { name: "One more", description: "d" };
    const calls: [string, string, object?][] = [
      ["POST", "/api/instructions", { text: "One more" }],
      ["PATCH", `/api/instructions/${instructionId}`, { text: "Another" }],
      ["POST", "/api/projects", project],
      ["PATCH", `/api/projects/${projectId}`, project],
      ["POST", `/api/projects/${empty?.id}/buyer-persona`, { name: "n", description: "d", interests: LIST }],
      ["PATCH", `/api/buyer-personas/${personaId}`, { challenges: LIST }],
      ["POST", `/api/projects/${projectId}/topics`, topic],
      ["PATCH", `/api/topics/${topicId}`, topic],
      ["POST", `/api/topics/${topicId}/keywords`, { keyword: "one more" }],
      ["POST", `/api/topics/${topicId}/add-suggested-keywords`, { keywords: ["two more", "three more"] }],
      ["PATCH", `/api/keywords/${keywordId}`, { keyword: "another" }],
      ["POST", `/api/projects/${projectId}/topics/${topicId}/content`, { title: "One more" }],
      ["PATCH", `/api/content/${pieceId}`, { title: "Another" }],
      ["POST", `/api/content/${pieceId}/revisions/${revisionId}/restore`],
    ];
    const before = await stored(world);
    await setCounted(world, 2048 * MB, true);
    for (const [method, url, body] of calls) {
      const answer = await caller.call<{ type: string }>(method, url, body);
      expect([method, url, answer.status, answer.body.type]).toEqual([method, url, 409, "STORAGE_FULL"]);
    }
    expect(await stored(world)).toBe(before);
    for (const [method, url, body] of calls) {
      await setCounted(world, await stored(world), true);
      expect([method, url, (await caller.call(method, url, body)).status < 300]).toEqual([method, url, true]);
      const [counted] = await query<{ bytes: number }>("SELECT bytes::int FROM usage WHERE user_id = $1", [world.id]);
      expect([method, url, Number(counted?.bytes) >= (await stored(world))]).toEqual([method, url, true]);
    }
    expect((await caller.delete(`/api/keywords/${keywordId}`)).status).toBe(204);
  });

  it("goes with the account, even during a save", async () => {
    const world = await newWorld();
    const saving = Array.from({ length: 5 }, (_, n) =>
      world.caller.patch(`/api/content/${world.pieceId}`, { body: `Text ${n}` }),
    );
    const deleting = world.caller.call("DELETE", "/api/user", { confirm: world.username, password: PASSWORD });
    const answers = await Promise.all([...saving, deleting]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect((await deleting).status).toBe(204);
    await removeDeleted();
    expect(await query("SELECT 1 FROM usage WHERE user_id = $1", [world.id])).toEqual([]);
  });
});

/** Runs one step of the scheduled sweep. */
async function sweepStep(wanted: string): Promise<void> {
  const run = ({ id }: { id: string }, work: () => Promise<unknown>) => (id === wanted ? work() : undefined);
  await (sweepQueues as unknown as { fn(context: object): Promise<unknown> }).fn({ step: { run } });
}

describe("a recount", () => {
  it("comes before a save is refused, unless nothing has changed since the last one", async () => {
    const user = await newUser();
    await setCounted(user, 2048 * MB, false);
    expect(await save(user, 500)).toBe("stored");
    expect(await query("SELECT bytes::int FROM usage WHERE user_id = $1", [user.id])).toEqual([{ bytes: 500 }]);
    await setCounted(user, 2048 * MB, true);
    expect(await save(user, 500)).toBe("STORAGE_FULL");
  });

  it("is made six times a minute at most, even if something is deleted between any two", async () => {
    const workspace = await newWorkspace();
    const outcomes: string[] = [];
    for (let n = 0; n < 8; n++) {
      const piece = await newPiece(workspace, workspace);
      await setCounted(workspace, 2048 * MB, true);
      await workspace.caller.delete(`/api/content/${piece}`);
      outcomes.push(await save(workspace, 500));
    }
    expect(outcomes).toEqual([...Array(6).fill("stored"), "STORAGE_FULL", "STORAGE_FULL"]);
  });

  it("waits for an open save, so that it counts it", async () => {
    const workspace = await newWorkspace();
    const { id, projectId, topicId } = workspace;
    const held = await holdTransaction(
      "INSERT INTO content_pieces (user_id, project_id, topic_id, title) VALUES ($1, $2, $3, 'Open')",
      [id, projectId, topicId],
    );
    const counting = storageUsage(id);
    await waitForLock();
    await held.releaseLock();
    expect((await counting).usedBytes).toBe(await stored(workspace));
  });

  it("is made by the sweep for everyone who wrote", async () => {
    const users = [await newWorkspace(), await newWorkspace()];
    for (const user of users) await setCounted(user, 0, false);
    const untouched = await newUser();
    await setCounted(untouched, 7, true);
    await sweepStep("recount");
    for (const user of users) {
      const counted = await query("SELECT bytes::int, is_exact FROM usage WHERE user_id = $1", [user.id]);
      expect(counted).toEqual([{ bytes: await stored(user), is_exact: true }]);
    }
    expect(await query("SELECT bytes::int FROM usage WHERE user_id = $1", [untouched.id])).toEqual([{ bytes: 7 }]);
  });
});

describe("saves a minute", () => {
  it("are refused beyond the limit, over all kinds of saves, until the stated seconds have passed", async () => {
    const workspace = await newWorkspace();
    const piece = await newPiece(workspace, workspace);
    const url = `/api/content/${piece}`;
    const answers: Awaited<ReturnType<typeof workspace.caller.patch>>[] = [];
    // More at once would wait too long for the piece on a busy machine.
    for (let round = 0; round < 5; round++) {
      const saves = Array.from({ length: 50 }, (_, n) => workspace.caller.patch(url, { body: `Text ${round} ${n}` }));
      answers.push(...(await Promise.all(saves)));
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(240);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    for (const { headers, body } of refused) {
      const seconds = Number(headers.get("retry-after"));
      const error = `You saved too many times within a minute. ${tryAgainIn(seconds)}`;
      expect(body).toMatchObject({ type: "RATE_LIMITED", error });
      expect(seconds).toBeGreaterThan(0);
      expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
    }
    await query("UPDATE usage SET window_ends = now() + interval '40 seconds' WHERE user_id = $1", [workspace.id]);
    const { status, headers } = await workspace.caller.post("/api/projects", { title: "One more" });
    expect([status, Number(headers.get("retry-after"))]).toEqual([429, 40]);
    // Calls that store nothing new still work: reading, a status, deleting.
    expect((await workspace.caller.get(url)).status).toBe(200);
    expect((await workspace.caller.patch(url, { status: "review" })).status).toBe(200);
    // Another user's saves are counted separately.
    expect((await (await newUser()).caller.post("/api/projects", { title: "Mine" })).status).toBe(201);
    await query("UPDATE usage SET window_ends = now() - interval '1 second' WHERE user_id = $1", [workspace.id]);
    expect((await workspace.caller.patch(url, { body: "Later" })).status).toBe(200);
    expect(await query("SELECT saves FROM usage WHERE user_id = $1", [workspace.id])).toEqual([{ saves: 1 }]);
    process.stdout.write("S25: 250 saves within a minute: 240 stored, 10 refused with Retry-After\n");
  }, 60_000);
});

it("a request has six statements at most, with those that count", async () => {
  const world = await newWorld();
  const { caller, projectId, topicId, pieceId, keywordId, instructionId } = world;
  const counts: Record<string, number> = {};
  // What other tests have deleted is removed in the background.
  await removeDeleted();
  const of = async (name: string, work: () => Promise<{ status: number }>) => {
    const { statements } = await countStatements(async () => expect((await work()).status).toBeLessThan(300));
    // Nobody waits for an announcement.
    counts[name] = statements.filter(
      (statement) => !/^(BEGIN|COMMIT|SET LOCAL|SELECT pg_notify)/.test(statement),
    ).length;
  };
  await of("save of a piece", () => caller.patch(`/api/content/${pieceId}`, { body: "Another text" }));
  await of("new instruction", () => caller.post("/api/instructions", { text: "One" }));
  await of("instruction", () => caller.patch(`/api/instructions/${instructionId}`, { text: "Two" }));
  await of("new project", () => caller.post("/api/projects", { title: "One" }));
  await of("new topic", () => caller.post(`/api/projects/${projectId}/topics`, { name: "n", description: "d" }));
  await of("new keyword", () => caller.post(`/api/topics/${topicId}/keywords`, { keyword: "one" }));
  await of("suggested", () => caller.post(`/api/topics/${topicId}/add-suggested-keywords`, { keywords: ["two"] }));
  await of("keyword", () => caller.patch(`/api/keywords/${keywordId}`, { keyword: "three" }));
  await of("new piece", () =>
    caller.post(`/api/projects/${projectId}/topics/${topicId}/content`, { title: "A piece", body: "Text" }),
  );
  await storePost(pieceId, await connectedSite(world.id, "https://a.example"), { postId: "7" });
  await of("save of a published piece", () => caller.patch(`/api/content/${pieceId}`, { body: "A third text" }));
  await of("deletion of a piece", () => caller.delete(`/api/content/${pieceId}`));
  process.stdout.write(`P3 statements a save: ${JSON.stringify(counts)}\n`);
  expect(Math.max(...Object.values(counts))).toBeLessThanOrEqual(6);
});

it("takes over what triggers counted, while a process of the version before still saves", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "migrations-"));
  const database = await createDatabase("empty");
  const client = new pg.Client({ connectionString: database.url });
  try {
    const all = readdirSync("prisma/migrations").filter((name) => /^\d/.test(name));
    const copy = (name: string) => cpSync(`prisma/migrations/${name}`, path.join(folder, name), { recursive: true });
    for (const name of all.filter((one) => one < "20261127100000")) copy(name);
    await applyMigrations(database.url, folder);
    await client.connect();
    const { rows } = await client.query<{ id: string }>(
      `WITH u AS (INSERT INTO users (username) VALUES ('before') RETURNING id),
         p AS (INSERT INTO projects (user_id, title, description) SELECT id, 'Pröject', 'd' FROM u RETURNING id, user_id)
       INSERT INTO topics (project_id, user_id, name, description) SELECT id, user_id, 'T', 'd' FROM p RETURNING user_id AS id`,
    );
    const counted = () => client.query("SELECT bytes::int, saves, is_exact FROM usage");
    // What the version before runs with a save.
    const saveAsBefore = () => client.query("SELECT take_room($1, 1, 2147483648, 240)", [rows[0]?.id]);
    await saveAsBefore();
    await client.query("INSERT INTO projects (user_id, title) VALUES ($1, 'Two')", [rows[0]?.id]);
    for (const name of all.filter((one) => one >= "20261127100000")) copy(name);
    await applyMigrations(database.url, folder);
    const bytes = (await client.query<{ bytes: number }>(STORED, [rows[0]?.id])).rows[0]?.bytes;
    expect((await counted()).rows).toEqual([{ bytes, saves: 1, is_exact: false }]);
    await client.query("INSERT INTO projects (user_id, title) VALUES ($1, 'Three')", [rows[0]?.id]);
    await saveAsBefore();
    expect((await counted()).rows).toEqual([{ bytes, saves: 2, is_exact: false }]);
    await client.query(readFileSync("prisma/next-release/migration.sql", "utf8"));
  } finally {
    await client.end();
    await database.drop();
    rmSync(folder, { recursive: true });
  }
});

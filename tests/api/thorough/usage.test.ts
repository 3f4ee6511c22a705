import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import pg from "pg";
import { env } from "@/lib/env";
import { applyMigrations } from "@/scripts/migrate";
import { createDatabase, databaseUrl, query } from "@/tests/support/db";
import {
  newPerson,
  newPiece,
  newProject,
  newTopic,
  newWorkspace,
  PASSWORD,
  type Person,
} from "@/tests/support/factories";
import { connectedSite, storePost } from "@/tests/support/posts";
import { countStatements } from "@/tests/support/statements";
import { newWorld } from "@/tests/support/world";

const MB = 1024 * 1024;
const usual = { storage: env.STORAGE_MAX_MB_PER_USER, saves: env.SAVES_PER_MINUTE_PER_USER };

function allow({ storage = usual.storage, saves = usual.saves }: { storage?: number; saves?: number }): void {
  Object.assign(env, { STORAGE_MAX_MB_PER_USER: storage, SAVES_PER_MINUTE_PER_USER: saves });
}
afterEach(() => allow({}));

const COUNTED = `SELECT (SELECT bytes FROM usage WHERE user_id = $1)
  + coalesce((SELECT sum(bytes) FROM usage_changes WHERE user_id = $1), 0) AS bytes`;

/** The sum of a person's texts plus 128 bytes per row, from the rows themselves. */
const STORED = `SELECT coalesce(sum(octet_length(convert_to(text, 'UTF8')) + 128), 0) AS bytes FROM (
  SELECT concat(title, description, writing_tone, writing_language, writing_instructions) AS text FROM projects WHERE user_id = $1
  UNION ALL SELECT text FROM saved_instructions WHERE user_id = $1
  UNION ALL SELECT concat(name, b.description, interests::text, challenges::text) FROM buyer_personas b
    JOIN projects p ON p.id = b.project_id WHERE p.user_id = $1
  UNION ALL SELECT concat(name, description, category) FROM topics WHERE user_id = $1
  UNION ALL SELECT keyword FROM keywords k JOIN topics t ON t.id = k.topic_id WHERE t.user_id = $1
  UNION ALL SELECT concat(title, body, outline, focus_keyword, angle, intent, meta_title, meta_description)
    FROM content_pieces WHERE user_id = $1
  UNION ALL SELECT concat(r.title, r.body, r.outline) FROM content_revisions r
    JOIN content_pieces p ON p.id = r.content_piece_id WHERE p.user_id = $1
  UNION ALL SELECT '' FROM chat_sessions WHERE user_id = $1
  UNION ALL SELECT content FROM chat_messages m JOIN chat_sessions s ON s.id = m.session_id WHERE s.user_id = $1) rows`;

async function bytes(sql: string, { id }: Pick<Person, "id">, url = databaseUrl()): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ bytes: string }>(sql, [id]).finally(() => client.end());
  return Number(rows[0]?.bytes);
}

async function expectTrue(person: Pick<Person, "id">): Promise<number> {
  const [counted, stored] = [await bytes(COUNTED, person), await bytes(STORED, person)];
  expect(counted).toBe(stored);
  return stored;
}

type Kept = {
  projects: number[];
  topics: { projectId: number; topicId: number }[];
  pieces: string[];
  keywords: number[];
  instructions: number[];
};

const text = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  fc.integer({ min: 1, max: 4000 }).map((length) => "é🌱x".repeat(length)),
);
const step = fc.record({
  what: fc.constantFrom(
    ...["project", "topic", "keyword", "keywords", "piece", "patch", "patch", "patch", "renames", "restore", "persona"],
    ...["deletePiece", "deleteTopic", "deleteProject", "deleteKeyword", "talk", "prune"],
    ...["instruction", "deleteInstruction"],
  ),
  text,
  at: fc.nat(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(person: Person, kept: Kept, { what, text, at }: Step): Promise<void> {
  const { caller, id } = person;
  const pick = <T>(list: T[]): T | undefined => list[at % Math.max(1, list.length)];
  const [project, place, piece, keyword] = [kept.projects, kept.topics, kept.pieces, kept.keywords].map((list) =>
    pick(list as unknown[]),
  ) as [number | undefined, Kept["topics"][number] | undefined, string | undefined, number | undefined];
  const title = `x ${text.slice(0, 60)}`;
  if (what === "project" || project === undefined) kept.projects.push(await newProject(person, title));
  else if (what === "topic" || !place) {
    kept.topics.push({ projectId: project, topicId: await newTopic(person, project, title) });
  } else if (what === "keyword") {
    const made = await caller.post<{ id: number }>(`/api/topics/${place.topicId}/keywords`, { keyword: title });
    if (made.status === 201) kept.keywords.push(made.body.id);
  } else if (what === "keywords") {
    const keywords = [title, `${title} a`, "always the same"];
    await caller.post(`/api/topics/${place.topicId}/add-suggested-keywords`, { keywords });
  } else if (what === "piece" || piece === undefined) {
    kept.pieces.push(await newPiece(person, place, { title, body: text }));
  } else if (what === "patch") {
    const outline = at % 3 === 0 ? null : `## ${text.slice(0, 500)}`;
    await caller.patch(`/api/content/${piece}`, { body: text, ...(at % 2 ? { outline } : {}), ...staleness(at) });
  } else if (what === "renames") {
    await caller.patch(`/api/content/${piece}`, { title });
    await caller.patch(`/api/projects/${project}`, { description: text.slice(0, 5000) });
    await caller.patch(`/api/topics/${place.topicId}`, { category: at % 2 ? "" : title });
    if (keyword) await caller.patch(`/api/keywords/${keyword}`, { keyword: title });
  } else if (what === "restore") {
    const revisions = await caller.get<{ id: string }[]>(`/api/content/${piece}/revisions`);
    const revision = pick(revisions.body);
    if (revision) await caller.post(`/api/content/${piece}/revisions/${revision.id}/restore`);
  } else if (what === "persona") {
    const fields = { name: title, description: title, interests: ['a "quoted" one', title], challenges: [] };
    const made = await caller.post<{ id: number }>(`/api/projects/${project}/buyer-persona`, fields);
    if (made.status === 201) await caller.patch(`/api/buyer-personas/${made.body.id}`, { challenges: [title, "b"] });
  } else if (what === "instruction") {
    const made = await caller.post<{ id: number }>("/api/instructions", { text: text.slice(0, 900) });
    if (made.status === 201) kept.instructions.push(made.body.id);
    await caller.patch(`/api/instructions/${pick(kept.instructions)}`, { text: `${title} ${at}` });
  } else if (what === "deleteInstruction") {
    await caller.delete(`/api/instructions/${kept.instructions.pop() ?? 1}`);
  } else if (what === "deleteKeyword") {
    await caller.delete(`/api/keywords/${keyword ?? 1}`);
  } else if (what === "deletePiece") {
    await caller.delete(`/api/content/${piece}`);
    kept.pieces = kept.pieces.filter((one) => one !== piece);
  } else if (what === "deleteTopic") {
    await caller.delete(`/api/topics/${place.topicId}`);
    kept.topics = kept.topics.filter((one) => one !== place);
    await forgetPieces(kept, id);
  } else if (what === "deleteProject") {
    await caller.delete(`/api/projects/${project}`);
    kept.projects = kept.projects.filter((one) => one !== project);
    kept.topics = kept.topics.filter(({ projectId }) => projectId !== project);
    await forgetPieces(kept, id);
  } else if (what === "talk") {
    await query(
      `WITH s AS (INSERT INTO chat_sessions (user_id, project_id) VALUES ($1, $2) RETURNING id)
       INSERT INTO chat_messages (session_id, position, role, content) SELECT id, 1, 'user', $3 FROM s`,
      [id, project, text],
    );
  } else if (what === "prune") {
    for (let n = 0; n < 60; n++) await caller.patch(`/api/content/${piece}`, { body: `${text} ${n}` });
  }
}

/** Every fifth save is based on an older version, so its text is set aside. */
function staleness(at: number): { version?: number } {
  return at % 5 === 0 ? { version: 1 } : {};
}

async function forgetPieces(kept: Kept, id: string): Promise<void> {
  const rows = await query<{ id: string }>("SELECT id FROM content_pieces WHERE user_id = $1", [id]);
  kept.pieces = rows.map((row) => row.id);
}

describe("a person's stored bytes", () => {
  const RUNS = 20;

  it("match the rows after any sequence of writes and deletes", async () => {
    allow({ saves: 1_000_000 });
    let [steps, largest] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (sequence) => {
        const workspace = await newWorkspace();
        const kept: Kept = {
          projects: [workspace.projectId],
          topics: [workspace],
          pieces: [],
          keywords: [],
          instructions: [],
        };
        for (const one of sequence) {
          await take(workspace, kept, one);
          steps++;
        }
        largest = Math.max(largest, await expectTrue(workspace));
      }),
      { numRuns: RUNS },
    );
    process.stdout.write(
      `usage: equal to the rows after ${RUNS} sequences, ${steps} steps, at most ${largest} bytes\n`,
    );
  }, 120_000);

  it("are computed for rows from before they were counted", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "migrations-"));
    const database = await createDatabase("empty");
    const client = new pg.Client({ connectionString: database.url });
    try {
      const all = readdirSync("prisma/migrations").filter((name) => /^\d/.test(name));
      const copy = (name: string) => cpSync(`prisma/migrations/${name}`, path.join(folder, name), { recursive: true });
      for (const name of all.filter((one) => one < "20261122130000")) copy(name);
      await applyMigrations(database.url, folder);
      await client.connect();
      const { rows } = await client.query<{ id: string }>(
        `WITH u AS (INSERT INTO users (username) VALUES ('before') RETURNING id),
           p AS (INSERT INTO projects (user_id, title, description) SELECT id, 'Pröject', 'd' FROM u RETURNING id, user_id),
           b AS (INSERT INTO buyer_personas (project_id, name, description, interests) SELECT id, 'n', 'd', '{"a b",c}' FROM p),
           t AS (INSERT INTO topics (project_id, user_id, name, description) SELECT id, user_id, 'T', 'd' FROM p RETURNING *),
           k AS (INSERT INTO keywords (topic_id, keyword) SELECT id, 'wörd' FROM t),
           c AS (INSERT INTO content_pieces (user_id, project_id, topic_id, title, body)
             SELECT user_id, project_id, id, 'Piece', repeat('é', 50000) FROM t RETURNING *),
           r AS (INSERT INTO content_revisions (content_piece_id, version, author, title, body)
             SELECT id, n, 'user', title, body FROM c, generate_series(1, 3) n),
           s AS (INSERT INTO chat_sessions (user_id) SELECT id FROM u RETURNING id)
         INSERT INTO chat_messages (session_id, position, role, content) SELECT s.id, 1, 'user', 'hé' FROM s
         RETURNING (SELECT id FROM u) AS id`,
      );
      const person = { id: rows[0]?.id ?? "" };
      await client.query("INSERT INTO users (username) VALUES ('idle')");
      for (const name of all.filter((one) => one >= "20261122130000")) copy(name);
      await applyMigrations(database.url, folder);
      const stored = await bytes(STORED, person, database.url);
      expect(stored).toBeGreaterThan(400_000);
      expect(await bytes(COUNTED, person, database.url)).toBe(stored);
      expect((await client.query("SELECT bytes FROM usage ORDER BY bytes")).rows).toHaveLength(2);
    } finally {
      await client.end();
      await database.drop();
      rmSync(folder, { recursive: true });
    }
  });

  it("are deleted with the account, even during a save", async () => {
    const world = await newWorld();
    const saving = Array.from({ length: 5 }, (_, n) =>
      world.caller.patch(`/api/content/${world.pieceId}`, { body: `Text ${n}` }),
    );
    const deleting = world.caller.call("DELETE", "/api/user", { confirm: world.username, password: PASSWORD });
    const answers = await Promise.all([...saving, deleting]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect((await deleting).status).toBe(204);
    const left = "SELECT 1 FROM usage WHERE user_id = $1 UNION ALL SELECT 1 FROM usage_changes WHERE user_id = $1";
    expect(await query(left, [world.id])).toEqual([]);
  });
});

describe("a person's storage limit", () => {
  type Refused = { type: string; error: string };

  it("refuses a save beyond it with a sentence, and keeps the old text", async () => {
    allow({ storage: 1 });
    const workspace = await newWorkspace();
    const piece = await newPiece(workspace, workspace, { body: "a".repeat(200_000) });
    const url = `/api/content/${piece}`;
    expect((await workspace.caller.patch(url, { body: "b".repeat(200_000) })).status).toBe(200);
    const before = (await workspace.caller.get<{ body: string; version: number }>(url)).body;
    const refused = await workspace.caller.patch<Refused>(url, { body: "c".repeat(400_000) });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        type: "STORAGE_FULL",
        error: "There is no room left in your account. Delete pieces or projects you no longer need, then try again.",
      },
    });
    expect((await workspace.caller.get(url)).body).toEqual(before);
    // Calls that store no text still work.
    expect((await workspace.caller.patch(url, { status: "review" })).status).toBe(200);
    expect(await expectTrue(workspace)).toBeLessThan(MB);
    // Deleting frees space.
    expect((await workspace.caller.delete(url)).status).toBe(204);
    expect(await newPiece(workspace, workspace, { body: "c".repeat(400_000) })).toEqual(expect.any(String));
  });

  it("is never exceeded by 20 concurrent saves", async () => {
    allow({ storage: 1 });
    const workspace = await newWorkspace();
    const url = `/api/projects/${workspace.projectId}/topics/${workspace.topicId}/content`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => workspace.caller.post(url, { title: `${n}`, body: "x".repeat(100_000) })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
    const stored = await expectTrue(workspace);
    expect(stored).toBeLessThanOrEqual(MB);
    process.stdout.write(`S25: 20 saves of 100 KB at once into 1 MB: ${stored} bytes stored\n`);
  });

  it("applies to every call that stores a person's text", async () => {
    const world = await newWorld();
    await query("UPDATE usage SET bytes = $2 WHERE user_id = $1", [world.id, 3 * 1024 * MB]);
    const { caller, projectId, topicId, pieceId, keywordId, personaId, revisionId, instructionId } = world;
    const project = { title: "One more" };
    const topic = { name: "One more", description: "d" };
    const calls: [string, string, object?][] = [
      ["POST", "/api/instructions", { text: "One more" }],
      ["PATCH", `/api/instructions/${instructionId}`, { text: "Another" }],
      ["POST", "/api/projects", project],
      ["PATCH", `/api/projects/${projectId}`, project],
      ["PATCH", `/api/buyer-personas/${personaId}`, { name: "Another" }],
      ["POST", `/api/projects/${projectId}/topics`, topic],
      ["PATCH", `/api/topics/${topicId}`, topic],
      ["POST", `/api/topics/${topicId}/keywords`, { keyword: "one more" }],
      ["POST", `/api/topics/${topicId}/add-suggested-keywords`, { keywords: ["one more"] }],
      ["PATCH", `/api/keywords/${keywordId}`, { keyword: "another" }],
      ["POST", `/api/projects/${projectId}/topics/${topicId}/content`, { title: "One more" }],
      ["PATCH", `/api/content/${pieceId}`, { title: "Another" }],
      ["POST", `/api/content/${pieceId}/revisions/${revisionId}/restore`],
    ];
    for (const [method, url, body] of calls) {
      const answer = await caller.call<Refused>(method, url, body);
      expect([method, url, answer.status, answer.body.type]).toEqual([method, url, 409, "STORAGE_FULL"]);
    }
    const persona = { name: "n", description: "d" };
    const empty = (
      await query<{ id: number }>("INSERT INTO projects (user_id, title) VALUES ($1, 'E') RETURNING id", [world.id])
    )[0];
    expect((await caller.post(`/api/projects/${empty?.id}/buyer-persona`, persona)).status).toBe(409);
    expect((await caller.delete(`/api/keywords/${keywordId}`)).status).toBe(204);
  });
});

describe("saves a minute", () => {
  it("are refused beyond the limit, over all kinds of saves, until the stated seconds have passed", async () => {
    const workspace = await newWorkspace();
    const piece = await newPiece(workspace, workspace);
    await query("UPDATE usage SET saves = 0 WHERE user_id = $1", [workspace.id]);
    const url = `/api/content/${piece}`;
    const answers = await Promise.all(
      Array.from({ length: 250 }, (_, n) => workspace.caller.patch(url, { body: `Text ${n}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(240);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    for (const { headers, body } of refused) {
      const error = "You saved too many times within a minute. Wait a little, then save again.";
      expect(body).toMatchObject({ type: "RATE_LIMITED", error });
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
    }
    expect((await workspace.caller.post("/api/projects", { title: "One more" })).status).toBe(429);
    // Calls that store nothing new still work: reading, a status, deleting.
    expect((await workspace.caller.get(url)).status).toBe(200);
    expect((await workspace.caller.patch(url, { status: "review" })).status).toBe(200);
    // Another person's saves are counted separately.
    expect(await newProject(await newPerson())).toEqual(expect.any(Number));
    await query("UPDATE usage SET window_ends = now() - interval '1 second' WHERE user_id = $1", [workspace.id]);
    expect((await workspace.caller.patch(url, { body: "Later" })).status).toBe(200);
    process.stdout.write("S25: 250 saves within a minute: 240 stored, 10 refused with Retry-After\n");
  }, 60_000);
});

it("counting needs no statement of its own within the six of a request", async () => {
  const world = await newWorld();
  const { caller, projectId, topicId, pieceId, keywordId, instructionId } = world;
  const counts: Record<string, number> = {};
  const of = async (name: string, work: () => Promise<{ status: number }>) => {
    const { statements } = await countStatements(async () => expect((await work()).status).toBeLessThan(300));
    counts[name] = statements.filter((statement) => !/^(BEGIN|COMMIT|SET LOCAL)/.test(statement)).length;
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
  process.stdout.write(`P3 statements a save: ${JSON.stringify(counts)}\n`);
  expect(Math.max(...Object.values(counts))).toBeLessThanOrEqual(6);
});

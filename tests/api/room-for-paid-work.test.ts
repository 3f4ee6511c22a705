import { MAX_PIECES } from "@/lib/features/content/rules";
import type { ContentOut } from "@/lib/features/content/schema";
import { MAX_KEYWORDS } from "@/lib/features/topics/schema";
import type { SampleWordPress } from "@/scripts/samples/wordpress-site";
import type { Answer } from "@/tests/support/app";
import { type Backend, eventually, startBackend } from "@/tests/support/backend";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

type Refused = { type: string; error: string };
type Suggested = { saved: boolean; savedKeywords: unknown[]; keywords: string[] };
const FULL = "There is no room left in your account. Delete pieces or projects you no longer need, then try again.";

let blog: SampleWordPress;
let backend: Backend;
beforeAll(async () => {
  blog = await startBlog();
  backend = await startBackend();
});
afterAll(async () => {
  await backend.close();
  await blog.close();
});

async function workspaceWithKey() {
  const workspace = await newWorkspace();
  await workspace.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
  return workspace;
}

/** Makes the storage appear full. */
async function fill({ id }: { id: string }): Promise<void> {
  await query("UPDATE usage SET bytes = bytes + 2 * 1024 * 1024 * 1024::bigint, is_exact = true WHERE user_id = $1", [
    id,
  ]);
}

it("refuses paid work that would not fit before calling the provider", async () => {
  const workspace = await workspaceWithKey();
  const { caller, projectId, topicId } = workspace;
  const titled = await newPiece(workspace, workspace);
  const outlined = await newPiece(workspace, workspace);
  await caller.patch(`/api/content/${outlined}`, { outline: "## One\nFirst." });
  await caller.post(`/api/topics/${topicId}/keywords`, { keyword: "seed trays" });
  await caller.post("/api/chat/start", { projectId });
  await fill(workspace);
  const before = backend.ai.requests.length;
  for (const [url, body] of [
    [`/api/topics/${topicId}/suggest-keywords`],
    [`/api/topics/${topicId}/suggest-keywords?autoSave=true`],
    [`/api/projects/${projectId}/generate-content-ideas`, { topicId, ideasPerKeyword: 1 }],
    [`/api/content/${titled}/generate-outline`],
    [`/api/content/${outlined}/generate-from-outline`],
    [`/api/topics/${topicId}/generate-outline-queue`],
    [`/api/topics/${topicId}/generate-all-content-queue`],
    ["/api/chat/message", { message: "What is there?" }],
  ] as [string, object?][]) {
    const answer = await caller.post<Refused>(url, body);
    expect([url, answer.status, answer.body]).toEqual([
      url,
      409,
      expect.objectContaining({ type: "STORAGE_FULL", error: FULL }),
    ]);
  }
  expect(backend.ai.requests.length).toBe(before);
});

it("fails a queued item with the sentence, without a call, when storage filled up while it waited", async () => {
  const workspace = await workspaceWithKey();
  const piece = await newPiece(workspace, workspace);
  const [job] = await query<{ id: string }>(
    `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items)
       VALUES ($1, $2, $3, 'outline_generation', 1) RETURNING id)
     INSERT INTO processing_queue (job_id, job_type, user_id, topic_id, content_piece_id)
     SELECT id, 'outline_generation', $1, $3, $4 FROM j RETURNING job_id AS id`,
    [workspace.id, workspace.projectId, workspace.topicId, piece],
  );
  await fill(workspace);
  const before = backend.ai.requests.length;
  await workspace.caller.post("/api/queue/resume");
  await query("UPDATE processing_queue SET updated_at = now() - interval '1 hour' WHERE job_id = $1", [job?.id]);
  await workspace.caller.post("/api/queue/resume");
  const [item] = await eventually(
    () =>
      query<{ status: string; error: string }>("SELECT status, error FROM processing_queue WHERE job_id = $1", [
        job?.id,
      ]),
    ([row]) => row?.status === "failed",
  );
  expect(item).toMatchObject({ error: FULL });
  expect(backend.ai.requests.length).toBe(before);
});

it("stores a paid text even if storage filled up meanwhile", async () => {
  const workspace = await workspaceWithKey();
  const piece = await newPiece(workspace, workspace);
  await query("UPDATE usage SET bytes = 2 * 1024 * 1024 * 1024::bigint - 1, is_exact = true WHERE user_id = $1", [
    workspace.id,
  ]);
  const answer = await workspace.caller.post<{ outline: ContentOut }>(`/api/content/${piece}/generate-outline`);
  expect([answer.status, answer.body.outline.outline?.length]).toEqual([200, expect.any(Number)]);
});

it("requests no more suggestions than the topic has room for, and none for a full one", async () => {
  const { caller, topicId } = await workspaceWithKey();
  await fillTopic(topicId, MAX_KEYWORDS - 4);
  const url = `/api/topics/${topicId}/suggest-keywords`;
  expect((await caller.post<Suggested>(url)).body.keywords).toHaveLength(4);
  const saved = await caller.post<Suggested>(`${url}?autoSave=true`);
  expect([saved.status, saved.body.savedKeywords.length, saved.body.keywords.length]).toEqual([200, 4, 4]);
  const before = backend.ai.requests.length;
  const error = "A topic can have at most 500 keywords, and this one has 500. Delete some first.";
  for (const refused of [await caller.post(url), await caller.post(`${url}?autoSave=true`)]) {
    expect(refused).toMatchObject({ status: 400, body: { type: "VALIDATION_ERROR", error } });
  }
  expect(backend.ai.requests.length).toBe(before);
});

/** A call to the provider that is in progress and gets its response when the test says so. */
async function heldCall(begin: () => Promise<Answer<Suggested>>) {
  let releaseLock: () => void = () => undefined;
  backend.ai.texts.push({ until: new Promise<void>((resolve) => (releaseLock = resolve)) });
  const before = backend.ai.requests.length;
  const answer = begin();
  await eventually(
    async () => backend.ai.requests.length,
    (asked) => asked > before,
  );
  return {
    end: () => {
      releaseLock();
      return answer;
    },
  };
}

async function fillTopic(topicId: number, count: number) {
  await query(
    "INSERT INTO keywords (topic_id, keyword) SELECT $1, gen_random_uuid()::text FROM generate_series(1, $2::int)",
    [topicId, count],
  );
}

const keywordsOf = (topicId: number) =>
  query<{ count: number; reserved: number }>(
    `SELECT (SELECT count(*)::int FROM keywords WHERE topic_id = $1) AS count, reserved_keywords AS reserved
     FROM topics WHERE id = $1`,
    [topicId],
  );

describe("keywords that are saved automatically", () => {
  it("have places reserved during the request, from other calls and the user", async () => {
    const { caller, topicId } = await workspaceWithKey();
    await fillTopic(topicId, MAX_KEYWORDS - 5);
    const url = `/api/topics/${topicId}/suggest-keywords?autoSave=true`;
    const call = await heldCall(() => caller.post<Suggested>(url));
    const before = backend.ai.requests.length;
    expect((await caller.post<Refused>(url)).body.type).toBe("ALREADY_RUNNING");
    const others = [
      await caller.post(`/api/topics/${topicId}/keywords`, { keyword: "by hand" }),
      await caller.post(`/api/topics/${topicId}/add-suggested-keywords`, { keywords: ["by hand"] }),
    ];
    const error = "A topic can have at most 500 keywords, and this one has 500. Delete some first.";
    for (const other of others) expect(other).toMatchObject({ status: 400, body: { error } });
    expect(backend.ai.requests.length).toBe(before);
    const { status, body } = await call.end();
    expect([status, body.saved, body.savedKeywords.length]).toEqual([200, true, 5]);
    expect(await keywordsOf(topicId)).toEqual([{ count: MAX_KEYWORDS, reserved: 0 }]);
  });

  it("release their places when the request fails, and after a while when the process died", async () => {
    const { caller, topicId } = await workspaceWithKey();
    await fillTopic(topicId, MAX_KEYWORDS - 1);
    backend.ai.faults.next(["server-error"]);
    expect((await caller.post(`/api/topics/${topicId}/suggest-keywords?autoSave=true`)).status).toBe(502);
    expect(await keywordsOf(topicId)).toEqual([{ count: MAX_KEYWORDS - 1, reserved: 0 }]);
    const promise = (until: string) =>
      query(`UPDATE topics SET reserved_keywords = 1, reserved_until = now() + $2::interval WHERE id = $1`, [
        topicId,
        until,
      ]);
    const addOne = () => caller.post(`/api/topics/${topicId}/keywords`, { keyword: "by hand" });
    await promise("1 minute");
    expect((await addOne()).status).toBe(400);
    await promise("-1 second");
    expect((await addOne()).status).toBe(201);
  });

  it("are returned unsaved when their topic was deleted meanwhile", async () => {
    const { caller, topicId } = await workspaceWithKey();
    const url = `/api/topics/${topicId}/suggest-keywords?autoSave=true`;
    const call = await heldCall(() => caller.post<Suggested>(url));
    await caller.delete(`/api/topics/${topicId}`);
    const { status, body } = await call.end();
    expect([status, body]).toEqual([200, { saved: false, savedKeywords: [], keywords: expect.any(Array) }]);
    expect(body.keywords).toHaveLength(10);
  });
});

it("requests no more ideas than the project has room for, and none for a full one", async () => {
  const { caller, id, projectId, topicId } = await workspaceWithKey();
  await caller.post(`/api/topics/${topicId}/add-suggested-keywords`, { keywords: ["seed trays", "grow lights"] });
  await query(
    `INSERT INTO content_pieces (user_id, project_id, topic_id, title)
     SELECT $1, $2, $3, 'Piece ' || n FROM generate_series(1, $4::int) n`,
    [id, projectId, topicId, MAX_PIECES - 3],
  );
  const ask = () =>
    caller.post<Refused & { message: string; contentIdeas: unknown[] }>(
      `/api/projects/${projectId}/generate-content-ideas`,
      { topicId, ideasPerKeyword: 2 },
    );
  const made = await ask();
  expect([made.status, made.body.contentIdeas.length]).toEqual([200, 2]);
  expect(made.body.message).toContain("Not asked yet: ");
  const before = backend.ai.requests.length;
  const refused = await ask();
  expect(refused).toMatchObject({ status: 400, body: { type: "VALIDATION_ERROR" } });
  expect(refused.body.error).toMatch(/^This project has 10,000 pieces, the maximum\./);
  expect(backend.ai.requests.length).toBe(before);
});

it("reserves places for requested ideas: concurrent calls fill the project to its cap and lose no paid idea", async () => {
  const { caller, id, projectId, topicId } = await workspaceWithKey();
  // A slow provider: pieces are added by hand before it responds.
  await caller.patch("/api/user/settings", { openaiApiKey: `${backend.ai.apiKey}-700` });
  await caller.post(`/api/topics/${topicId}/add-suggested-keywords`, { keywords: ["seed trays", "grow lights"] });
  await query(
    `INSERT INTO content_pieces (user_id, project_id, topic_id, title)
     SELECT $1, $2, $3, 'Piece ' || n FROM generate_series(1, $4::int) n`,
    [id, projectId, topicId, MAX_PIECES - 5],
  );
  const before = backend.ai.requests.length;
  const ideas = Promise.all(
    Array.from({ length: 4 }, () =>
      caller.post<{ contentIdeas: { id: string }[] }>(`/api/projects/${projectId}/generate-content-ideas`, {
        topicId,
        ideasPerKeyword: 2,
      }),
    ),
  );
  await eventually(
    async () => backend.ai.requests.length - before,
    (asked) => asked > 0,
  );
  const byHand = Array.from({ length: 6 }, (_, n) =>
    caller.post(`/api/projects/${projectId}/topics/${topicId}/content`, { title: `By hand ${n}` }),
  );
  const made = (await ideas).flatMap(({ body }) => body.contentIdeas ?? []);
  await Promise.all(byHand);
  const [stored] = await query<{ count: number; reserved: number }>(
    `SELECT (SELECT count(*)::int FROM content_pieces WHERE project_id = $1) AS count, reserved_pieces AS reserved
     FROM projects WHERE id = $1`,
    [projectId],
  );
  expect(stored).toEqual({ count: MAX_PIECES, reserved: 0 });
  // There was room for two calls of one keyword each, and each response became two pieces.
  expect([made.length, backend.ai.requests.length - before]).toEqual([4, 2]);
});

it("releases the places of failed ideas, and after a while those of a dead process", async () => {
  const { caller, projectId, topicId, id } = await workspaceWithKey();
  await caller.post(`/api/topics/${topicId}/add-suggested-keywords`, { keywords: ["seed trays"] });
  const reserved = () =>
    query<{ reserved: number }>("SELECT reserved_pieces AS reserved FROM projects WHERE id = $1", [projectId]);
  backend.ai.faults.mode = "server-error";
  const url = `/api/projects/${projectId}/generate-content-ideas`;
  expect((await caller.post(url, { topicId, ideasPerKeyword: 2 })).status).toBe(502);
  backend.ai.faults.mode = null;
  expect(await reserved()).toEqual([{ reserved: 0 }]);
  await query(
    `INSERT INTO content_pieces (user_id, project_id, topic_id, title)
     SELECT $1, $2, $3, 'Piece ' || n FROM generate_series(1, $4::int) n`,
    [id, projectId, topicId, MAX_PIECES - 1],
  );
  const addOne = () => caller.post(`/api/projects/${projectId}/topics/${topicId}/content`, { title: "By hand" });
  await query("UPDATE projects SET reserved_pieces = 1, reserved_until = now() + interval '1 minute' WHERE id = $1", [
    projectId,
  ]);
  expect((await addOne()).status).toBe(400);
  await query("UPDATE projects SET reserved_until = now() - interval '1 second' WHERE id = $1", [projectId]);
  expect((await addOne()).status).toBe(201);
});

it("lets the AI write, publishes and syncs for a user without a save left in this minute", async () => {
  const workspace = await workspaceWithKey();
  const { caller, id } = workspace;
  const { url: wordpressUrl, username: wordpressUsername, applicationPassword: wordpressPassword } = blog;
  await caller.patch("/api/user/settings", { wordpressUrl, wordpressUsername, wordpressPassword });
  const url = `/api/content/${await newPiece(workspace, workspace, { body: "Some text." })}`;
  await newPiece(workspace, workspace);
  await query("UPDATE usage SET saves = 1000, window_ends = now() + interval '1 hour' WHERE user_id = $1", [id]);
  expect((await caller.patch(url, { body: "Another text." })).status).toBe(429);
  for (const call of [`${url}/generate-outline`, `${url}/publish`, `${url}/sync`, `${url}/unpublish`]) {
    expect([call, (await caller.post(call)).status]).toEqual([call, 200]);
  }
  expect((await caller.post(`/api/topics/${workspace.topicId}/generate-outline-queue`)).status).toBe(202);
  await eventually(
    () => query<{ status: string }>("SELECT status FROM processing_queue WHERE user_id = $1", [id]),
    (items) => items.length === 1 && items[0]?.status === "completed",
  );
  const [usage] = await query<{ saves: number }>("SELECT saves FROM usage WHERE user_id = $1", [id]);
  expect(usage?.saves).toBe(1000);
});

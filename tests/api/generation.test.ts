import type { ContentOut, ContentSummary } from "@/lib/features/content/schema";
import { type Backend, startBackend } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace, revisionsOf } from "@/tests/support/factories";

let backend: Backend;

beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => backend.close());
afterEach(() => backend.ai.faults.clear());

type Failed = { type: string; error: string };

async function workspaceWithKey() {
  const workspace = await newWorkspace();
  await workspace.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
  return workspace;
}

describe("keyword suggestions", () => {
  it("asks for a key with the sentence of this call", async () => {
    const { caller, topicId } = await newWorkspace();
    const answer = await caller.post<Failed>(`/api/topics/${topicId}/suggest-keywords`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      type: "MISSING_API_KEY",
      error: "Please add your OpenAI API key in the settings page to use AI suggestions.",
    });
  });

  it("suggests ten new keywords, and saves them when asked to", async () => {
    const { caller, topicId } = await workspaceWithKey();
    type Suggested = { saved: boolean; keywords: string[]; savedKeywords: { keyword: string }[] };
    const suggested = await caller.post<Suggested>(`/api/topics/${topicId}/suggest-keywords`);
    expect(suggested.body).toMatchObject({ saved: false, savedKeywords: [] });
    expect(suggested.body.keywords).toHaveLength(10);
    const saved = await caller.post<Suggested>(`/api/topics/${topicId}/suggest-keywords?autoSave=true`);
    expect(saved.body.saved).toBe(true);
    expect(saved.body.savedKeywords).toHaveLength(10);
    const again = await caller.post<Suggested>(`/api/topics/${topicId}/suggest-keywords`);
    const had = new Set(saved.body.keywords.map((keyword) => keyword.toLowerCase()));
    expect(again.body.keywords.filter((keyword) => had.has(keyword.toLowerCase()))).toEqual([]);
  });
});

describe("content ideas", () => {
  it("makes the requested number for each keyword, stores their origin, and makes none twice", async () => {
    const { caller, projectId, topicId } = await workspaceWithKey();
    const url = `/api/projects/${projectId}/generate-content-ideas`;
    expect((await caller.post<Failed>(url, { topicId, ideasPerKeyword: 2 })).body.type).toBe("NO_KEYWORDS");
    await caller.post(`/api/topics/${topicId}/add-suggested-keywords`, {
      keywords: ["seed trays", "grow lights", "damping off"],
    });
    const made = await caller.post<{ message: string; contentIdeas: ContentOut[] }>(url, {
      topicId,
      ideasPerKeyword: 2,
    });
    expect(made.status).toBe(200);
    expect(made.body.contentIdeas).toHaveLength(6);
    for (const idea of made.body.contentIdeas) {
      expect(idea).toMatchObject({
        topicId,
        isTitleOnly: true,
        status: "draft",
        angle: expect.any(String),
        intent: expect.any(String),
      });
      expect(["seed trays", "grow lights", "damping off"]).toContain(idea.focusKeyword);
    }
    await caller.post(url, { topicId, ideasPerKeyword: 2 });
    const titles = (await caller.get<ContentSummary[]>(`/api/projects/${projectId}/content`)).body.map(
      ({ title }) => title,
    );
    expect(new Set(titles.map((title) => title.toLowerCase())).size).toBe(titles.length);
  });

  it("keeps the other keywords' ideas when one fails, and names it", async () => {
    const { caller, projectId, topicId } = await workspaceWithKey();
    await caller.post(`/api/topics/${topicId}/add-suggested-keywords`, {
      keywords: ["peat free compost", "winter sowing jugs"],
    });
    backend.ai.faults.matching("winter sowing jugs", "server-error");
    const made = await caller.post<{ message: string; contentIdeas: ContentOut[] }>(
      `/api/projects/${projectId}/generate-content-ideas`,
      { topicId, ideasPerKeyword: 3 },
    );
    expect(made.body.contentIdeas).toHaveLength(3);
    expect(made.body.message).toContain("winter sowing jugs");
  });

  it("returns the provider's failure when all fail, and validates its input", async () => {
    const { caller, projectId, topicId } = await workspaceWithKey();
    await caller.post(`/api/topics/${topicId}/keywords`, { keyword: "one" });
    const url = `/api/projects/${projectId}/generate-content-ideas`;
    backend.ai.faults.mode = "unauthorized";
    expect((await caller.post<Failed>(url, { topicId })).body.type).toBe("INVALID_API_KEY");
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "7" };
    const limited = await caller.post<Failed>(url, { topicId });
    expect([limited.status, limited.body, limited.headers.get("retry-after")]).toEqual([
      429,
      expect.objectContaining({
        type: "AI_RATE_LIMITED",
        error: "The AI provider is limiting your requests. Try again in 7 seconds.",
      }),
      "7",
    ]);
    for (const ideasPerKeyword of [0, 11, 1.5, "3"]) {
      expect((await caller.post<Failed>(url, { topicId, ideasPerKeyword })).body.type).toBe("VALIDATION_ERROR");
    }
    const other = await newWorkspace();
    expect((await caller.post(url, { topicId: other.topicId })).status).toBe(404);
  });
});

describe("one piece: outline and content", () => {
  it("plans and then writes it, and keeps the replaced text as a revision", async () => {
    const workspace = await workspaceWithKey();
    const url = `/api/content/${await newPiece(workspace, workspace)}`;
    expect((await workspace.caller.post<Failed>(`${url}/generate-from-outline`)).body.type).toBe("OUTLINE_REQUIRED");
    const planned = await workspace.caller.post<{ message: string; outline: ContentOut }>(`${url}/generate-outline`);
    expect(planned).toMatchObject({
      status: 200,
      body: { message: "Outline generated", outline: { isOutline: true } },
    });
    const headings = planned.body.outline.outline?.match(/^## .+$/gm) ?? [];
    expect(headings.length).toBeGreaterThanOrEqual(5);
    const written = await workspace.caller.post<{ content: ContentOut }>(`${url}/generate-from-outline`);
    expect(written.body.content.body.match(/^## .+$/gm)).toEqual(headings);
    expect(written.body.content).toMatchObject({ isTitleOnly: false, hasBody: true });
    expect(written.body.content.wordCount).toBeGreaterThan(600);
    const revisions = await revisionsOf(workspace, url);
    expect(revisions[0]).toMatchObject({ author: "ai", promptVersion: "section-2", model: expect.any(String) });
  });

  it("continues after a failure without requesting a section twice", async () => {
    const workspace = await workspaceWithKey();
    const url = `/api/content/${await newPiece(workspace, workspace)}`;
    await workspace.caller.patch(url, { outline: "## Alpha\nFirst.\n\n## Beta\nSecond.\n\n## Gamma\nThird." });
    backend.ai.faults.next([null, null, "server-error"]);
    const failed = await workspace.caller.post<Failed>(`${url}/generate-from-outline`);
    expect([failed.status, failed.body.type]).toEqual([502, "AI_PROVIDER_ERROR"]);
    expect((await workspace.caller.get<ContentOut>(url)).body).toMatchObject({ body: "", status: "draft" });
    const before = backend.ai.requests.length;
    const written = await workspace.caller.post<{ content: ContentOut }>(`${url}/generate-from-outline`);
    expect(written.status).toBe(200);
    expect(backend.ai.requests.length - before).toBe(1);
    expect(written.body.content.body.match(/^## .+$/gm)).toEqual(["## Alpha", "## Beta", "## Gamma"]);
  });

  it.each([
    ["25,000 underlined headings", "a\n=\n".repeat(25_000), "25,000"],
    ["headings", "## a\n".repeat(20_000), "20,000"],
    ["items of a list", "- a\n".repeat(101), "101"],
  ])("refuses an outline with too many sections before any paid call: %s", async (_what, outline, count) => {
    const workspace = await workspaceWithKey();
    const url = `/api/content/${await newPiece(workspace, workspace)}`;
    const { body: before } = await workspace.caller.patch<ContentOut>(url, { outline });
    const callsBefore = backend.ai.requests.length;
    const refused = await workspace.caller.post<Failed>(`${url}/generate-from-outline`);
    expect(refused).toMatchObject({
      status: 422,
      body: {
        type: "TOO_COMPLEX",
        error: `This outline has ${count} sections; at most 100 can be written. Join some of them or divide the outline, then try again.`,
      },
    });
    expect(backend.ai.requests).toHaveLength(callsBefore);
    expect((await workspace.caller.get<ContentOut>(url)).body).toEqual(before);
  });

  it("keeps an edit made while the AI was writing, and the AI text as a revision", async () => {
    const workspace = await workspaceWithKey();
    const id = await newPiece(workspace, workspace);
    const url = `/api/content/${id}`;
    const headings = Array.from({ length: 12 }, (_, n) => `## Part ${n + 1}\nWhat it says.`);
    await workspace.caller.patch(url, { outline: headings.join("\n\n") });
    const answer = await workspace.caller.respond("POST", `${url}/generate-from-outline`, undefined, {
      accept: "text/event-stream",
    });
    let text = "";
    let isEdited = false;
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString("utf8");
      if (isEdited || !text.includes("event: section")) continue;
      isEdited = true;
      await query("UPDATE content_pieces SET body = 'typed meanwhile', version = version + 1 WHERE id = $1", [id]);
    }
    expect(text).toContain("event: done");
    expect(text).toContain("its revisions");
    expect((await workspace.caller.get<ContentOut>(url)).body.body).toBe("typed meanwhile");
    const kept = (await revisionsOf(workspace, url)).find(({ author }) => author === "ai");
    expect(kept).toMatchObject({ version: null, body: expect.stringContaining("## Part 12") });
  });

  it("runs once at a time for a piece", async () => {
    const workspace = await workspaceWithKey();
    await workspace.caller.patch("/api/user/settings", { openaiApiKey: `${backend.ai.apiKey}-300` });
    const url = `/api/content/${await newPiece(workspace, workspace)}`;
    const both = await Promise.all([1, 2].map(() => workspace.caller.post<Failed>(`${url}/generate-outline`)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("shows on the piece while it runs, and at most for the time of its lease", async () => {
    const workspace = await workspaceWithKey();
    const id = await newPiece(workspace, workspace, { title: "Slow compost" });
    const lease = (until: string) =>
      query(
        `INSERT INTO leases (kind, subject, user_id, content_piece_id, token, until)
         SELECT 'writing', id, user_id, id, gen_random_uuid(), ${until} FROM content_pieces WHERE id = $1
         ON CONFLICT (kind, subject) DO UPDATE SET until = excluded.until`,
        [id],
      );
    const isBeingWritten = async () =>
      (await workspace.caller.get<ContentOut>(`/api/content/${id}`)).body.isBeingWritten;
    expect(await isBeingWritten()).toBe(false);
    await lease("now() + interval '1 minute'");
    expect(await isBeingWritten()).toBe(true);
    await lease("now() - interval '1 second'");
    expect(await isBeingWritten()).toBe(false);
    const answer = await workspace.caller.post<{ outline: ContentOut }>(`/api/content/${id}/generate-outline`);
    expect(answer.body.outline.isBeingWritten).toBe(false);
  });

  it("streams sections and words to a client that accepts events", async () => {
    const workspace = await workspaceWithKey();
    const url = `/api/content/${await newPiece(workspace, workspace)}`;
    await workspace.caller.patch(url, { outline: "## Alpha\nFirst.\n\n## Beta\nSecond." });
    const streamed = await workspace.caller.post(`${url}/generate-from-outline`, undefined, {
      accept: "text/event-stream",
    });
    expect(streamed.headers.get("content-type")).toContain("text/event-stream");
    const events = streamed.text.split("\n\n").flatMap((block) => /^event: (\w+)/.exec(block)?.[1] ?? []);
    expect(events.filter((event) => event === "section")).toHaveLength(2);
    expect(events.filter((event) => event === "delta").length).toBeGreaterThan(4);
    expect(events.at(-1)).toBe("done");
    backend.ai.faults.mode = "server-error";
    const failed = await workspace.caller.post(`${url}/generate-outline`, undefined, { accept: "text/event-stream" });
    expect(failed.text).toContain("event: error");
    expect(failed.text).toContain("AI_PROVIDER_ERROR");
  });
});

import type { ContentOut, ContentSummary } from "@/lib/features/content/schema";
import { type Backend, startBackend } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newDesk, newPiece, revisionsOf } from "@/tests/support/factories";

let backend: Backend;

beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => backend.close());
afterEach(() => backend.ai.faults.clear());

type Failed = { type: string; error: string };

async function deskWithKey() {
  const desk = await newDesk();
  await desk.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
  return desk;
}

describe("keyword suggestions", () => {
  it("asks for a key with the sentence of this call", async () => {
    const { caller, topicId } = await newDesk();
    const answer = await caller.post<Failed>(`/api/topics/${topicId}/suggest-keywords`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      type: "MISSING_API_KEY",
      error: "Please add your OpenAI API key in the settings page to use AI suggestions.",
    });
  });

  it("suggests ten new keywords, and saves them when asked to", async () => {
    const { caller, topicId } = await deskWithKey();
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
  it("makes the asked number for each keyword, keeps what they came from, and never twice the same", async () => {
    const { caller, projectId, topicId } = await deskWithKey();
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

  it("keeps the other keywords' ideas when one fails, and says which", async () => {
    const { caller, projectId, topicId } = await deskWithKey();
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

  it("answers the provider's failure when all fail, and validates what it is asked", async () => {
    const { caller, projectId, topicId } = await deskWithKey();
    await caller.post(`/api/topics/${topicId}/keywords`, { keyword: "one" });
    const url = `/api/projects/${projectId}/generate-content-ideas`;
    backend.ai.faults.mode = "unauthorized";
    expect((await caller.post<Failed>(url, { topicId })).body.type).toBe("INVALID_API_KEY");
    backend.ai.faults.mode = { kind: "rate-limit", retryAfter: "7" };
    const limited = await caller.post<Failed>(url, { topicId });
    expect([limited.status, limited.body.type, limited.headers.get("retry-after")]).toEqual([
      429,
      "AI_RATE_LIMITED",
      "7",
    ]);
    for (const ideasPerKeyword of [0, 11, 1.5, "3"]) {
      expect((await caller.post<Failed>(url, { topicId, ideasPerKeyword })).body.type).toBe("VALIDATION_ERROR");
    }
    const other = await newDesk();
    expect((await caller.post(url, { topicId: other.topicId })).status).toBe(404);
  });
});

describe("one piece: outline and content", () => {
  it("plans and then writes it; what was there stays as a revision", async () => {
    const desk = await deskWithKey();
    const url = `/api/content/${await newPiece(desk, desk)}`;
    expect((await desk.caller.post<Failed>(`${url}/generate-from-outline`)).body.type).toBe("OUTLINE_REQUIRED");
    const planned = await desk.caller.post<{ message: string; outline: ContentOut }>(`${url}/generate-outline`);
    expect(planned).toMatchObject({
      status: 200,
      body: { message: "Outline generated", outline: { isOutline: true } },
    });
    const headings = planned.body.outline.outline?.match(/^## .+$/gm) ?? [];
    expect(headings.length).toBeGreaterThanOrEqual(5);
    const written = await desk.caller.post<{ content: ContentOut }>(`${url}/generate-from-outline`);
    expect(written.body.content.body.match(/^## .+$/gm)).toEqual(headings);
    expect(written.body.content).toMatchObject({ isTitleOnly: false, hasBody: true });
    expect(written.body.content.wordCount).toBeGreaterThan(600);
    const revisions = await revisionsOf(desk, url);
    expect(revisions[0]).toMatchObject({ author: "ai", promptVersion: "section-1", model: expect.any(String) });
  });

  it("goes on where it stopped after a failure, asking for no section twice", async () => {
    const desk = await deskWithKey();
    const url = `/api/content/${await newPiece(desk, desk)}`;
    await desk.caller.patch(url, { outline: "## Alpha\nFirst.\n\n## Beta\nSecond.\n\n## Gamma\nThird." });
    backend.ai.faults.next([null, null, "server-error"]);
    const failed = await desk.caller.post<Failed>(`${url}/generate-from-outline`);
    expect([failed.status, failed.body.type]).toEqual([502, "AI_PROVIDER_ERROR"]);
    expect((await desk.caller.get<ContentOut>(url)).body).toMatchObject({ body: "", status: "draft" });
    const before = backend.ai.requests.length;
    const written = await desk.caller.post<{ content: ContentOut }>(`${url}/generate-from-outline`);
    expect(written.status).toBe(200);
    expect(backend.ai.requests.length - before).toBe(1);
    expect(written.body.content.body.match(/^## .+$/gm)).toEqual(["## Alpha", "## Beta", "## Gamma"]);
  });

  it.each([
    ["25,000 underlined headings", "a\n=\n".repeat(25_000), "25,000"],
    ["headings", "## a\n".repeat(20_000), "20,000"],
    ["items of a list", "- a\n".repeat(101), "101"],
  ])("refuses an outline of too many sections before anything is paid for: %s", async (_what, outline, count) => {
    const desk = await deskWithKey();
    const url = `/api/content/${await newPiece(desk, desk)}`;
    const { body: before } = await desk.caller.patch<ContentOut>(url, { outline });
    const asked = backend.ai.requests.length;
    const refused = await desk.caller.post<Failed>(`${url}/generate-from-outline`);
    expect(refused).toMatchObject({
      status: 422,
      body: {
        type: "TOO_COMPLEX",
        error: `This outline has ${count} sections; at most 100 can be written. Join some of them or divide the outline, then try again.`,
      },
    });
    expect(backend.ai.requests).toHaveLength(asked);
    expect((await desk.caller.get<ContentOut>(url)).body).toEqual(before);
  });

  it("keeps an edit made while it was writing, and the AI text as a revision", async () => {
    const desk = await deskWithKey();
    const id = await newPiece(desk, desk);
    const url = `/api/content/${id}`;
    const headings = Array.from({ length: 12 }, (_, n) => `## Part ${n + 1}\nWhat it says.`);
    await desk.caller.patch(url, { outline: headings.join("\n\n") });
    const answer = await desk.caller.respond("POST", `${url}/generate-from-outline`, undefined, {
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
    expect((await desk.caller.get<ContentOut>(url)).body.body).toBe("typed meanwhile");
    const kept = (await revisionsOf(desk, url)).find(({ author }) => author === "ai");
    expect(kept).toMatchObject({ version: null, body: expect.stringContaining("## Part 12") });
  });

  it("works on a piece once at a time", async () => {
    const desk = await deskWithKey();
    await desk.caller.patch("/api/user/settings", { openaiApiKey: `${backend.ai.apiKey}-300` });
    const url = `/api/content/${await newPiece(desk, desk)}`;
    const both = await Promise.all([1, 2].map(() => desk.caller.post<Failed>(`${url}/generate-outline`)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("is said of a piece while it goes on, and no longer than its lease", async () => {
    const desk = await deskWithKey();
    const id = await newPiece(desk, desk, { title: "Slow compost" });
    const lease = (until: string) =>
      query(
        `INSERT INTO leases (kind, subject, user_id, content_piece_id, token, until)
         SELECT 'writing', id, user_id, id, gen_random_uuid(), ${until} FROM content_pieces WHERE id = $1
         ON CONFLICT (kind, subject) DO UPDATE SET until = excluded.until`,
        [id],
      );
    const isBeingWritten = async () => (await desk.caller.get<ContentOut>(`/api/content/${id}`)).body.isBeingWritten;
    expect(await isBeingWritten()).toBe(false);
    await lease("now() + interval '1 minute'");
    expect(await isBeingWritten()).toBe(true);
    await lease("now() - interval '1 second'");
    expect(await isBeingWritten()).toBe(false);
    const answer = await desk.caller.post<{ outline: ContentOut }>(`/api/content/${id}/generate-outline`);
    expect(answer.body.outline.isBeingWritten).toBe(false);
  });

  it("streams sections and words to a caller that asks for events", async () => {
    const desk = await deskWithKey();
    const url = `/api/content/${await newPiece(desk, desk)}`;
    await desk.caller.patch(url, { outline: "## Alpha\nFirst.\n\n## Beta\nSecond." });
    const streamed = await desk.caller.post(`${url}/generate-from-outline`, undefined, { accept: "text/event-stream" });
    expect(streamed.headers.get("content-type")).toContain("text/event-stream");
    const events = streamed.text.split("\n\n").flatMap((block) => /^event: (\w+)/.exec(block)?.[1] ?? []);
    expect(events.filter((event) => event === "section")).toHaveLength(2);
    expect(events.filter((event) => event === "delta").length).toBeGreaterThan(4);
    expect(events.at(-1)).toBe("done");
    backend.ai.faults.mode = "server-error";
    const failed = await desk.caller.post(`${url}/generate-outline`, undefined, { accept: "text/event-stream" });
    expect(failed.text).toContain("event: error");
    expect(failed.text).toContain("AI_PROVIDER_ERROR");
  });
});

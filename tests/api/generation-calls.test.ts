import { randomUUID } from "node:crypto";
import { sendEvents } from "@/lib/events/send";
import { MAX_PIECES } from "@/lib/features/content/rules";
import { IDEAS_BUDGET_MS } from "@/lib/features/generation/rules";
import { MAX_KEYWORDS } from "@/lib/features/topics/schema";
import { log } from "@/lib/log";
import type { SampleAiProvider } from "@/tests/support/ai-provider";
import { query } from "@/tests/support/db";
import { newProject, newTopic } from "@/tests/support/factories";
import {
  deskWithKey,
  type GenerationDesk,
  givenTo,
  refusing,
  startProvider,
  underWay,
} from "@/tests/support/generation-desk";

// What the provider is asked, what is stored of its answers, and what is refused before it is asked: without an engine.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));

let ai: SampleAiProvider;
beforeAll(async () => {
  ai = await startProvider();
});
afterAll(() => ai.close());
beforeEach(() => {
  ai.requests.length = 0;
  jest.mocked(sendEvents).mockResolvedValue({ ids: [], endedAbsence: false });
});
afterEach(() => {
  ai.faults.clear();
  ai.texts.length = 0;
});

const newDesk = () => deskWithKey(ai);
const leasesOf = ({ id }: { id: string }) => query("SELECT kind FROM leases WHERE user_id = $1", [id]);

const CALLS: [string, string, (desk: GenerationDesk, piece: string) => Promise<{ status: number; body: unknown }>][] = [
  ["keywords", "keywords", (desk) => desk.suggest()],
  ["keywords that are saved", "keywords", (desk) => desk.suggest("?autoSave=true")],
  ["ideas", "ideas", (desk) => desk.ideas(1)],
  ["an outline", "writing", (desk, piece) => desk.plan(piece)],
  ["a text", "writing", (desk, piece) => desk.write(piece)],
];

describe.each(CALLS)("a call for %s", (_what, kind, call) => {
  async function ready() {
    const desk = await newDesk();
    await desk.keywords("seed trays");
    const piece = await desk.piece({ outline: "## Alpha\nFirst." });
    return { desk, piece, subject: kind === "writing" ? piece : String(desk.topicId) };
  }

  it("lets go of what it held, after an answer and after a failure", async () => {
    const { desk, piece } = await ready();
    const { answer } = await underWay(ai, () => call(desk, piece));
    expect(await leasesOf(desk)).toEqual([{ kind }]);
    expect((await answer()).status).toBe(200);
    expect(await leasesOf(desk)).toEqual([]);
    ai.faults.mode = "server-error";
    await query("UPDATE content_pieces SET body = '' WHERE id = $1", [piece]);
    expect((await call(desk, piece)).status).toBe(502);
    expect(await leasesOf(desk)).toEqual([]);
  });

  it("is refused while another one holds it, and leaves that one's lease", async () => {
    const { desk, piece, subject } = await ready();
    const token = randomUUID();
    await query(
      "INSERT INTO leases (kind, subject, user_id, token, until) VALUES ($1, $2, $3, $4, now() + interval '1 minute')",
      [kind, subject, desk.id, token],
    );
    const { status, body } = await call(desk, piece);
    expect([status, body]).toEqual([409, expect.objectContaining({ type: "ALREADY_RUNNING" })]);
    expect(body).not.toHaveProperty("jobId");
    expect(ai.requests).toEqual([]);
    expect(await query("SELECT token FROM leases WHERE user_id = $1", [desk.id])).toEqual([{ token }]);
  });

  it("finds nothing of another person's, and asks for nothing", async () => {
    const { desk, piece } = await ready();
    const stranger = await newDesk();
    const theirs = { ...desk, ...(await callsOf(stranger, desk)) };
    expect(await call(theirs, piece)).toMatchObject({ status: 404, body: { type: "NOT_FOUND" } });
    expect(ai.requests).toEqual([]);
  });

  it("needs a key, and says so with its own sentence", async () => {
    const { desk, piece } = await ready();
    await desk.caller.patch("/api/user/settings", { openaiApiKey: null });
    const error =
      kind === "keywords"
        ? "Please add your OpenAI API key in the settings page to use AI suggestions."
        : "OpenAI API key not found. Please add your API key in the settings page.";
    expect(await call(desk, piece)).toMatchObject({ status: 400, body: { type: "MISSING_API_KEY", error } });
    expect(await leasesOf(desk)).toEqual([]);
  });
});

/** The calls of one person, for what is another's. */
async function callsOf(
  { caller }: GenerationDesk,
  { projectId, topicId }: GenerationDesk,
): Promise<Partial<GenerationDesk>> {
  return {
    suggest: (how = "") => caller.post(`/api/topics/${topicId}/suggest-keywords${how}`),
    ideas: (ideasPerKeyword) =>
      caller.post(`/api/projects/${projectId}/generate-content-ideas`, { topicId, ideasPerKeyword }),
    plan: (id) => caller.post(`/api/content/${id}/generate-outline`),
    write: (id) => caller.post(`/api/content/${id}/generate-from-outline`),
  };
}

describe("keywords", () => {
  const fill = ({ topicId }: GenerationDesk, count: number) =>
    query("INSERT INTO keywords (topic_id, keyword) SELECT $1, 'k' || n FROM generate_series(1, $2::int) n", [
      topicId,
      count,
    ]);
  const promised = async ({ topicId }: GenerationDesk) =>
    (await query<{ n: number }>("SELECT promised_keywords AS n FROM topics WHERE id = $1", [topicId]))[0]?.n;

  it("are asked for with the project, the topic, the persona and the keywords there are", async () => {
    const desk = await newDesk();
    await desk.caller.patch(`/api/projects/${desk.projectId}`, { description: "For small flats." });
    const persona = { name: "Tessa", age: 34, description: "Rents.", interests: ["food"], challenges: ["light"] };
    await desk.caller.post(`/api/projects/${desk.projectId}/buyer-persona`, persona);
    await desk.keywords("seed trays", "grow lights");
    const { body } = await desk.suggest();
    expect(body).toEqual({ saved: false, savedKeywords: [], keywords: expect.any(Array) });
    expect(body.keywords).toHaveLength(10);
    expect(ai.requests.map(givenTo)).toEqual([
      {
        project: { title: "Spring planting guide", description: "For small flats." },
        topic: {
          name: "Seed starting indoors",
          description: "From packet to potting up: mixes, light and warmth.",
          category: null,
        },
        persona,
        "existing-keywords": ["seed trays", "grow lights"],
      },
    ]);
  });

  it.each(["", "?autoSave=true"])(
    "are no more than the topic has room for, and none where it is full%s",
    async (how) => {
      const desk = await newDesk();
      await fill(desk, MAX_KEYWORDS - 1);
      expect((await desk.suggest(how)).body.keywords).toHaveLength(1);
      await query("DELETE FROM keywords WHERE topic_id = $1", [desk.topicId]);
      await fill(desk, MAX_KEYWORDS);
      ai.requests.length = 0;
      expect(await desk.suggest(how)).toMatchObject({ status: 400, body: { type: "VALIDATION_ERROR" } });
      expect(ai.requests).toEqual([]);
    },
  );

  it("are saved, or their places given back: when they do not come, and when they cannot be saved", async () => {
    const desk = await newDesk();
    const { body } = await desk.suggest("?autoSave=true");
    expect(body).toEqual({ saved: true, savedKeywords: expect.any(Array), keywords: expect.any(Array) });
    expect([body.savedKeywords.length, body.keywords.length, await promised(desk)]).toEqual([10, 10, 0]);
    ai.faults.next(["server-error"]);
    expect((await desk.suggest("?autoSave=true")).status).toBe(502);
    expect(await promised(desk)).toBe(0);
    const warned = jest.spyOn(log, "warn");
    const disk = await refusing("keywords", `NEW.topic_id = ${desk.topicId}`);
    try {
      const paid = await desk.suggest("?autoSave=true");
      expect(paid).toMatchObject({ status: 200, body: { saved: false, savedKeywords: [] } });
      expect(paid.body.keywords).toHaveLength(10);
    } finally {
      await disk.forgive();
    }
    expect(await promised(desk)).toBe(0);
    expect(warned).toHaveBeenCalledWith(expect.anything(), "paid keywords were not saved");
  });
});

describe("ideas", () => {
  /** Places that another process of this person's project was promised. */
  const promise = ({ projectId }: GenerationDesk, count: number) =>
    query("UPDATE projects SET promised_pieces = $2, promised_until = now() + interval '1 hour' WHERE id = $1", [
      projectId,
      count,
    ]);
  const promised = async ({ projectId }: GenerationDesk) =>
    (await query<{ n: number }>("SELECT promised_pieces AS n FROM projects WHERE id = $1", [projectId]))[0]?.n;
  const ideaOf = (title: string) =>
    JSON.stringify({ ideas: [{ title, angle: "Which of them.", intent: "informational" }] });
  const TITLE = "Seed trays: which size suits a windowsill best";

  it("are asked for where there are fewest, in the topic's order among equals", async () => {
    const desk = await newDesk();
    await desk.keywords("has one", "has two", "has none", "has none either");
    for (const focus_keyword of ["Has one", "has Two", "has two", null]) await desk.piece({ focus_keyword });
    await promise(desk, 5);
    const { body } = await desk.ideas(1);
    expect(body.message).toBe("4 content ideas created.");
    expect(body.contentIdeas.map(({ focusKeyword }) => focusKeyword)).toEqual([
      "has none",
      "has none either",
      "has one",
      "has two",
    ]);
    expect(ai.requests.map((request) => givenTo(request).keyword).sort()).toEqual([
      "has none",
      "has none either",
      "has one",
      "has two",
    ]);
    expect(await promised(desk)).toBe(5);
  });

  it("are asked for with the persona and every title of the project", async () => {
    const desk = await newDesk();
    const persona = { name: "Tessa", age: 34, description: "Rents.", interests: [], challenges: [] };
    await desk.caller.post(`/api/projects/${desk.projectId}/buyer-persona`, persona);
    await desk.keywords("seed trays");
    await desk.piece({ title: "What there is" });
    expect((await desk.ideas(2)).body.message).toBe("2 content ideas created.");
    const [request] = ai.requests;
    if (!request) throw new Error("nothing was asked");
    expect(givenTo(request)).toMatchObject({ persona, keyword: "seed trays", "existing-titles": ["What there is"] });
    expect(JSON.stringify(request.body.messages)).toContain("exactly 2 article ideas");
  });

  it("of other keywords are kept when one of them gets no answer, and its places given back", async () => {
    const desk = await newDesk();
    await desk.keywords("seed trays", "grow lights");
    await promise(desk, 5);
    ai.faults.matching("grow lights", "server-error");
    const { body } = await desk.ideas(1);
    expect(body.message).toBe("1 content idea created. No answer for: grow lights. Try again for those.");
    expect(body.contentIdeas).toHaveLength(1);
    expect(await promised(desk)).toBe(5);
  });

  it("fail with the first failure where none came, and give all places back", async () => {
    const desk = await newDesk();
    await desk.keywords("seed trays", "grow lights");
    await promise(desk, 5);
    ai.faults.matching("seed trays", "unauthorized");
    ai.faults.matching("grow lights", "server-error");
    expect(await desk.ideas(2)).toMatchObject({ status: 400, body: { type: "INVALID_API_KEY" } });
    expect(await promised(desk)).toBe(5);
  });

  it("are asked for as far as the project has room, and not at all in a full one", async () => {
    const desk = await newDesk();
    await desk.keywords("seed trays", "grow lights");
    await promise(desk, MAX_PIECES - 3);
    const { body } = await desk.ideas(2);
    expect(body.message).toBe(
      "2 content ideas created. Not asked yet: grow lights. Create ideas again to go on with them.",
    );
    expect([ai.requests.length, await promised(desk)]).toEqual([1, MAX_PIECES - 3]);
    ai.requests.length = 0;
    expect((await desk.ideas(2)).body).toMatchObject({
      type: "VALIDATION_ERROR",
      error: expect.stringMatching(/^This project has 10,000 pieces/),
    });
    expect([ai.requests, await promised(desk)]).toEqual([[], MAX_PIECES - 3]);
  });

  it("that are missing are asked for once more, with the titles that came", async () => {
    const desk = await newDesk();
    await desk.keywords("seed trays");
    // An answer with too few is asked for again, and then taken.
    ai.texts.push(ideaOf(TITLE), ideaOf(TITLE));
    expect((await desk.ideas(2)).body.message).toBe("2 content ideas created.");
    expect(ai.requests.map((request) => givenTo(request)["existing-titles"])).toEqual([undefined, undefined, [TITLE]]);
    expect(JSON.stringify(ai.requests[2]?.body.messages)).toContain("exactly 1 article ideas");
  });

  it("that are missing still give their places back, and those that came stay", async () => {
    const desk = await newDesk();
    await desk.keywords("seed trays");
    await promise(desk, 5);
    ai.texts.push(ideaOf(TITLE), ideaOf(TITLE));
    ai.faults.next([null, null, "server-error"]);
    const { body } = await desk.ideas(2);
    expect([body.message, body.contentIdeas.length]).toEqual(["1 content idea created.", 1]);
    expect([ai.requests.length, await promised(desk)]).toEqual([3, 5]);
  });

  it("of a topic that is deleted meanwhile are refused with the reason", async () => {
    const desk = await newDesk();
    await desk.keywords("seed trays");
    const { answer } = await underWay(ai, () => desk.ideas(1));
    await desk.caller.delete(`/api/topics/${desk.topicId}`);
    expect(await answer()).toMatchObject({
      status: 404,
      body: { error: "This topic was deleted while ideas for it were created." },
    });
    expect(await promised(desk)).toBe(0);
  });

  it("are not asked for once their time is over", async () => {
    const desk = await newDesk();
    await desk.keywords("seed trays");
    const timeout = jest
      .spyOn(AbortSignal, "timeout")
      .mockReturnValue(AbortSignal.abort(new DOMException("Over.", "TimeoutError")));
    expect(await desk.ideas(1)).toMatchObject({ status: 504, body: { type: "AI_TIMEOUT" } });
    expect([ai.requests, timeout.mock.calls]).toEqual([[], [[IDEAS_BUDGET_MS]]]);
  });

  it("that cannot be stored are logged, unlike a failure of the provider", async () => {
    const desk = await newDesk();
    await desk.keywords("seed trays", "grow lights", "heat mats", "damping off");
    for (const keyword of ["grow lights", "heat mats"]) ai.faults.matching(keyword, "server-error");
    const warned = jest.spyOn(log, "warn");
    const disk = await refusing("content_pieces", "NEW.focus_keyword = 'damping off'");
    try {
      const { body } = await desk.ideas(1);
      expect(body.message).toBe(
        "1 content idea created. No answer for: grow lights, heat mats, damping off. Try again for those.",
      );
    } finally {
      await disk.forgive();
    }
    expect(warned.mock.calls.filter(([, text]) => text === "ideas of one keyword failed")).toHaveLength(1);
  });

  it("are not asked for without a keyword, or of a topic of another project", async () => {
    const desk = await newDesk();
    expect((await desk.ideas(1)).body.type).toBe("NO_KEYWORDS");
    const elsewhere = await newTopic(desk, await newProject(desk));
    expect(await desk.ideas(1, elsewhere)).toMatchObject({
      status: 404,
      body: { error: "This topic was not found in this project." },
    });
    expect(ai.requests).toEqual([]);
  });
});

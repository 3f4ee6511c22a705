import { randomUUID } from "node:crypto";
import { MAX_PIECES } from "@/lib/features/content/rules";
import { IDEAS_BUDGET_MS } from "@/lib/features/generation/rules";
import { MAX_KEYWORDS } from "@/lib/features/topics/schema";
import { log } from "@/lib/log";
import { query } from "@/tests/support/db";
import { newProject, newTopic } from "@/tests/support/factories";
import {
  callInFlight,
  type GenerationWorkspace,
  promptData,
  rejectRows,
  sampleProvider,
  workspaceWithKey,
} from "@/tests/support/generation-workspace";
import { createGate, untilAsked } from "@/tests/support/queue-workspace";

// Direct calls, without an engine: what is asked of the provider, what is stored, and what is refused beforehand.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));

const ai = sampleProvider();

const newWorkspace = () => workspaceWithKey(ai);
const leasesOf = ({ id }: { id: string }) => query("SELECT kind FROM leases WHERE user_id = $1", [id]);

const CALLS: [
  string,
  string,
  (workspace: GenerationWorkspace, piece: string) => Promise<{ status: number; body: unknown }>,
][] = [
  ["keywords", "keywords", (workspace) => workspace.suggest()],
  ["keywords that are saved", "keywords", (workspace) => workspace.suggest("?autoSave=true")],
  ["ideas", "ideas", (workspace) => workspace.ideas(1)],
  ["an outline", "writing", (workspace, piece) => workspace.plan(piece)],
  ["a text", "writing", (workspace, piece) => workspace.write(piece)],
];

describe.each(CALLS)("a call for %s", (_what, kind, call) => {
  async function ready() {
    const workspace = await newWorkspace();
    await workspace.keywords("seed trays");
    const piece = await workspace.piece({ outline: "## Alpha\nFirst." });
    return { workspace, piece, subject: kind === "writing" ? piece : String(workspace.topicId) };
  }

  it("releases its lease after a success and after a failure", async () => {
    const { workspace, piece } = await ready();
    const { answer } = await callInFlight(ai, () => call(workspace, piece));
    expect(await leasesOf(workspace)).toEqual([{ kind }]);
    expect((await answer()).status).toBe(200);
    expect(await leasesOf(workspace)).toEqual([]);
    ai.faults.mode = "server-error";
    await query("UPDATE content_pieces SET body = '' WHERE id = $1", [piece]);
    expect((await call(workspace, piece)).status).toBe(502);
    expect(await leasesOf(workspace)).toEqual([]);
  });

  it("is refused while another call holds the lease, and leaves that lease alone", async () => {
    const { workspace, piece, subject } = await ready();
    const token = randomUUID();
    await query(
      "INSERT INTO leases (kind, subject, user_id, token, until) VALUES ($1, $2, $3, $4, now() + interval '1 minute')",
      [kind, subject, workspace.id, token],
    );
    const { status, body } = await call(workspace, piece);
    expect([status, body]).toEqual([409, expect.objectContaining({ type: "ALREADY_RUNNING" })]);
    expect(body).not.toHaveProperty("jobId");
    expect(ai.requests).toEqual([]);
    expect(await query("SELECT token FROM leases WHERE user_id = $1", [workspace.id])).toEqual([{ token }]);
  });

  it("finds nothing of another user's, and makes no request to the provider", async () => {
    const { workspace, piece } = await ready();
    const stranger = await newWorkspace();
    const theirs = { ...workspace, ...(await callsOf(stranger, workspace)) };
    expect(await call(theirs, piece)).toMatchObject({ status: 404, body: { type: "NOT_FOUND" } });
    expect(ai.requests).toEqual([]);
  });

  it("needs a key, and says so in its own words", async () => {
    const { workspace, piece } = await ready();
    await workspace.caller.patch("/api/user/settings", { openaiApiKey: null });
    const error =
      kind === "keywords"
        ? "Please add your OpenAI API key in the settings page to use AI suggestions."
        : "OpenAI API key not found. Please add your API key in the settings page.";
    expect(await call(workspace, piece)).toMatchObject({ status: 400, body: { type: "MISSING_API_KEY", error } });
    expect(await leasesOf(workspace)).toEqual([]);
  });
});

/** One user's calls on another user's data. */
async function callsOf(
  { caller }: GenerationWorkspace,
  { projectId, topicId }: GenerationWorkspace,
): Promise<Partial<GenerationWorkspace>> {
  return {
    suggest: (how = "") => caller.post(`/api/topics/${topicId}/suggest-keywords${how}`),
    ideas: (ideasPerKeyword) =>
      caller.post(`/api/projects/${projectId}/generate-content-ideas`, { topicId, ideasPerKeyword }),
    plan: (id) => caller.post(`/api/content/${id}/generate-outline`),
    write: (id) => caller.post(`/api/content/${id}/generate-from-outline`),
  };
}

describe("keywords", () => {
  const fill = ({ topicId }: GenerationWorkspace, count: number) =>
    query("INSERT INTO keywords (topic_id, keyword) SELECT $1, 'k' || n FROM generate_series(1, $2::int) n", [
      topicId,
      count,
    ]);
  const reserved = async ({ topicId }: GenerationWorkspace) =>
    (await query<{ n: number }>("SELECT reserved_keywords AS n FROM topics WHERE id = $1", [topicId]))[0]?.n;

  it("are requested with the project, topic, persona and existing keywords", async () => {
    const workspace = await newWorkspace();
    await workspace.caller.patch(`/api/projects/${workspace.projectId}`, { description: "For small flats." });
    const persona = { name: "Tessa", age: 34, description: "Rents.", interests: ["food"], challenges: ["light"] };
    await workspace.caller.post(`/api/projects/${workspace.projectId}/buyer-persona`, persona);
    await workspace.keywords("seed trays", "grow lights");
    const { body } = await workspace.suggest();
    expect(body).toEqual({ saved: false, savedKeywords: [], keywords: expect.any(Array) });
    expect(body.keywords).toHaveLength(10);
    expect(ai.requests.map(promptData)).toEqual([
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
      const workspace = await newWorkspace();
      await fill(workspace, MAX_KEYWORDS - 1);
      expect((await workspace.suggest(how)).body.keywords).toHaveLength(1);
      await query("DELETE FROM keywords WHERE topic_id = $1", [workspace.topicId]);
      await fill(workspace, MAX_KEYWORDS);
      ai.requests.length = 0;
      expect(await workspace.suggest(how)).toMatchObject({ status: 400, body: { type: "VALIDATION_ERROR" } });
      expect(ai.requests).toEqual([]);
    },
  );

  it("are saved, or their places released when the provider fails or they cannot be saved", async () => {
    const workspace = await newWorkspace();
    const { body } = await workspace.suggest("?autoSave=true");
    expect(body).toEqual({ saved: true, savedKeywords: expect.any(Array), keywords: expect.any(Array) });
    expect([body.savedKeywords.length, body.keywords.length, await reserved(workspace)]).toEqual([10, 10, 0]);
    ai.faults.next(["server-error"]);
    expect((await workspace.suggest("?autoSave=true")).status).toBe(502);
    expect(await reserved(workspace)).toBe(0);
    const warned = jest.spyOn(log, "warn");
    const disk = await rejectRows("keywords", `NEW.topic_id = ${workspace.topicId}`);
    try {
      const paid = await workspace.suggest("?autoSave=true");
      expect(paid).toMatchObject({ status: 200, body: { saved: false, savedKeywords: [] } });
      expect(paid.body.keywords).toHaveLength(10);
    } finally {
      await disk.forgive();
    }
    expect(await reserved(workspace)).toBe(0);
    expect(warned).toHaveBeenCalledWith(expect.anything(), "paid keywords were not saved");
  });
});

describe("keywords near to another", () => {
  const answerOf = (...keywords: string[]) =>
    JSON.stringify({ keywords: keywords.map((keyword) => ({ keyword, intent: "informational" })) });
  const NINE = ["heat mats", "soil mix", "moss", "peat", "damp", "lamps", "trays", "labels", "pots"];

  it.each([
    ["", 0],
    ["?autoSave=true", 10],
  ])("are requested once more, then kept and named%s", async (how, saved) => {
    const workspace = await newWorkspace();
    await workspace.keywords("basil seeds");
    ai.texts.push(answerOf(...NINE, "seeds of basil"), answerOf(...NINE, "seeds, basil"));
    const { body } = await workspace.suggest(how);
    expect(body.message).toBe("Close to another keyword: “seeds, basil”.");
    expect([ai.requests.length, body.keywords.length, body.savedKeywords.length]).toEqual([2, 10, saved]);
  });
});

describe("ideas", () => {
  /** Places in the project that another process has reserved. */
  const promise = ({ projectId }: GenerationWorkspace, count: number) =>
    query("UPDATE projects SET reserved_pieces = $2, reserved_until = now() + interval '1 hour' WHERE id = $1", [
      projectId,
      count,
    ]);
  const reserved = async ({ projectId }: GenerationWorkspace) =>
    (await query<{ n: number }>("SELECT reserved_pieces AS n FROM projects WHERE id = $1", [projectId]))[0]?.n;
  const ideaOf = (title: string) =>
    JSON.stringify({ ideas: [{ title, angle: "Which of them.", intent: "informational" }] });
  const TITLE = "Seed trays: which size suits a windowsill best";

  it("are requested for the keywords with the fewest pieces, in the topic's order among equals", async () => {
    const workspace = await newWorkspace();
    await workspace.keywords("has one", "has two", "has none", "has none either");
    for (const focus_keyword of ["Has one", "has Two", "has two", null]) await workspace.piece({ focus_keyword });
    await promise(workspace, 5);
    const { body } = await workspace.ideas(1);
    expect(body.message).toBe("4 content ideas created.");
    expect(body.contentIdeas.map(({ focusKeyword }) => focusKeyword)).toEqual([
      "has none",
      "has none either",
      "has one",
      "has two",
    ]);
    expect(ai.requests.map((request) => promptData(request).keyword).sort()).toEqual([
      "has none",
      "has none either",
      "has one",
      "has two",
    ]);
    expect(await reserved(workspace)).toBe(5);
  });

  it("are requested with the persona and every title of the project", async () => {
    const workspace = await newWorkspace();
    const persona = { name: "Tessa", age: 34, description: "Rents.", interests: [], challenges: [] };
    await workspace.caller.post(`/api/projects/${workspace.projectId}/buyer-persona`, persona);
    await workspace.keywords("seed trays");
    await workspace.piece({ title: "What there is" });
    expect((await workspace.ideas(2)).body.message).toBe("2 content ideas created.");
    const [request] = ai.requests;
    if (!request) throw new Error("nothing was asked");
    expect(promptData(request)).toMatchObject({ persona, keyword: "seed trays", "existing-titles": ["What there is"] });
    expect(JSON.stringify(request.body.messages)).toContain("exactly 2 article ideas");
  });

  it("of other keywords are kept when one fails, and its places are released", async () => {
    const workspace = await newWorkspace();
    await workspace.keywords("seed trays", "grow lights");
    await promise(workspace, 5);
    ai.faults.matching("grow lights", "server-error");
    const { body } = await workspace.ideas(1);
    expect(body.message).toBe("1 content idea created. No answer for: grow lights. Try again for those.");
    expect(body.contentIdeas).toHaveLength(1);
    expect(await reserved(workspace)).toBe(5);
  });

  it("fail with the first failure when all fail, and release all places", async () => {
    const workspace = await newWorkspace();
    await workspace.keywords("seed trays", "grow lights");
    await promise(workspace, 5);
    ai.faults.matching("seed trays", "unauthorized");
    ai.faults.matching("grow lights", "server-error");
    expect(await workspace.ideas(2)).toMatchObject({ status: 400, body: { type: "INVALID_API_KEY" } });
    expect(await reserved(workspace)).toBe(5);
  });

  it("are requested as far as the project has room, and not at all in a full one", async () => {
    const workspace = await newWorkspace();
    await workspace.keywords("seed trays", "grow lights");
    await promise(workspace, MAX_PIECES - 3);
    const { body } = await workspace.ideas(2);
    expect(body.message).toBe(
      "2 content ideas created. Not asked yet: grow lights. Create ideas again to continue with them.",
    );
    expect([ai.requests.length, await reserved(workspace)]).toEqual([1, MAX_PIECES - 3]);
    ai.requests.length = 0;
    expect((await workspace.ideas(2)).body).toMatchObject({
      type: "VALIDATION_ERROR",
      error: expect.stringMatching(/^This project has 10,000 pieces/),
    });
    expect([ai.requests, await reserved(workspace)]).toEqual([[], MAX_PIECES - 3]);
  });

  it("that are missing are requested once more, with the titles received so far", async () => {
    const workspace = await newWorkspace();
    await workspace.keywords("seed trays");
    // Too few ideas are requested once more, then accepted.
    ai.texts.push(ideaOf(TITLE), ideaOf(TITLE));
    expect((await workspace.ideas(2)).body.message).toBe("2 content ideas created.");
    expect(ai.requests.map((request) => promptData(request)["existing-titles"])).toEqual([
      undefined,
      undefined,
      [TITLE],
    ]);
    expect(JSON.stringify(ai.requests[2]?.body.messages)).toContain("exactly 1 article ideas");
  });

  it("near to another are requested once more, then kept and named", async () => {
    const workspace = await newWorkspace();
    await workspace.keywords("seed trays");
    await workspace.piece({ title: TITLE });
    const near = "Which size suits a windowsill best: seed trays";
    ai.texts.push(ideaOf(near), ideaOf(near));
    const { body } = await workspace.ideas(1);
    expect([body.message, body.contentIdeas.length]).toEqual([
      `1 content idea created. Close to another title: “${near}”.`,
      1,
    ]);
    expect(ai.requests).toHaveLength(2);
  });

  it("with a title that another keyword has just been given are requested once more", async () => {
    const workspace = await newWorkspace();
    await workspace.keywords("seed trays", "grow lights");
    ai.texts.push(ideaOf(TITLE), ideaOf(TITLE));
    const { body } = await workspace.ideas(1);
    expect([body.message, ai.requests.length]).toEqual(["2 content ideas created.", 3]);
    expect(body.contentIdeas.filter((idea) => idea.title === TITLE)).toHaveLength(1);
  });

  it("are requested once if their titles are as long as their script asks for", async () => {
    const workspace = await newWorkspace();
    await workspace.keywords("窗台 罗勒");
    ai.texts.push(ideaOf("冬天在窗台上种罗勒需要注意的几件事"));
    expect((await workspace.ideas(1)).body.message).toBe("1 content idea created.");
    expect(ai.requests).toHaveLength(1);
  });

  it("that are still missing release their places, and those received stay", async () => {
    const workspace = await newWorkspace();
    await workspace.keywords("seed trays");
    await promise(workspace, 5);
    ai.texts.push(ideaOf(TITLE), ideaOf(TITLE));
    ai.faults.next([null, null, "server-error"]);
    const { body } = await workspace.ideas(2);
    expect([body.message, body.contentIdeas.length]).toEqual(["1 content idea created.", 1]);
    expect([ai.requests.length, await reserved(workspace)]).toEqual([3, 5]);
  });

  it("of a topic that is deleted meanwhile are refused as topic not found", async () => {
    const workspace = await newWorkspace();
    await workspace.keywords("seed trays");
    const { answer } = await callInFlight(ai, () => workspace.ideas(1));
    await workspace.caller.delete(`/api/topics/${workspace.topicId}`);
    expect(await answer()).toMatchObject({
      status: 404,
      body: { error: "This topic was deleted while ideas for it were created." },
    });
    expect(await reserved(workspace)).toBe(0);
  });

  it("are not asked for after 55 seconds; answers to calls that were under way by then are saved", async () => {
    const workspace = await newWorkspace();
    await workspace.keywords("k1", "k2", "k3", "k4", "k5", "k6");
    const { until, open } = createGate();
    ai.faults.next(Array.from({ length: 4 }, () => ({ kind: "held", until })));
    const answer = workspace.ideas(2);
    await untilAsked({ ai }, 4);
    const clock = jest.spyOn(performance, "now").mockReturnValue(performance.now() + IDEAS_BUDGET_MS);
    // The first would be corrected by another call, and the second is one title short.
    ai.texts.push("No ideas.", ideaOf(TITLE));
    open();
    const { body } = await answer;
    clock.mockRestore();
    expect(body.message).toMatch(
      /^5 content ideas created\. No answer for: k\d\. Try again for those\. Not asked yet: k5, k6\. /,
    );
    expect([body.contentIdeas.length, ai.requests.length, await reserved(workspace)]).toEqual([5, 4, 0]);
  });

  it("that cannot be stored are logged; failures of the provider are not", async () => {
    const workspace = await newWorkspace();
    await workspace.keywords("seed trays", "grow lights", "heat mats", "damping off");
    for (const keyword of ["grow lights", "heat mats"]) ai.faults.matching(keyword, "server-error");
    const warned = jest.spyOn(log, "warn");
    const disk = await rejectRows("content_pieces", "NEW.focus_keyword = 'damping off'");
    try {
      const { body } = await workspace.ideas(1);
      expect(body.message).toBe(
        "1 content idea created. No answer for: grow lights, heat mats, damping off. Try again for those.",
      );
    } finally {
      await disk.forgive();
    }
    expect(warned.mock.calls.filter(([, text]) => text === "ideas of one keyword failed")).toHaveLength(1);
  });

  it("are not requested without a keyword, or for a topic of another project", async () => {
    const workspace = await newWorkspace();
    expect((await workspace.ideas(1)).body.type).toBe("NO_KEYWORDS");
    const elsewhere = await newTopic(workspace, await newProject(workspace));
    expect(await workspace.ideas(1, elsewhere)).toMatchObject({
      status: 404,
      body: { error: "This topic was not found in this project." },
    });
    expect(ai.requests).toEqual([]);
  });
});

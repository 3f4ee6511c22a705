import { prisma } from "@/lib/db/prisma";
import { sendEvents } from "@/lib/events/send";
import { keepSection } from "@/lib/features/generation/sql";
import { generateOutline, writeContent } from "@/lib/features/generation/writes/pieces";
import { hashOf } from "@/lib/features/generation/writes/section";
import type { SampleAiProvider } from "@/tests/support/ai-provider";
import { hold, query, waitingForLock } from "@/tests/support/db";
import {
  deskWithKey,
  type GenerationDesk,
  givenTo,
  sectionsOf,
  setAside,
  startProvider,
  textOf,
  underWay,
} from "@/tests/support/generation-desk";
import { outlineOf, SHORT } from "@/tests/support/queue-desk";
import { CONTENT, newItemOf, newJobOf, OUTLINE } from "@/tests/support/queue-rows";

// What the provider is asked for outlines and texts, and what becomes of its answers: without an engine.

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

describe("an outline", () => {
  it("is asked for with everything known of the piece, and what wrote it is kept with it", async () => {
    const desk = await newDesk();
    const about = { title: "Mixes", focus_keyword: "peat free", intent: "commercial", angle: "Cheaper." };
    const piece = await desk.piece({ ...about, outline: "## By hand" });
    await desk.piece({ title: "Its neighbour" });
    const { status, body } = await desk.plan(piece);
    expect([status, body]).toEqual([
      200,
      { message: "Outline generated", outline: expect.objectContaining({ id: piece, isBeingWritten: false }) },
    ]);
    expect(ai.requests.map(givenTo)).toMatchObject([
      {
        piece: { title: "Mixes", focusKeyword: "peat free", intent: "commercial", angle: "Cheaper." },
        "neighbour-titles": ["Its neighbour"],
      },
    ]);
    const revisions = await query(
      `SELECT author, outline, model, prompt_version FROM content_revisions WHERE content_piece_id = $1 ORDER BY created_at`,
      [piece],
    );
    expect(revisions).toEqual([
      { author: "user", outline: "## By hand", model: null, prompt_version: null },
      {
        author: "ai",
        outline: (await textOf(piece))?.outline,
        model: expect.stringContaining("-sample"),
        prompt_version: "outline-1",
      },
    ]);
  });

  it("tells a watcher that it begins, that it begins again, and its words", async () => {
    const desk = await newDesk();
    const piece = await desk.piece();
    ai.texts.push("No heading at all.");
    const sections: unknown[] = [];
    let words = "";
    await generateOutline(desk.actor, piece, {
      onSection: (section) => sections.push(section),
      onDelta: (delta) => {
        words += delta;
      },
    });
    const begun = { index: 0, count: 1, heading: "" };
    expect(sections).toEqual([
      { ...begun, restart: false },
      { ...begun, restart: true },
    ]);
    expect(words).toBe(`No heading at all.${(await textOf(piece))?.outline}`);
  });

  it("that took too long lies beside the piece that somebody else has by then", async () => {
    const desk = await newDesk();
    const piece = await desk.piece({ outline: "## By hand" });
    const { answer } = await underWay(ai, () => desk.plan(piece));
    await query("UPDATE leases SET token = gen_random_uuid() WHERE subject = $1", [piece]);
    expect(await answer()).toMatchObject({
      status: 409,
      body: { type: "ALREADY_RUNNING", error: expect.stringMatching(/^This took too long.* is kept\.$/) },
    });
    expect(await setAside(piece)).toEqual([{ body: "", outline: expect.stringMatching(/^## /) }]);
    expect(await textOf(piece)).toEqual({ body: "", outline: "## By hand" });
    expect(await query("SELECT kind FROM leases WHERE subject = $1", [piece])).toEqual([{ kind: "writing" }]);
  });
});

describe("a text", () => {
  const keep = (pieceId: string, outline: string, position: number) =>
    keepSection(
      prisma,
      pieceId,
      { outlineHash: hashOf(outline), position },
      { heading: `Part ${position + 1}`, text: `Kept ${position + 1}.` },
      { model: "tiny", promptVersion: "section-0", tokensIn: 100, tokensOut: 200, ms: 300 },
    );

  it("goes on from the sections that are kept, and spends them", async () => {
    const desk = await newDesk();
    const outline = outlineOf(3);
    const piece = await desk.piece({ outline });
    await keep(piece, outline, 0);
    const { status, body } = await desk.write(piece);
    expect([status, body]).toEqual([
      200,
      { message: expect.any(String), content: expect.objectContaining({ id: piece, isBeingWritten: false }) },
    ]);
    const given = ai.requests.map(givenTo);
    expect(given.map(({ section }) => section)).toMatchObject([
      { heading: "Part 2", brief: "What it says.", position: 2, of: 3 },
      { heading: "Part 3", position: 3, of: 3 },
    ]);
    expect(given[0]).toMatchObject({ outline, "text-so-far": "## Part 1\n\nKept 1." });
    expect((await textOf(piece))?.body).toMatch(/^## Part 1\n\nKept 1\.\n\n## Part 2\n\n.+## Part 3\n\n/s);
    expect(await sectionsOf(piece)).toEqual([]);
  });

  it("has a word about stock phrases in it", async () => {
    const desk = await newDesk();
    const piece = await desk.piece({ outline: "## Alpha" });
    ai.texts.push("Delve into it.", "Delve into it.");
    expect((await desk.write(piece)).body).toMatchObject({
      message: "Content generated successfully from outline. Some stock phrases may read better rewritten: “delve”.",
    });
  });

  it("tells a watcher of each section", async () => {
    const desk = await newDesk();
    const piece = await desk.piece({ outline: SHORT });
    const sections: unknown[] = [];
    await writeContent(desk.actor, piece, { onSection: (section) => sections.push(section) });
    expect(sections).toEqual([
      { index: 0, count: 2, heading: "Alpha", restart: false },
      { index: 1, count: 2, heading: "Beta", restart: false },
    ]);
  });

  it.each([
    ["none", null],
    ["nothing", " \n"],
    ["nothing but a fence", "```\n```"],
  ])("is not written from %s", async (_what, outline) => {
    const desk = await newDesk();
    const piece = await desk.piece({ outline });
    expect(await desk.write(piece)).toMatchObject({ status: 400, body: { type: "OUTLINE_REQUIRED" } });
    expect([ai.requests, (await textOf(piece))?.body]).toEqual([[], ""]);
  });

  it("stops once somebody else has the piece, and keeps the section under way", async () => {
    const desk = await newDesk();
    const piece = await desk.piece({ outline: SHORT });
    const { answer } = await underWay(ai, () => desk.write(piece));
    await query("UPDATE leases SET token = gen_random_uuid() WHERE subject = $1", [piece]);
    expect(await answer()).toMatchObject({
      status: 409,
      body: { type: "ALREADY_RUNNING", error: expect.stringMatching(/^This took too long/) },
    });
    expect(ai.requests).toHaveLength(1);
    expect(await sectionsOf(piece)).toMatchObject([{ position: 0, heading: "Alpha" }]);
  });

  it("stops once the piece is deleted, with the reason", async () => {
    const desk = await newDesk();
    const piece = await desk.piece({ outline: SHORT });
    const { answer } = await underWay(ai, () => desk.write(piece));
    await desk.caller.delete(`/api/content/${piece}`);
    expect(await answer()).toMatchObject({
      status: 404,
      body: { error: "This piece was deleted while it was being written." },
    });
    expect(ai.requests).toHaveLength(1);
  });

  it("does not land, nor spends its sections, when another one took the piece over before that", async () => {
    const desk = await newDesk();
    const piece = await desk.piece({ outline: SHORT });
    await keep(piece, SHORT, 0);
    await keep(piece, SHORT, 1);
    const slow = await hold("LOCK TABLE written_sections IN ACCESS EXCLUSIVE MODE");
    const writing = desk.write(piece);
    await waitingForLock();
    await query("UPDATE leases SET token = gen_random_uuid() WHERE subject = $1", [piece]);
    await slow.letGo();
    expect(await writing).toMatchObject({ status: 409, body: { error: expect.stringMatching(/^This took too long/) } });
    expect([(await textOf(piece))?.body, (await sectionsOf(piece)).length, await setAside(piece)]).toEqual(["", 2, []]);
  });
});

describe("a person's edit during the work", () => {
  it.each([
    ["an outline", null, (desk: GenerationDesk, id: string) => desk.plan(id)],
    ["a text", "## Alpha", (desk: GenerationDesk, id: string) => desk.write(id)],
  ])("stays, and %s lies beside it", async (_what, outline, call) => {
    const desk = await newDesk();
    const piece = await desk.piece({ outline });
    const { answer } = await underWay(ai, () => call(desk, piece));
    await query("UPDATE content_pieces SET body = 'Typed.' WHERE id = $1", [piece]);
    expect(await answer()).toMatchObject({
      status: 200,
      body: { message: expect.stringMatching(/^You edited this piece/) },
    });
    expect([await textOf(piece), await setAside(piece)]).toEqual([
      { body: "Typed.", outline },
      [expect.objectContaining(outline ? { outline } : { body: "Typed." })],
    ]);
    expect(await sectionsOf(piece)).toEqual([]);
  });
});

describe("a topic's queue", () => {
  const queue = ({ caller, topicId }: GenerationDesk, what: "outline" | "all-content") =>
    caller.post<{ type?: string; error?: string; jobId?: string }>(`/api/topics/${topicId}/generate-${what}-queue`);
  const jobsOf = ({ id }: { id: string }) =>
    query("SELECT job_type::text AS type, total_items AS items FROM processing_jobs WHERE user_id = $1", [id]);
  const [NONE, PLANNED, WRITTEN, UNPLANNED] = [
    "This topic has no content pieces yet. Create content ideas first.",
    "Every piece in this topic has an outline already. Create content ideas to add more.",
    "Every piece in this topic has a text already. Create content ideas to add more.",
    "No piece in this topic that needs a text has an outline yet. Generate outlines first.",
  ];

  it.each([
    ["outline", [], NONE],
    ["all-content", [], NONE],
    ["outline", [{ outline: SHORT }], PLANNED],
    ["all-content", [{ body: "Written." }], WRITTEN],
    ["all-content", [{}], UNPLANNED],
    ["all-content", [{}, { outline: SHORT, body: "Written." }, {}], UNPLANNED],
  ] as const)("of %s with the pieces %j has nothing to do, and says what would help", async (what, pieces, error) => {
    const desk = await newDesk();
    for (const piece of pieces) await desk.piece(piece);
    expect(await queue(desk, what)).toMatchObject({ status: 400, body: { type: "NOTHING_TO_DO", error } });
    expect(await jobsOf(desk)).toEqual([]);
  });

  it.each([
    ["outline", { outline: null }, OUTLINE],
    ["all-content", { outline: SHORT }, CONTENT],
  ] as const)("of %s takes one piece, and needs a key for it", async (what, piece, type) => {
    const desk = await newDesk();
    await desk.piece(piece);
    await desk.caller.patch("/api/user/settings", { openaiApiKey: null });
    expect((await queue(desk, what)).body.type).toBe("MISSING_API_KEY");
    expect(await jobsOf(desk)).toEqual([]);
    await desk.caller.patch("/api/user/settings", { openaiApiKey: ai.apiKey });
    expect((await queue(desk, what)).status).toBe(202);
    expect(await jobsOf(desk)).toEqual([{ type, items: 1 }]);
  });

  it("is one's own", async () => {
    const [desk, stranger] = [await newDesk(), await newDesk()];
    await desk.piece();
    expect(await queue({ ...stranger, topicId: desk.topicId }, "outline")).toMatchObject({
      status: 404,
      body: { type: "NOT_FOUND" },
    });
  });

  it("keeps a direct call from its piece, which names the job", async () => {
    const desk = await newDesk();
    const piece = await desk.piece({ outline: SHORT });
    const job = await newJobOf(desk);
    await newItemOf(job, { content_piece_id: piece });
    for (const call of [desk.plan, desk.write]) {
      expect(await call(piece)).toMatchObject({ status: 409, body: { type: "ALREADY_RUNNING", jobId: job.id } });
    }
    expect(ai.requests).toEqual([]);
  });
});

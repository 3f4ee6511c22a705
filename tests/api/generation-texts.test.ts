import { prisma } from "@/lib/db/prisma";
import { hashOutline, saveSection } from "@/lib/features/generation/sql";
import { generateOutline, writeContent } from "@/lib/features/generation/writes/pieces";

import { eventually } from "@/tests/support/backend";
import { holdTransaction, query } from "@/tests/support/db";
import {
  asideTexts,
  callInFlight,
  type GenerationWorkspace,
  promptData,
  sampleProvider,
  sectionsOf,
  textOf,
  workspaceWithKey,
} from "@/tests/support/generation-workspace";
import { CONTENT, newItemOf, newJobOf, OUTLINE } from "@/tests/support/queue-rows";
import { outlineOf, SHORT_OUTLINE } from "@/tests/support/queue-workspace";

// Direct generation of outlines and texts, without an engine: the requests, and what happens to the responses.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));

const ai = sampleProvider();

const newWorkspace = () => workspaceWithKey(ai);

describe("an outline", () => {
  it("is requested with everything known of the piece, and saved with its model and prompt version", async () => {
    const workspace = await newWorkspace();
    const about = { title: "Mixes", focus_keyword: "peat free", intent: "commercial", angle: "Cheaper." };
    const piece = await workspace.piece({ ...about, outline: "## By hand" });
    await workspace.piece({ title: "Its neighbour" });
    const { status, body } = await workspace.plan(piece);
    expect([status, body]).toEqual([
      200,
      { message: "Outline generated", outline: expect.objectContaining({ id: piece, isBeingWritten: false }) },
    ]);
    expect(ai.requests.map(promptData)).toMatchObject([
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
        prompt_version: "outline-2",
      },
    ]);
  });

  it("streams its start, its restart and its words", async () => {
    const workspace = await newWorkspace();
    const piece = await workspace.piece();
    ai.texts.push("No heading at all.");
    const sections: unknown[] = [];
    let words = "";
    await generateOutline(workspace.actor, piece, {
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

  it("that took too long becomes a revision when another call has taken the piece", async () => {
    const workspace = await newWorkspace();
    const piece = await workspace.piece({ outline: "## By hand" });
    const { answer } = await callInFlight(ai, () => workspace.plan(piece));
    await query("UPDATE leases SET token = gen_random_uuid() WHERE subject = $1", [piece]);
    expect(await answer()).toMatchObject({
      status: 409,
      body: { type: "ALREADY_RUNNING", error: expect.stringMatching(/^This took too long.* is kept\.$/) },
    });
    expect(await asideTexts(piece)).toEqual([{ body: "", outline: expect.stringMatching(/^## /) }]);
    expect(await textOf(piece)).toEqual({ body: "", outline: "## By hand" });
    expect(await query("SELECT kind FROM leases WHERE subject = $1", [piece])).toEqual([{ kind: "writing" }]);
  });
});

describe("a text", () => {
  const keep = (pieceId: string, outline: string, position: number) =>
    saveSection(
      prisma,
      pieceId,
      { outlineHash: hashOutline(outline), position },
      { heading: `Part ${position + 1}`, text: `Kept ${position + 1}.` },
      {
        model: "tiny",
        promptVersion: "section-0",
        tokensIn: 100,
        tokensOut: 200,
        tokensCached: 0,
        tokensReasoning: 0,
        ms: 300,
      },
    );

  it("continues from the saved sections and deletes them", async () => {
    const workspace = await newWorkspace();
    const outline = outlineOf(3);
    const piece = await workspace.piece({ outline });
    await keep(piece, outline, 0);
    const { status, body } = await workspace.write(piece);
    expect([status, body]).toEqual([
      200,
      {
        message: expect.any(String),
        isComplete: true,
        content: expect.objectContaining({ id: piece, isBeingWritten: false }),
      },
    ]);
    const given = ai.requests.map(promptData);
    expect(given.map(({ section }) => section)).toMatchObject([
      { heading: "Part 2", brief: "What it says.", position: 2, of: 3 },
      { heading: "Part 3", position: 3, of: 3 },
    ]);
    expect(given[0]).toMatchObject({ outline, "text-so-far": "## Part 1\n\nKept 1." });
    expect((await textOf(piece))?.body).toMatch(/^## Part 1\n\nKept 1\.\n\n## Part 2\n\n.+## Part 3\n\n/s);
    expect(await sectionsOf(piece)).toEqual([]);
  });

  it("begins with the lead of its first section, for which no further call is made", async () => {
    const workspace = await newWorkspace();
    const piece = await workspace.piece({ outline: SHORT_OUTLINE });
    ai.texts.push(`A lead.\n\n---\n\n${"Soil first. ".repeat(400)}`, "Light next. ".repeat(400));
    expect((await workspace.write(piece)).status).toBe(200);
    expect(ai.requests).toHaveLength(2);
    expect((await textOf(piece))?.body).toMatch(/^A lead\.\n\n## Alpha\n\nSoil first\..+\n\n## Beta\n\nLight next\./s);
  });

  it("comes with a warning about stock phrases in it", async () => {
    const workspace = await newWorkspace();
    const piece = await workspace.piece({ outline: "## Alpha" });
    ai.texts.push("Delve into it.", "Delve into it.");
    expect((await workspace.write(piece)).body).toMatchObject({
      message: "Content generated successfully from outline. Some stock phrases may read better rewritten: “delve”.",
    });
  });

  it("streams the start of each section", async () => {
    const workspace = await newWorkspace();
    const piece = await workspace.piece({ outline: SHORT_OUTLINE });
    const sections: unknown[] = [];
    await writeContent(workspace.actor, piece, { onSection: (section) => sections.push(section) });
    expect(sections).toEqual([
      { index: 0, count: 2, heading: "Alpha", restart: false },
      { index: 1, count: 2, heading: "Beta", restart: false },
    ]);
  });

  it.each([
    ["none", null],
    ["nothing", " \n"],
    ["nothing but a fence", "```\n```"],
  ])("is not written when the outline is %s", async (_what, outline) => {
    const workspace = await newWorkspace();
    const piece = await workspace.piece({ outline });
    expect(await workspace.write(piece)).toMatchObject({ status: 400, body: { type: "OUTLINE_REQUIRED" } });
    expect([ai.requests, (await textOf(piece))?.body]).toEqual([[], ""]);
  });

  it("stops once another call has taken the piece, and saves the section in progress", async () => {
    const workspace = await newWorkspace();
    const piece = await workspace.piece({ outline: SHORT_OUTLINE });
    const { answer } = await callInFlight(ai, () => workspace.write(piece));
    await query("UPDATE leases SET token = gen_random_uuid() WHERE subject = $1", [piece]);
    expect(await answer()).toMatchObject({
      status: 409,
      body: { type: "ALREADY_RUNNING", error: expect.stringMatching(/^This took too long/) },
    });
    expect(ai.requests).toHaveLength(1);
    expect(await sectionsOf(piece)).toMatchObject([{ position: 0, text: expect.stringContaining("## Alpha\n\n") }]);
  });

  it("stops with the reason once the piece is deleted", async () => {
    const workspace = await newWorkspace();
    const piece = await workspace.piece({ outline: SHORT_OUTLINE });
    const { answer } = await callInFlight(ai, () => workspace.write(piece));
    await workspace.caller.delete(`/api/content/${piece}`);
    expect(await answer()).toMatchObject({
      status: 404,
      body: { error: "This piece was deleted while it was being written." },
    });
    expect(ai.requests).toHaveLength(1);
  });

  it("is not saved, and its sections are kept, when another call takes the piece before the end", async () => {
    const workspace = await newWorkspace();
    const piece = await workspace.piece({ outline: SHORT_OUTLINE });
    await keep(piece, SHORT_OUTLINE, 0);
    await keep(piece, SHORT_OUTLINE, 1);
    const slow = await holdTransaction("LOCK TABLE written_sections IN ACCESS EXCLUSIVE MODE");
    const writing = workspace.write(piece);
    // The lock alone may keep another user's work waiting.
    await eventually(
      () => query("UPDATE leases SET token = gen_random_uuid() WHERE subject = $1 RETURNING token", [piece]),
      ({ length }) => length === 1,
    );
    await slow.releaseLock();
    expect(await writing).toMatchObject({ status: 409, body: { error: expect.stringMatching(/^This took too long/) } });
    expect([(await textOf(piece))?.body, (await sectionsOf(piece)).length, await asideTexts(piece)]).toEqual([
      "",
      2,
      [],
    ]);
  });
});

describe("a user's edit during the work", () => {
  it.each([
    ["an outline", null, (workspace: GenerationWorkspace, id: string) => workspace.plan(id)],
    ["a text", "## Alpha", (workspace: GenerationWorkspace, id: string) => workspace.write(id)],
  ])("stays, and %s becomes a revision", async (_what, outline, call) => {
    const workspace = await newWorkspace();
    const piece = await workspace.piece({ outline });
    const { answer } = await callInFlight(ai, () => call(workspace, piece));
    await query("UPDATE content_pieces SET body = 'Typed.' WHERE id = $1", [piece]);
    expect(await answer()).toMatchObject({
      status: 200,
      body: { message: expect.stringMatching(/^You edited this piece/) },
    });
    expect([await textOf(piece), await asideTexts(piece)]).toEqual([
      { body: "Typed.", outline },
      [expect.objectContaining(outline ? { outline } : { body: "Typed." })],
    ]);
    expect(await sectionsOf(piece)).toEqual([]);
  });
});

describe("a topic's queue", () => {
  const queue = ({ caller, topicId }: GenerationWorkspace, what: "outline" | "all-content") =>
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
    ["outline", [{ outline: SHORT_OUTLINE }], PLANNED],
    ["all-content", [{ body: "Written." }], WRITTEN],
    ["all-content", [{}], UNPLANNED],
    ["all-content", [{}, { outline: SHORT_OUTLINE, body: "Written." }, {}], UNPLANNED],
  ] as const)("of %s with the pieces %j has nothing to do, and says what to do first", async (what, pieces, error) => {
    const workspace = await newWorkspace();
    for (const piece of pieces) await workspace.piece(piece);
    expect(await queue(workspace, what)).toMatchObject({ status: 400, body: { type: "NOTHING_TO_DO", error } });
    expect(await jobsOf(workspace)).toEqual([]);
  });

  it.each([
    ["outline", { outline: null }, OUTLINE],
    ["all-content", { outline: SHORT_OUTLINE }, CONTENT],
  ] as const)("of %s works with a single piece, and needs a key", async (what, piece, type) => {
    const workspace = await newWorkspace();
    await workspace.piece(piece);
    await workspace.caller.patch("/api/user/settings", { openaiApiKey: null });
    expect((await queue(workspace, what)).body.type).toBe("MISSING_API_KEY");
    expect(await jobsOf(workspace)).toEqual([]);
    await workspace.caller.patch("/api/user/settings", { openaiApiKey: ai.apiKey });
    expect((await queue(workspace, what)).status).toBe(202);
    expect(await jobsOf(workspace)).toEqual([{ type, items: 1 }]);
  });

  it("is reserved to the topic's owner", async () => {
    const [workspace, stranger] = [await newWorkspace(), await newWorkspace()];
    await workspace.piece();
    expect(await queue({ ...stranger, topicId: workspace.topicId }, "outline")).toMatchObject({
      status: 404,
      body: { type: "NOT_FOUND" },
    });
  });

  it("blocks a direct call on its piece with an error that names the job", async () => {
    const workspace = await newWorkspace();
    const piece = await workspace.piece({ outline: SHORT_OUTLINE });
    const job = await newJobOf(workspace);
    await newItemOf(job, { content_piece_id: piece });
    for (const call of [workspace.plan, workspace.write]) {
      expect(await call(piece)).toMatchObject({ status: 409, body: { type: "ALREADY_RUNNING", jobId: job.id } });
    }
    expect(ai.requests).toEqual([]);
  });
});

import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/prisma";
import { hashOutline, saveSection } from "@/lib/features/generation/sql";
import { OUTLINES } from "@/lib/features/generation/steps/outline";
import { TEXTS } from "@/lib/features/generation/steps/text";
import type { JobType } from "@/lib/features/work/schema";
import { workOnItem } from "@/lib/features/work/steps";
import { query } from "@/tests/support/db";
import {
  asideTexts,
  callInFlight,
  sampleProvider,
  sectionsOf,
  textOf,
  workspaceWithKey,
} from "@/tests/support/generation-workspace";
import { CONTENT, type Columns, newItemOf, newJobOf, OUTLINE, runOf } from "@/tests/support/queue-rows";
import { SHORT_OUTLINE } from "@/tests/support/queue-workspace";

// An item's calls, made as the engine would: what they request, what they save and what comes next.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));

const ai = sampleProvider();

type Work = Awaited<ReturnType<typeof newWork>>;

/** A queue item and its piece, of a user with a key. */
async function newWork(jobType: JobType, columns: Columns = {}, itemColumns: Columns = {}) {
  const workspace = await workspaceWithKey(ai);
  const piece = await workspace.piece(columns);
  const item = await newItemOf(await newJobOf(workspace, { job_type: jobType }), {
    content_piece_id: piece,
    ...itemColumns,
  });
  return { piece, item, run: runOf(item) };
}

const itemOf = async ({ item }: Work) =>
  (
    await query<Columns>(
      `SELECT status::text, note, tokens_in > 0 AS "isPaid", base_text_version AS base, claim_token
       FROM processing_queue WHERE id = $1`,
      [item.id],
    )
  )[0];

const COMPLETED = { next: "end", as: "completed" };
const LOOK_AGAIN = { next: "wait", waitSeconds: 1 };
const SECOND = { next: "more", name: "Section 2 of 2" };
const write = ({ item, run }: Work) => workOnItem(item.jobType === OUTLINE ? OUTLINES : TEXTS, run);

/** Runs `meanwhile` during the step's call to the provider. */
async function during<T>(step: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  const { answer } = await callInFlight(ai, step);
  await meanwhile();
  return answer();
}

const edit = ({ piece }: Work, columns: { body?: string; outline?: string }) =>
  query("UPDATE content_pieces SET body = coalesce($2, body), outline = coalesce($3, outline) WHERE id = $1", [
    piece,
    columns.body ?? null,
    columns.outline ?? null,
  ]);
/** Gives the item to another run. */
const takeOver = ({ item }: Work) =>
  query("UPDATE processing_queue SET claim_token = $2 WHERE id = $1", [item.id, randomUUID()]);
const leasesOf = ({ piece }: Work) => query("SELECT kind FROM leases WHERE subject = $1", [piece]);

describe("the outline of an item", () => {
  it("is written and saved, and the item ends with its token counts", async () => {
    const work = await newWork(OUTLINE);
    expect(await write(work)).toEqual(COMPLETED);
    expect(await textOf(work.piece)).toEqual({ body: "", outline: expect.stringMatching(/^## /) });
    expect(await itemOf(work)).toMatchObject({ status: "completed", note: null, isPaid: true });
    expect([ai.requests.length, await leasesOf(work)]).toEqual([1, []]);
  });

  it("costs nothing if the piece already has one", async () => {
    const work = await newWork(OUTLINE, { outline: SHORT_OUTLINE });
    expect(await write(work)).toEqual(COMPLETED);
    expect([ai.requests, (await textOf(work.piece))?.outline]).toEqual([[], SHORT_OUTLINE]);
    expect(await itemOf(work)).toMatchObject({ status: "completed", note: null, isPaid: false });
  });

  it("becomes a revision when the piece was edited meanwhile, and the item says so", async () => {
    const work = await newWork(OUTLINE);
    expect(
      await during(
        () => write(work),
        () => edit(work, { body: "Typed." }),
      ),
    ).toEqual(COMPLETED);
    expect(await textOf(work.piece)).toEqual({ body: "Typed.", outline: null });
    expect(await asideTexts(work.piece)).toEqual([{ body: "Typed.", outline: expect.stringMatching(/^## /) }]);
    expect(await itemOf(work)).toMatchObject({ note: expect.stringMatching(/^You edited this piece/) });
  });

  it("becomes a revision when another run has taken the item, and the lease is released", async () => {
    const work = await newWork(OUTLINE);
    expect(
      await during(
        () => write(work),
        () => takeOver(work),
      ),
    ).toEqual(LOOK_AGAIN);
    expect((await textOf(work.piece))?.outline).toBeNull();
    expect(await asideTexts(work.piece)).toEqual([{ body: "", outline: expect.stringMatching(/^## /) }]);
    expect([(await itemOf(work))?.status, await leasesOf(work)]).toEqual(["processing", []]);
  });
});

const keep = ({ piece }: Work, positions: number[], outline = SHORT_OUTLINE, text = "Kept.") =>
  Promise.all(
    positions.map((position) =>
      saveSection(
        prisma,
        piece,
        { outlineHash: hashOutline(outline), position },
        { heading: `H${position}`, text },
        {
          model: "tiny",
          promptVersion: "section-1",
          tokensIn: 1,
          tokensOut: 2,
          tokensCached: 0,
          tokensReasoning: 0,
          ms: 3,
        },
      ),
    ),
  );

describe("a text's item", () => {
  it("keeps count of what was paid for answers that could not be used", async () => {
    const work = await newWork(CONTENT, { outline: SHORT_OUTLINE });
    ai.texts.push("", "");
    ai.faults.next([
      { kind: "replay", name: "deepseek" },
      { kind: "replay", name: "deepseek" },
    ]);
    await expect(write(work)).rejects.toMatchObject({ type: "AI_BAD_ANSWER" });
    const columns = "tokens_in, tokens_out, tokens_cached, tokens_reasoning";
    expect(await query(`SELECT ${columns} FROM processing_queue WHERE id = $1`, [work.item.id])).toEqual([
      { tokens_in: 32, tokens_out: 184, tokens_cached: 12, tokens_reasoning: 162 },
    ]);
  });

  it("is written section by section, with the piece free in between, and put together with the last one", async () => {
    const work = await newWork(CONTENT, { outline: SHORT_OUTLINE, text_version: 4 });
    expect(await write(work)).toEqual(SECOND);
    expect(await sectionsOf(work.piece)).toMatchObject([
      { position: 0, text: expect.stringContaining("## Alpha\n\n") },
    ]);
    expect(await itemOf(work)).toMatchObject({ status: "processing", base: 4, claim_token: null });
    expect(await leasesOf(work)).toEqual([]);
    expect(await write(work)).toEqual(COMPLETED);
    const headings = (await textOf(work.piece))?.body.match(/^## .*$/gm);
    expect(headings).toEqual(["## Alpha", "## Beta"]);
    expect(await sectionsOf(work.piece)).toEqual([]);
    expect([ai.requests.length, await leasesOf(work)]).toEqual([2, []]);
  });

  it("goes on when nobody has edited the piece since its first section", async () => {
    const work = await newWork(CONTENT, { outline: SHORT_OUTLINE, text_version: 2 }, { base_text_version: 2 });
    expect(await write(work)).toEqual(SECOND);
  });

  it.each([null, "```\n```"])("cannot be written from the outline %j", async (outline) => {
    const work = await newWork(CONTENT, { outline });
    await expect(write(work)).rejects.toMatchObject({ type: "OUTLINE_REQUIRED" });
    expect((await itemOf(work))?.status).toBe("failed");
  });

  it("has its section saved even if another run has taken it, and the lease is released", async () => {
    const work = await newWork(CONTENT, { outline: SHORT_OUTLINE });
    expect(
      await during(
        () => write(work),
        () => takeOver(work),
      ),
    ).toEqual(LOOK_AGAIN);
    expect(await sectionsOf(work.piece)).toMatchObject([
      { position: 0, text: expect.stringContaining("## Alpha\n\n") },
    ]);
    expect(await leasesOf(work)).toEqual([]);
  });
});

describe("the end of a text's item", () => {
  const TEXT = "## H0\n\nKept.\n\n## H1\n\nKept.";
  const noted = (note: string | null) => ({ status: "completed", note });
  const EDITED = expect.stringMatching(/^You edited this piece/);

  it.each([
    ["based on the current text", { text_version: 3 }, { base_text_version: 3 }],
    ["of an earlier job", {}, {}],
  ])("joins the sections %s, and uses them up", async (_what, piece, item) => {
    const work = await newWork(CONTENT, { outline: SHORT_OUTLINE, ...piece }, item);
    await keep(work, [0, 1]);
    expect(await write(work)).toEqual(COMPLETED);
    expect([await textOf(work.piece), await sectionsOf(work.piece)]).toEqual([
      { body: TEXT, outline: SHORT_OUTLINE },
      [],
    ]);
    expect(await itemOf(work)).toMatchObject(noted(null));
    const [revision] = await query(
      "SELECT model, prompt_version, tokens_in, tokens_out, duration_ms FROM content_revisions WHERE content_piece_id = $1 AND author = 'ai'",
      [work.piece],
    );
    expect(revision).toEqual({
      model: "tiny",
      prompt_version: "section-1",
      tokens_in: 2,
      tokens_out: 4,
      duration_ms: 6,
    });
  });

  it("accepts a single section too, and notes a stock phrase in it", async () => {
    const work = await newWork(CONTENT, { outline: "## H0" });
    await keep(work, [0], "## H0", "Delve into it.");
    await write(work);
    expect((await textOf(work.piece))?.body).toBe("## H0\n\nDelve into it.");
    expect(await itemOf(work)).toMatchObject(noted(expect.stringContaining("“delve”")));
  });

  it.each([
    ["a text", { body: "Typed." }, [0, 1], TEXT],
    ["another outline", { outline: "## Other" }, [0, 1], TEXT],
    ["a text, also without the last one,", { body: "Typed." }, [0], "## H0\n\nKept."],
  ])("saves them as a revision beside %s typed since, and uses them up", async (_what, typed, kept, text) => {
    const work = await newWork(CONTENT, { outline: SHORT_OUTLINE, text_version: 3 }, { base_text_version: 3 });
    await keep(work, kept);
    await edit(work, typed);
    expect(await write(work)).toEqual(COMPLETED);
    expect(await textOf(work.piece)).toEqual({ body: "", outline: SHORT_OUTLINE, ...typed });
    expect(await asideTexts(work.piece)).toEqual([expect.objectContaining({ body: text })]);
    expect(ai.requests).toEqual([]);
    expect([await itemOf(work), await sectionsOf(work.piece)]).toMatchObject([noted(EDITED), []]);
  });

  it.each([
    ["the piece was edited and nothing is saved", { text_version: 2 }, []],
    ["the piece already has a text", { body: "Typed." }, [0, 1]],
  ] as [string, Columns, number[]][])("saves nothing, and costs nothing, when %s", async (_what, piece, kept) => {
    const work = await newWork(CONTENT, { outline: SHORT_OUTLINE, ...piece }, { base_text_version: 1 });
    await keep(work, kept);
    expect(await write(work)).toEqual(COMPLETED);
    expect(ai.requests).toEqual([]);
    expect((await textOf(work.piece))?.body).toBe(piece.body ?? "");
    expect([await asideTexts(work.piece), (await sectionsOf(work.piece)).length]).toEqual([[], kept.length]);
    expect(await itemOf(work)).toMatchObject(noted(null));
  });
});

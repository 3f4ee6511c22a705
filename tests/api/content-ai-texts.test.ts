import { randomUUID } from "node:crypto";
import { Prisma, prisma } from "@/lib/db/prisma";
import { type AiText, leasablePieceSql, saveAiText } from "@/lib/features/content/sql/shared";
import { acquire } from "@/lib/lease/lease";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

// How AI texts are saved, and what that does to their pieces.

type Row = Record<string, unknown> & { text_version: number };
type Flags = { is_title_only: boolean; is_outline: boolean };

const USAGE = {
  model: "a-model",
  promptVersion: "test-1",
  tokensIn: 11,
  tokensOut: 22,
  tokensCached: 7,
  tokensReasoning: 5,
  ms: 33.4,
};
const USAGE_COLUMNS = {
  model: "a-model",
  prompt_version: "test-1",
  tokens_in: 11,
  tokens_out: 22,
  tokens_cached: 7,
  tokens_reasoning: 5,
  duration_ms: 33,
};

/** A piece an hour after its last edit, and another of the same user with a revision. */
async function newPieces(columns: Partial<Flags> & { body?: string; outline?: string } = {}) {
  const workspace = await newWorkspace();
  const bystander = await newPiece(workspace, workspace, { title: "Bystander" });
  await workspace.caller.patch(`/api/content/${bystander}`, { outline: "## Left alone" });
  const id = await newPiece(workspace, workspace, { title: "The piece" });
  const { body = "", outline = null, is_title_only = true, is_outline = false } = columns;
  await query(
    `UPDATE content_pieces SET body = $2, outline = $3, is_title_only = $4, is_outline = $5,
       updated_at = updated_at - interval '1 hour' WHERE id = $1`,
    [id, body, outline, is_title_only, is_outline],
  );
  const rowOf = async (piece: string) => (await query<Row>("SELECT * FROM content_pieces WHERE id = $1", [piece]))[0];
  const base = Number((await rowOf(id))?.text_version);
  return {
    userId: workspace.id,
    id,
    base,
    row: () => rowOf(id),
    others: async () => [await rowOf(bystander), await revisionsOf(bystander)],
    land: (field: AiText["field"], text: string, baseTextVersion: number | null = base, userId = workspace.id) =>
      saveAiText(prisma, userId, id, { field, text, baseTextVersion, usage: USAGE }),
  };
}

function revisionsOf(id: string) {
  return query(
    `SELECT version, author, title, body, outline, model, prompt_version, tokens_in, tokens_out, tokens_cached, tokens_reasoning, duration_ms
     FROM content_revisions WHERE content_piece_id = $1 ORDER BY created_at, id`,
    [id],
  );
}

const UNTOLD = {
  model: null,
  prompt_version: null,
  tokens_in: null,
  tokens_out: null,
  tokens_cached: 0,
  tokens_reasoning: 0,
  duration_ms: null,
};

describe("an AI text", () => {
  it("is saved on its piece, keeps what it replaced, and leaves every other piece alone", async () => {
    const { id, row, others, land } = await newPieces({ body: "By hand.", outline: "## One", is_title_only: false });
    const [before, beside] = [await row(), await others()];
    expect(await land("body", "By the AI.")).toBe(true);
    const after = await row();
    expect(after).toMatchObject({ title: "The piece", body: "By the AI.", outline: "## One", version: 2 });
    expect(Number(after?.updated_at)).toBeGreaterThan(Number(before?.updated_at));
    const texts = { title: "The piece", outline: "## One" };
    expect(await revisionsOf(id)).toEqual([
      { ...texts, ...UNTOLD, version: 1, author: "user", body: "By hand." },
      { ...texts, ...USAGE_COLUMNS, version: 2, author: "ai", body: "By the AI." },
    ]);
    expect(await others()).toEqual(beside);
  });

  it.each<[string, Parameters<typeof newPieces>[0], AiText["field"], Flags]>([
    ["a body ends title-only", {}, "body", { is_title_only: false, is_outline: false }],
    [
      "a body keeps the outline flag",
      { outline: "## One", is_outline: true },
      "body",
      { is_title_only: false, is_outline: true },
    ],
    ["an outline keeps title-only", {}, "outline", { is_title_only: true, is_outline: true }],
    [
      "an outline does not make a piece title-only",
      { is_title_only: false },
      "outline",
      { is_title_only: false, is_outline: true },
    ],
  ])("%s", async (_what, columns, field, flags) => {
    const { row, land } = await newPieces(columns);
    const before = await row();
    const texts = { body: before?.body, outline: before?.outline, ...{ [field]: "By the AI." } };
    expect(await land(field, "By the AI.")).toBe(true);
    expect(await row()).toMatchObject({ ...texts, ...flags });
  });

  it.each([
    ["made for an older text", 99],
    ["to be kept as a revision", null],
  ])("that is %s is kept as a revision and does not change the piece", async (_what, base) => {
    const { id, row, land } = await newPieces({ body: "By hand.", is_title_only: false });
    const before = await row();
    expect(await land("outline", "## By the AI", base)).toBe(false);
    expect(await row()).toEqual(before);
    expect(await revisionsOf(id)).toEqual([
      { ...USAGE_COLUMNS, version: null, author: "ai", title: "The piece", body: "By hand.", outline: "## By the AI" },
    ]);
  });

  it("can be saved by the owner alone", async () => {
    const [piece, stranger] = [await newPieces({ body: "By hand." }), await newWorkspace()];
    const before = await piece.row();
    expect(await piece.land("body", "By the AI.", piece.base, stranger.id)).toBeUndefined();
    expect([await piece.row(), await revisionsOf(piece.id)]).toEqual([before, []]);
  });

  it("waits for a concurrent edit and does not replace it", async () => {
    const { id, row, land } = await newPieces({ body: "By hand." });
    const edit = await holdTransaction(
      "UPDATE content_pieces SET body = 'Edited by hand.', version = 2 WHERE id = $1",
      [id],
    );
    const landing = land("body", "By the AI.");
    await waitForLock();
    await edit.releaseLock();
    expect(await landing).toBe(false);
    expect(await row()).toMatchObject({ body: "Edited by hand.", version: 2 });
  });
});

describe("the piece that a lease is taken on", () => {
  const heldBy = async (userId: string, id: string, alone = Prisma.sql`p.title = 'The piece'`) => {
    await acquire("writing", leasablePieceSql(userId, id, alone), randomUUID());
    return query("SELECT subject, user_id FROM leases WHERE kind = 'writing' AND user_id = $1", [userId]);
  };

  it("is the named one", async () => {
    const { userId, id } = await newPieces();
    expect(await heldBy(userId, id)).toEqual([{ subject: id, user_id: userId }]);
  });

  it("is neither another user's nor one that fails the condition", async () => {
    const [{ userId, id }, stranger] = [await newPieces(), await newWorkspace()];
    expect(await heldBy(stranger.id, id)).toEqual([]);
    expect(await heldBy(userId, id, Prisma.sql`p.title = 'Another'`)).toEqual([]);
  });
});

import { randomUUID } from "node:crypto";
import { Prisma, prisma } from "@/lib/db/prisma";
import type { AiText } from "@/lib/features/content/sql";
import { landAiText, pieceToHold } from "@/lib/features/content/writes";
import { acquire } from "@/lib/lease/lease";
import { hold, query, waitingForLock } from "@/tests/support/db";
import { newDesk, newPiece } from "@/tests/support/factories";

// What becomes of a text the AI made, and of the piece it was made for.

type Row = Record<string, unknown> & { text_version: number };
type Flags = { is_title_only: boolean; is_outline: boolean };

const USAGE = { model: "a-model", promptVersion: "test-1", tokensIn: 11, tokensOut: 22, ms: 33.4 };
const TOLD = { model: "a-model", prompt_version: "test-1", tokens_in: 11, tokens_out: 22, duration_ms: 33 };

/** A piece as it stands an hour later, and another one of the same person with a revision. */
async function newPieces(columns: Partial<Flags> & { body?: string; outline?: string } = {}) {
  const desk = await newDesk();
  const bystander = await newPiece(desk, desk, { title: "Bystander" });
  await desk.caller.patch(`/api/content/${bystander}`, { outline: "## Left alone" });
  const id = await newPiece(desk, desk, { title: "The piece" });
  const { body = "", outline = null, is_title_only = true, is_outline = false } = columns;
  await query(
    `UPDATE content_pieces SET body = $2, outline = $3, is_title_only = $4, is_outline = $5,
       updated_at = updated_at - interval '1 hour' WHERE id = $1`,
    [id, body, outline, is_title_only, is_outline],
  );
  const rowOf = async (piece: string) => (await query<Row>("SELECT * FROM content_pieces WHERE id = $1", [piece]))[0];
  const base = Number((await rowOf(id))?.text_version);
  return {
    userId: desk.id,
    id,
    base,
    row: () => rowOf(id),
    others: async () => [await rowOf(bystander), await revisionsOf(bystander)],
    land: (field: AiText["field"], text: string, baseTextVersion: number | null = base, userId = desk.id) =>
      landAiText(prisma, userId, id, { field, text, baseTextVersion, usage: USAGE }),
  };
}

function revisionsOf(id: string) {
  return query(
    `SELECT version, author, title, body, outline, model, prompt_version, tokens_in, tokens_out, duration_ms
     FROM content_revisions WHERE content_piece_id = $1 ORDER BY created_at, id`,
    [id],
  );
}

const UNTOLD = { model: null, prompt_version: null, tokens_in: null, tokens_out: null, duration_ms: null };

describe("an AI text", () => {
  it("lands on the piece it was made for, beside what it replaced, and leaves every other piece alone", async () => {
    const { id, row, others, land } = await newPieces({ body: "By hand.", outline: "## One", is_title_only: false });
    const [before, beside] = [await row(), await others()];
    expect(await land("body", "By the AI.")).toBe(true);
    const after = await row();
    expect(after).toMatchObject({ title: "The piece", body: "By the AI.", outline: "## One", version: 2 });
    expect(Number(after?.updated_at)).toBeGreaterThan(Number(before?.updated_at));
    const texts = { title: "The piece", outline: "## One" };
    expect(await revisionsOf(id)).toEqual([
      { ...texts, ...UNTOLD, version: 1, author: "user", body: "By hand." },
      { ...texts, ...TOLD, version: 2, author: "ai", body: "By the AI." },
    ]);
    expect(await others()).toEqual(beside);
  });

  it.each<[string, Parameters<typeof newPieces>[0], AiText["field"], Flags]>([
    ["a text makes more of a title", {}, "body", { is_title_only: false, is_outline: false }],
    [
      "a text leaves an outline what it is",
      { outline: "## One", is_outline: true },
      "body",
      { is_title_only: false, is_outline: true },
    ],
    ["an outline leaves a title a title", {}, "outline", { is_title_only: true, is_outline: true }],
    [
      "an outline makes no title of a piece that was more",
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
    ["made for another text", 99],
    ["to be kept beside whatever is there", null],
  ])("that is %s is kept aside, and changes nothing", async (_what, base) => {
    const { id, row, land } = await newPieces({ body: "By hand.", is_title_only: false });
    const before = await row();
    expect(await land("outline", "## By the AI", base)).toBe(false);
    expect(await row()).toEqual(before);
    expect(await revisionsOf(id)).toEqual([
      { ...TOLD, version: null, author: "ai", title: "The piece", body: "By hand.", outline: "## By the AI" },
    ]);
  });

  it("is nobody's to land but the owner's", async () => {
    const [piece, stranger] = [await newPieces({ body: "By hand." }), await newDesk()];
    const before = await piece.row();
    expect(await piece.land("body", "By the AI.", piece.base, stranger.id)).toBeUndefined();
    expect([await piece.row(), await revisionsOf(piece.id)]).toEqual([before, []]);
  });

  it("waits for an edit that is just being saved, and gives way to it", async () => {
    const { id, row, land } = await newPieces({ body: "By hand." });
    const edit = await hold("UPDATE content_pieces SET body = 'Edited by hand.', version = 2 WHERE id = $1", [id]);
    const landing = land("body", "By the AI.");
    await waitingForLock();
    await edit.letGo();
    expect(await landing).toBe(false);
    expect(await row()).toMatchObject({ body: "Edited by hand.", version: 2 });
  });
});

describe("a piece to be held", () => {
  const heldBy = async (userId: string, id: string, alone = Prisma.sql`p.title = 'The piece'`) => {
    await acquire("writing", pieceToHold(userId, id, alone), randomUUID());
    return query("SELECT subject, user_id FROM leases WHERE kind = 'writing' AND user_id = $1", [userId]);
  };

  it("is the one that is named", async () => {
    const { userId, id } = await newPieces();
    expect(await heldBy(userId, id)).toEqual([{ subject: id, user_id: userId }]);
  });

  it("is not another's, nor one of which something else holds", async () => {
    const [{ userId, id }, stranger] = [await newPieces(), await newDesk()];
    expect(await heldBy(stranger.id, id)).toEqual([]);
    expect(await heldBy(userId, id, Prisma.sql`p.title = 'Another'`)).toEqual([]);
  });
});

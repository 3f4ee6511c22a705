import { actorFromSignIn } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { countPiecesByKeyword, encodedTitles, projectTitles } from "@/lib/features/content/reads";
import { pieceContext, topicContext } from "@/lib/features/generation/reads";
import { deleteSections, hashOutline, saveSection, selectSections } from "@/lib/features/generation/sql";

import { keysOf } from "@/lib/utils/title-key";
import { titleKeys } from "@/lib/workers/title-keys";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import { sectionsOf } from "@/tests/support/generation-workspace";
import { inMinutes, newOwner, newPieceOf, newTopicOf } from "@/tests/support/queue-rows";

// The rows that generation writes and reads, without provider or engine.

const usage = {
  model: "tiny",
  promptVersion: "section-1",
  tokensIn: 1,
  tokensOut: 2,
  tokensCached: 1,
  tokensReasoning: 2,
  ms: 3.4,
};
const OUTLINE = "## Alpha\n\n## Beta";
const HASH = hashOutline(OUTLINE);
const OLD = hashOutline("## What it was");

const actorOf = ({ id }: { id: string }) => actorFromSignIn(id, { requestId: "test", address: "test" });
const keep = (pieceId: string, position: number, text: string, outlineHash = HASH) =>
  saveSection(prisma, pieceId, { outlineHash, position }, { heading: `H${position}`, text }, usage);
const textsOf = async (pieceId: string) => (await sectionsOf(pieceId)).map(({ text }) => text).sort();
const outlined = async () => newPieceOf(await newOwner(), { outline: OUTLINE });

/** Makes the piece's sections a minute older. */
const age = (pieceId: string) =>
  query("UPDATE written_sections SET created_at = created_at - interval '1 minute' WHERE content_piece_id = $1", [
    pieceId,
  ]);

describe("saved sections", () => {
  it("keep their order and cost, and the first one of a position stays", async () => {
    const piece = await outlined();
    await keep(piece, 1, "second");
    await keep(piece, 0, "first");
    await keep(piece, 0, "first again");
    const of = {
      outlineHash: HASH,
      model: "tiny",
      promptVersion: "section-1",
      tokensIn: 1,
      tokensOut: 2,
      tokensCached: 1,
      tokensReasoning: 2,
      ms: 3,
    };
    expect(await selectSections(prisma, piece, HASH)).toEqual([
      { ...of, position: 0, heading: "H0", text: "first" },
      { ...of, position: 1, heading: "H1", text: "second" },
    ]);
  });

  it("are deleted once a text is written from another outline; other pieces' sections stay", async () => {
    const [piece, other] = [await outlined(), await outlined()];
    await keep(piece, 0, "of the outline that stands");
    await keep(other, 0, "another piece's", OLD);
    await keep(piece, 0, "of a run that began before", OLD);
    expect(await textsOf(piece)).toEqual(["of a run that began before", "of the outline that stands"]);
    await query("UPDATE content_pieces SET outline = '## New' WHERE id = $1", [piece]);
    await keep(piece, 0, "of the new one", hashOutline("## New"));
    expect(await textsOf(piece)).toEqual(["of the new one"]);
    expect(await textsOf(other)).toEqual(["another piece's"]);
  });

  it("are deleted too when the piece's outline was removed", async () => {
    const piece = await newPieceOf(await newOwner());
    await keep(piece, 0, "of the outline it had");
    await keep(piece, 0, "of none", hashOutline(null));
    expect(await textsOf(piece)).toEqual(["of none"]);
  });

  it("are dropped without an error when their piece is deleted concurrently", async () => {
    const [piece, other] = [await outlined(), await outlined()];
    const deleting = await holdTransaction("DELETE FROM content_pieces WHERE id = $1", [piece]);
    const keeping = keep(piece, 0, "too late");
    await waitForLock();
    await deleting.releaseLock();
    await expect(keeping).resolves.toBeUndefined();
    expect([await textsOf(piece), await textsOf(other)]).toEqual([[], []]);
  });

  it("are read for one outline, or the one last written from, of this piece only", async () => {
    const [piece, other] = [await outlined(), await outlined()];
    await keep(piece, 0, "standing");
    await age(piece);
    await keep(piece, 0, "latest", OLD);
    await keep(other, 0, "another piece's");
    const kept = async (hash?: string) => (await selectSections(prisma, piece, hash)).map(({ text }) => text);
    expect([await kept(HASH), await kept(OLD), await kept(hashOutline("")), await kept()]).toEqual([
      ["standing"],
      ["latest"],
      [],
      ["latest"],
    ]);
    await age(other);
    await age(other);
    expect((await selectSections(prisma, other)).map(({ text }) => text)).toEqual(["another piece's"]);
  });

  it("are spent once: all of the piece's and no other's", async () => {
    const [piece, other] = [await outlined(), await outlined()];
    await keep(piece, 0, "standing");
    await keep(piece, 0, "before", OLD);
    await keep(other, 0, "another piece's");
    await deleteSections(prisma, piece);
    expect([await textsOf(piece), await textsOf(other)]).toEqual([[], ["another piece's"]]);
  });
});

describe("the data of a prompt", () => {
  /** Two people with the same data, and another topic and project of the first one. */
  async function owners() {
    const [mine, theirs] = [await newOwner(), await newOwner()];
    const elsewhere = await newTopicOf(mine);
    const [project] = await query<{ id: number }>(
      "INSERT INTO projects (user_id, title) VALUES ($1, 'Trees') RETURNING id",
      [mine.id],
    );
    return { mine, theirs, elsewhere, otherProject: project?.id ?? 0, actor: actorOf(mine), stranger: actorOf(theirs) };
  }

  it("includes the topic with its project, persona and keywords, for its owner only", async () => {
    const { mine, actor, stranger } = await owners();
    const { projectId, topicId } = mine;
    await query("UPDATE projects SET description = 'For flats.' WHERE id = $1", [projectId]);
    await query("UPDATE topics SET category = 'Growing' WHERE id = $1", [topicId]);
    await query("INSERT INTO buyer_personas (project_id, name, age, description) VALUES ($1, 'Tessa', 34, 'Rents.')", [
      projectId,
    ]);
    await query(
      "INSERT INTO keywords (topic_id, keyword, created_at) VALUES ($1, 'older', now() - interval '1 hour'), ($1, 'newer', now())",
      [topicId],
    );
    const style = { tone: null, language: null, words: null, instructions: null };
    expect(await topicContext(actor, topicId)).toEqual({
      projectId,
      keywords: [{ keyword: "newer" }, { keyword: "older" }],
      context: {
        project: { title: "Beds", description: "For flats.", style },
        topic: { name: "Soil", description: "What grows in it.", category: "Growing" },
        persona: expect.objectContaining({ name: "Tessa", age: 34, description: "Rents." }),
      },
    });
    await expect(topicContext(stranger, topicId)).rejects.toMatchObject({ type: "NOT_FOUND" });
  });

  it("may lack a persona and the project's description", async () => {
    const { mine, actor } = await owners();
    expect((await topicContext(actor, mine.topicId)).context).toMatchObject({
      project: { title: "Beds", description: "" },
      persona: null,
    });
  });

  it("includes the piece with its topic's thirty newest other titles, for its owner only", async () => {
    const { mine, elsewhere, actor, stranger } = await owners();
    const about = { title: "Mixes", focus_keyword: "peat free", intent: "commercial", angle: "Cheaper." };
    const id = await newPieceOf(mine, { ...about, outline: OUTLINE, body: "Some.", text_version: 5 });
    await newPieceOf(elsewhere, { title: "Of another topic" });
    for (let n = 1; n <= 31; n++) await newPieceOf(mine, { title: `Title ${n}`, created_at: inMinutes(-n) });
    const { piece, input } = await pieceContext(actor, id);
    expect(piece).toEqual({
      ...{ id, topicId: mine.topicId, title: "Mixes", outline: OUTLINE, textVersion: 5 },
      ...{ focusKeyword: "peat free", intent: "commercial", angle: "Cheaper.", hasBody: true, hasOutline: true },
    });
    expect(input).toEqual({
      ...(await topicContext(actor, mine.topicId)).context,
      ...{ title: "Mixes", focusKeyword: "peat free", intent: "commercial", angle: "Cheaper." },
      neighbourTitles: Array.from({ length: 30 }, (_, n) => `Title ${n + 1}`),
    });
    await expect(pieceContext(stranger, id)).rejects.toMatchObject({
      type: "NOT_FOUND",
      message: "This piece was not found. It may have been deleted.",
    });
  });

  it("includes the titles of the owner's project, newest first", async () => {
    const { mine, elsewhere, otherProject, theirs, actor, stranger } = await owners();
    await newPieceOf(mine, { title: "Older", created_at: inMinutes(-9) });
    await newPieceOf(elsewhere, { title: "Newer" });
    await newPieceOf(theirs, { title: "Another's" });
    expect(await projectTitles(actor, mine.projectId, 2)).toEqual(["Newer", "Older"]);
    expect(await projectTitles(actor, mine.projectId, 1)).toEqual(["Newer"]);
    expect(await projectTitles(stranger, mine.projectId, 2)).toEqual([]);
    expect(await projectTitles(actor, otherProject, 2)).toEqual([]);
  });

  it("excludes every title of the owner's project, in any script and on several lines", async () => {
    const { mine, elsewhere, otherProject, theirs, actor, stranger } = await owners();
    await newPieceOf(mine, { title: "漢字 und\nÄpfel" });
    await newPieceOf(elsewhere, { title: "Newer" });
    await newPieceOf(theirs, { title: "Another's" });
    const { count, titles } = await encodedTitles(actor, mine.projectId);
    expect([count, titleKeys(titles).split("\n").sort()]).toEqual([
      2,
      ["漢字 und Äpfel", "Newer"].flatMap(keysOf).sort(),
    ]);
    for (const empty of [encodedTitles(stranger, mine.projectId), encodedTitles(actor, otherProject)])
      expect(await empty).toEqual({ count: 0, titles: "" });
  });

  it("includes the number of pieces of each keyword, whatever its case", async () => {
    const { mine, elsewhere, actor, stranger } = await owners();
    for (const focus_keyword of ["Soil", "Soil", "water", null]) await newPieceOf(mine, { focus_keyword });
    await newPieceOf(elsewhere, { focus_keyword: "water" });
    const had = await countPiecesByKeyword(actor, mine.topicId);
    expect([had.get("soil"), had.get("water"), had.get("Soil")]).toEqual([2, 1, undefined]);
    expect((await countPiecesByKeyword(stranger, mine.topicId)).size).toBe(0);
  });
});

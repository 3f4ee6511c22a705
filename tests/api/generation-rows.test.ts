import { actorOfSignIn } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { ideasPerKeyword, pieceContext, projectTitles, topicContext } from "@/lib/features/generation/reads";
import { keepSection, keptSections, spendSections } from "@/lib/features/generation/sql";
import { hashOf } from "@/lib/features/generation/writes/section";
import { hold, query, waitingForLock } from "@/tests/support/db";
import { sectionsOf } from "@/tests/support/generation-desk";
import { inMinutes, newOwner, newPieceOf, newTopicOf } from "@/tests/support/queue-rows";

// What generation keeps and reads, row by row: no provider, no engine.

const usage = { model: "tiny", promptVersion: "section-1", tokensIn: 1, tokensOut: 2, ms: 3.4 };
const OUTLINE = "## Alpha\n\n## Beta";
const HASH = hashOf(OUTLINE);
const OLD = hashOf("## What it was");

const actorOf = ({ id }: { id: string }) => actorOfSignIn(id, { requestId: "test", address: "test" });
const keep = (pieceId: string, position: number, text: string, outlineHash = HASH) =>
  keepSection(prisma, pieceId, { outlineHash, position }, { heading: `H${position}`, text }, usage);
const textsOf = async (pieceId: string) => (await sectionsOf(pieceId)).map(({ text }) => text).sort();
const outlined = async () => newPieceOf(await newOwner(), { outline: OUTLINE });

/** Sections of one piece were kept a minute before those that come now. */
const age = (pieceId: string) =>
  query("UPDATE written_sections SET created_at = created_at - interval '1 minute' WHERE content_piece_id = $1", [
    pieceId,
  ]);

describe("sections that were paid for", () => {
  it("are kept in order with what they took, the first one of a place for good", async () => {
    const piece = await outlined();
    await keep(piece, 1, "second");
    await keep(piece, 0, "first");
    await keep(piece, 0, "first again");
    const of = { outlineHash: HASH, model: "tiny", promptVersion: "section-1", tokensIn: 1, tokensOut: 2, ms: 3 };
    expect(await keptSections(prisma, piece, HASH)).toEqual([
      { ...of, position: 0, heading: "H0", text: "first" },
      { ...of, position: 1, heading: "H1", text: "second" },
    ]);
  });

  it("go when their outline stands no more and another one is written from; other pieces' stay", async () => {
    const [piece, other] = [await outlined(), await outlined()];
    await keep(piece, 0, "of the outline that stands");
    await keep(other, 0, "another piece's", OLD);
    await keep(piece, 0, "of a run that began before", OLD);
    expect(await textsOf(piece)).toEqual(["of a run that began before", "of the outline that stands"]);
    await query("UPDATE content_pieces SET outline = '## New' WHERE id = $1", [piece]);
    await keep(piece, 0, "of the new one", hashOf("## New"));
    expect(await textsOf(piece)).toEqual(["of the new one"]);
    expect(await textsOf(other)).toEqual(["another piece's"]);
  });

  it("also those of a piece whose outline was taken away", async () => {
    const piece = await newPieceOf(await newOwner());
    await keep(piece, 0, "of the outline it had");
    await keep(piece, 0, "of none", hashOf(null));
    expect(await textsOf(piece)).toEqual(["of none"]);
  });

  it("are not kept for a piece that is deleted at that moment, without a failure", async () => {
    const [piece, other] = [await outlined(), await outlined()];
    const deleting = await hold("DELETE FROM content_pieces WHERE id = $1", [piece]);
    const keeping = keep(piece, 0, "too late");
    await waitingForLock();
    await deleting.letGo();
    await expect(keeping).resolves.toBeUndefined();
    expect([await textsOf(piece), await textsOf(other)]).toEqual([[], []]);
  });

  it("are those of one outline, or of the one that was written from last, of no other piece", async () => {
    const [piece, other] = [await outlined(), await outlined()];
    await keep(piece, 0, "standing");
    await age(piece);
    await keep(piece, 0, "latest", OLD);
    await keep(other, 0, "another piece's");
    const kept = async (hash?: string) => (await keptSections(prisma, piece, hash)).map(({ text }) => text);
    expect([await kept(HASH), await kept(OLD), await kept(hashOf("")), await kept()]).toEqual([
      ["standing"],
      ["latest"],
      [],
      ["latest"],
    ]);
    await age(other);
    await age(other);
    expect((await keptSections(prisma, other)).map(({ text }) => text)).toEqual(["another piece's"]);
  });

  it("are spent once, all of a piece and no other's", async () => {
    const [piece, other] = [await outlined(), await outlined()];
    await keep(piece, 0, "standing");
    await keep(piece, 0, "before", OLD);
    await keep(other, 0, "another piece's");
    await spendSections(prisma, piece);
    expect([await textsOf(piece), await textsOf(other)]).toEqual([[], ["another piece's"]]);
  });
});

describe("what a prompt begins with", () => {
  /** Two people with the same of everything, and another topic and project of the first one. */
  async function owners() {
    const [mine, theirs] = [await newOwner(), await newOwner()];
    const elsewhere = await newTopicOf(mine);
    const [project] = await query<{ id: number }>(
      "INSERT INTO projects (user_id, title) VALUES ($1, 'Trees') RETURNING id",
      [mine.id],
    );
    return { mine, theirs, elsewhere, otherProject: project?.id ?? 0, actor: actorOf(mine), stranger: actorOf(theirs) };
  }

  it("is the topic with its project, persona and keywords, to its owner alone", async () => {
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
    expect(await topicContext(actor, topicId)).toEqual({
      projectId,
      keywords: [{ keyword: "newer" }, { keyword: "older" }],
      context: {
        project: { title: "Beds", description: "For flats." },
        topic: { name: "Soil", description: "What grows in it.", category: "Growing" },
        persona: expect.objectContaining({ name: "Tessa", age: 34, description: "Rents." }),
      },
    });
    await expect(topicContext(stranger, topicId)).rejects.toMatchObject({ type: "NOT_FOUND" });
  });

  it("is a topic without a persona in a project without a description, too", async () => {
    const { mine, actor } = await owners();
    expect((await topicContext(actor, mine.topicId)).context).toMatchObject({
      project: { title: "Beds", description: "" },
      persona: null,
    });
  });

  it("is the piece, with thirty other titles of its topic, the newest first, to its owner alone", async () => {
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

  it("is the titles of one's own project, the newest first", async () => {
    const { mine, elsewhere, otherProject, theirs, actor, stranger } = await owners();
    await newPieceOf(mine, { title: "Older", created_at: inMinutes(-9) });
    await newPieceOf(elsewhere, { title: "Newer" });
    await newPieceOf(theirs, { title: "Another's" });
    expect(await projectTitles(actor, mine.projectId)).toEqual(["Newer", "Older"]);
    expect(await projectTitles(stranger, mine.projectId)).toEqual([]);
    expect(await projectTitles(actor, otherProject)).toEqual([]);
  });

  it("is the ideas that each keyword has led to, in whatever case", async () => {
    const { mine, elsewhere, actor, stranger } = await owners();
    for (const focus_keyword of ["Soil", "Soil", "water", null]) await newPieceOf(mine, { focus_keyword });
    await newPieceOf(elsewhere, { focus_keyword: "water" });
    const had = await ideasPerKeyword(actor, mine.topicId);
    expect([had.get("soil"), had.get("water"), had.get("Soil")]).toEqual([2, 1, undefined]);
    expect((await ideasPerKeyword(stranger, mine.topicId)).size).toBe(0);
  });
});

import { actorFromSignIn } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { MAX_PIECES } from "@/lib/features/content/rules";
import type { ContentOut } from "@/lib/features/content/schema";
import { insertPiece, insertPieces } from "@/lib/features/content/sql";
import { patchContent } from "@/lib/features/content/sql/patch";
import {
  createContent,
  releasePieces,
  reservePieces,
  restoreRevision,
  saveAiPieces,
  updateContent,
} from "@/lib/features/content/writes";
import { removeDeleted } from "@/lib/features/deletion/steps";
import { deleteContent } from "@/lib/features/deletion/writes";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import { newPiece, newProject, newTopic, newWorkspace } from "@/tests/support/factories";

type Row = Record<string, unknown> & { id: string };
const ORIGIN = { requestId: "test", address: "test" };
const HOUR = "interval '1 hour'";

/** A workspace with two projects of two topics each, and another piece with revisions beside the changed one. */
async function newLibrary(piece: { title?: string; body?: string } = {}) {
  const workspace = await newWorkspace();
  const otherProject = await newProject(workspace, "Autumn");
  const places = [
    { projectId: workspace.projectId, topicId: await newTopic(workspace, workspace.projectId, "Second topic") },
    { projectId: otherProject, topicId: await newTopic(workspace, otherProject, "Third topic") },
  ];
  for (const place of [workspace, ...places]) {
    const url = `/api/content/${await newPiece(workspace, place, { title: "Bystander", body: "left alone" })}`;
    await workspace.caller.patch(url, { body: "left alone, twice", outline: "## Kept" });
  }
  const id = await newPiece(workspace, workspace, piece);
  return {
    ...workspace,
    userId: workspace.id,
    actor: actorFromSignIn(workspace.id, ORIGIN),
    places,
    id,
    url: `/api/content/${id}`,
  };
}

const piecesOf = (userId: string) =>
  query<Row>("SELECT * FROM content_pieces WHERE user_id = $1 ORDER BY id", [userId]);
const revisionsOf = (id: string) =>
  query<Row>("SELECT * FROM content_revisions WHERE content_piece_id = $1 ORDER BY created_at, id", [id]);

/** All rows of these people except the piece itself; a change of the piece must not touch them. */
async function others(pieceId: string, ...ids: string[]) {
  const pieces = await query<Row>(
    "SELECT * FROM content_pieces WHERE user_id = ANY($1::uuid[]) AND id <> $2 ORDER BY id",
    [ids, pieceId],
  );
  const revisions = await query<Row>(
    `SELECT r.* FROM content_revisions r JOIN content_pieces p ON p.id = r.content_piece_id
     WHERE p.user_id = ANY($1::uuid[]) AND p.id <> $2 ORDER BY r.id`,
    [ids, pieceId],
  );
  return { pieces, revisions };
}

async function rowOf(id: string): Promise<Row | undefined> {
  return (await query<Row>("SELECT * FROM content_pieces WHERE id = $1", [id]))[0];
}

describe("a change of a piece", () => {
  it("sets the named fields and no others", async () => {
    const { caller, url, id } = await newLibrary({ title: "Before", body: "The body" });
    await query(
      `UPDATE content_pieces SET created_at = created_at - ${HOUR}, updated_at = updated_at - ${HOUR} WHERE id = $1`,
      [id],
    );
    for (const change of [
      { title: "After" },
      { body: "Another body" },
      { outline: "## One" },
      { status: "review" },
      { title: "Later", body: "Both", outline: "## Two" },
    ]) {
      const before = await rowOf(id);
      expect((await caller.patch(url, change)).status).toBe(200);
      const after = await rowOf(id);
      const isText = !("status" in change);
      expect(after).toMatchObject({ ...change, version: Number(before?.version) + Number(isText) });
      const kept = ["title", "body", "outline", "status", "created_at", "topic_id", "is_title_only"].filter(
        (field) => !(field in change),
      );
      for (const field of kept) expect([field, after?.[field]]).toEqual([field, before?.[field]]);
      expect(Number(after?.updated_at)).toBeGreaterThan(Number(before?.updated_at));
    }
  });

  it("leaves other pieces and their revisions alone", async () => {
    const library = await newLibrary({ body: "zero" });
    const stranger = await newLibrary();
    const before = await others(library.id, library.userId, stranger.userId);
    await library.caller.patch(library.url, { body: "one", version: 1 });
    await library.caller.patch(library.url, { body: "two", version: 2 });
    await library.caller.patch(library.url, { body: "late", version: 1 });
    await library.caller.patch(library.url, { title: "three" });
    await library.caller.patch(library.url, { status: "review" });
    expect(await others(library.id, library.userId, stranger.userId)).toEqual(before);
  });

  it("leaves the text's version alone when only a status or a flag changes, or the same text is sent", async () => {
    const { caller, url, id } = await newLibrary({ title: "Same", body: "Same body" });
    await query("UPDATE content_pieces SET outline = '## Same' WHERE id = $1", [id]);
    for (const change of [
      { status: "review" },
      { isOutline: true },
      { title: "Same", body: "Same body", outline: "## Same" },
    ]) {
      expect((await caller.patch<ContentOut>(url, change)).body).toMatchObject({ version: 1 });
    }
    expect(await revisionsOf(id)).toEqual([]);
  });

  it("treats no outline and an empty one as equal", async () => {
    const { actor, caller, url, id } = await newLibrary();
    expect(await patchContent(actor.userId, id, { outline: "" })).toMatchObject({ was: 1, saved: 1 });
    expect((await caller.patch<ContentOut>(url, { outline: "## New" })).body.version).toBe(2);
    expect((await caller.patch<ContentOut>(url, { outline: null })).body.version).toBe(3);
  });

  it("keeps title-only until its owner unsets it or a body is written", async () => {
    const { caller, url } = await newLibrary();
    const flagAfter = async (change: object) => (await caller.patch<ContentOut>(url, change)).body.isTitleOnly;
    expect(await flagAfter({ isTitleOnly: false })).toBe(false);
    expect(await flagAfter({ title: "Another" })).toBe(false);
    expect(await flagAfter({ isTitleOnly: true })).toBe(true);
    expect(await flagAfter({ title: "A third" })).toBe(true);
    expect(await flagAfter({ body: "written" })).toBe(false);
  });

  it("flags outline content only if there is an outline", async () => {
    const { caller, url } = await newLibrary();
    const flagAfter = async (change: object) => (await caller.patch<ContentOut>(url, change)).body.isOutline;
    expect(await flagAfter({ isOutline: true })).toBe(false);
    expect(await flagAfter({ outline: " \n" })).toBe(false);
    expect(await flagAfter({ outline: "## One" })).toBe(true);
    expect(await flagAfter({ isOutline: false })).toBe(false);
    expect(await flagAfter({ body: "written" })).toBe(false);
    expect(await flagAfter({ isOutline: true })).toBe(true);
    expect(await flagAfter({ title: "Another" })).toBe(true);
  });

  it("sets no status while the piece is live, whatever the caller read before", async () => {
    const { actor, id } = await newLibrary();
    await query("UPDATE content_pieces SET status = 'wp_published' WHERE id = $1", [id]);
    await patchContent(actor.userId, id, { status: "draft" });
    expect((await rowOf(id))?.status).toBe("wp_published");
    await query("UPDATE content_pieces SET status = 'wp_draft' WHERE id = $1", [id]);
    await patchContent(actor.userId, id, { status: "review" });
    expect((await rowOf(id))?.status).toBe("review");
  });

  it("depends on the status of this piece only", async () => {
    const { caller, url, id, userId } = await newLibrary();
    await query("UPDATE content_pieces SET status = 'wp_published' WHERE user_id = $1 AND id <> $2", [userId, id]);
    expect((await caller.patch<ContentOut>(url, { status: "review" })).body.status).toBe("review");
    const stranger = await newLibrary();
    await query("UPDATE content_pieces SET status = 'wp_published' WHERE id = $1", [id]);
    expect((await stranger.caller.patch(url, { status: "review" })).status).toBe(404);
  });

  it("refuses a publishing status and names the allowed ones", async () => {
    const { caller, url } = await newLibrary();
    const { body } = await caller.patch<{ error: string; fields: object }>(url, { status: "wp_failed" });
    const sentence = "This status is set by publishing. Choose Draft, Under Review, Published or Unpublished.";
    expect(body).toMatchObject({ error: sentence, fields: { status: [sentence] } });
  });

  it("made on an older version only keeps the sent text as a revision", async () => {
    const { caller, url, id } = await newLibrary({ title: "Mine", body: "now" });
    const before = await rowOf(id);
    const { body } = await caller.patch<{ type: string; current: ContentOut }>(url, { body: "late", version: 7 });
    expect(body).toMatchObject({ type: "VERSION_CONFLICT", current: { body: "now", version: 1 } });
    expect(await rowOf(id)).toEqual(before);
    expect(await revisionsOf(id)).toEqual([
      expect.objectContaining({ version: null, author: "user", title: "Mine", body: "late" }),
    ]);
  });

  it("needs storage for its outline too, and none where the text stays", async () => {
    const usual = env.STORAGE_MAX_MB_PER_USER;
    const { caller, url } = await newLibrary({ body: "b".repeat(300_000) });
    const outline = "o".repeat(95_000);
    try {
      env.STORAGE_MAX_MB_PER_USER = 1;
      expect((await caller.patch<{ type: string }>(url, { outline })).body.type).toBe("STORAGE_FULL");
      expect((await caller.patch(url, { status: "review" })).status).toBe(200);
    } finally {
      env.STORAGE_MAX_MB_PER_USER = usual;
    }
  });

  it("is reserved to the owner: a stranger changes neither piece nor revisions", async () => {
    const { caller, url, id } = await newLibrary({ body: "mine" });
    await query(
      `INSERT INTO content_revisions (content_piece_id, version, author, title, body, created_at)
       SELECT $1, 1 + n, 'user', 'Title', 'text ' || n, now() - n * interval '1 day' FROM generate_series(1, 60) n`,
      [id],
    );
    const before = [await rowOf(id), await revisionsOf(id)];
    const stranger = await newLibrary();
    for (const change of [{ body: "theirs" }, { body: "theirs", version: 1 }, { status: "review" as const }]) {
      expect((await stranger.caller.patch(url, change)).status).toBe(404);
      await expect(updateContent(stranger.actor, id, change)).rejects.toMatchObject({ type: "NOT_FOUND" });
    }
    const [{ id: revision } = { id: "" }] = before[1] as Row[];
    await expect(restoreRevision(stranger.actor, id, revision)).rejects.toMatchObject({ type: "NOT_FOUND" });
    await expect(deleteContent(stranger.actor, id)).rejects.toMatchObject({ type: "NOT_FOUND" });
    expect([await rowOf(id), await revisionsOf(id)]).toEqual(before);
    expect((await caller.get(url)).status).toBe(200);
  });

  it("restores title, body and outline together", async () => {
    const { caller, url, id } = await newLibrary({ title: "Old", body: "old" });
    await caller.patch(url, { outline: "## Old" });
    await query(`UPDATE content_revisions SET created_at = created_at - ${HOUR} WHERE content_piece_id = $1`, [id]);
    await caller.patch(url, { title: "New", body: "new", outline: null });
    const old = (await revisionsOf(id)).find(({ outline }) => outline === "## Old");
    const restored = await caller.post<ContentOut>(`${url}/revisions/${old?.id}/restore`);
    expect(restored.body).toMatchObject({ title: "Old", body: "old", outline: "## Old" });
  });
});

describe("new pieces", () => {
  it("go into the named topic only", async () => {
    const library = await newLibrary();
    const before = await others(library.id, library.userId);
    const { id } = await createContent(library.actor, library.projectId, library.topicId, {
      title: "New",
      body: "text",
    });
    expect(await rowOf(id)).toMatchObject({
      user_id: library.userId,
      project_id: library.projectId,
      topic_id: library.topicId,
      is_title_only: false,
      body: "text",
    });
    const pieces = await piecesOf(library.userId);
    expect(pieces).toHaveLength(before.pieces.length + 2);
    expect(
      await rowOf((await createContent(library.actor, library.projectId, library.topicId, { title: "T" })).id),
    ).toMatchObject({ body: "", is_title_only: true });
  });

  it("are refused by every statement in a topic of another project or user", async () => {
    const library = await newLibrary();
    const stranger = await newLibrary();
    const [, elsewhere] = library.places;
    const refused = { type: "NOT_FOUND", message: "This topic was not found in this project." };
    await expect(
      createContent(library.actor, library.projectId, elsewhere?.topicId ?? 0, { title: "T" }),
    ).rejects.toMatchObject(refused);
    await expect(
      createContent(stranger.actor, library.projectId, library.topicId, { title: "T" }),
    ).rejects.toMatchObject({
      type: "NOT_FOUND",
    });
    const { userId } = stranger.actor;
    expect(await insertPiece(prisma, userId, library, { title: "T" }, 0)).toBeUndefined();
    expect(await insertPieces(prisma, userId, library, [{ title: "T" }])).toEqual([]);
  });

  it("fill a project up to its cap, counting reserved places", async () => {
    const library = await newLibrary();
    const { userId } = library.actor;
    const [{ count } = { count: 0 }] = await query<{ count: number }>(
      "SELECT count(*)::int AS count FROM content_pieces WHERE project_id = $1",
      [library.projectId],
    );
    const insert = (reserved: number) => insertPiece(prisma, userId, library, { title: "T" }, reserved);
    expect(await insert(MAX_PIECES - count)).toBeUndefined();
    expect(await insert(MAX_PIECES - count - 1)).toEqual(expect.any(String));
  });

  it("are refused as topic not found when the topic is deleted while the call waits", async () => {
    const { actor, projectId, topicId } = await newLibrary();
    const deletion = await holdTransaction(
      `DELETE FROM topics t USING (SELECT id FROM projects WHERE id = $1 FOR UPDATE) p
       WHERE t.project_id = p.id AND t.id = $2`,
      [projectId, topicId],
    );
    const creation = createContent(actor, projectId, topicId, { title: "T" });
    const refused = expect(creation).rejects.toMatchObject({ type: "NOT_FOUND" });
    await waitForLock();
    await deletion.releaseLock();
    await refused;
  });

  it("by the AI keep their order in lists, with keyword, intent and angle", async () => {
    const library = await newLibrary();
    const made = await saveAiPieces(library.actor, library, [
      { title: "First", body: "a text", focusKeyword: "k", intent: "learn", angle: "fresh" },
      { title: "Second" },
      { title: "Third", body: " " },
    ]);
    expect(made.map(({ title, isTitleOnly, body }) => [title, isTitleOnly, body])).toEqual([
      ["First", false, "a text"],
      ["Second", true, ""],
      ["Third", true, " "],
    ]);
    expect(made[0]).toMatchObject({
      ...{ userId: library.userId, projectId: library.projectId, topicId: library.topicId },
      ...{ focusKeyword: "k", intent: "learn", angle: "fresh" },
    });
    expect(made[0]?.createdAt.getTime()).toBe((made[1]?.createdAt.getTime() ?? 0) + 1);
    expect(await saveAiPieces(library.actor, library, [])).toEqual([]);
    expect(
      await query("SELECT 1 FROM content_pieces WHERE title = 'First' AND user_id = $1", [library.userId]),
    ).toHaveLength(1);
  });
});

describe("places reserved for the AI", () => {
  const reserved = async (projectId: number) =>
    (await query<{ reserved_pieces: number }>("SELECT reserved_pieces FROM projects WHERE id = $1", [projectId]))[0]
      ?.reserved_pieces;

  it("are as many as fit, and are released", async () => {
    const { actor, projectId } = await newLibrary();
    expect(await reservePieces(actor, projectId, { each: 3, times: 4 })).toBe(4);
    expect(await reserved(projectId)).toBe(12);
    await releasePieces(actor, projectId, 5);
    expect(await reserved(projectId)).toBe(7);
  });

  it("leave room for existing pieces and earlier reservations", async () => {
    const { actor, projectId } = await newLibrary();
    const [{ count } = { count: 0 }] = await query<{ count: number }>(
      "SELECT count(*)::int AS count FROM content_pieces WHERE project_id = $1",
      [projectId],
    );
    const promise = (pieces: number) =>
      query("UPDATE projects SET reserved_pieces = $2, reserved_until = now() + interval '1 minute' WHERE id = $1", [
        projectId,
        pieces,
      ]);
    await promise(MAX_PIECES - count - 7);
    expect(await reservePieces(actor, projectId, { each: 3, times: 4 })).toBe(2);
    expect(await reserved(projectId)).toBe(MAX_PIECES - count - 1);
    await promise(MAX_PIECES - count - 1);
    expect(await reservePieces(actor, projectId, { each: 1, times: 4 })).toBe(1);
    expect(await reservePieces(actor, projectId, { each: 1, times: 4 })).toBe(0);
    await promise(MAX_PIECES);
    const before = await query("SELECT * FROM projects WHERE id = $1", [projectId]);
    expect(await reservePieces(actor, projectId, { each: 1, times: 4 })).toBe(0);
    expect(await query("SELECT * FROM projects WHERE id = $1", [projectId])).toEqual(before);
  });
});

describe("deleting a piece", () => {
  it("deletes nothing else, and records an audit event", async () => {
    const library = await newLibrary();
    const before = await others(library.id, library.userId);
    expect((await library.caller.delete(library.url)).status).toBeLessThan(300);
    await removeDeleted();
    expect(await rowOf(library.id)).toBeUndefined();
    expect(await others(library.id, library.userId)).toEqual(before);
    const trail = await query("SELECT subject FROM audit_events WHERE user_id = $1 AND action = 'content.deleted'", [
      library.userId,
    ]);
    expect(trail).toEqual([{ subject: library.id }]);
  });
});

import { randomUUID } from "node:crypto";
import { actorOfSignIn } from "@/lib/auth/actor";
import { pieceToPublish, publishablePieces } from "@/lib/features/publishing/reads";
import { holdPublishing } from "@/lib/features/publishing/sql";
import { query } from "@/tests/support/db";
import { newDesk, newPiece, newProject, newTopic } from "@/tests/support/factories";

/** Two projects; what is publishable of the first comes in the order in which it was written. */
async function newShelf() {
  const desk = await newDesk();
  const actor = actorOfSignIn(desk.id, { requestId: "test", address: "test" });
  const write = (title: string, body?: string) => newPiece(desk, desk, { title, ...(body ? { body } : {}) });
  const [first, second] = [await write("First", "A text."), await write("Second", "Another text.")];
  return { ...desk, actor, write, first, second };
}

const NOT_FOUND = { type: "NOT_FOUND", message: "This piece was not found. It may have been deleted." };

it("a piece comes with all that publishing knows of it", async () => {
  const { actor, second, caller } = await newShelf();
  await caller.patch(`/api/content/${second}`, { outline: "## One" });
  const known = {
    wpSite: "https://blog.example/wp-json/",
    wpPostId: "7",
    wpCategoryId: "3",
    wpRemoteHash: "there",
    wpUnansweredHash: "on its way",
    wpSentHash: "sent",
    wpSentSource: "source",
    wpRenderer: 2,
  };
  await query(
    `UPDATE content_pieces SET status = 'wp_failed', wp_site = $2, wp_post_id = $3, wp_category_id = $4, wp_remote_hash = $5,
       wp_unanswered_hash = $6, wp_sent_hash = $7, wp_sent_source = $8, wp_renderer = $9 WHERE id = $1`,
    [second, ...Object.values(known)],
  );
  expect(await pieceToPublish(actor, second)).toEqual({
    id: second,
    version: 2,
    title: "Second",
    body: "Another text.",
    outline: "## One",
    status: "wp_failed",
    isTitleOnly: false,
    hasBody: true,
    topic: { name: "Seed starting indoors" },
    ...known,
  });
});

it("a piece is the owner's alone", async () => {
  const [{ actor, caller, first }, stranger] = [await newShelf(), await newShelf()];
  await expect(pieceToPublish(stranger.actor, first)).rejects.toMatchObject(NOT_FOUND);
  await caller.delete(`/api/content/${first}`);
  await expect(pieceToPublish(actor, first)).rejects.toMatchObject(NOT_FOUND);
});

it("the place to publish is the named piece's, for its owner alone", async () => {
  const [{ actor, second }, stranger] = [await newShelf(), await newShelf()];
  expect(await holdPublishing(stranger.actor.userId, second, randomUUID())).toBeUndefined();
  expect(await holdPublishing(actor.userId, second, randomUUID())).toEqual({ abandoned: false });
  const held = await query("SELECT subject FROM leases WHERE user_id = ANY ($1)", [[actor.userId, stranger.id]]);
  expect(held).toEqual([{ subject: second }]);
});

it.each(["publish", "unpublish", "sync"])("%s looks for the piece before it looks for a site", async (verb) => {
  const [{ first }, stranger] = [await newShelf(), await newShelf()];
  const { status, body } = await stranger.caller.post(`/api/content/${first}/${verb}`);
  expect([status, body]).toEqual([404, expect.objectContaining({ type: "NOT_FOUND" })]);
});

it("what is publishable of a project has a text and is more than a title, oldest first", async () => {
  const { actor, write, first, second, ...desk } = await newShelf();
  await write("A title alone");
  await write("A blank body", " \n");
  const flagged = await write("Called a title alone", "Although it has a text.");
  await query("UPDATE content_pieces SET is_title_only = true WHERE id = $1", [flagged]);
  const blanked = await write("Written once", "A text.");
  await desk.caller.patch(`/api/content/${blanked}`, { body: " " });
  const elsewhere = await newProject(desk, "Another");
  const place = { projectId: elsewhere, topicId: await newTopic(desk, elsewhere) };
  await newPiece(desk, place, { title: "Elsewhere", body: "A text." });
  await query("UPDATE content_pieces SET created_at = created_at + interval '1 day' WHERE id = $1", [first]);
  expect(await publishablePieces(actor, desk.projectId)).toEqual([
    { id: second, title: "Second" },
    { id: first, title: "First" },
  ]);
  const stranger = await newShelf();
  await expect(publishablePieces(stranger.actor, desk.projectId)).rejects.toMatchObject({ type: "NOT_FOUND" });
});

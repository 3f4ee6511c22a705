import { randomUUID } from "node:crypto";
import { actorFromSignIn } from "@/lib/auth/actor";
import { piecesToPublish, projectOfPiece, publishablePieces, publishingCounts } from "@/lib/features/publishing/reads";
import { acquirePublishing } from "@/lib/features/publishing/sql/leases";
import { query } from "@/tests/support/db";
import { newPiece, newProject, newTopic, newWorkspace } from "@/tests/support/factories";
import { connectedSite, storePost } from "@/tests/support/posts";

/** Two projects; the first one's publishable pieces are in the order of writing. */
async function newLibrary() {
  const workspace = await newWorkspace();
  const actor = actorFromSignIn(workspace.id, { requestId: "test", address: "test" });
  const write = (title: string, body?: string) => newPiece(workspace, workspace, { title, ...(body ? { body } : {}) });
  const [first, second] = [await write("First", "A text."), await write("Second", "Another text.")];
  return { ...workspace, actor, write, first, second };
}

const NOT_FOUND = { type: "NOT_FOUND", message: "This piece was not found. It may have been deleted." };

it("a piece is read with what is known of it on each site", async () => {
  const { id: userId, actor, first, second, caller } = await newLibrary();
  await caller.patch(`/api/content/${second}`, { outline: "## One" });
  const [present, former] = [
    await connectedSite(userId, "https://blog.example"),
    await connectedSite(userId, "https://former.example", false),
  ];
  await storePost(second, present, { postId: "7", status: "wp_failed", categoryId: "3", remoteHash: "there" });
  await storePost(second, former, { postId: "9", status: "wp_published" });
  await storePost(first, present, { postId: "8" });
  const [found] = await piecesToPublish(actor, [second]);
  const { posts = [], ...piece } = found ?? {};
  expect(piece).toEqual({
    id: second,
    version: 2,
    title: "Second",
    body: "Another text.",
    outline: "## One",
    focusKeyword: null,
    metaTitle: null,
    metaDescription: null,
    slug: null,
    excerpt: null,
    status: "draft",
    isTitleOnly: false,
    hasBody: true,
    topicId: expect.any(Number),
    topic: { name: "Seed starting indoors" },
  });
  expect(posts.sort((a, b) => Number(a.postId) - Number(b.postId))).toMatchObject([
    { siteId: present, postId: "7", status: "wp_failed", categoryId: "3", remoteHash: "there", unansweredHashes: [] },
    { siteId: former, postId: "9", status: "wp_published", categoryId: null },
  ]);
});

it("a piece is read by its owner only", async () => {
  const [{ actor, caller, first }, stranger] = [await newLibrary(), await newLibrary()];
  await expect(projectOfPiece(stranger.actor, first)).rejects.toMatchObject(NOT_FOUND);
  expect(await piecesToPublish(stranger.actor, [first])).toEqual([]);
  expect((await piecesToPublish(actor, [first])).map(({ id }) => id)).toEqual([first]);
  await projectOfPiece(actor, first);
  await caller.delete(`/api/content/${first}`);
  await expect(projectOfPiece(actor, first)).rejects.toMatchObject(NOT_FOUND);
});

it("a publish is acquired for the named piece, by its owner only", async () => {
  const [{ actor, second }, stranger] = [await newLibrary(), await newLibrary()];
  expect(await acquirePublishing(stranger.actor.userId, [second], randomUUID())).toEqual([]);
  expect(await acquirePublishing(actor.userId, [second], randomUUID())).toEqual([second]);
  const held = await query("SELECT subject FROM leases WHERE user_id = ANY ($1)", [[actor.userId, stranger.id]]);
  expect(held).toEqual([{ subject: second }]);
});

it.each(["publish", "unpublish", "sync"])("%s checks the piece before the site", async (verb) => {
  const [{ first }, stranger] = [await newLibrary(), await newLibrary()];
  const { status, body } = await stranger.caller.post(`/api/content/${first}/${verb}`);
  expect([status, body]).toEqual([404, expect.objectContaining({ type: "NOT_FOUND" })]);
});

it("the publishable pieces of a project have a text and are not title-only, oldest first", async () => {
  const { actor, write, first, second, ...workspace } = await newLibrary();
  await write("A title alone");
  await write("A blank body", " \n");
  const flagged = await write("Called a title alone", "Although it has a text.");
  await query("UPDATE content_pieces SET is_title_only = true WHERE id = $1", [flagged]);
  const blanked = await write("Written once", "A text.");
  await workspace.caller.patch(`/api/content/${blanked}`, { body: " " });
  const elsewhere = await newProject(workspace, "Another");
  const place = { projectId: elsewhere, topicId: await newTopic(workspace, elsewhere) };
  await newPiece(workspace, place, { title: "Elsewhere", body: "A text." });
  await query("UPDATE content_pieces SET created_at = created_at + interval '1 day' WHERE id = $1", [first]);
  expect(await publishablePieces(actor, workspace.projectId)).toMatchObject([
    { id: second, title: "Second" },
    { id: first, title: "First" },
  ]);
  const stranger = await newLibrary();
  await expect(publishablePieces(stranger.actor, workspace.projectId)).rejects.toMatchObject({ type: "NOT_FOUND" });
});

it("the publishable pieces of each project are counted as live, ready and failed", async () => {
  const { id: userId, actor, caller, projectId, write } = await newLibrary();
  const failed = await write("Third", "A third text.");
  const live = await write("Fourth", "A fourth text.");
  await write("A title alone");
  await query("UPDATE content_pieces SET status = 'wp_failed' WHERE id = $1", [failed]);
  await query("UPDATE content_pieces SET status = 'wp_published' WHERE id = $1", [live]);
  await newProject({ id: userId }, "Empty");
  const stranger = await newWorkspace();
  await newPiece(stranger, stranger, { title: "Not mine", body: "A text." });
  const counts = [{ projectId, live: 1, ready: 2, failed: 1 }];
  expect((await caller.get("/api/publishing-counts")).body).toEqual(counts);
  expect(await publishingCounts(actor)).toEqual(counts);
});

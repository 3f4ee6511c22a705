import { noFaults } from "@/scripts/samples/wordpress/faults";
import { suiteBlog } from "@/tests/support/blog";
import { expireLease, holdResponse, UPDATE, workspaceWithPost } from "@/tests/support/publishing-workspace";

// An update of a live post that got no response: the post's content is ours, not an edit on the site.

const site = suiteBlog();

type Workspace = Awaited<ReturnType<typeof workspaceWithPost>>;

const FIRST = "## Alpha\n\nThe first text.";
const UPDATED = "## Beta\n\nThe update.";

/** A live post, and an update that the site stores without a response. */
async function loseUpdate(): Promise<Workspace & { postId: number }> {
  const workspace = await workspaceWithPost(site, FIRST);
  const postId = Number((await workspace.publish()).body.wpPostId);
  await workspace.caller.patch(workspace.url, { body: UPDATED });
  site.faults.failAfterUpdate = 1;
  const { status, body } = await workspace.publish();
  expect([status, body.type, (await workspace.read()).status]).toEqual([502, "WORDPRESS_REJECTED", "wp_published"]);
  expect(contentOf(workspace)).toContain("The update.");
  return { ...workspace, postId };
}

const contentOf = (workspace: Workspace) => workspace.post()[0]?.content;
const sync = ({ caller, url }: Workspace) => caller.post<{ remoteChanged: boolean }>(`${url}/sync`);

it("sends an unanswered update again when the user publishes again", async () => {
  const workspace = await loseUpdate();
  const { status, body } = await workspace.publish();
  expect([status, body.status, body.publishError]).toEqual([200, "wp_published", null]);
  expect(contentOf(workspace)).toContain("The update.");
});

it("replaces an unanswered update with a text written since", async () => {
  const workspace = await loseUpdate();
  await workspace.caller.patch(workspace.url, { body: "A third text." });
  expect((await workspace.publish()).status).toBe(200);
  expect(contentOf(workspace)).toContain("A third text.");
});

it("replaces an unanswered update with the text before it, although that one was confirmed", async () => {
  const workspace = await loseUpdate();
  await workspace.caller.patch(workspace.url, { body: FIRST });
  expect((await workspace.publish()).status).toBe(200);
  expect(contentOf(workspace)).toContain("The first text.");
});

it("does not report an unanswered update as an edit on the site", async () => {
  const workspace = await loseUpdate();
  expect((await sync(workspace)).body.remoteChanged).toBe(false);
});

it("still reports a later edit on the site", async () => {
  const workspace = await loseUpdate();
  site.edit(workspace.postId, { content: "<p>Edited on the site</p>" });
  expect((await sync(workspace)).body.remoteChanged).toBe(true);
  expect((await workspace.publish()).body.type).toBe("REMOTE_CHANGED");
  expect(contentOf(workspace)).toContain("Edited on the site");
});

it("replaces an unanswered update that arrives only after the next one", async () => {
  const workspace = await loseUpdate();
  const unanswered = contentOf(workspace) ?? "";
  await workspace.caller.patch(workspace.url, { body: "A third text." });
  await workspace.publish();
  site.edit(workspace.postId, { content: unanswered });
  expect((await workspace.publish()).status).toBe(200);
  expect(contentOf(workspace)).toContain("A third text.");
});

it("publishes again after the site refused an update", async () => {
  const workspace = await workspaceWithPost(site, FIRST);
  await workspace.publish();
  await workspace.caller.patch(workspace.url, { body: UPDATED });
  site.faults.tooLarge = true;
  expect((await workspace.publish()).status).toBe(502);
  expect(contentOf(workspace)).toContain("The first text.");
  Object.assign(site.faults, noFaults());
  expect((await workspace.publish()).status).toBe(200);
  expect(contentOf(workspace)).toContain("The update.");
});

it("recognises the update of a dead process when it takes over", async () => {
  const workspace = await workspaceWithPost(site, FIRST);
  await workspace.publish();
  await workspace.caller.patch(workspace.url, { body: UPDATED });
  const held = holdResponse(site, UPDATE);
  const died = workspace.publish();
  await held.reached;
  await expireLease(workspace.contentId);
  const { status, body } = await workspace.publish();
  held.open();
  expect([status, body.status, (await died).body.type]).toEqual([200, "wp_published", "ALREADY_RUNNING"]);
});

import { markerSlug } from "@/lib/features/publishing/rules";
import { noFaults } from "@/scripts/samples/wordpress/faults";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece } from "@/tests/support/factories";
import { type Piece, siteSettings, workspaceWithPost } from "@/tests/support/publishing-workspace";

// What becomes of writes that the site did not answer, once they can hardly arrive any more.

const site = suiteBlog();
let steps: typeof import("@/lib/features/publishing/steps");
let removal: typeof import("@/lib/features/deletion/steps");

beforeAll(async () => {
  steps = await import("@/lib/features/publishing/steps");
  removal = await import("@/lib/features/deletion/steps");
});
beforeEach(() => query("UPDATE piece_posts SET unanswered_since = NULL"));

type Workspace = Awaited<ReturnType<typeof workspaceWithPost>>;

const settle = async (after = "3 minutes") => {
  await removal.removeDeleted();
  for (const table of ["piece_posts", "abandoned_posts"])
    await query(`UPDATE ${table} SET unanswered_since = unanswered_since - $1::interval`, [after]);
  return steps.settlePosts();
};
const openSince = async ({ contentId }: Workspace) =>
  (
    await query<{ since: Date | null }>(
      "SELECT unanswered_since AS since FROM piece_posts WHERE content_piece_id = $1",
      [contentId],
    )
  )[0]?.since;
const abandoned = async ({ contentId }: Workspace) =>
  (await query("SELECT 1 FROM abandoned_posts WHERE content_piece_id = $1", [contentId])).length;
const drafts = (workspace: Workspace) =>
  site.posts().filter(({ slug }) => slug.startsWith(markerSlug(workspace.contentId)));

/** The site makes the draft, and nothing of it is heard. */
async function loseCreation(workspace: Workspace): Promise<void> {
  site.faults.failAfterCreate = 1;
  site.faults.rewrite = (answer, { method, route }) =>
    method === "GET" && route === "/wp/v2/posts" ? { status: 500, body: {} } : answer;
  expect((await workspace.publish()).status).toBe(502);
  Object.assign(site.faults, noFaults());
  expect(drafts(workspace)).toHaveLength(1);
}

/** A second creation of the same draft, which arrives late. */
async function arriveAgain(workspace: Workspace): Promise<void> {
  const { createWordPressClient } = await import("@/lib/wordpress/client");
  const { id: userId } = workspace;
  const { username, applicationPassword: password } = site;
  const login = { userId, apiRoot: `${site.url}/wp-json/`, username, password };
  const draft = { marker: markerSlug(workspace.contentId), title: `A post ${workspace.username}` };
  expect(await createWordPressClient(login).createDrafts([draft])).toEqual([expect.objectContaining({ ok: true })]);
}

describe("an unanswered creation", () => {
  it("is left alone for two minutes, then its empty draft is removed", async () => {
    const workspace = await workspaceWithPost(site);
    await loseCreation(workspace);
    expect([await settle("100 seconds"), drafts(workspace).length]).toEqual([0, 1]);
    expect([await settle("21 seconds"), drafts(workspace).length, await openSince(workspace)]).toEqual([1, 0, null]);
    expect(await workspace.read()).toMatchObject({ status: "wp_failed", wpPostId: null });
    expect((await workspace.publish()).body.status).toBe("wp_published");
    expect(workspace.post()).toHaveLength(1);
  });

  it("that arrived twice leaves the piece its post, and no stray", async () => {
    const workspace = await workspaceWithPost(site);
    await loseCreation(workspace);
    const { wpPostId } = (await workspace.publish()).body;
    await arriveAgain(workspace);
    expect(workspace.post()).toHaveLength(2);
    expect(await settle()).toBe(1);
    expect(workspace.post()).toEqual([expect.objectContaining({ id: Number(wpPostId), status: "publish" })]);
    expect(await workspace.read()).toMatchObject({ status: "wp_published", wpPostId });
  });

  it("whose draft somebody has written in becomes the piece's post, and keeps that text", async () => {
    const workspace = await workspaceWithPost(site);
    await loseCreation(workspace);
    const [draft] = drafts(workspace);
    site.edit(draft?.id ?? 0, { content: "<p>Written on the site</p>" });
    await workspace.caller.patch(workspace.url, { status: "review" });
    expect(await settle()).toBe(1);
    expect(await workspace.read()).toMatchObject({ status: "review", wpPostId: String(draft?.id) });
    expect(workspace.post()).toEqual([expect.objectContaining({ content: "<p>Written on the site</p>" })]);
  });

  it("leaves the piece its own draft when only the text was refused", async () => {
    const workspace = await workspaceWithPost(site);
    site.faults.answerAfter = ({ method, route }) => {
      if (method === "POST" && route === "/wp/v2/posts") site.faults.maintenance = true;
      return undefined;
    };
    await workspace.publish();
    Object.assign(site.faults, noFaults());
    const wpPostId = String(drafts(workspace)[0]?.id);
    expect(await workspace.read()).toMatchObject({ status: "wp_failed", wpPostId });
    await settle();
    expect([drafts(workspace).length, (await workspace.read()).wpPostId]).toEqual([1, wpPostId]);
  });

  it.each([
    ["piece", ({ contentId }: Workspace) => `/api/content/${contentId}`],
    ["project", ({ projectId }: Workspace) => `/api/projects/${projectId}`],
  ])("leaves no draft when the %s is deleted", async (_what, urlOf) => {
    const workspace = await workspaceWithPost(site);
    await loseCreation(workspace);
    expect((await workspace.caller.delete(urlOf(workspace))).status).toBe(204);
    expect([await settle("0 seconds"), drafts(workspace).length]).toEqual([0, 1]);
    site.faults.down = true;
    expect([await settle(), drafts(workspace).length]).toEqual([0, 1]);
    site.faults.down = false;
    expect([await settle("0 seconds"), drafts(workspace).length]).toEqual([1, 0]);
    expect(await abandoned(workspace)).toBe(0);
  });

  it("of a deleted piece leaves a draft that somebody has written in", async () => {
    const workspace = await workspaceWithPost(site);
    await loseCreation(workspace);
    await workspace.caller.delete(`/api/content/${workspace.contentId}`);
    site.edit(drafts(workspace)[0]?.id ?? 0, { content: "<p>Written on the site</p>" });
    expect([await settle(), drafts(workspace).length, await abandoned(workspace)]).toEqual([1, 1, 0]);
  });

  it("of a deleted piece is tried again while its draft cannot be removed, and others are removed", async () => {
    const workspace = await workspaceWithPost(site);
    const contentId = await newPiece(workspace, workspace, { title: `Other ${workspace.username}`, body: "A text." });
    const publish = () => workspace.caller.post<Piece>(`/api/content/${contentId}/publish`);
    const other = { ...workspace, contentId, publish };
    for (const each of [workspace, other]) {
      await loseCreation(each);
      await workspace.caller.delete(`/api/content/${each.contentId}`);
    }
    const kept = drafts(workspace)[0]?.id;
    site.faults.rewrite = (answer, { method, route }) =>
      method === "DELETE" && route === `/wp/v2/posts/${kept}` ? { status: 500, body: {} } : answer;
    expect([await settle(), await abandoned(workspace), await abandoned(other)]).toEqual([1, 1, 0]);
    site.faults.rewrite = null;
    expect([await settle(), await abandoned(workspace), drafts(other).length]).toEqual([1, 0, 0]);
  });

  it("of one user's deleted piece is looked for on that user's site alone", async () => {
    for (const workspace of [await workspaceWithPost(site), await workspaceWithPost(site)]) {
      await loseCreation(workspace);
      await workspace.caller.delete(`/api/content/${workspace.contentId}`);
    }
    expect(await settle()).toBe(2);
  });

  it("of a deleted piece is given up after a week", async () => {
    const workspace = await workspaceWithPost(site);
    await loseCreation(workspace);
    await workspace.caller.delete(`/api/content/${workspace.contentId}`);
    expect([await settle("8 days"), drafts(workspace).length]).toEqual([0, 1]);
    await (await import("@/lib/features/sites/steps")).pruneFormerSites();
    expect(await abandoned(workspace)).toBe(0);
  });

  it("is forgotten with the user", async () => {
    const workspace = await workspaceWithPost(site);
    await loseCreation(workspace);
    await query("DELETE FROM users WHERE id = $1", [workspace.id]);
    expect([await settle(), await abandoned(workspace)]).toEqual([0, 0]);
  });

  it("waits for a site that cannot be asked", async () => {
    const workspace = await workspaceWithPost(site);
    await loseCreation(workspace);
    site.faults.down = true;
    expect([await settle(), await openSince(workspace)]).toEqual([0, expect.any(Date)]);
    site.faults.down = false;
    expect([await settle(), await openSince(workspace)]).toEqual([1, null]);
  });

  it("waits for a site that does not say, and the log does", async () => {
    const { log } = await import("@/lib/log");
    const info = jest.spyOn(log, "info").mockImplementation();
    const workspace = await workspaceWithPost(site);
    await loseCreation(workspace);
    site.faults.rewrite = (answer, { route }) => (route === "/wp/v2/posts" ? { status: 500, body: {} } : answer);
    expect([await settle(), await openSince(workspace)]).toEqual([0, expect.any(Date)]);
    expect(info.mock.calls).toContainEqual([{ type: "CONNECTION_ERROR" }, "a post could not be settled yet"]);
    info.mockRestore();
  });

  it("is not looked for on another site, nor on one that may be, of which settling asks nothing", async () => {
    const workspace = await workspaceWithPost(site);
    await loseCreation(workspace);
    const other = await startSampleWordPress();
    await workspace.caller.patch("/api/user/settings", siteSettings(other));
    const places = () => query<{ place: string }>("SELECT place FROM sites WHERE user_id = $1", [workspace.id]);
    const before = await places();
    expect([await settle(), drafts(workspace).length, other.posts().length]).toEqual([0, 1, 0]);
    expect([await places(), await openSince(workspace)]).toEqual([before, expect.any(Date)]);
    await workspace.caller.post("/api/wordpress/test", { site: "other" });
    expect([await settle(), drafts(workspace).length, other.posts().length]).toEqual([0, 1, 0]);
    await workspace.caller.patch("/api/user/settings", siteSettings(site));
    await workspace.caller.get("/api/wordpress/categories");
    expect([await settle(), drafts(workspace).length]).toEqual([1, 0]);
    await other.close();
  });

  it("of a piece that is being published is left to that call", async () => {
    const workspace = await workspaceWithPost(site);
    await loseCreation(workspace);
    const { acquirePublishing } = await import("@/lib/features/publishing/sql/leases");
    const { randomUUID } = await import("node:crypto");
    await acquirePublishing(workspace.id, [workspace.contentId], randomUUID());
    expect([await settle(), drafts(workspace).length]).toEqual([0, 1]);
  });

  it("of a post in place of a deleted one leaves a draft that does not count as edited on the site", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.publish();
    site.remove(workspace.post()[0]?.id ?? 0);
    expect((await workspace.publish()).body.type).toBe("REMOTE_GONE");
    await settle();
    await loseCreation(workspace);
    expect((await workspace.publish()).body.status).toBe("wp_published");
    expect(workspace.post()).toHaveLength(1);
  });

  it("is given up after a week", async () => {
    const workspace = await workspaceWithPost(site);
    await loseCreation(workspace);
    expect([await settle("8 days"), drafts(workspace).length]).toEqual([0, 1]);
  });
});

describe("an unanswered update", () => {
  it("that was done makes the piece published after all", async () => {
    const workspace = await workspaceWithPost(site);
    site.faults.failAfterUpdate = 1;
    expect((await workspace.publish()).status).toBe(502);
    expect((await workspace.read()).status).toBe("wp_failed");
    expect(await settle()).toBe(1);
    expect(await workspace.read()).toMatchObject({
      status: "wp_published",
      publishError: null,
      wpPermalink: expect.stringContaining("a-post-"),
    });
    // It is known as ours: an edit on the site is one.
    const [post] = workspace.post();
    site.edit(post?.id ?? 0, { content: "<p>Edited on the site</p>" });
    expect((await workspace.publish()).body.type).toBe("REMOTE_CHANGED");
  });

  it("of a draft whose creation was not answered either is no edit on the site", async () => {
    const workspace = await workspaceWithPost(site);
    Object.assign(site.faults, { failAfterCreate: 1, failAfterUpdate: 1 });
    expect((await workspace.publish()).status).toBe(502);
    expect(workspace.post()).toEqual([expect.objectContaining({ status: "publish" })]);
    expect(await settle()).toBe(1);
    expect((await workspace.read()).status).toBe("wp_published");
    const [post] = workspace.post();
    site.edit(post?.id ?? 0, { content: "<p>Edited on the site</p>" });
    expect((await workspace.publish()).body.type).toBe("REMOTE_CHANGED");
  });

  it("that makes a post live again after it was unpublished is taken back", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.publish();
    const [{ id = 0, content = "" } = {}] = workspace.post();
    await workspace.caller.patch(workspace.url, { body: "The update" });
    site.faults.failAfterUpdate = 1;
    expect((await workspace.publish()).status).toBe(502);
    const update = workspace.post()[0]?.content ?? "";
    // It has not arrived yet when the post is unpublished.
    site.edit(id, { content });
    await workspace.caller.post(`${workspace.url}/unpublish`);
    site.edit(id, { status: "publish", content: update });
    expect(await settle()).toBe(1);
    expect(workspace.post()).toEqual([expect.objectContaining({ status: "draft" })]);
    expect((await workspace.read()).status).toBe("wp_draft");
  });

  it("is not taken for the text before it, once it is found", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.publish();
    const { body } = await workspace.read();
    await workspace.caller.patch(workspace.url, { body: "The update" });
    site.faults.failAfterUpdate = 1;
    await workspace.publish();
    expect(await settle()).toBe(1);
    await workspace.caller.patch(workspace.url, { body });
    await workspace.publish();
    expect(workspace.post()).toEqual([expect.objectContaining({ content: expect.stringContaining("Alpha") })]);
  });

  it("leaves a post live that somebody else has written and published since", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.publish();
    await workspace.caller.patch(workspace.url, { body: "The update" });
    site.faults.failAfterUpdate = 1;
    await workspace.publish();
    await workspace.caller.post(`${workspace.url}/unpublish`);
    const [post] = workspace.post();
    site.edit(post?.id ?? 0, { status: "publish", content: "<p>Theirs</p>" });
    expect(await settle()).toBe(1);
    expect(workspace.post()).toEqual([expect.objectContaining({ status: "publish", content: "<p>Theirs</p>" })]);
    expect((await workspace.read()).status).toBe("wp_published");
  });

  it("of a post that is gone leaves the piece unpublished", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.publish();
    await workspace.caller.patch(workspace.url, { body: "The update" });
    site.faults.failAfterUpdate = 1;
    await workspace.publish();
    site.remove(workspace.post()[0]?.id ?? 0);
    expect(await settle()).toBe(1);
    expect(await workspace.read()).toMatchObject({ status: "unpublished", wpPostId: null, wpPermalink: null });
  });
});

describe("an unanswered write after which somebody changed the post by hand", () => {
  /** The first publish, an update or an unpublish arrives, and the site says nothing of it. */
  const WRITES = {
    "first publish": async (workspace: Workspace) => {
      site.faults.failAfterUpdate = 1;
      await workspace.publish();
    },
    update: async (workspace: Workspace) => {
      await workspace.publish();
      await workspace.caller.patch(workspace.url, { body: "The update" });
      site.faults.failAfterUpdate = 1;
      await workspace.publish();
    },
    unpublish: async (workspace: Workspace) => {
      await workspace.publish();
      site.faults.failAfterUpdate = 1;
      await workspace.caller.post(`${workspace.url}/unpublish`);
    },
  };
  const CHANGES: [change: string, fields: object, becomes: string][] = [
    ["published", { status: "publish" }, "wp_published"],
    ["withdrawn", { status: "draft" }, "wp_draft"],
    ["scheduled", { status: "future", date: "2051-02-03T04:05:06" }, "wp_draft"],
    ["edited", { status: "publish", content: "<p>Theirs</p>" }, "wp_published"],
    ["given another slug", { status: "publish", slug: "theirs" }, "wp_published"],
    ["given other categories", { status: "publish", categories: [1] }, "wp_published"],
    ["trashed", { status: "trash" }, "unpublished"],
  ];

  it.each(
    Object.entries(WRITES).flatMap(([write, send]) => CHANGES.map((change) => [write, ...change, send] as const)),
  )("(%s) leaves it as it is when it was %s", async (_write, _change, fields, becomes, send) => {
    const workspace = await workspaceWithPost(site);
    await send(workspace);
    const [post] = workspace.post();
    site.edit(post?.id ?? 0, fields);
    const changed = structuredClone(workspace.post());
    expect(await settle()).toBe(1);
    expect(workspace.post()).toEqual(changed);
    expect((await workspace.read()).status).toBe(becomes);
  });

  it.each([
    ["published", { status: "publish" }],
    ["published under another slug", { status: "publish", slug: "theirs" }],
  ] as const)("leaves a post live that was withdrawn here, answered, and then %s by hand", async (_change, fields) => {
    const workspace = await workspaceWithPost(site);
    await WRITES.update(workspace);
    await workspace.caller.post(`${workspace.url}/unpublish`);
    const [post] = workspace.post();
    site.edit(post?.id ?? 0, fields);
    expect(await settle()).toBe(1);
    expect(workspace.post()).toEqual([expect.objectContaining(fields)]);
    expect((await workspace.read()).status).toBe("wp_published");
  });

  it("removes no draft of an unanswered creation in which somebody has begun to write", async () => {
    for (const fields of [{ content: "<p>Theirs</p>" }, { excerpt: "Theirs" }, { status: "pending" }]) {
      const workspace = await workspaceWithPost(site);
      await loseCreation(workspace);
      const [draft] = drafts(workspace);
      site.edit(draft?.id ?? 0, fields as object);
      await settle();
      expect([fields, drafts(workspace).length]).toEqual([fields, 1]);
    }
  });
});

describe("sites that hang", () => {
  const open: SampleWordPress[] = [];
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

  /** A user whose creation went unanswered, and whose site hangs from now on. */
  async function hanging() {
    const hung = await startSampleWordPress();
    open.push(hung);
    const workspace = await workspaceWithPost(hung);
    hung.faults.failAfterCreate = 1;
    hung.faults.rewrite = (answer, { method, route }) =>
      method === "GET" && route === "/wp/v2/posts" ? { status: 500, body: {} } : answer;
    expect((await workspace.publish()).status).toBe(502);
    Object.assign(hung.faults, noFaults(), { delayMs: 8_000 });
    return workspace;
  }
  const timed = async (options: Parameters<typeof steps.settlePosts>[0]) => {
    await query("UPDATE piece_posts SET unanswered_since = unanswered_since - interval '3 minutes'");
    const began = Date.now();
    return { settled: await steps.settlePosts(options), took: Date.now() - began };
  };

  it("cost a run their share of time alone, beside other users' sites, which are settled", async () => {
    const others = await Promise.all(Array.from({ length: 7 }, hanging));
    const workspaces = [await workspaceWithPost(site), await workspaceWithPost(site)];
    for (const workspace of workspaces) await loseCreation(workspace);
    const { settled, took } = await timed({ userMs: 1_000 });
    expect([settled, ...workspaces.map((each) => drafts(each).length)]).toEqual([2, 0, 0]);
    expect(took).toBeLessThan(5_000);
    for (const each of others) expect(await openSince(each)).toEqual(expect.any(Date));
  }, 30_000);

  it("leave room in a run for every user, however many posts of one wait", async () => {
    const { selectUnsettled } = await import("@/lib/features/content/sql/shared");
    const [many, one] = [await workspaceWithPost(site), await workspaceWithPost(site)];
    for (const each of [many, one]) await loseCreation(each);
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        newPiece(many, many, { title: `More ${many.username} ${n}`, body: "A text." }),
      ),
    );
    await query(
      `INSERT INTO piece_posts (content_piece_id, site_id, unanswered_since)
       SELECT added.id, w.site_id, w.unanswered_since FROM piece_posts w, unnest($2::uuid[]) AS added (id) WHERE w.content_piece_id = $1`,
      [many.contentId, ids],
    );
    await query("UPDATE piece_posts SET unanswered_since = unanswered_since - interval '3 minutes'");
    for (let look = 0; look < 5; look++)
      expect((await selectUnsettled(120, 2)).map(({ userId }) => userId).sort()).toEqual([many.id, one.id].sort());
  });

  it("end with the run, and users after that wait for the next one", async () => {
    await Promise.all(Array.from({ length: 9 }, hanging));
    const { settled, took } = await timed({ totalMs: 1_000 });
    expect([settled, took < 5_000]).toEqual([0, true]);
  }, 30_000);
});

it("looks once for strays of a new post, whose creation may have been delivered twice, and then not again", async () => {
  const workspace = await workspaceWithPost(site);
  await workspace.publish();
  await arriveAgain(workspace);
  expect(workspace.post()).toHaveLength(2);
  expect([await settle(), workspace.post().length, await openSince(workspace)]).toEqual([1, 1, null]);
  const before = site.requests.length;
  expect([await settle(), site.requests.length]).toEqual([0, before]);
  // Nor after an update, which is answered.
  await workspace.caller.patch(workspace.url, { body: "The update" });
  await workspace.publish();
  expect([await settle(), await openSince(workspace)]).toEqual([0, null]);
  await workspace.caller.post(`${workspace.url}/unpublish`);
  expect(await openSince(workspace)).toBeNull();
});

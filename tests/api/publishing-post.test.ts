import type { LatestPublishingOut } from "@/lib/features/publishing/schema";
import { noFaults } from "@/scripts/samples/wordpress/faults";
import { startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece, newTopic } from "@/tests/support/factories";
import { moveTo, type Piece, workspaceWithPost, writesOf } from "@/tests/support/publishing-workspace";

// What a publish sends, and what it leaves unchanged.

const site = suiteBlog();

/** The topic's name in every workspace. */
const TOPIC = "Seed starting indoors";

type Category = { id: number; name: string };

describe("the address of a post", () => {
  it("consists of whole words of its title, at most 80 characters", async () => {
    const workspace = await workspaceWithPost(site);
    const words = Array.from({ length: 20 }, (_, n) => `word${n}`).join(" ");
    await workspace.caller.patch(workspace.url, { title: `${workspace.username} ${words}` });
    await workspace.publish();
    const slug = workspace.post()[0]?.slug ?? "";
    expect(slug).toMatch(/-word\d+$/);
    expect(slug.length).toBeLessThanOrEqual(80);
    expect(slug.length).toBeGreaterThan(70);
  });

  it("stays when the post is updated, also if it was set on the site", async () => {
    const workspace = await workspaceWithPost(site);
    const { wpPostId } = (await workspace.publish()).body;
    site.edit(Number(wpPostId), { slug: `chosen-${workspace.username}` });
    await workspace.caller.patch(workspace.url, { body: "Edited.", title: `Another title ${workspace.username}` });
    const { status, body } = await workspace.publish();
    expect([status, workspace.post()[0]?.title]).toEqual([200, `Another title ${workspace.username}`]);
    expect(body.wpPermalink).toBe(`${site.url}/chosen-${workspace.username}/`);
  });
});

describe("a post that already has our text", () => {
  it("is written again when it was unpublished on the site", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.publish();
    await workspace.caller.post(`${workspace.url}/unpublish`);
    expect((await workspace.publish()).body.status).toBe("wp_published");
    expect(workspace.post()).toEqual([expect.objectContaining({ status: "publish" })]);
  });

  it("is overwritten with the same text when it was edited on the site and the call forces it", async () => {
    const workspace = await workspaceWithPost(site);
    const { wpPostId } = (await workspace.publish()).body;
    site.edit(Number(wpPostId), { content: "<p>Edited on the site</p>" });
    expect((await workspace.publish()).body.type).toBe("REMOTE_CHANGED");
    expect((await workspace.publish({ force: true })).status).toBe(200);
    expect(workspace.post()[0]?.content).toContain("Alpha");
    expect((await workspace.caller.post<{ remoteChanged: boolean }>(`${workspace.url}/sync`)).body.remoteChanged).toBe(
      false,
    );
  });

  it("is not taken for edited when WordPress stored it otherwise than it was sent", async () => {
    const workspace = await workspaceWithPost(site);
    site.faults.rewrite = (answer, { method, route }) => {
      const [, id] = /^\/wp\/v2\/posts\/(\d+)$/.exec(route) ?? [];
      if (method !== "POST" || !id) return answer;
      site.edit(Number(id), { content: "<p>Without what the account may not use</p>" });
      return {
        ...answer,
        body: { ...(answer.body as object), content: { raw: "<p>Without what the account may not use</p>" } },
      };
    };
    await workspace.publish();
    site.faults.rewrite = null;
    const { body } = await workspace.caller.post<{ remoteChanged: boolean }>(`${workspace.url}/sync`);
    expect(body.remoteChanged).toBe(false);
    await workspace.caller.patch(workspace.url, { body: "Edited here." });
    expect((await workspace.publish()).status).toBe(200);
    expect(workspace.post()[0]?.content).toContain("Edited here.");
  });

  it("counts as edited on the site when only its title was changed", async () => {
    const workspace = await workspaceWithPost(site);
    const { wpPostId } = (await workspace.publish()).body;
    site.edit(Number(wpPostId), { title: `Renamed ${workspace.username}` });
    expect((await workspace.publish()).body.type).toBe("REMOTE_CHANGED");
  });
});

it("reads the post of one piece by itself, since a list leaves out what is in the bin", async () => {
  const workspace = await workspaceWithPost(site);
  const { wpPostId } = (await workspace.publish()).body;
  const before = site.requests.length;
  await workspace.publish();
  const reads = site.requests.slice(before).filter((request) => request.startsWith("GET /wp/v2/posts"));
  expect(reads).toEqual([`GET /wp/v2/posts/${wpPostId}`]);
});

describe("a post without a text so far", () => {
  it("does not count as edited on the site", async () => {
    const workspace = await workspaceWithPost(site);
    site.faults.failAfterUpdate = 1;
    await workspace.publish();
    expect((await workspace.caller.post<{ remoteChanged: boolean }>(`${workspace.url}/sync`)).body.remoteChanged).toBe(
      false,
    );
    expect((await workspace.publish()).body.status).toBe("wp_published");
  });

  it("is not affected by what another site was sent", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.publish();
    await workspace.caller.patch(workspace.url, { body: "Another text." });
    const other = await startSampleWordPress();
    await moveTo(workspace, other);
    other.faults.failAfterUpdate = 1;
    expect((await workspace.publish()).status).toBe(502);
    expect((await workspace.publish()).body).toMatchObject({ status: "wp_published", publishError: null });
    expect(other.posts()).toHaveLength(1);
    await other.close();
  });
});

describe("unpublishing", () => {
  it("makes the post a draft with its text, and forgets its address and an earlier failure", async () => {
    const workspace = await workspaceWithPost(site);
    site.faults.failAfterUpdate = 1;
    expect((await workspace.publish()).status).toBe(502);
    expect(await workspace.read()).toMatchObject({ status: "wp_failed", publishError: expect.any(String) });
    await query(
      "UPDATE piece_posts SET permalink = 'https://x.example/a', last_synced_at = '2026-01-01' WHERE content_piece_id = $1",
      [workspace.contentId],
    );
    const before = Date.now();
    const { body } = await workspace.caller.post<Piece>(`${workspace.url}/unpublish`);
    expect(body).toMatchObject({ status: "wp_draft", wpPermalink: null, publishError: null });
    expect(Date.parse(body.lastSyncedAt ?? "")).toBeGreaterThanOrEqual(before - 1);
    expect(workspace.post()).toEqual([
      expect.objectContaining({ status: "draft", content: expect.stringContaining("Alpha") }),
    ]);
  });

  it("leaves nothing to wait for once it was answered", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.publish();
    const open = (change = "") =>
      query<{ open: boolean }>(
        `${change || "SELECT unanswered_since IS NOT NULL AS open FROM piece_posts"} WHERE content_piece_id = $1`,
        [workspace.contentId],
      );
    await open("UPDATE piece_posts SET unanswered_since = NULL");
    await workspace.caller.post(`${workspace.url}/unpublish`);
    expect(await open()).toEqual([{ open: false }]);
  });

  describe("after somebody changed the post on the site", () => {
    const CHANGES = { title: "Another", content: "<p>Another text.</p>", slug: "another", date: "2001-02-03T04:05:06" };

    it.each(["slug", "date"] as const)("does it while it has its %s still", async (kept) => {
      const workspace = await workspaceWithPost(site);
      const id = Number((await workspace.publish()).body.wpPostId);
      const { [kept]: _, ...changes } = CHANGES;
      site.edit(id, changes);
      expect((await workspace.caller.post<Piece>(`${workspace.url}/unpublish`)).body.status).toBe("wp_draft");
      expect(site.posts().find((post) => post.id === id)?.status).toBe("draft");
    });

    it("leaves another post that has its id, as after WordPress was set up again", async () => {
      const workspace = await workspaceWithPost(site);
      const id = Number((await workspace.publish()).body.wpPostId);
      site.edit(id, CHANGES);
      const { status, body } = await workspace.caller.post<Piece>(`${workspace.url}/unpublish`);
      expect([status, body.type]).toEqual([400, "NOT_ON_SITE"]);
      expect(site.posts().find((post) => post.id === id)?.status).toBe("publish");
      expect((await workspace.read()).status).toBe("wp_published");
    });
  });

  it("asks the site for nothing when the piece is somebody else's", async () => {
    const [workspace, other] = [await workspaceWithPost(site), await workspaceWithPost(site)];
    await workspace.publish();
    const before = site.requests.length;
    for (const verb of ["publish", "unpublish", "sync"]) {
      expect((await other.caller.post(`${workspace.url}/${verb}`)).status).toBe(404);
    }
    expect([site.requests.length, workspace.post()[0]?.status]).toEqual([before, "publish"]);
  });
});

it.each(["administrator", "author"] as const)(
  "a title with angle brackets is written once by an %s, and read as it was typed",
  async (role) => {
    const workspace = await workspaceWithPost(site);
    const { username: wordpressUsername, applicationPassword: wordpressPassword } = site.users[role];
    await workspace.caller.patch("/api/user/settings", { wordpressUsername, wordpressPassword });
    await workspace.caller.patch(workspace.url, { title: `How the <head> element ${workspace.username} works` });
    const { wpPermalink } = (await workspace.publish({ categoryName: "Uncategorized" })).body;
    const page = await (await fetch(String(wpPermalink))).text();
    const encoded = `How the &lt;head&gt; element ${workspace.username} works`;
    expect([workspace.post()[0]?.title, page]).toEqual([encoded, expect.stringContaining(encoded)]);
    expect(await writesOf(site, () => workspace.publish())).toEqual([]);
    expect((await workspace.caller.post<Piece>(`${workspace.url}/sync`)).body).toMatchObject({ remoteChanged: false });
  },
);

describe("a post that the site does not make live", () => {
  it.each([
    ["future", "2030-01-02T03:04:05", "2030-01-02T03:04:05.000Z"],
    ["pending", "2026-01-02T03:04:05", null],
    ["private", "2026-01-02T03:04:05", null],
  ])("leaves its piece a WordPress Draft that is %s there, until it is live", async (status, date_gmt, wpPostDate) => {
    const workspace = await workspaceWithPost(site);
    site.faults.rewrite = (answer) => {
      const text = JSON.stringify(answer.body).replaceAll('"status":"publish"', `"status":"${status}"`);
      return { ...answer, body: JSON.parse(text.replace(/"date_gmt":"[^"]*"/g, `"date_gmt":"${date_gmt}"`)) };
    };
    const kept = { status: "wp_draft", wpPermalink: null, wpPostStatus: status, wpPostDate };
    expect((await workspace.publish()).body).toMatchObject(kept);
    expect((await workspace.caller.post<Piece>(`${workspace.url}/sync`)).body).toMatchObject(kept);
    expect(await workspace.read()).toMatchObject(kept);
    Object.assign(site.faults, noFaults());
    const live = { status: "wp_published", wpPostStatus: null, wpPostDate: null };
    expect((await workspace.caller.post<Piece>(`${workspace.url}/sync`)).body).toMatchObject(live);
    const withdrawn = { status: "wp_draft", wpPermalink: null, wpPostStatus: "draft", wpPostDate: null };
    expect((await workspace.caller.post<Piece>(`${workspace.url}/unpublish`)).body).toMatchObject(withdrawn);
  });
});

describe("a post that is scheduled on the site", () => {
  async function scheduled() {
    const workspace = await workspaceWithPost(site);
    const id = Number((await workspace.publish()).body.wpPostId);
    site.edit(id, { status: "future", date: "2051-02-03T04:05:06" });
    await workspace.caller.patch(workspace.url, { body: "The update." });
    return workspace;
  }
  const updated = expect.stringContaining("The update.");

  it("gets its text and stays scheduled", async () => {
    const workspace = await scheduled();
    const kept = { status: "wp_draft", wpPostStatus: "future", wpPostDate: "2051-02-03T04:05:06.000Z" };
    expect((await workspace.publish()).body).toMatchObject(kept);
    expect(workspace.post()).toEqual([expect.objectContaining({ status: "future", content: updated })]);
  });

  it("is a success of a job with the site's status and date, and not counted as live", async () => {
    const workspace = await scheduled();
    const url = `/api/projects/${workspace.projectId}`;
    const standing = { wpPostStatus: "future", wpPostDate: "2051-02-03T04:05:06.000Z" };
    const { body } = await workspace.caller.post<{ results: object[] }>(`${url}/publish-all-to-wordpress`);
    expect(body.results).toEqual([expect.objectContaining({ success: true, ...standing })]);
    const { job } = (await workspace.caller.get<LatestPublishingOut>(`${url}/publishing-jobs`)).body;
    expect(job).toMatchObject({ completedItems: 1, liveItems: 0, failedItems: 0 });
    const results = await workspace.caller.get<object[]>(`/api/publishing-jobs/${job?.id}/results`);
    expect(results.body).toEqual([expect.objectContaining({ status: "completed", ...standing })]);
  });

  it("goes live with the date of now when the call says so", async () => {
    const workspace = await scheduled();
    const live = { status: "wp_published", wpPostStatus: null, wpPostDate: null };
    expect((await workspace.publish({ now: true })).body).toMatchObject(live);
    const [post] = workspace.post();
    expect(post).toMatchObject({ status: "publish", content: updated });
    expect(Math.abs(Date.parse(`${post?.date}Z`) - Date.now())).toBeLessThan(60_000);
  });

  it("keeps its date when it is live by then", async () => {
    const workspace = await scheduled();
    site.edit(workspace.post()[0]?.id ?? 0, { status: "publish", date: "2001-02-03T04:05:06" });
    await workspace.publish({ now: true });
    expect(workspace.post()).toEqual([expect.objectContaining({ date: "2001-02-03T04:05:06", content: updated })]);
  });
});

describe("the category of a post", () => {
  it("is not queried on the site when the piece has none", async () => {
    const workspace = await workspaceWithPost(site);
    site.faults.failAfterUpdate = 1;
    await workspace.publish();
    const before = site.requests.length;
    expect((await workspace.publish()).body.status).toBe("wp_published");
    expect(site.requests.slice(before).filter((request) => /^GET .*categories\//.test(request))).toEqual([]);
  });

  it("is the one of the id, whatever the spelling of the name", async () => {
    const workspace = await workspaceWithPost(site);
    const made = (await workspace.publish({ categoryName: "Guides" })).body;
    const { body } = await workspace.publish({ categoryId: made.wpCategoryId, categoryName: "  guides" });
    expect([body.wpCategoryId, body.wpCategoryName]).toEqual([made.wpCategoryId, "Guides"]);
  });

  it("is taken by id before name", async () => {
    const workspace = await workspaceWithPost(site);
    const made = (await workspace.publish({ categoryName: "Guides" })).body;
    const other = (await workspace.publish({ categoryName: "Tools" })).body;
    expect(other.wpCategoryId).not.toBe(made.wpCategoryId);
    expect((await workspace.publish({ categoryId: made.wpCategoryId })).body.wpCategoryName).toBe("Guides");
    expect((await workspace.publish({ categoryId: "" })).body.wpCategoryName).toBe("Guides");
  });

  it("is not the piece's category of another site, even if its id exists", async () => {
    const workspace = await workspaceWithPost(site);
    const own = (await workspace.publish({ categoryName: "Guides" })).body.wpCategoryId;
    const other = await startSampleWordPress();
    const siteId = await moveTo(workspace, other);
    const has = async () =>
      (await workspace.caller.get<Category[]>(`/api/wordpress/categories?siteId=${siteId}`)).body.find(
        ({ id }) => String(id) === own,
      );
    const topicId = await newTopic(workspace, workspace.projectId, "Fillers");
    const filler = await newPiece(workspace, { ...workspace, topicId }, { title: "Filler", body: "x" });
    for (let n = 0; n < 60 && !(await has()); n++)
      await workspace.caller.post(`/api/content/${filler}/publish`, { categoryName: `Filler ${n}` });
    expect((await has())?.name).toMatch(/^Filler/);
    expect((await workspace.publish()).body).toMatchObject({ status: "wp_published", wpCategoryName: TOPIC });
    await other.close();
  });

  it("is the topic's when the piece's own was deleted on the site", async () => {
    const workspace = await workspaceWithPost(site);
    const { wpCategoryId } = (await workspace.publish({ categoryName: "Guides" })).body;
    site.faults.rewrite = (answer, { route }) =>
      route === `/wp/v2/categories/${wpCategoryId}`
        ? { status: 404, body: { code: "rest_term_invalid", message: "Term does not exist.", data: { status: 404 } } }
        : answer;
    expect((await workspace.publish()).body.wpCategoryName).toBe(TOPIC);
  });

  describe("that others gave more categories", () => {
    const GIVEN = 1;

    async function withGiven() {
      const workspace = await workspaceWithPost(site);
      const ours = Number((await workspace.publish({ categoryName: "Guides" })).body.wpCategoryId);
      const id = workspace.post()[0]?.id ?? 0;
      const there = () => workspace.post()[0]?.categories;
      const change = async (input = {}) => {
        const { version } = await workspace.read();
        await workspace.caller.patch(workspace.url, { body: `Version ${version + 1}.`, version });
        return (await workspace.publish(input)).body;
      };
      return { ...workspace, id, ours, there, change };
    }

    it("keeps them through an update, with ours", async () => {
      const { id, ours, there, change } = await withGiven();
      site.edit(id, { categories: [ours, GIVEN] });
      await change();
      expect(there()).toEqual([GIVEN, ours]);
    });

    it("changes ours alone for another one", async () => {
      const { id, ours, there, change } = await withGiven();
      site.edit(id, { categories: [ours, GIVEN] });
      const other = Number((await change({ categoryName: "Tools" })).wpCategoryId);
      expect(other).not.toBe(ours);
      expect(there()).toEqual([GIVEN, other]);
    });

    it("does not get ours back that was taken off, unless a call names it", async () => {
      const { id, ours, there, change, publish } = await withGiven();
      site.edit(id, { categories: [GIVEN] });
      await change();
      expect(there()).toEqual([GIVEN]);
      await publish();
      expect(there()).toEqual([GIVEN]);
      await publish({ categoryId: String(ours) });
      expect(there()).toEqual([GIVEN, ours]);
    });

    it("is set alone on a site that does not say which it has", async () => {
      const { ours, there, change } = await withGiven();
      site.faults.rewrite = (answer, { method, route }) =>
        method === "GET" && route.startsWith("/wp/v2/posts/")
          ? { ...answer, body: { ...(answer.body as object), categories: undefined } }
          : answer;
      await change();
      expect(there()).toEqual([ours]);
    });
  });

  it("is requested after rendering, so that a text that cannot be rendered changes nothing on the site", async () => {
    const workspace = await workspaceWithPost(site, "> ".repeat(60_000));
    const before = await workspace.read();
    expect(
      await writesOf(site, async () => {
        expect((await workspace.publish()).body.type).toBe("TOO_COMPLEX");
      }),
    ).toEqual([]);
    expect(await workspace.read()).toEqual(before);
  });
});

it("has no trigger before each updated piece, which would compute its generated columns again", async () => {
  const [before, row, update] = [2, 1, 16];
  const found = await query(
    "SELECT tgname FROM pg_trigger WHERE tgrelid = 'content_pieces'::regclass AND NOT tgisinternal AND tgtype & $1::int = $1::int",
    [before | row | update],
  );
  expect(found).toEqual([]);
});

import { MAX_LIST_BYTES } from "@/lib/limits/bounds";
import { startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";
import {
  connectedWorkspace,
  type Failed,
  moveTo,
  type Piece,
  siteSettings,
  UPDATE,
  workspaceWithPost,
} from "@/tests/support/publishing-workspace";

const site = suiteBlog();

describe("publishing one piece", () => {
  it("needs credentials, and says so in the words of the specification", async () => {
    const workspace = await newWorkspace();
    const id = await newPiece(workspace, workspace, { body: "text" });
    for (const verb of ["publish", "unpublish", "sync"]) {
      const answer = await workspace.caller.post<Failed>(`/api/content/${id}/${verb}`);
      expect([answer.status, answer.body.type]).toEqual([400, "MISSING_CREDENTIALS"]);
      expect(answer.body.error).toBe("WordPress credentials not found. Please add them in your profile settings.");
    }
  });

  it("publishes blocks into the topic's category, updates the same post, and does not write unchanged text", async () => {
    const workspace = await workspaceWithPost(site);
    const first = await workspace.caller.post<Piece>(`${workspace.url}/publish`);
    expect(first).toMatchObject({
      status: 200,
      body: { status: "wp_published", wpCategoryName: "Seed starting indoors", publishError: null },
    });
    expect(first.body.wpPermalink).toContain(`a-post-${workspace.username}`);
    expect(workspace.post()).toHaveLength(1);
    expect(JSON.stringify(workspace.post()[0])).toContain("<!-- wp:heading -->");
    const writes = () => site.requests.filter((request) => request.startsWith("POST")).length;
    await workspace.caller.patch(workspace.url, { body: "## Beta\n\nEdited." });
    await workspace.caller.post(`${workspace.url}/publish`);
    expect(workspace.post()).toHaveLength(1);
    expect(JSON.stringify(workspace.post()[0])).toContain("Beta");
    const before = writes();
    const again = await workspace.caller.post<Piece>(`${workspace.url}/publish`);
    expect(again.body).toMatchObject({ status: "wp_published", wpPostId: first.body.wpPostId });
    expect(writes() - before).toBe(0);
  });

  it("refuses a title-only piece and a blank body, and keeps the status", async () => {
    const workspace = await connectedWorkspace(site);
    const id = await newPiece(workspace, workspace);
    const answer = await workspace.caller.post<Failed>(`/api/content/${id}/publish`);
    expect([answer.status, answer.body.type]).toEqual([400, "NOT_PUBLISHABLE"]);
    expect((await workspace.caller.get<Piece>(`/api/content/${id}`)).body.status).toBe("draft");
  });

  it("takes the category by id, then by name, and keeps it for the next publish", async () => {
    const workspace = await workspaceWithPost(site);
    const named = await workspace.caller.post<Piece>(`${workspace.url}/publish`, { categoryName: "R&D" });
    expect(named.body).toMatchObject({ wpCategoryName: "R&D", wpCategoryId: expect.stringMatching(/^\d+$/) });
    const categories = await workspace.caller.get<{ id: number; name: string }[]>("/api/wordpress/categories");
    const id = categories.body.find(({ name }) => name === "R&D")?.id;
    expect(String(id)).toBe(named.body.wpCategoryId);
    expect((await workspace.caller.post<Piece>(`${workspace.url}/publish`, {})).body.wpCategoryName).toBe("R&D");
    expect((await workspace.caller.post<Piece>(`${workspace.url}/publish`, { categoryId: id })).body.wpCategoryId).toBe(
      String(id),
    );
  });

  it("answers a site's many categories in pages, each once", async () => {
    const workspace = await connectedWorkspace(site);
    const perPage = 1_000;
    let asked = 0;
    site.faults.rewrite = (answer, { method, route }) => {
      if (method !== "GET" || route !== "/wp/v2/categories") return answer;
      // Two full pages and an empty one, again and again.
      const first = (asked++ % 3) * perPage + 1;
      const ids = Array.from({ length: first > 2 * perPage ? 0 : perPage }, (_, index) => first + index);
      return { status: 200, body: ids.map((id) => ({ id, name: `${"園".repeat(190)} ${id}` })) };
    };
    const seen: number[] = [];
    const sizes: number[] = [];
    for (let url: string | undefined = "/api/wordpress/categories"; url; ) {
      const page: Awaited<ReturnType<typeof workspace.caller.get<{ id: number }[]>>> = await workspace.caller.get(url);
      expect([page.status, page.text.slice(0, 100)]).toEqual([200, expect.stringMatching(/^\[/)]);
      seen.push(...page.body.map((one) => one.id));
      sizes.push(Buffer.byteLength(page.text));
      url = /<(.+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 2 * perPage }, (_, index) => index + 1));
    expect(sizes).toHaveLength(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_LIST_BYTES);
  });

  it("publishes once for ten concurrent clicks", async () => {
    const workspace = await workspaceWithPost(site);
    const clicks = await Promise.all(
      Array.from({ length: 10 }, () => workspace.caller.post<Failed>(`${workspace.url}/publish`)),
    );
    expect(workspace.post()).toHaveLength(1);
    const answers = clicks.map(({ status, body }) => (status === 200 ? "published" : body.type));
    expect(new Set(answers)).toEqual(new Set(["published", "ALREADY_RUNNING"]));
  });

  it("adopts the post when the site creates it but answers with an error", async () => {
    const workspace = await workspaceWithPost(site);
    site.faults.failAfterCreate = 1;
    const { status, body } = await workspace.publish();
    expect([status, body.status, body.publishError]).toEqual([200, "wp_published", null]);
    expect(workspace.post()).toHaveLength(1);
    expect(body.wpPermalink).toContain(`a-post-${workspace.username}`);
  });

  it("fails when the text's write gets an error, and creates no second post the next time", async () => {
    const workspace = await workspaceWithPost(site);
    site.faults.failAfterUpdate = 1;
    const { status, body } = await workspace.publish();
    expect([status, body.type]).toEqual([502, "WORDPRESS_REJECTED"]);
    expect(await workspace.read()).toMatchObject({ status: "wp_failed", publishError: body.error });
    const second = await workspace.publish();
    expect(second.body).toMatchObject({ status: "wp_published", publishError: null });
    expect(workspace.post()).toHaveLength(1);
    expect(second.body.wpPermalink).toContain(`a-post-${workspace.username}`);
  });

  it.each([
    ["down", "not known yet"],
    ["maintenance", "not known yet"],
    ["html200", "not known yet"],
    ["html200", "known"],
    ["firewall", "not known yet"],
    ["firewall", "known"],
  ] as const)(
    "leaves the piece as it was when the site is %s before anything is written, and %s",
    async (fault, which) => {
      const workspace = await workspaceWithPost(site);
      if (which === "known") await workspace.caller.get("/api/wordpress/categories");
      site.faults[fault] = true;
      const failed = await workspace.caller.post<Failed>(`${workspace.url}/publish`);
      expect(failed.status).toBeGreaterThanOrEqual(400);
      expect(failed.status).not.toBe(500);
      expect(failed.body.error.length).toBeGreaterThan(20);
      expect((await workspace.caller.get<Piece>(workspace.url)).body).toMatchObject({
        body: "## Alpha\n\nSome **bold** text.",
        status: "draft",
        publishError: null,
      });
      site.faults[fault] = false;
      expect((await workspace.caller.post<Piece>(`${workspace.url}/publish`)).body.status).toBe("wp_published");
      expect(workspace.post()).toHaveLength(1);
    },
  );

  it("distinguishes a wrong password from a missing permission", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.caller.patch("/api/user/settings", { wordpressPassword: "abcd efgh ijkl mnop" });
    const wrong = await workspace.caller.post<Failed>(`${workspace.url}/publish`);
    expect(wrong.body.type).toBe("WORDPRESS_REJECTED");
    const { username, applicationPassword } = site.users.subscriber;
    await workspace.caller.patch("/api/user/settings", {
      wordpressUsername: username,
      wordpressPassword: applicationPassword,
    });
    const forbidden = await workspace.caller.post<Failed>(`${workspace.url}/publish`);
    expect([forbidden.status, forbidden.body.type]).toEqual([403, "WORDPRESS_FORBIDDEN"]);
    expect((await workspace.caller.post<Failed>("/api/wordpress/test")).body).toMatchObject({
      type: "WORDPRESS_FORBIDDEN",
      error:
        "This WordPress account may not publish posts. Use an account with the Author, Editor or Administrator role.",
    });
    await workspace.caller.patch("/api/user/settings", siteSettings(site));
    expect((await workspace.caller.post("/api/wordpress/test")).body).toMatchObject({ ok: true, site: site.url });
  });

  it("does not reach a private address that the operator has not allowed", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.caller.patch("/api/user/settings", {
      wordpressUrl: "http://10.0.0.1",
      wordpressPassword: "x x x x",
    });
    const answer = await workspace.caller.post<Failed>(`${workspace.url}/publish`);
    expect([answer.status, answer.body.type]).toEqual([502, "CONNECTION_ERROR"]);
    expect(answer.body.error).toBe(
      "Could not connect to WordPress site. Please check your site URL and ensure it is accessible.",
    );
    expect(answer.body.detail).toContain("10.0.0.1 is a private address");
    // Its categories fail in the same way.
    const list = await workspace.caller.get<Failed>("/api/wordpress/categories");
    expect(list.body).toMatchObject({ type: "CONNECTION_ERROR", error: answer.body.error, detail: answer.body.detail });
  });
});

describe("changes on the site", () => {
  it("do not get overwritten, unless forced", async () => {
    const workspace = await workspaceWithPost(site);
    const { wpPostId } = (await workspace.caller.post<Piece>(`${workspace.url}/publish`)).body;
    site.edit(Number(wpPostId), { content: "<p>Edited on the site</p>" });
    expect((await workspace.caller.post<{ remoteChanged: boolean }>(`${workspace.url}/sync`)).body.remoteChanged).toBe(
      true,
    );
    await workspace.caller.patch(workspace.url, { body: "Mine" });
    const refused = await workspace.caller.post<Failed>(`${workspace.url}/publish`);
    expect([refused.status, refused.body.type]).toEqual([409, "REMOTE_CHANGED"]);
    expect((await workspace.caller.get<Piece>(workspace.url)).body.status).toBe("wp_published");
    expect((await workspace.caller.post<Piece>(`${workspace.url}/publish`, { force: true })).status).toBe(200);
    expect(JSON.stringify(workspace.post())).toContain("Mine");
  });

  it("are recognised when a post is trashed or deleted", async () => {
    const workspace = await workspaceWithPost(site);
    const { wpPostId } = (await workspace.caller.post<Piece>(`${workspace.url}/publish`)).body;
    site.trash(Number(wpPostId));
    expect((await workspace.caller.post<Failed>(`${workspace.url}/publish`)).body.type).toBe("REMOTE_TRASHED");
    expect((await workspace.caller.post<Piece>(`${workspace.url}/sync`)).body).toMatchObject({
      status: "unpublished",
      wpPostId,
    });
    site.remove(Number(wpPostId));
    expect((await workspace.caller.post<Failed>(`${workspace.url}/publish`)).body.type).toBe("REMOTE_GONE");
    expect((await workspace.caller.get<Piece>(workspace.url)).body).toMatchObject({
      wpPostId: null,
      status: "unpublished",
    });
    expect((await workspace.caller.post<Piece>(`${workspace.url}/publish`)).body.status).toBe("wp_published");
    expect(workspace.post()).toHaveLength(1);
  });

  it("unpublishing makes a draft, and publishing reuses the same post", async () => {
    const workspace = await workspaceWithPost(site);
    const { wpPostId } = (await workspace.caller.post<Piece>(`${workspace.url}/publish`)).body;
    expect((await workspace.caller.post<Piece>(`${workspace.url}/unpublish`)).body).toMatchObject({
      status: "wp_draft",
      wpPermalink: null,
      wpPostId,
    });
    expect(workspace.post()[0]).toMatchObject({ status: "draft" });
    expect((await workspace.caller.post<Piece>(`${workspace.url}/unpublish`)).body.status).toBe("wp_draft");
    expect((await workspace.caller.post<Piece>(`${workspace.url}/publish`)).body).toMatchObject({
      status: "wp_published",
      wpPostId,
    });
    site.remove(Number(wpPostId));
    expect((await workspace.caller.post<Piece>(`${workspace.url}/unpublish`)).body).toMatchObject({
      status: "unpublished",
      wpPostId: null,
    });
    expect((await workspace.caller.post<Failed>(`${workspace.url}/unpublish`)).body.type).toBe("NOT_ON_SITE");
  });

  it("unpublishing that the site refuses leaves the piece published, and says why", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.publish();
    const before = await workspace.read();
    const refusal = { status: 403, body: { code: "rest_cannot_edit", message: "No.", data: { status: 403 } } };
    site.faults.rewrite = (answer, { method, route }) => (UPDATE.test(`${method} ${route}`) ? refusal : answer);
    const refused = await workspace.caller.post<Failed>(`${workspace.url}/unpublish`);
    expect([refused.status, refused.body.type]).toEqual([403, "WORDPRESS_FORBIDDEN"]);
    expect(await workspace.read()).toEqual({ ...before, updatedAt: expect.any(String) });
  });

  it("a piece of another site counts as not on this one", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.caller.post(`${workspace.url}/publish`);
    const other = await startSampleWordPress();
    await moveTo(workspace, other);
    expect((await workspace.caller.post<Failed>(`${workspace.url}/sync`)).body.type).toBe("NOT_ON_SITE");
    const { body } = await workspace.publish();
    expect(body).toMatchObject({ status: "wp_published", wpCategoryName: "Seed starting indoors" });
    const there = (await workspace.caller.get<{ id: number; name: string }[]>("/api/wordpress/categories")).body;
    const category = there.find(({ name }) => name === "Seed starting indoors");
    expect([body.wpCategoryId, other.posts()]).toEqual([
      String(category?.id),
      [expect.objectContaining({ id: Number(body.wpPostId), status: "publish", categories: [category?.id] })],
    ]);
    expect(workspace.post()).toHaveLength(1);
    await other.close();
  });
});

describe("the category and the user's current site", () => {
  const listed = async (workspace: Awaited<ReturnType<typeof workspaceWithPost>>) =>
    (await workspace.caller.get<Piece[]>(`/api/projects/${workspace.projectId}/content`)).body[0];

  it("is returned with the piece while its site is the current one, whatever the spelling of the address", async () => {
    const workspace = await workspaceWithPost(site);
    expect(await listed(workspace)).toMatchObject({ wpPlace: "none" });
    await workspace.caller.post(`${workspace.url}/publish`, { categoryName: "Guides" });
    const own = { wpPlace: "here", wpCategoryName: "Guides", wpCategoryId: expect.stringMatching(/^\d+$/) };
    expect(await listed(workspace)).toMatchObject(own);
    await workspace.caller.patch("/api/user/settings", { ...siteSettings(site), wordpressUrl: `${site.url}/wp-admin` });
    expect(await listed(workspace)).toMatchObject(own);
    expect((await workspace.caller.get<Piece>(workspace.url)).body).toMatchObject(own);
  });

  it("has no ids, link or status on another site, and has them again on the first", async () => {
    const workspace = await workspaceWithPost(site);
    const first = (await workspace.caller.post<Piece>(`${workspace.url}/publish`, { categoryName: "Guides" })).body;
    const other = await startSampleWordPress();
    await workspace.caller.patch("/api/user/settings", siteSettings(other));
    // The new address has not been looked up yet: the category is left out, and nothing else changes.
    expect(await listed(workspace)).toMatchObject({ wpPlace: "unknown", wpCategoryId: null, wpPostId: first.wpPostId });
    await workspace.caller.patch("/api/user/settings", siteSettings(site));
    await moveTo(workspace, other);
    const gone = { wpPlace: "elsewhere", wpCategoryId: null, wpCategoryName: null, wpPostId: null, wpPermalink: null };
    expect(await listed(workspace)).toMatchObject(gone);
    expect((await workspace.caller.get<Piece>(workspace.url)).body).toMatchObject(gone);
    // A piece that is not live here is not locked either.
    expect((await workspace.caller.patch<Piece>(workspace.url, { status: "review" })).body.status).toBe("review");
    await moveTo(workspace, site);
    expect(await listed(workspace)).toMatchObject({
      wpPlace: "here",
      wpPostId: first.wpPostId,
      wpCategoryId: first.wpCategoryId,
    });
    await other.close();
  });

  it("never uses an id of another site, but the category's name", async () => {
    const workspace = await workspaceWithPost(site);
    const guides = (await workspace.caller.post<Piece>(`${workspace.url}/publish`, { categoryName: "Guides" })).body
      .wpCategoryId;
    const other = await startSampleWordPress();
    const siteId = await moveTo(workspace, other);
    // Fill the other site, so that the same id is another category there.
    const names: { id: number; name: string }[] = [];
    for (let n = 0; n < 40 && !names.some(({ id }) => String(id) === guides); n++) {
      const id = await newPiece(workspace, workspace, { title: `Filler ${n}`, body: "x" });
      await workspace.caller.post(`/api/content/${id}/publish`, { categoryName: `Filler ${n}` });
      const { body } = await workspace.caller.get<typeof names>(`/api/wordpress/categories?siteId=${siteId}`);
      names.splice(0, names.length, ...body);
    }
    expect(names.find(({ id }) => String(id) === guides)?.name).toMatch(/^Filler/);
    const sent = await workspace.caller.post<Piece>(`${workspace.url}/publish`, {
      categoryId: guides,
      categoryName: "Guides",
    });
    expect(sent.body).toMatchObject({ status: "wp_published", wpCategoryName: "Guides" });
    expect(sent.body.wpCategoryId).not.toBe(guides);
    await other.close();
  });

  it("is refused when its id is unknown and no name is given; with a name it is created", async () => {
    const workspace = await workspaceWithPost(site);
    const refused = await workspace.caller.post<Failed>(`${workspace.url}/publish`, { categoryId: 99_999 });
    expect([refused.status, refused.body.type]).toEqual([400, "VALIDATION_ERROR"]);
    expect(refused.body.error).toBe("This category is not on your WordPress site. Choose another one.");
    expect((await workspace.caller.get<Piece>(workspace.url)).body.status).toBe("draft");
    const made = await workspace.caller.post<Piece>(`${workspace.url}/publish`, {
      categoryId: 99_999,
      categoryName: "Lost",
    });
    expect(made.body).toMatchObject({ wpCategoryName: "Lost" });
    expect(made.body.wpCategoryId).not.toBe("99999");
  });

  it("is the topic's when the call asks for it, even if the piece has another one", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.caller.post(`${workspace.url}/publish`, { categoryName: "Guides" });
    expect((await workspace.caller.post<Piece>(`${workspace.url}/publish`, {})).body.wpCategoryName).toBe("Guides");
    const moved = await workspace.caller.post<Piece>(`${workspace.url}/publish`, { byTopic: true });
    expect(moved.body.wpCategoryName).toBe("Seed starting indoors");
  });
});

describe("audit", () => {
  it("records sign-in, settings, publishing and deletion without secrets", async () => {
    const workspace = await workspaceWithPost(site);
    await workspace.caller.post(`${workspace.url}/publish`);
    await workspace.caller.delete(workspace.url);
    const rows = await query<{ action: string; detail: unknown }>(
      "SELECT action, detail FROM audit_events WHERE user_id = $1",
      [workspace.id],
    );
    expect(rows.map(({ action }) => action).sort()).toEqual([
      "account.registered",
      "content.deleted",
      "content.published",
      "settings.site_changed",
    ]);
    expect(JSON.stringify(rows)).not.toContain(site.applicationPassword);
  });
});

import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newDesk, newPiece } from "@/tests/support/factories";
import { connectedDesk, deskWithPost, type Failed, loginTo, type Piece } from "@/tests/support/publishing-desk";
import { noFaults } from "@/tests/support/wordpress/faults";
import { type SampleWordPress, startSampleWordPress } from "@/tests/support/wordpress-site";

let site: SampleWordPress;

beforeAll(async () => {
  site = await startBlog();
});
afterAll(() => site.close());
afterEach(() => {
  Object.assign(site.faults, noFaults());
});

describe("publishing one piece", () => {
  it("needs credentials, and says so in the words of the specification", async () => {
    const desk = await newDesk();
    const id = await newPiece(desk, desk, { body: "text" });
    for (const verb of ["publish", "unpublish", "sync"]) {
      const answer = await desk.caller.post<Failed>(`/api/content/${id}/${verb}`);
      expect([answer.status, answer.body.type]).toEqual([400, "MISSING_CREDENTIALS"]);
      expect(answer.body.error).toBe("WordPress credentials not found. Please add them in your profile settings.");
    }
  });

  it("publishes blocks into the topic's category, updates the same post, and writes nothing that is unchanged", async () => {
    const desk = await deskWithPost(site);
    const first = await desk.caller.post<Piece>(`${desk.url}/publish`);
    expect(first).toMatchObject({
      status: 200,
      body: { status: "wp_published", wpCategoryName: "Seed starting indoors", publishError: null },
    });
    expect(first.body.wpPermalink).toContain(`a-post-${desk.username}`);
    expect(desk.post()).toHaveLength(1);
    expect(JSON.stringify(desk.post()[0])).toContain("<!-- wp:heading -->");
    const writes = () => site.requests.filter((request) => request.startsWith("POST")).length;
    await desk.caller.patch(desk.url, { body: "## Beta\n\nEdited." });
    await desk.caller.post(`${desk.url}/publish`);
    expect(desk.post()).toHaveLength(1);
    expect(JSON.stringify(desk.post()[0])).toContain("Beta");
    const before = writes();
    const again = await desk.caller.post<Piece>(`${desk.url}/publish`);
    expect(again.body).toMatchObject({ status: "wp_published", wpPostId: first.body.wpPostId });
    expect(writes() - before).toBe(0);
  });

  it("refuses a title and a blank body, with the status as it was", async () => {
    const desk = await connectedDesk(site);
    const id = await newPiece(desk, desk);
    const answer = await desk.caller.post<Failed>(`/api/content/${id}/publish`);
    expect([answer.status, answer.body.type]).toEqual([400, "NOT_PUBLISHABLE"]);
    expect((await desk.caller.get<Piece>(`/api/content/${id}`)).body.status).toBe("draft");
  });

  it("takes the category by id, then by name, and keeps it the next time", async () => {
    const desk = await deskWithPost(site);
    const named = await desk.caller.post<Piece>(`${desk.url}/publish`, { categoryName: "R&D" });
    expect(named.body).toMatchObject({ wpCategoryName: "R&D", wpCategoryId: expect.stringMatching(/^\d+$/) });
    const categories = await desk.caller.get<{ id: number; name: string }[]>("/api/wordpress/categories");
    const id = categories.body.find(({ name }) => name === "R&D")?.id;
    expect(String(id)).toBe(named.body.wpCategoryId);
    expect((await desk.caller.post<Piece>(`${desk.url}/publish`, {})).body.wpCategoryName).toBe("R&D");
    expect((await desk.caller.post<Piece>(`${desk.url}/publish`, { categoryId: id })).body.wpCategoryId).toBe(
      String(id),
    );
  });

  it("publishes once when ten clicks meet", async () => {
    const desk = await deskWithPost(site);
    const clicks = await Promise.all(Array.from({ length: 10 }, () => desk.caller.post<Failed>(`${desk.url}/publish`)));
    expect(desk.post()).toHaveLength(1);
    const answers = clicks.map(({ status, body }) => (status === 200 ? "published" : body.type));
    expect(new Set(answers)).toEqual(new Set(["published", "ALREADY_RUNNING"]));
  });

  it("adopts the post whose creation the site answers with an error", async () => {
    const desk = await deskWithPost(site);
    site.faults.failAfterCreate = 1;
    const { status, body } = await desk.publish();
    expect([status, body.status, body.publishError]).toEqual([200, "wp_published", null]);
    expect(desk.post()).toHaveLength(1);
    expect(body.wpPermalink).toContain(`a-post-${desk.username}`);
  });

  it("has failed where its text's write is answered with an error, and makes no second post the next time", async () => {
    const desk = await deskWithPost(site);
    site.faults.failAfterUpdate = 1;
    const { status, body } = await desk.publish();
    expect([status, body.type]).toEqual([502, "WORDPRESS_REJECTED"]);
    expect(await desk.read()).toMatchObject({ status: "wp_failed", publishError: body.error });
    const second = await desk.publish();
    expect(second.body).toMatchObject({ status: "wp_published", publishError: null });
    expect(desk.post()).toHaveLength(1);
    expect(second.body.wpPermalink).toContain(`a-post-${desk.username}`);
  });

  it.each([
    // Nothing was sent.
    ["down", "draft"],
    ["maintenance", "draft"],
    // The site was found; what it made of the first write, its category, nobody knows.
    ["html200", "wp_failed"],
    ["firewall", "wp_failed"],
  ] as const)("leaves the text unharmed when the site is %s, and the piece %s", async (fault, status) => {
    const desk = await deskWithPost(site);
    site.faults[fault] = true;
    const failed = await desk.caller.post<Failed>(`${desk.url}/publish`);
    expect(failed.status).toBeGreaterThanOrEqual(400);
    expect(failed.status).not.toBe(500);
    expect(failed.body.error.length).toBeGreaterThan(20);
    expect((await desk.caller.get<Piece>(desk.url)).body).toMatchObject({
      body: "## Alpha\n\nSome **bold** text.",
      status,
      publishError: status === "draft" ? null : expect.stringContaining(failed.body.error),
    });
    site.faults[fault] = false;
    expect((await desk.caller.post<Piece>(`${desk.url}/publish`)).body.status).toBe("wp_published");
    expect(desk.post()).toHaveLength(1);
  });

  it("tells a wrong password apart from a missing right", async () => {
    const desk = await deskWithPost(site);
    await desk.caller.patch("/api/user/settings", { wordpressPassword: "abcd efgh ijkl mnop" });
    const wrong = await desk.caller.post<Failed>(`${desk.url}/publish`);
    expect(wrong.body.type).toBe("WORDPRESS_REJECTED");
    const { username, applicationPassword } = site.users.subscriber;
    await desk.caller.patch("/api/user/settings", {
      wordpressUsername: username,
      wordpressPassword: applicationPassword,
    });
    const forbidden = await desk.caller.post<Failed>(`${desk.url}/publish`);
    expect([forbidden.status, forbidden.body.type]).toEqual([403, "WORDPRESS_FORBIDDEN"]);
    expect((await desk.caller.post<Failed>("/api/wordpress/test")).body).toMatchObject({
      type: "WORDPRESS_FORBIDDEN",
      error:
        "This WordPress account may not publish posts. Use an account with the Author, Editor or Administrator role.",
    });
    await desk.caller.patch("/api/user/settings", loginTo(site));
    expect((await desk.caller.post("/api/wordpress/test")).body).toMatchObject({ ok: true, site: site.url });
  });

  it("does not reach a private address that the operator has not allowed", async () => {
    const desk = await deskWithPost(site);
    await desk.caller.patch("/api/user/settings", { wordpressUrl: "http://10.0.0.1", wordpressPassword: "x x x x" });
    const answer = await desk.caller.post<Failed>(`${desk.url}/publish`);
    expect([answer.status, answer.body.type]).toEqual([502, "CONNECTION_ERROR"]);
    expect(answer.body.error).toBe(
      "Could not connect to WordPress site. Please check your site URL and ensure it is accessible.",
    );
    expect(answer.body.detail).toContain("10.0.0.1 is a private address");
    // The categories of that site fail alike.
    const list = await desk.caller.get<Failed>("/api/wordpress/categories");
    expect(list.body).toMatchObject({ type: "CONNECTION_ERROR", error: answer.body.error, detail: answer.body.detail });
  });
});

describe("what happens on the site meanwhile", () => {
  it("does not overwrite a post that was edited there, unless told to", async () => {
    const desk = await deskWithPost(site);
    const { wpPostId } = (await desk.caller.post<Piece>(`${desk.url}/publish`)).body;
    site.edit(Number(wpPostId), { content: "<p>Edited on the site</p>" });
    expect((await desk.caller.post<{ remoteChanged: boolean }>(`${desk.url}/sync`)).body.remoteChanged).toBe(true);
    await desk.caller.patch(desk.url, { body: "Mine" });
    const refused = await desk.caller.post<Failed>(`${desk.url}/publish`);
    expect([refused.status, refused.body.type]).toEqual([409, "REMOTE_CHANGED"]);
    expect((await desk.caller.get<Piece>(desk.url)).body.status).toBe("wp_published");
    expect((await desk.caller.post<Piece>(`${desk.url}/publish`, { force: true })).status).toBe(200);
    expect(JSON.stringify(desk.post())).toContain("Mine");
  });

  it("knows a trashed post from a gone one", async () => {
    const desk = await deskWithPost(site);
    const { wpPostId } = (await desk.caller.post<Piece>(`${desk.url}/publish`)).body;
    site.trash(Number(wpPostId));
    expect((await desk.caller.post<Failed>(`${desk.url}/publish`)).body.type).toBe("REMOTE_TRASHED");
    expect((await desk.caller.post<Piece>(`${desk.url}/sync`)).body).toMatchObject({ status: "unpublished", wpPostId });
    site.remove(Number(wpPostId));
    expect((await desk.caller.post<Failed>(`${desk.url}/publish`)).body.type).toBe("REMOTE_GONE");
    expect((await desk.caller.get<Piece>(desk.url)).body).toMatchObject({ wpPostId: null, status: "unpublished" });
    expect((await desk.caller.post<Piece>(`${desk.url}/publish`)).body.status).toBe("wp_published");
    expect(desk.post()).toHaveLength(1);
  });

  it("unpublishes to a draft and publishes the same post again", async () => {
    const desk = await deskWithPost(site);
    const { wpPostId } = (await desk.caller.post<Piece>(`${desk.url}/publish`)).body;
    expect((await desk.caller.post<Piece>(`${desk.url}/unpublish`)).body).toMatchObject({
      status: "wp_draft",
      wpPermalink: null,
      wpPostId,
    });
    expect(desk.post()[0]).toMatchObject({ status: "draft" });
    expect((await desk.caller.post<Piece>(`${desk.url}/unpublish`)).body.status).toBe("wp_draft");
    expect((await desk.caller.post<Piece>(`${desk.url}/publish`)).body).toMatchObject({
      status: "wp_published",
      wpPostId,
    });
    site.remove(Number(wpPostId));
    expect((await desk.caller.post<Piece>(`${desk.url}/unpublish`)).body).toMatchObject({
      status: "unpublished",
      wpPostId: null,
    });
    expect((await desk.caller.post<Failed>(`${desk.url}/unpublish`)).body.type).toBe("NOT_ON_SITE");
  });

  it("treats a piece of another site as not on this one", async () => {
    const desk = await deskWithPost(site);
    await desk.caller.post(`${desk.url}/publish`);
    const other = await startSampleWordPress();
    await desk.caller.patch("/api/user/settings", loginTo(other));
    expect((await desk.caller.post<Failed>(`${desk.url}/sync`)).body.type).toBe("NOT_ON_SITE");
    const { body } = await desk.publish();
    expect(body).toMatchObject({ status: "wp_published", wpCategoryName: "Seed starting indoors" });
    const there = (await desk.caller.get<{ id: number; name: string }[]>("/api/wordpress/categories")).body;
    const category = there.find(({ name }) => name === "Seed starting indoors");
    expect([body.wpCategoryId, other.posts()]).toEqual([
      String(category?.id),
      [expect.objectContaining({ id: Number(body.wpPostId), status: "publish", categories: [category?.id] })],
    ]);
    expect(desk.post()).toHaveLength(1);
    await other.close();
  });
});

describe("the category, seen from the person's site of today", () => {
  /** Another site whose first category has the id that "Guides" has on the first. */
  async function move(desk: Awaited<ReturnType<typeof connectedDesk>>, to: SampleWordPress) {
    await desk.caller.patch("/api/user/settings", loginTo(to));
  }
  const listed = async (desk: Awaited<ReturnType<typeof deskWithPost>>) =>
    (await desk.caller.get<Piece[]>(`/api/projects/${desk.projectId}/content`)).body[0];

  it("is answered with the piece while its site is the present one, however the address is written", async () => {
    const desk = await deskWithPost(site);
    expect(await listed(desk)).toMatchObject({ wpPlace: "none" });
    await desk.caller.post(`${desk.url}/publish`, { categoryName: "Guides" });
    const own = { wpPlace: "here", wpCategoryName: "Guides", wpCategoryId: expect.stringMatching(/^\d+$/) };
    expect(await listed(desk)).toMatchObject(own);
    await desk.caller.patch("/api/user/settings", { ...loginTo(site), wordpressUrl: `${site.url}/wp-admin` });
    expect(await listed(desk)).toMatchObject(own);
    expect((await desk.caller.get<Piece>(desk.url)).body).toMatchObject(own);
  });

  it("is nobody's on another site: neither ids nor link nor status count there, and all is back on the first", async () => {
    const desk = await deskWithPost(site);
    const first = (await desk.caller.post<Piece>(`${desk.url}/publish`, { categoryName: "Guides" })).body;
    const other = await startSampleWordPress();
    await move(desk, other);
    // Nobody has looked yet: in doubt the category is not answered, and nothing else changes.
    expect(await listed(desk)).toMatchObject({ wpPlace: "unknown", wpCategoryId: null, wpPostId: first.wpPostId });
    await desk.caller.get("/api/wordpress/categories");
    const gone = { wpPlace: "elsewhere", wpCategoryId: null, wpCategoryName: null, wpPostId: null, wpPermalink: null };
    expect(await listed(desk)).toMatchObject(gone);
    expect((await desk.caller.get<Piece>(desk.url)).body).toMatchObject(gone);
    // What is not live here is not locked either.
    expect((await desk.caller.patch<Piece>(desk.url, { status: "review" })).body.status).toBe("review");
    await move(desk, site);
    await desk.caller.get("/api/wordpress/categories");
    expect(await listed(desk)).toMatchObject({
      wpPlace: "here",
      wpPostId: first.wpPostId,
      wpCategoryId: first.wpCategoryId,
    });
    await other.close();
  });

  it("never takes an id of another site: its name stands for it", async () => {
    const desk = await deskWithPost(site);
    const guides = (await desk.caller.post<Piece>(`${desk.url}/publish`, { categoryName: "Guides" })).body.wpCategoryId;
    const other = await startSampleWordPress();
    await move(desk, other);
    // Fill the other site up, so that the same number is another category there.
    const names: { id: number; name: string }[] = [];
    for (let n = 0; n < 40 && !names.some(({ id }) => String(id) === guides); n++) {
      const id = await newPiece(desk, desk, { title: `Filler ${n}`, body: "x" });
      await desk.caller.post(`/api/content/${id}/publish`, { categoryName: `Filler ${n}` });
      names.splice(0, names.length, ...(await desk.caller.get<typeof names>("/api/wordpress/categories")).body);
    }
    expect(names.find(({ id }) => String(id) === guides)?.name).toMatch(/^Filler/);
    const sent = await desk.caller.post<Piece>(`${desk.url}/publish`, { categoryId: guides, categoryName: "Guides" });
    expect(sent.body).toMatchObject({ status: "wp_published", wpCategoryName: "Guides" });
    expect(sent.body.wpCategoryId).not.toBe(guides);
    await other.close();
  });

  it("is refused when its id is on no site and no name comes with it; by name it is made", async () => {
    const desk = await deskWithPost(site);
    const refused = await desk.caller.post<Failed>(`${desk.url}/publish`, { categoryId: 99_999 });
    expect([refused.status, refused.body.type]).toEqual([400, "VALIDATION_ERROR"]);
    expect(refused.body.error).toBe("This category is not on your WordPress site. Choose another one.");
    expect((await desk.caller.get<Piece>(desk.url)).body.status).toBe("draft");
    const made = await desk.caller.post<Piece>(`${desk.url}/publish`, { categoryId: 99_999, categoryName: "Lost" });
    expect(made.body).toMatchObject({ wpCategoryName: "Lost" });
    expect(made.body.wpCategoryId).not.toBe("99999");
  });

  it("is the topic's where the call asks for it, also of a piece that has another one", async () => {
    const desk = await deskWithPost(site);
    await desk.caller.post(`${desk.url}/publish`, { categoryName: "Guides" });
    expect((await desk.caller.post<Piece>(`${desk.url}/publish`, {})).body.wpCategoryName).toBe("Guides");
    const moved = await desk.caller.post<Piece>(`${desk.url}/publish`, { byTopic: true });
    expect(moved.body.wpCategoryName).toBe("Seed starting indoors");
  });
});

describe("audit", () => {
  it("notes sign-in, settings, publishing and deletion without secrets", async () => {
    const desk = await deskWithPost(site);
    await desk.caller.post(`${desk.url}/publish`);
    await desk.caller.delete(desk.url);
    const rows = await query<{ action: string; detail: unknown }>(
      "SELECT action, detail FROM audit_events WHERE user_id = $1",
      [desk.id],
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

import type { ContentOut } from "@/lib/features/content/schema";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";
import { connectedWorkspace, type Failed, writesOf } from "@/tests/support/publishing-workspace";

// What stands beside a piece's text: focus keyword, SEO title, meta description, slug and excerpt.

let site: SampleWordPress;
beforeAll(async () => {
  process.env.WORDPRESS_ALLOWED_HOSTS = "127.0.0.0/8";
  site = await startSampleWordPress();
});
afterAll(() => site.close());

const FIELDS = {
  focusKeyword: "raised beds",
  metaTitle: "Raised beds that last",
  metaDescription: "Which wood lasts, how deep it has to be, and what it costs.",
  slug: "raised-beds",
  excerpt: "Wood, depth and price.",
};

type Answer = ContentOut & Failed & { fields?: Record<string, string[]> };

describe("PATCH of the fields beside the text", () => {
  async function newText() {
    const workspace = await newWorkspace();
    const id = await newPiece(workspace, workspace, { title: "Raised beds", body: "Deep ones." });
    return {
      ...workspace,
      id,
      patch: (input: object) => workspace.caller.patch<Answer>(`/api/content/${id}`, input),
      read: async () => (await workspace.caller.get<Answer>(`/api/content/${id}`)).body,
    };
  }

  it("stores them without a new version or revision, and leaves what is not sent", async () => {
    const piece = await newText();
    const { version } = await piece.read();
    expect((await piece.patch(FIELDS)).body).toMatchObject({ ...FIELDS, version, title: "Raised beds" });
    expect((await piece.patch({ excerpt: "", slug: null })).body).toMatchObject({
      ...FIELDS,
      slug: null,
      excerpt: null,
      version,
    });
    expect(await query("SELECT 1 FROM content_revisions WHERE content_piece_id = $1", [piece.id])).toEqual([]);
  });

  it("is no conflict with an older version, and is saved beside a text that is one", async () => {
    const piece = await newText();
    const { version } = await piece.read();
    await piece.patch({ body: "Deeper ones.", version });
    expect((await piece.patch({ metaTitle: "Beds", version })).status).toBe(200);
    const refused = await piece.patch({ body: "Shallow ones.", metaTitle: "Flat beds", version });
    expect([refused.status, refused.body.type]).toEqual([409, "VERSION_CONFLICT"]);
    expect(await piece.read()).toMatchObject({ body: "Deeper ones.", metaTitle: "Flat beds", version: version + 1 });
  });

  it.each([
    ["Raised Beds & more", "raised-beds-more"],
    ["/2026/beds/", "2026-beds"],
    ["Грядки зимой", "грядки-зимой"],
    ["  ", null],
  ])("writes the slug %j as WordPress does", async (slug, stored) => {
    expect((await (await newText()).patch({ slug })).body.slug).toBe(stored);
  });

  it.each([
    ["a slug that leads elsewhere", { slug: "../" }, /needs letters or digits/],
    ["a slug of emoji", { slug: "🌱🌱" }, /needs letters or digits/],
    ["a slug that WordPress would shorten", { slug: "грядки ".repeat(20) }, /WordPress would shorten it/],
    ["a meta description of 10,000 characters", { metaDescription: "a".repeat(10_000) }, /1,?000 characters/],
  ])("refuses %s with one sentence, and changes nothing", async (_what, input, sentence) => {
    const piece = await newText();
    await piece.patch(FIELDS);
    const { status, body } = await piece.patch({ ...input, metaTitle: "Another" });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, Object.keys(input)]);
    expect(body.fields?.[Object.keys(input)[0] as string]).toEqual([expect.stringMatching(sentence)]);
    expect(await piece.read()).toMatchObject(FIELDS);
  });

  it("is not for another user's piece", async () => {
    const [piece, stranger] = [await newText(), await newWorkspace()];
    expect((await stranger.caller.patch(`/api/content/${piece.id}`, FIELDS)).status).toBe(404);
    expect((await piece.read()).metaTitle).toBeNull();
  });
});

describe("publishing", () => {
  async function published(fields: object = {}) {
    const user = await connectedWorkspace(site);
    const id = await newPiece(user, user, { title: `Beds of ${user.username}`, body: "Deep ones." });
    const patch = (input: object) => user.caller.patch<Answer>(`/api/content/${id}`, input);
    if (Object.keys(fields).length > 0) await patch(fields);
    const publish = (input = {}) => user.caller.post<Answer>(`/api/content/${id}/publish`, input);
    const { body } = await publish();
    const post = () => site.posts().find((each) => String(each.id) === body.wpPostId);
    return {
      ...user,
      id,
      patch,
      publish,
      post,
      read: async () => (await user.caller.get<Answer>(`/api/content/${id}`)).body,
    };
  }

  it("sends slug and excerpt, and leaves both to WordPress where they are empty", async () => {
    const slug = `beds-${crypto.randomUUID()}`;
    const piece = await published({ slug, excerpt: "Wood & <b>depth</b>." });
    expect(piece.post()).toMatchObject({ slug, excerpt: "Wood & &lt;b&gt;depth&lt;/b&gt;." });
    const plain = await published();
    expect(plain.post()).toMatchObject({ slug: expect.stringMatching(/^beds-of-/), excerpt: "" });
  });

  it("calls a live piece newer here when one is changed, and sends that one alone", async () => {
    const piece = await published({ excerpt: "Wood." });
    const before = piece.post()?.slug;
    expect((await piece.read()).isNewerHere).toBe(false);
    expect((await piece.patch({ metaTitle: "Beds" })).body.isNewerHere).toBe(false);
    expect((await piece.patch({ slug: `deep-${crypto.randomUUID()}` })).body.isNewerHere).toBe(true);
    const { slug } = (await piece.publish()).body;
    expect(piece.post()).toMatchObject({ slug, excerpt: "Wood." });
    expect(piece.post()?.slug).not.toBe(before);
    expect((await piece.read()).isNewerHere).toBe(false);
  });

  it("does not send an unchanged slug again, which the site may have changed", async () => {
    const piece = await published({ slug: `beds-${crypto.randomUUID()}` });
    site.edit(Number(piece.post()?.id), { slug: "moved-by-hand" });
    await piece.patch({ body: "Deeper ones." });
    expect((await piece.publish()).status).toBe(200);
    expect(piece.post()).toMatchObject({ slug: "moved-by-hand" });
  });

  it("takes an excerpt that arrived without an answer for its own", async () => {
    const piece = await published();
    await piece.patch({ excerpt: "Wood & depth." });
    site.edit(Number(piece.post()?.id), { excerpt: "Wood &amp; depth." });
    expect((await piece.publish()).status).toBe(200);
  });

  it("asks before it replaces an excerpt that was written on the site", async () => {
    const piece = await published({ excerpt: "Wood." });
    site.edit(Number(piece.post()?.id), { excerpt: "By hand." });
    await piece.patch({ excerpt: "Wood and depth." });
    const { status, body } = await piece.publish();
    expect([status, body.type]).toEqual([409, "REMOTE_CHANGED"]);
    expect((await piece.publish({ force: true })).status).toBe(200);
    expect(piece.post()).toMatchObject({ excerpt: "Wood and depth." });
  });
});

describe("publishing to a site with an SEO plugin", () => {
  const YOAST = ["_yoast_wpseo_title", "_yoast_wpseo_metadesc", "_yoast_wpseo_focuskw"];
  const SEO = { metaTitle: "Beds & boards <5 cm", metaDescription: "Which wood lasts.", focusKeyword: "raised beds" };
  const STORED = {
    _yoast_wpseo_title: "Beds & boards &lt;5 cm",
    _yoast_wpseo_metadesc: "Which wood lasts.",
    _yoast_wpseo_focuskw: "raised beds",
  };
  let site: SampleWordPress;
  beforeEach(async () => {
    site = await startSampleWordPress();
    site.registerMeta(YOAST);
  });
  afterEach(() => site.close());

  async function newPieceOn(fields: object) {
    const user = await connectedWorkspace(site);
    const id = await newPiece(user, user, { title: "Beds", body: "Deep ones." });
    const url = `/api/content/${id}`;
    if (Object.keys(fields).length > 0) await user.caller.patch(url, fields);
    return {
      ...user,
      patch: (input: object) => user.caller.patch<Answer>(url, input),
      publish: (input = {}) => user.caller.post<Answer>(`${url}/publish`, input),
      sync: () => user.caller.post<Answer>(`${url}/sync`),
      read: async () => (await user.caller.get<Answer>(url)).body,
      meta: () => site.posts()[0]?.meta,
    };
  }

  it("gives them to a new post with its text, in the two writes that every new post takes", async () => {
    const piece = await newPieceOn(SEO);
    const writes = await writesOf(site, async () => expect((await piece.publish()).status).toBe(200));
    expect(writes.filter((write) => write.includes("/posts"))).toHaveLength(2);
    expect(piece.meta()).toEqual(STORED);
    expect(await piece.read()).toMatchObject({ isNewerHere: false, lacksSearchFields: false });
  });

  it("sends what was changed, under the keys of each plugin that is there, and leaves the rest", async () => {
    site.registerMeta(["rank_math_title", "rank_math_focus_keyword", "_genesis_title", "_genesis_description"]);
    const piece = await newPieceOn({ metaTitle: "Beds", metaDescription: "Wood." });
    await piece.publish();
    expect(piece.meta()).toEqual({ rank_math_title: "Beds", _genesis_title: "Beds", _genesis_description: "Wood." });
    site.edit(site.posts()[0]?.id ?? 0, { meta: { ...piece.meta(), _genesis_description: "By hand." } });
    expect((await piece.patch({ focusKeyword: "beds" })).body.isNewerHere).toBe(true);
    expect((await piece.publish()).body.isNewerHere).toBe(false);
    expect(piece.meta()).toMatchObject({ rank_math_focus_keyword: "beds", _genesis_description: "By hand." });
  });

  it("never sends an empty one", async () => {
    const piece = await newPieceOn(SEO);
    await piece.publish();
    expect((await piece.patch({ metaTitle: null, body: "Deeper ones." })).body.metaTitle).toBeNull();
    await piece.publish();
    expect(piece.meta()).toEqual(STORED);
    expect((await piece.read()).isNewerHere).toBe(false);
  });

  it("asks before it replaces one that was written on the site", async () => {
    const piece = await newPieceOn({ metaTitle: "Beds" });
    await piece.publish();
    site.edit(site.posts()[0]?.id ?? 0, { meta: { _yoast_wpseo_title: "By hand" } });
    await piece.patch({ metaTitle: "Deep beds" });
    const { status, body } = await piece.publish();
    expect([status, body.type]).toEqual([409, "REMOTE_CHANGED"]);
    expect((await piece.publish({ force: true })).status).toBe(200);
    expect(piece.meta()).toEqual({ _yoast_wpseo_title: "Deep beds" });
  });

  it.each(["failAfterCreate", "failAfterUpdate"] as const)(
    "publishes once after %s, with all of them",
    async (fault) => {
      const piece = await newPieceOn(SEO);
      site.faults[fault] = 1;
      await piece.publish();
      expect(site.faults[fault]).toBe(0);
      expect(piece.meta()).toEqual(STORED);
      expect((await piece.publish()).status).toBe(200);
      expect(site.posts()).toHaveLength(1);
      expect(piece.meta()).toEqual(STORED);
      expect((await piece.read()).isNewerHere).toBe(false);
    },
  );

  it("publishes without those that the account may not write", async () => {
    site.registerMeta(YOAST, false);
    const piece = await newPieceOn(SEO);
    expect((await piece.publish()).body).toMatchObject({ status: "wp_published", isNewerHere: false });
    expect(piece.meta()).toBeUndefined();
    await piece.patch({ body: "Deeper ones.", metaTitle: "Deep beds" });
    expect((await piece.publish()).body).toMatchObject({ status: "wp_published", isNewerHere: false });
    expect(site.posts()[0]?.content).toContain("Deeper ones.");
  });

  it("says so where the site accepts none, until a plugin does, and sends them then", async () => {
    site.registerMeta([]);
    const piece = await newPieceOn(SEO);
    expect((await piece.read()).lacksSearchFields).toBe(false);
    expect((await piece.publish()).body).toMatchObject({ lacksSearchFields: true, isNewerHere: false });
    expect(piece.meta()).toBeUndefined();
    site.registerMeta(YOAST);
    await piece.sync();
    expect(await piece.read()).toMatchObject({ lacksSearchFields: false, isNewerHere: true });
    expect((await piece.publish()).body.isNewerHere).toBe(false);
    expect(piece.meta()).toEqual(STORED);
  });

  it("sends those of each piece when a project is published", async () => {
    const user = await connectedWorkspace(site);
    for (const metaTitle of ["One", "Two", null]) {
      const id = await newPiece(user, user, { title: `Beds ${metaTitle}`, body: "Deep ones." });
      await user.caller.patch(`/api/content/${id}`, { metaTitle });
    }
    await user.caller.post(`/api/projects/${user.projectId}/publish-all-to-wordpress`);
    const titles = site.posts().map(({ meta }) => meta?._yoast_wpseo_title);
    expect(titles.sort()).toEqual(["One", "Two", undefined]);
  });
});

import { startBlog } from "@/tests/support/blog";
import { newPiece } from "@/tests/support/factories";
import { deskWithPost, loginTo, writesOf } from "@/tests/support/publishing-desk";
import { noFaults } from "@/tests/support/wordpress/faults";
import { type SampleWordPress, startSampleWordPress } from "@/tests/support/wordpress-site";

// What a publish sends, and what it leaves as it is.

let site: SampleWordPress;

beforeAll(async () => {
  site = await startBlog();
});
afterAll(() => site.close());
afterEach(() => {
  Object.assign(site.faults, noFaults());
});

/** Its name, as every desk has it. */
const TOPIC = "Seed starting indoors";

type Category = { id: number; name: string };

describe("the address of a post", () => {
  it("is made of whole words of its title, 80 characters at most", async () => {
    const desk = await deskWithPost(site);
    const words = Array.from({ length: 20 }, (_, n) => `word${n}`).join(" ");
    await desk.caller.patch(desk.url, { title: `${desk.username} ${words}` });
    await desk.publish();
    const slug = desk.post()[0]?.slug ?? "";
    expect(slug).toMatch(/-word\d+$/);
    expect(slug.length).toBeLessThanOrEqual(80);
    expect(slug.length).toBeGreaterThan(70);
  });

  it("stays when the post is updated, also one that was given to it on the site", async () => {
    const desk = await deskWithPost(site);
    const { wpPostId } = (await desk.publish()).body;
    site.edit(Number(wpPostId), { slug: `chosen-${desk.username}` });
    await desk.caller.patch(desk.url, { body: "Edited.", title: `Another title ${desk.username}` });
    const { status, body } = await desk.publish();
    expect([status, desk.post()[0]?.title]).toEqual([200, `Another title ${desk.username}`]);
    expect(body.wpPermalink).toBe(`${site.url}/chosen-${desk.username}/`);
  });
});

describe("a post that has our text already", () => {
  it("is written again when it was taken off the site", async () => {
    const desk = await deskWithPost(site);
    await desk.publish();
    await desk.caller.post(`${desk.url}/unpublish`);
    expect((await desk.publish()).body.status).toBe("wp_published");
    expect(desk.post()).toEqual([expect.objectContaining({ status: "publish" })]);
  });

  it("is written over with the same text where it was edited on the site and that is wanted", async () => {
    const desk = await deskWithPost(site);
    const { wpPostId } = (await desk.publish()).body;
    site.edit(Number(wpPostId), { content: "<p>Edited on the site</p>" });
    expect((await desk.publish()).body.type).toBe("REMOTE_CHANGED");
    expect((await desk.publish({ force: true })).status).toBe(200);
    expect(desk.post()[0]?.content).toContain("Alpha");
    expect((await desk.caller.post<{ remoteChanged: boolean }>(`${desk.url}/sync`)).body.remoteChanged).toBe(false);
  });

  it("is known to be edited there by its title alone", async () => {
    const desk = await deskWithPost(site);
    const { wpPostId } = (await desk.publish()).body;
    site.edit(Number(wpPostId), { title: `Renamed ${desk.username}` });
    expect((await desk.publish()).body.type).toBe("REMOTE_CHANGED");
  });
});

describe("a post of which nothing was written yet", () => {
  it("is not one that was edited on the site", async () => {
    const desk = await deskWithPost(site);
    site.faults.failAfterUpdate = 1;
    await desk.publish();
    expect((await desk.caller.post<{ remoteChanged: boolean }>(`${desk.url}/sync`)).body.remoteChanged).toBe(false);
    expect((await desk.publish()).body.status).toBe("wp_published");
  });

  it("has nothing to do with what another site was sent", async () => {
    const desk = await deskWithPost(site);
    await desk.publish();
    await desk.caller.patch(desk.url, { body: "Another text." });
    const other = await startSampleWordPress();
    await desk.caller.patch("/api/user/settings", loginTo(other));
    other.faults.failAfterUpdate = 1;
    expect((await desk.publish()).status).toBe(502);
    expect((await desk.publish()).body).toMatchObject({ status: "wp_published", publishError: null });
    expect(other.posts()).toHaveLength(1);
    await other.close();
  });
});

describe("the category of a post", () => {
  it("is not asked for on the site where the piece has none", async () => {
    const desk = await deskWithPost(site);
    site.faults.failAfterUpdate = 1;
    await desk.publish();
    const before = site.requests.length;
    expect((await desk.publish()).body.status).toBe("wp_published");
    expect(site.requests.slice(before).filter((request) => /^GET .*categories\//.test(request))).toEqual([]);
  });

  it("is the one of the id, however the name beside it is written", async () => {
    const desk = await deskWithPost(site);
    const made = (await desk.publish({ categoryName: "Guides" })).body;
    const { body } = await desk.publish({ categoryId: made.wpCategoryId, categoryName: "  guides" });
    expect([body.wpCategoryId, body.wpCategoryName]).toEqual([made.wpCategoryId, "Guides"]);
  });

  it("is the one of the id before the one of the name", async () => {
    const desk = await deskWithPost(site);
    const made = (await desk.publish({ categoryName: "Guides" })).body;
    const other = (await desk.publish({ categoryName: "Tools" })).body;
    expect(other.wpCategoryId).not.toBe(made.wpCategoryId);
    expect((await desk.publish({ categoryId: made.wpCategoryId })).body.wpCategoryName).toBe("Guides");
    expect((await desk.publish({ categoryId: "" })).body.wpCategoryName).toBe("Guides");
  });

  it("is not the piece's own on another site, even where that site has its number", async () => {
    const desk = await deskWithPost(site);
    const own = (await desk.publish({ categoryName: "Guides" })).body.wpCategoryId;
    const other = await startSampleWordPress();
    await desk.caller.patch("/api/user/settings", loginTo(other));
    const has = async () =>
      (await desk.caller.get<Category[]>("/api/wordpress/categories")).body.find(({ id }) => String(id) === own);
    const filler = await newPiece(desk, desk, { title: "Filler", body: "x" });
    for (let n = 0; n < 60 && !(await has()); n++)
      await desk.caller.post(`/api/content/${filler}/publish`, { categoryName: `Filler ${n}` });
    expect((await has())?.name).toMatch(/^Filler/);
    expect((await desk.publish()).body).toMatchObject({ status: "wp_published", wpCategoryName: TOPIC });
    await other.close();
  });

  it("is the topic's once the piece's own was deleted on the site", async () => {
    const desk = await deskWithPost(site);
    const { wpCategoryId } = (await desk.publish({ categoryName: "Guides" })).body;
    site.faults.rewrite = (answer, { route }) =>
      route === `/wp/v2/categories/${wpCategoryId}`
        ? { status: 404, body: { code: "rest_term_invalid", message: "Term does not exist.", data: { status: 404 } } }
        : answer;
    expect((await desk.publish()).body.wpCategoryName).toBe(TOPIC);
  });

  it("is asked for after the text has been rendered: one that cannot be costs the site nothing", async () => {
    const desk = await deskWithPost(site, "> ".repeat(60_000));
    const before = await desk.read();
    expect(
      await writesOf(site, async () => {
        expect((await desk.publish()).body.type).toBe("TOO_COMPLEX");
      }),
    ).toEqual([]);
    expect(await desk.read()).toEqual(before);
  });
});

import type { ContentOut } from "@/lib/features/content/schema";
import { query } from "@/tests/support/db";
import { newDesk, newPiece, revisionsOf } from "@/tests/support/factories";

type Piece = ContentOut;

describe("flags and status", () => {
  it("is title-only until a body is written, and never again", async () => {
    const desk = await newDesk();
    const url = `/api/content/${await newPiece(desk, desk)}`;
    expect((await desk.caller.get<Piece>(url)).body).toMatchObject({ isTitleOnly: true, hasBody: false, version: 1 });
    const written = await desk.caller.patch<Piece>(url, { body: "one two", isTitleOnly: true });
    expect(written.body).toMatchObject({ isTitleOnly: false, hasBody: true, wordCount: 2, version: 2 });
    expect((await desk.caller.patch<Piece>(url, { body: " " })).body).toMatchObject({
      isTitleOnly: false,
      hasBody: false,
    });
  });

  it("is outline content when an outline is written and stops being so when it is blanked", async () => {
    const desk = await newDesk();
    const url = `/api/content/${await newPiece(desk, desk)}`;
    expect((await desk.caller.patch<Piece>(url, { isOutline: true })).body).toMatchObject({ isOutline: false });
    expect((await desk.caller.patch<Piece>(url, { outline: "## One" })).body).toMatchObject({
      isOutline: true,
      hasOutline: true,
    });
    expect((await desk.caller.patch<Piece>(url, { outline: null })).body).toMatchObject({
      isOutline: false,
      outline: null,
    });
  });

  it("sets the four statuses by hand, refuses wp_ ones and locks a live piece", async () => {
    const desk = await newDesk();
    const id = await newPiece(desk, desk);
    const url = `/api/content/${id}`;
    for (const status of ["review", "published", "unpublished", "draft"]) {
      expect((await desk.caller.patch<Piece>(url, { status })).body).toMatchObject({ status, version: 1 });
    }
    expect((await desk.caller.patch(url, { status: "wp_failed" })).body).toMatchObject({ type: "VALIDATION_ERROR" });
    await query("UPDATE content_pieces SET status = 'wp_published' WHERE id = $1", [id]);
    expect((await desk.caller.patch(url, { status: "draft" })).body).toMatchObject({ type: "STATUS_LOCKED" });
    expect((await desk.caller.patch<Piece>(url, { status: "wp_published", body: "x" })).body).toMatchObject({
      status: "wp_published",
      body: "x",
    });
  });
});

describe("versions and revisions", () => {
  it("refuses a change made on an older version and keeps both texts", async () => {
    const desk = await newDesk();
    const url = `/api/content/${await newPiece(desk, desk, { body: "start" })}`;
    await desk.caller.patch(url, { body: "from the first tab", version: 1 });
    const late = await desk.caller.patch<{ type: string; current: Piece }>(url, {
      body: "from the second tab",
      version: 1,
    });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ type: "VERSION_CONFLICT", current: { body: "from the first tab", version: 2 } });
    const bodies = (await revisionsOf(desk, url)).map(({ body }) => body);
    expect(bodies).toEqual(expect.arrayContaining(["start", "from the first tab", "from the second tab"]));
  });

  it("lets a change without a version win and keeps what it replaced", async () => {
    const desk = await newDesk();
    const url = `/api/content/${await newPiece(desk, desk, { body: "one" })}`;
    await desk.caller.patch(url, { body: "two", version: 1 });
    await desk.caller.patch(url, { body: "three" });
    const bodies = (await revisionsOf(desk, url)).map(({ body }) => body);
    expect(bodies).toEqual(["three", "two", "one"]);
  });

  it("joins a person's saves within five minutes into one revision, and keeps the text before them", async () => {
    const desk = await newDesk();
    const url = `/api/content/${await newPiece(desk, desk, { body: "zero" })}`;
    for (let version = 1; version <= 4; version++) await desk.caller.patch(url, { body: `save ${version}`, version });
    const revisions = await revisionsOf(desk, url);
    expect(revisions.map(({ body, version }) => [body, version])).toEqual([
      ["save 4", 5],
      ["zero", 1],
    ]);
  });

  it("restores a revision and keeps what it replaced", async () => {
    const desk = await newDesk();
    const url = `/api/content/${await newPiece(desk, desk, { body: "good" })}`;
    await desk.caller.patch(url, { body: "bad" });
    const old = (await revisionsOf(desk, url)).find(({ body }) => body === "good");
    const restored = await desk.caller.post<Piece>(`${url}/revisions/${old?.id}/restore`);
    expect(restored.body).toMatchObject({ body: "good", version: 3 });
    const bodies = (await revisionsOf(desk, url)).map(({ body }) => body);
    expect(bodies).toContain("bad");
  });

  it("loses nothing when ten saves meet", async () => {
    const desk = await newDesk();
    const url = `/api/content/${await newPiece(desk, desk, { body: "start" })}`;
    const saves = Array.from({ length: 10 }, (_, n) => desk.caller.patch(url, { body: `writer ${n}`, version: 1 }));
    const statuses = (await Promise.all(saves)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(9).fill(409)]);
    const bodies = new Set((await revisionsOf(desk, url)).map(({ body }) => body));
    for (let n = 0; n < 10; n++) expect(bodies).toContain(`writer ${n}`);
  });
});

describe("lists", () => {
  it("answers summaries without body and outline, page by page", async () => {
    const desk = await newDesk();
    for (let n = 0; n < 5; n++) await newPiece(desk, desk, { title: `Piece ${n}`, body: "secret body" });
    const seen: string[] = [];
    let url: string | undefined = `/api/projects/${desk.projectId}/content?limit=2`;
    while (url && seen.length < 20) {
      const page: Awaited<ReturnType<typeof desk.caller.get<{ title: string }[]>>> = await desk.caller.get(url);
      expect(page.text).not.toContain("secret body");
      seen.push(...page.body.map(({ title }) => title));
      url = /<(.+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(seen).toEqual(["Piece 4", "Piece 3", "Piece 2", "Piece 1", "Piece 0"]);
  });

  it("finds any needle in any script, in titles and bodies, with nothing to escape", async () => {
    const desk = await newDesk();
    await newPiece(desk, desk, { title: "Äpfel und Birnen", body: "100% natürlich_rein" });
    await newPiece(desk, desk, { title: "Сад и огород", body: "Жимолость" });
    await newPiece(desk, desk, { title: "园艺入门", body: "春天种植" });
    const find = async (search: string) =>
      (await desk.caller.get<{ title: string }[]>(`/api/content?search=${encodeURIComponent(search)}`)).body.length;
    expect(await find("äPFEL")).toBe(1);
    expect(await find("a\u0308pfel")).toBe(1);
    expect(await find("жим")).toBe(1);
    expect(await find("园艺")).toBe(1);
    expect(await find("%")).toBe(1);
    expect(await find("_")).toBe(1);
    expect(await find("ü")).toBe(1);
    expect(await find("nowhere")).toBe(0);
  });

  it("groups what matches by project and topic", async () => {
    const desk = await newDesk();
    await newPiece(desk, desk, { title: "One" });
    await newPiece(desk, desk, { title: "Two" });
    expect((await desk.caller.get("/api/content/groups")).body).toEqual([
      {
        projectId: desk.projectId,
        title: "Spring planting guide",
        count: 2,
        topics: [{ topicId: desk.topicId, name: "Seed starting indoors", count: 2 }],
      },
    ]);
    expect((await desk.caller.get("/api/content/groups?search=two")).body).toMatchObject([{ count: 1 }]);
    expect((await desk.caller.get("/api/content/groups?status=review")).body).toEqual([]);
  });

  it("refuses a topic named with another project", async () => {
    const desk = await newDesk();
    const other = await newDesk();
    const answer = await desk.caller.get(`/api/projects/${desk.projectId}/topics/${other.topicId}/content`);
    expect(answer.status).toBe(404);
  });
});

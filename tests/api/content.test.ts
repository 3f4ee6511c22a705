import type { ContentOut } from "@/lib/features/content/schema";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace, revisionsOf } from "@/tests/support/factories";

type Piece = ContentOut;

describe("flags and status", () => {
  it("is title-only until a body is written, and not again after that", async () => {
    const workspace = await newWorkspace();
    const url = `/api/content/${await newPiece(workspace, workspace)}`;
    expect((await workspace.caller.get<Piece>(url)).body).toMatchObject({
      isTitleOnly: true,
      hasBody: false,
      version: 1,
    });
    const written = await workspace.caller.patch<Piece>(url, { body: "one two", isTitleOnly: true });
    expect(written.body).toMatchObject({ isTitleOnly: false, hasBody: true, wordCount: 2, version: 2 });
    expect((await workspace.caller.patch<Piece>(url, { body: " " })).body).toMatchObject({
      isTitleOnly: false,
      hasBody: false,
    });
  });

  it("becomes outline content with an outline and stops being so when the outline is blanked", async () => {
    const workspace = await newWorkspace();
    const url = `/api/content/${await newPiece(workspace, workspace)}`;
    expect((await workspace.caller.patch<Piece>(url, { isOutline: true })).body).toMatchObject({ isOutline: false });
    expect((await workspace.caller.patch<Piece>(url, { outline: "## One" })).body).toMatchObject({
      isOutline: true,
      hasOutline: true,
    });
    expect((await workspace.caller.patch<Piece>(url, { outline: null })).body).toMatchObject({
      isOutline: false,
      outline: null,
    });
  });

  it("sets the four manual statuses, refuses wp_ ones and locks a live piece", async () => {
    const workspace = await newWorkspace();
    const id = await newPiece(workspace, workspace);
    const url = `/api/content/${id}`;
    for (const status of ["review", "published", "unpublished", "draft"]) {
      expect((await workspace.caller.patch<Piece>(url, { status })).body).toMatchObject({ status, version: 1 });
    }
    expect((await workspace.caller.patch(url, { status: "wp_failed" })).body).toMatchObject({
      type: "VALIDATION_ERROR",
    });
    await query("UPDATE content_pieces SET status = 'wp_published' WHERE id = $1", [id]);
    expect((await workspace.caller.patch(url, { status: "draft" })).body).toMatchObject({ type: "STATUS_LOCKED" });
    expect((await workspace.caller.patch<Piece>(url, { status: "wp_published", body: "x" })).body).toMatchObject({
      status: "wp_published",
      body: "x",
    });
  });
});

describe("versions and revisions", () => {
  it("refuses a change based on an older version and keeps both texts", async () => {
    const workspace = await newWorkspace();
    const url = `/api/content/${await newPiece(workspace, workspace, { body: "start" })}`;
    await workspace.caller.patch(url, { body: "from the first tab", version: 1 });
    const late = await workspace.caller.patch<{ type: string; current: Piece }>(url, {
      body: "from the second tab",
      version: 1,
    });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ type: "VERSION_CONFLICT", current: { body: "from the first tab", version: 2 } });
    const bodies = (await revisionsOf(workspace, url)).map(({ body }) => body);
    expect(bodies).toEqual(expect.arrayContaining(["start", "from the first tab", "from the second tab"]));
  });

  it("keeps both texts of a conflict when one of them is chosen within the same sitting", async () => {
    const workspace = await newWorkspace();
    const url = `/api/content/${await newPiece(workspace, workspace, { body: "start" })}`;
    const { caller } = workspace;
    await caller.patch(url, { body: "theirs", version: 1 });
    expect((await caller.patch(url, { body: "mine", version: 1 })).status).toBe(409);
    await caller.patch(url, { body: "theirs, later", version: 2 });
    // As the editor does before it saves what was chosen.
    expect((await caller.patch(url, { body: "mine, later", version: 1 })).status).toBe(409);
    await caller.patch(url, { body: "chosen", version: 3 });
    const bodies = (await revisionsOf(workspace, url)).map(({ body }) => body);
    expect(bodies).toEqual(["chosen", "mine, later", "theirs, later", "mine", "theirs", "start"]);
  });

  it("accepts a change without a version and keeps the replaced text", async () => {
    const workspace = await newWorkspace();
    const url = `/api/content/${await newPiece(workspace, workspace, { body: "one" })}`;
    await workspace.caller.patch(url, { body: "two", version: 1 });
    await workspace.caller.patch(url, { body: "three" });
    const bodies = (await revisionsOf(workspace, url)).map(({ body }) => body);
    expect(bodies).toEqual(["three", "two", "one"]);
  });

  it("joins a user's saves within five minutes into one revision and keeps the text before them", async () => {
    const workspace = await newWorkspace();
    const url = `/api/content/${await newPiece(workspace, workspace, { body: "zero" })}`;
    for (let version = 1; version <= 4; version++)
      await workspace.caller.patch(url, { body: `save ${version}`, version });
    const revisions = await revisionsOf(workspace, url);
    expect(revisions.map(({ body, version }) => [body, version])).toEqual([
      ["save 4", 5],
      ["zero", 1],
    ]);
  });

  it("restores a revision and keeps the replaced text", async () => {
    const workspace = await newWorkspace();
    const url = `/api/content/${await newPiece(workspace, workspace, { body: "good" })}`;
    await workspace.caller.patch(url, { body: "bad" });
    const old = (await revisionsOf(workspace, url)).find(({ body }) => body === "good");
    const restored = await workspace.caller.post<Piece>(`${url}/revisions/${old?.id}/restore`);
    expect(restored.body).toMatchObject({ body: "good", version: 3 });
    const bodies = (await revisionsOf(workspace, url)).map(({ body }) => body);
    expect(bodies).toContain("bad");
  });

  it("loses nothing in ten concurrent saves", async () => {
    const workspace = await newWorkspace();
    const url = `/api/content/${await newPiece(workspace, workspace, { body: "start" })}`;
    const saves = Array.from({ length: 10 }, (_, n) =>
      workspace.caller.patch(url, { body: `writer ${n}`, version: 1 }),
    );
    const statuses = (await Promise.all(saves)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(9).fill(409)]);
    const bodies = new Set((await revisionsOf(workspace, url)).map(({ body }) => body));
    for (let n = 0; n < 10; n++) expect(bodies).toContain(`writer ${n}`);
  });
});

describe("lists", () => {
  it("return summaries without body and outline, page by page", async () => {
    const workspace = await newWorkspace();
    for (let n = 0; n < 5; n++) await newPiece(workspace, workspace, { title: `Piece ${n}`, body: "secret body" });
    const seen: string[] = [];
    let url: string | undefined = `/api/projects/${workspace.projectId}/content?limit=2`;
    while (url && seen.length < 20) {
      const page: Awaited<ReturnType<typeof workspace.caller.get<{ title: string }[]>>> =
        await workspace.caller.get(url);
      expect(page.text).not.toContain("secret body");
      seen.push(...page.body.map(({ title }) => title));
      url = /<(.+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(seen).toEqual(["Piece 4", "Piece 3", "Piece 2", "Piece 1", "Piece 0"]);
  });

  it("find any text in any script, in titles and bodies, without escaping", async () => {
    const workspace = await newWorkspace();
    await newPiece(workspace, workspace, { title: "Äpfel und Birnen", body: "100% natürlich_rein" });
    await newPiece(workspace, workspace, { title: "Сад и огород", body: "Жимолость" });
    await newPiece(workspace, workspace, { title: "园艺入门", body: "春天种植" });
    const find = async (search: string) =>
      (await workspace.caller.get<{ title: string }[]>(`/api/content?search=${encodeURIComponent(search)}`)).body
        .length;
    expect(await find("äPFEL")).toBe(1);
    expect(await find("a\u0308pfel")).toBe(1);
    expect(await find("жим")).toBe(1);
    expect(await find("园艺")).toBe(1);
    expect(await find("%")).toBe(1);
    expect(await find("_")).toBe(1);
    expect(await find("ü")).toBe(1);
    expect(await find("nowhere")).toBe(0);
  });

  it("group matches by project and topic", async () => {
    const workspace = await newWorkspace();
    await newPiece(workspace, workspace, { title: "One" });
    await newPiece(workspace, workspace, { title: "Two" });
    expect((await workspace.caller.get("/api/content/groups")).body).toEqual([
      {
        projectId: workspace.projectId,
        title: "Spring planting guide",
        count: 2,
        topics: [{ topicId: workspace.topicId, name: "Seed starting indoors", count: 2 }],
      },
    ]);
    expect((await workspace.caller.get("/api/content/groups?search=two")).body).toMatchObject([{ count: 1 }]);
    expect((await workspace.caller.get("/api/content/groups?status=review")).body).toEqual([]);
  });

  it("refuse a topic with another project", async () => {
    const workspace = await newWorkspace();
    const other = await newWorkspace();
    const answer = await workspace.caller.get(`/api/projects/${workspace.projectId}/topics/${other.topicId}/content`);
    expect(answer.status).toBe(404);
  });
});

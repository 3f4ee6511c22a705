import { actorFromSignIn } from "@/lib/auth/actor";
import { contentGroups, countPieces, listContent, listRevisions, ownedContent } from "@/lib/features/content/reads";
import type { ContentOut, ContentSummary, Neighbours } from "@/lib/features/content/schema";
import type { Caller } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { newPiece, newProject, newTopic, newWorkspace } from "@/tests/support/factories";
import { connectedSite, storePost } from "@/tests/support/posts";

const HERE = "https://here.example";
const THERE = "https://there.example";

/** Two projects with two topics each and a piece in every topic, titled by its place: A1, A2, B1, B2. */
async function newLibrary() {
  const workspace = await newWorkspace({ project: "A", topic: "A1" });
  const b = await newProject(workspace, "B");
  const places = {
    A1: { projectId: workspace.projectId, topicId: workspace.topicId },
    A2: { projectId: workspace.projectId, topicId: await newTopic(workspace, workspace.projectId, "A2") },
    B1: { projectId: b, topicId: await newTopic(workspace, b, "B1") },
    B2: { projectId: b, topicId: await newTopic(workspace, b, "B2") },
  };
  const ids: Record<string, string> = {};
  for (const [title, place] of Object.entries(places)) ids[title] = await newPiece(workspace, place, { title });
  const titles = async (filter: Parameters<typeof listContent>[1] = {}) =>
    (await listContent(actor, filter)).items.map(({ title }) => title);
  const actor = actorFromSignIn(workspace.id, { requestId: "test", address: "test" });
  return { ...workspace, actor, places, ids, titles };
}

describe("the list of pieces", () => {
  it("filters by project, topic, status and text, each alone and combined", async () => {
    const { places, ids, titles, caller } = await newLibrary();
    await caller.patch(`/api/content/${ids.B1}`, { status: "review" });
    expect(await titles()).toEqual(["B2", "B1", "A2", "A1"]);
    expect(await titles({ projectId: places.A1.projectId })).toEqual(["A2", "A1"]);
    expect(await titles({ topicId: places.B2.topicId })).toEqual(["B2"]);
    expect(await titles({ status: "review" })).toEqual(["B1"]);
    expect(await titles({ search: " b " })).toEqual(["B2", "B1"]);
    expect(await titles({ search: "\0" })).toEqual(["B2", "B1", "A2", "A1"]);
    expect(await titles({ search: "b", status: "draft" })).toEqual(["B2"]);
    expect(await titles({ projectId: places.A1.projectId, topicId: places.B2.topicId })).toEqual([]);
  });

  it("contains only the pieces of the project or topic in the path", async () => {
    const { caller, places, ...workspace } = await newLibrary();
    const titlesAt = async (url: string) => (await caller.get<ContentSummary[]>(url)).body.map(({ title }) => title);
    const { projectId, topicId } = places.A1;
    expect(await titlesAt(`/api/projects/${projectId}/content`)).toEqual(["A2", "A1"]);
    expect(await titlesAt(`/api/projects/${projectId}/topics/${topicId}/content`)).toEqual(["A1"]);
    await newPiece(workspace, places.A1, { title: "A1, later" });
    expect(await titlesAt(`/api/projects/${projectId}/topics/${topicId}/content?limit=1`)).toEqual(["A1, later"]);
    const stranger = await newLibrary();
    expect((await stranger.caller.get(`/api/projects/${projectId}/content`)).status).toBe(404);
    const foreign = await caller.get(`/api/projects/${projectId}/topics/${places.B1.topicId}/content`);
    expect(foreign.body).toMatchObject({ type: "NOT_FOUND", error: "This topic was not found in this project." });
  });

  it("continues after the last piece of a page, even among pieces with equal times", async () => {
    const { id, titles, actor } = await newLibrary();
    await query("UPDATE content_pieces SET created_at = '2026-01-01' WHERE user_id = $1", [id]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listContent(actor, { limit: 1, ...(cursor ? { cursor } : {}) });
      seen.push(...page.items.map(({ title }) => title));
      cursor = page.nextCursor ?? undefined;
    } while (cursor && seen.length < 10);
    expect(seen).toEqual(await titles());
  });

  it("starts at the top for an invalid cursor", async () => {
    const { titles } = await newLibrary();
    const cursor = Buffer.from("2026-01-01T00:00:00.000Z no-id").toString("base64url");
    expect(await titles({ cursor })).toHaveLength(4);
  });
});

describe("the groups of the library", () => {
  it("count the pieces of each topic under its own project, newest first", async () => {
    const { actor, places } = await newLibrary();
    const group = (title: "A" | "B") => ({
      projectId: places[`${title}1`].projectId,
      title,
      count: 2,
      topics: [
        { topicId: places[`${title}2`].topicId, name: `${title}2`, count: 1 },
        { topicId: places[`${title}1`].topicId, name: `${title}1`, count: 1 },
      ],
    });
    const groups = async (filter: Parameters<typeof contentGroups>[1]) => (await contentGroups(actor, filter)).items;
    expect(await groups({})).toMatchObject([group("B"), group("A")]);
    expect(await groups({ projectId: places.A1.projectId })).toMatchObject([group("A")]);
    expect(await groups({ search: "b1" })).toMatchObject([{ title: "B", count: 1 }]);
  });
});

describe("the pieces of a topic", () => {
  it("are counted, those without a text too, for this topic and user only", async () => {
    const { actor, places, ids, caller, ...workspace } = await newLibrary();
    await newPiece(workspace, places.A1, { title: "written", body: "text" });
    expect(await countPieces(actor, places.A1.topicId)).toEqual({ all: 2, unwritten: 1 });
    const stranger = await newLibrary();
    expect(await countPieces(stranger.actor, places.A1.topicId)).toEqual({ all: 0, unwritten: 0 });
    await expect(ownedContent(stranger.actor, ids.A1 ?? "")).rejects.toMatchObject({ type: "NOT_FOUND" });
    await expect(listRevisions(stranger.actor, ids.A1 ?? "", {})).rejects.toMatchObject({
      type: "NOT_FOUND",
      message: "This piece was not found. It may have been deleted.",
    });
  });
});

describe("the pieces beside one", () => {
  it("are those that the topic lists before and after it, and none at its ends", async () => {
    const { caller, places, ...workspace } = await newLibrary();
    const { projectId, topicId } = places.A1;
    for (const title of ["second", "third"]) await newPiece(workspace, places.A1, { title });
    const { body: listed } = await caller.get<ContentSummary[]>(`/api/projects/${projectId}/topics/${topicId}/content`);
    expect(listed.map(({ title }) => title)).toEqual(["third", "second", "A1"]);
    expect(await neighboursOf(caller, listed)).toEqual([
      { topicId, previous: null, next: beside(listed[1]) },
      { topicId, previous: beside(listed[0]), next: beside(listed[2]) },
      { topicId, previous: beside(listed[1]), next: null },
    ]);
    await caller.delete(`/api/content/${listed[1]?.id}`);
    const left = [listed[0], listed[2]] as ContentSummary[];
    expect(await neighboursOf(caller, left)).toEqual([
      { topicId, previous: null, next: beside(left[1]) },
      { topicId, previous: beside(left[0]), next: null },
    ]);
  });

  it("lead through pieces with equal times once each, in the order of the list", async () => {
    const { id, caller, places, ...workspace } = await newLibrary();
    for (const title of ["second", "third", "fourth"]) await newPiece({ ...workspace, id }, places.A1, { title });
    await query("UPDATE content_pieces SET created_at = '2026-01-01' WHERE user_id = $1", [id]);
    const { projectId, topicId } = places.A1;
    const { body: listed } = await caller.get<ContentSummary[]>(`/api/projects/${projectId}/topics/${topicId}/content`);
    const found = await neighboursOf(caller, listed);
    expect(found.map(({ previous }) => previous)).toEqual([null, ...listed.slice(0, -1).map(beside)]);
    expect(found.map(({ next }) => next)).toEqual([...listed.slice(1).map(beside), null]);
  });

  it("are no other user's", async () => {
    const { ids } = await newLibrary();
    const stranger = await newLibrary();
    const { status, body } = await stranger.caller.get(`/api/content/${ids.A1}/neighbours`);
    expect({ status, body }).toMatchObject({ status: 404, body: { type: "NOT_FOUND" } });
  });
});

const beside = (piece?: ContentSummary) => piece && { id: piece.id, title: piece.title };

function neighboursOf(caller: Caller, pieces: ContentSummary[]): Promise<Neighbours[]> {
  return Promise.all(
    pieces.map(async ({ id }) => (await caller.get<Neighbours>(`/api/content/${id}/neighbours`)).body),
  );
}

describe("the revisions of a piece", () => {
  it("are its own, and an empty list where there are none", async () => {
    const { actor, ids, caller } = await newLibrary();
    await caller.patch(`/api/content/${ids.A1}`, { body: "of A1" });
    await caller.patch(`/api/content/${ids.A2}`, { body: "of A2" });
    const texts = async (title: string) =>
      (await listRevisions(actor, ids[title] ?? "", {})).items.map(({ excerpt }) => excerpt?.text ?? null);
    expect(await texts("A1")).toEqual(["of A1", null]);
    expect(await texts("B1")).toEqual([]);
    await caller.delete(`/api/content/${ids.B1}`);
    await expect(texts("B1")).rejects.toMatchObject({ type: "NOT_FOUND" });
  });
});

describe("a piece's WordPress fields", () => {
  it.each([
    ["here", HERE, { wpPostId: "7", wpPermalink: "https://p.example/", wpCategoryId: "3", publishError: "no" }],
    ["elsewhere", THERE, { wpPostId: null, wpPermalink: null, wpCategoryId: null, publishError: null }],
    ["unknown", null, { wpPostId: "7", wpPermalink: "https://p.example/", wpCategoryId: null, publishError: "no" }],
  ])("are right for a piece whose site is %s, in lists and alone", async (wpPlace, found, shown) => {
    const { id, ids, caller, places } = await newLibrary();
    const post = { permalink: "https://p.example/", categoryId: "3", categoryName: "News", publishError: "no" };
    await storePost(String(ids.A1), await connectedSite(id, HERE), { ...post, postId: "7" });
    await query("UPDATE sites SET url = 'https://home.example', api_root = $2 WHERE user_id = $1", [
      id,
      found && `${found}/wp-json/`,
    ]);
    if (found === THERE)
      await caller.patch(`/api/projects/${places.A1.projectId}`, { siteId: await connectedSite(id, THERE, false) });
    const expected = { wpPlace, ...shown, wpCategoryName: shown.wpCategoryId && "News" };
    expect((await caller.get<ContentOut>(`/api/content/${ids.A1}`)).body).toMatchObject(expected);
    const list = (await caller.get<ContentSummary[]>("/api/content")).body;
    expect(list.find(({ title }) => title === "A1")).toMatchObject(expected);
    expect(list.find(({ title }) => title === "A2")).toMatchObject({ wpPlace: "none" });
    const alone = await caller.get(`/api/projects/${places.A1.projectId}/topics/${places.A1.topicId}/content`);
    expect(alone.body).toEqual([expect.objectContaining(expected)]);
  });
});

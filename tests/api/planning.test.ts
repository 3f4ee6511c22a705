import pg from "pg";
import { databaseUrl, waitForLock } from "@/tests/support/db";
import { newPiece, newProject, newUser, newWorkspace } from "@/tests/support/factories";

describe("projects, personas, topics and keywords", () => {
  it("creates, lists (newest first), changes and deletes projects", async () => {
    const user = await newUser();
    const { caller } = user;
    const first = await newProject(user, "First");
    const second = await newProject(user, "Second");
    expect((await caller.get<{ id: number }[]>("/api/projects")).body.map(({ id }) => id)).toEqual([second, first]);
    expect((await caller.patch(`/api/projects/${first}`, { description: "What it is for" })).body).toMatchObject({
      title: "First",
      description: "What it is for",
    });
    expect((await caller.patch(`/api/projects/${first}`, {})).status).toBe(400);
    expect((await caller.delete(`/api/projects/${first}`)).status).toBe(204);
    expect((await caller.get(`/api/projects/${first}`)).status).toBe(404);
  });

  it("returns each project with its owner", async () => {
    const user = await newUser();
    const { caller, id: userId } = user;
    const made = await caller.post<{ id: number }>("/api/projects", { title: "Mine" });
    const mine = {
      id: made.body.id,
      title: "Mine",
      description: null,
      userId,
      siteId: null,
      createdAt: expect.any(String),
    };
    expect(made.body).toEqual(mine);
    const writing = { tone: null, language: null, words: null, instructions: null };
    expect((await caller.get(`/api/projects/${made.body.id}`)).body).toEqual({ ...mine, writing });
    expect((await caller.get("/api/projects")).body).toEqual([mine]);
    expect((await caller.patch(`/api/projects/${made.body.id}`, { title: "Mine" })).body).toEqual({
      ...mine,
      writing,
    });
  });

  it("reads an id with leading zeros as its number, and refuses overlong ids", async () => {
    const { caller, projectId, topicId } = await newWorkspace();
    const [project, topic] = [`00${projectId}`, `00${topicId}`];
    expect(await caller.get(`/api/projects/${project}`)).toMatchObject({ status: 200, body: { id: projectId } });
    expect(await caller.get(`/api/projects/${project}/topics`)).toMatchObject({ body: [{ id: topicId }] });
    expect((await caller.get(`/api/projects/${project}/content`)).status).toBe(200);
    expect((await caller.get(`/api/projects/${project}/buyer-persona`)).status).toBe(200);
    expect((await caller.get(`/api/projects/${project}/topics/${topic}/content`)).status).toBe(200);
    expect((await caller.post(`/api/topics/${topic}/keywords`, { keyword: "a" })).body).toMatchObject({ topicId });
    expect((await caller.patch(`/api/projects/${project}`, { title: "T" })).body).toMatchObject({ id: projectId });
    for (const bad of ["0", "00", `${"0".repeat(100)}${projectId}`, `+${projectId}`, `${projectId}.0`]) {
      expect([bad, (await caller.get(`/api/projects/${bad}`)).status]).toEqual([bad, 404]);
    }
  });

  it("has one persona per project: null, created, changed, and no second", async () => {
    const { caller, projectId } = await newWorkspace();
    const url = `/api/projects/${projectId}/buyer-persona`;
    expect(await caller.get(url)).toMatchObject({ status: 200, body: null });
    const persona = { name: "Tessa", age: 34, description: "Rents a flat.", interests: ["food", " "], challenges: [] };
    const made = await caller.post<{ id: number }>(url, persona);
    expect(made).toMatchObject({ status: 201, body: { name: "Tessa", interests: ["food"] } });
    expect((await caller.post(url, persona)).body).toMatchObject({ type: "DUPLICATE" });
    const changed = await caller.patch(`/api/buyer-personas/${made.body.id}`, { age: null });
    expect(changed.body).toMatchObject({ age: null, name: "Tessa" });
  });

  it("keeps keywords unique in their topic, whatever their case and spaces", async () => {
    const { caller, topicId } = await newWorkspace();
    const url = `/api/topics/${topicId}/keywords`;
    const made = await caller.post<{ id: number }>(url, { keyword: "Seed  mix" });
    expect(made.status).toBe(201);
    expect((await caller.post(url, { keyword: "seed MIX" })).body).toMatchObject({ type: "DUPLICATE" });
    const added = await caller.post(`/api/topics/${topicId}/add-suggested-keywords`, {
      keywords: ["grow lights", "SEED mix", "Grow Lights"],
    });
    expect(added.body).toEqual({ count: 1 });
    expect((await caller.patch(`/api/keywords/${made.body.id}`, { keyword: "grow  lights" })).status).toBe(409);
    expect((await caller.patch(`/api/keywords/${made.body.id}`, { keyword: "seed mixes" })).status).toBe(200);
    expect((await caller.delete(`/api/keywords/${made.body.id}`)).status).toBe(204);
    expect((await caller.get<unknown[]>(url)).body).toHaveLength(1);
  });

  it("counts keywords and pieces of each topic", async () => {
    const workspace = await newWorkspace();
    await newPiece(workspace, workspace);
    await workspace.caller.post(`/api/topics/${workspace.topicId}/keywords`, { keyword: "one" });
    const topics = await workspace.caller.get(`/api/projects/${workspace.projectId}/topics`);
    expect(topics.body).toMatchObject([{ keywordCount: 1, contentCount: 1, category: null }]);
    const changed = await workspace.caller.patch(`/api/topics/${workspace.topicId}`, { category: "Growing" });
    expect(changed.body).toMatchObject({ category: "Growing" });
    const cleared = await workspace.caller.patch(`/api/topics/${workspace.topicId}`, { category: "" });
    expect(cleared.body).toMatchObject({ category: null });
    expect((await workspace.caller.delete(`/api/topics/${workspace.topicId}`)).status).toBe(204);
  });

  it("answers NOT_FOUND for another user's things, as for missing ones", async () => {
    const mine = await newWorkspace();
    const piece = await newPiece(mine, mine);
    const { caller } = await newUser();
    for (const url of [
      `/api/projects/${mine.projectId}`,
      `/api/projects/${mine.projectId}/topics`,
      `/api/projects/${mine.projectId}/buyer-persona`,
      `/api/projects/${mine.projectId}/content`,
      `/api/projects/${mine.projectId}/topics/${mine.topicId}/content`,
      `/api/topics/${mine.topicId}/keywords`,
      `/api/content/${piece}`,
      `/api/content/${piece}/revisions`,
      "/api/projects/0",
      "/api/projects/99999999999",
      "/api/projects/abc",
      "/api/content/not-a-uuid",
    ]) {
      const answer = await caller.get(url);
      expect([url, answer.status, answer.body.type]).toEqual([url, 404, "NOT_FOUND"]);
    }
    expect((await caller.delete(`/api/content/${piece}`)).status).toBe(404);
    expect((await caller.patch(`/api/content/${piece}`, { title: "mine now" })).status).toBe(404);
    expect((await mine.caller.get(`/api/content/${piece}`)).body).toMatchObject({ title: "A peat-free seed mix" });
  });
});

type Workspace = Awaited<ReturnType<typeof newWorkspace>>;
type Call = { what: string; table: string; url: (workspace: Workspace) => string; body: object };

const CALLS: Call[] = [
  {
    what: "a topic",
    table: "projects",
    url: ({ projectId }) => `/api/projects/${projectId}/topics`,
    body: { name: "Watering", description: "Little and often." },
  },
  {
    what: "a keyword",
    table: "topics",
    url: ({ topicId }) => `/api/topics/${topicId}/keywords`,
    body: { keyword: "x y" },
  },
];

describe("a parent that is deleted while something is added to it", () => {
  it.each(CALLS)("answers not found for $what", async ({ table, url, body }) => {
    const workspace = await newWorkspace();
    const client = new pg.Client({ connectionString: databaseUrl() });
    await client.connect();
    try {
      // The other call has deleted the parent, and commits after ours has checked and starts to write.
      await client.query("BEGIN");
      await client.query(`DELETE FROM ${table} WHERE user_id = $1`, [workspace.id]);
      const writing = workspace.caller.post(url(workspace), body);
      await waitForLock();
      await client.query("COMMIT");
      expect(await writing).toMatchObject({ status: 404, body: { type: "NOT_FOUND" } });
    } finally {
      await client.end();
    }
  });
});

import pg from "pg";
import { databaseUrl, waitingForLock } from "@/tests/support/db";
import { newDesk, newPerson, newPiece, newProject } from "@/tests/support/factories";

describe("projects, personas, topics and keywords", () => {
  it("creates, lists newest first, changes and deletes projects", async () => {
    const person = await newPerson();
    const { caller } = person;
    const first = await newProject(person, "First");
    const second = await newProject(person, "Second");
    expect((await caller.get<{ id: number }[]>("/api/projects")).body.map(({ id }) => id)).toEqual([second, first]);
    expect((await caller.patch(`/api/projects/${first}`, { description: "What it is for" })).body).toMatchObject({
      title: "First",
      description: "What it is for",
    });
    expect((await caller.patch(`/api/projects/${first}`, {})).status).toBe(400);
    expect((await caller.delete(`/api/projects/${first}`)).status).toBe(204);
    expect((await caller.get(`/api/projects/${first}`)).status).toBe(404);
  });

  it("answers each project with its owner", async () => {
    const person = await newPerson();
    const { caller, id: userId } = person;
    const made = await caller.post<{ id: number }>("/api/projects", { title: "Mine" });
    const mine = { id: made.body.id, title: "Mine", description: null, userId, createdAt: expect.any(String) };
    expect(made.body).toEqual(mine);
    expect((await caller.get(`/api/projects/${made.body.id}`)).body).toEqual(mine);
    expect((await caller.get("/api/projects")).body).toEqual([mine]);
    expect((await caller.patch(`/api/projects/${made.body.id}`, { title: "Mine" })).body).toEqual(mine);
  });

  it("reads an id with zeros before it as its number, and nothing longer than ids can be", async () => {
    const { caller, projectId, topicId } = await newDesk();
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

  it("has one persona a project: null, created, changed, and no second", async () => {
    const { caller, projectId } = await newDesk();
    const url = `/api/projects/${projectId}/buyer-persona`;
    expect(await caller.get(url)).toMatchObject({ status: 200, body: null });
    const persona = { name: "Tessa", age: 34, description: "Rents a flat.", interests: ["food", " "], challenges: [] };
    const made = await caller.post<{ id: number }>(url, persona);
    expect(made).toMatchObject({ status: 201, body: { name: "Tessa", interests: ["food"] } });
    expect((await caller.post(url, persona)).body).toMatchObject({ type: "DUPLICATE" });
    const changed = await caller.patch(`/api/buyer-personas/${made.body.id}`, { age: null });
    expect(changed.body).toMatchObject({ age: null, name: "Tessa" });
  });

  it("keeps keywords unique in their topic whatever their case and spaces", async () => {
    const { caller, topicId } = await newDesk();
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
    const desk = await newDesk();
    await newPiece(desk, desk);
    await desk.caller.post(`/api/topics/${desk.topicId}/keywords`, { keyword: "one" });
    const topics = await desk.caller.get(`/api/projects/${desk.projectId}/topics`);
    expect(topics.body).toMatchObject([{ keywordCount: 1, contentCount: 1, category: null }]);
    const changed = await desk.caller.patch(`/api/topics/${desk.topicId}`, { category: "Growing" });
    expect(changed.body).toMatchObject({ category: "Growing" });
    expect((await desk.caller.delete(`/api/topics/${desk.topicId}`)).status).toBe(204);
  });

  it("hides another person's things behind the same NOT_FOUND as missing ones", async () => {
    const mine = await newDesk();
    const piece = await newPiece(mine, mine);
    const { caller } = await newPerson();
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

type Desk = Awaited<ReturnType<typeof newDesk>>;
type Call = { what: string; table: string; url: (desk: Desk) => string; body: object };

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

describe("what is deleted while something is put into it", () => {
  it.each(CALLS)("answers $what as not found", async ({ table, url, body }) => {
    const desk = await newDesk();
    const client = new pg.Client({ connectionString: databaseUrl() });
    await client.connect();
    try {
      // The other call has deleted, and commits when ours has looked and comes to write.
      await client.query("BEGIN");
      await client.query(`DELETE FROM ${table} WHERE user_id = $1`, [desk.id]);
      const writing = desk.caller.post(url(desk), body);
      await waitingForLock();
      await client.query("COMMIT");
      expect(await writing).toMatchObject({ status: 404, body: { type: "NOT_FOUND" } });
    } finally {
      await client.end();
    }
  });
});

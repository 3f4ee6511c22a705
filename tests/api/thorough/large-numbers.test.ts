import { newWorld, snapshot, type World } from "@/tests/support/world";

type Refused = { type: string; error: string };

/** Numbers that PostgreSQL's `integer` cannot hold, or that no version or id can be. */
const NO_INTEGERS = [2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, 1e308, 0, -1, 1.5];

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

describe.each(NO_INTEGERS)("%d", (number) => {
  it("is refused with a sentence as a version, and nothing is saved", async () => {
    const before = await snapshot(world);
    const { status, body } = await world.caller.patch<Refused>(`/api/content/${world.pieceId}`, {
      body: "New text.",
      version: number,
    });
    expect([status, body.type]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error).toMatch(/^Version: use [^{}]+\.$/);
    expect(await snapshot(world)).toEqual(before);
  });

  it("is not found as an id in a path or a body", async () => {
    const before = await snapshot(world);
    const { caller, projectId, pieceId } = world;
    for (const [method, url, body] of [
      ["GET", `/api/projects/${number}`],
      ["PATCH", `/api/projects/${number}`, { title: "Mine" }],
      ["DELETE", `/api/topics/${number}`],
      ["PATCH", `/api/keywords/${number}`, { keyword: "mine" }],
      ["PATCH", `/api/instructions/${number}`, { text: "mine" }],
      ["PATCH", `/api/buyer-personas/${number}`, { name: "Mine" }],
      ["GET", `/api/projects/${projectId}/topics/${number}/content`],
      ["POST", `/api/chat/start`, { projectId: number }],
      ["POST", `/api/projects/${projectId}/generate-content-ideas`, { topicId: number }],
      ["GET", `/api/content?projectId=${number}`],
      ["GET", `/api/content/groups?projectId=${number}`],
      ["GET", `/api/content?topicId=${number}`],
      ["GET", `/api/content?limit=${number}`],
      ["POST", `/api/content/${pieceId}/publish`, { categoryId: -Math.abs(number) }],
    ] as [string, string, object?][]) {
      const answer = await caller.call<Refused>(method, url, body);
      const refusal = { method, url, status: answer.status, error: answer.body.error };
      expect(refusal).toEqual({
        method,
        url,
        status: expect.any(Number),
        error: expect.stringMatching(/^[A-Z].*\.?$/),
      });
      expect([400, 404]).toContain(refusal.status);
    }
    expect(await snapshot(world)).toEqual(before);
  });
});

it("treats the largest integer as an outdated version", async () => {
  const answer = await world.caller.patch<Refused>(`/api/content/${world.pieceId}`, {
    body: "New text.",
    version: 2 ** 31 - 1,
  });
  expect([answer.status, answer.body.type]).toEqual([409, "VERSION_CONFLICT"]);
});

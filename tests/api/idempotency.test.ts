import { needsSession } from "@/lib/transport/access";
import type { Answer } from "@/tests/support/app";
import { type Backend, eventually, startBackend } from "@/tests/support/backend";
import { PASSWORD } from "@/tests/support/factories";
import {
  blockedTable,
  KEY,
  keyedCalls,
  keysOf,
  names,
  OUTLINE,
  repeatOf,
  withLockedTable,
} from "@/tests/support/keyed-calls";
import { buildRequest, callOperation, listOperations, successOf } from "@/tests/support/operations";

let backend: Backend;
const { ready, countDone } = keyedCalls(() => backend);

beforeAll(async () => {
  process.env.RATE_LIMIT_SCALE = "1000";
  backend = await startBackend();
});
afterAll(() => backend.close());

it("every call that answers with what it created, or costs money, takes a key", async () => {
  const operations = (await listOperations()).filter(({ spec }) => needsSession(spec));
  const without = operations.filter(({ spec: { status, limit, idempotent } }) => {
    if (status === 201) return idempotent !== "creation";
    return limit === "ai" && idempotent !== "paid";
  });
  // A site is there once, whatever is repeated: it is known by its place.
  expect(without.map(({ name }) => name)).toEqual(["POST /api/sites"]);
});

describe.each(names)("%s with a key", (name) => {
  it("runs once and repeats its response", async () => {
    const world = await ready(name);
    const first = await callOperation(name, world.caller, world, { headers: KEY });
    expect([first.status, first.text]).toEqual([await successOf(name), expect.any(String)]);
    const done = await countDone(name, world);
    const again = await callOperation(name, world.caller, world, { headers: KEY });
    expect([again.status, again.body]).toEqual([first.status, repeatOf(name, first.body)]);
    expect(await countDone(name, world)).toBe(done);
  });

  it("is refused with 409 while the same call is running", async () => {
    const world = await ready(name);
    const before = await countDone(name, world);
    const { first, other } = await withLockedTable(blockedTable(name), async (releaseLock) => {
      const both = [0, 1].map(() => callOperation(name, world.caller, world, { headers: KEY }));
      const first = await Promise.race(both);
      await releaseLock();
      const answers = await Promise.all(both);
      return { first, other: answers.find((answer) => answer !== first) as Answer };
    });
    expect(first).toMatchObject({ status: 409, body: { type: "ALREADY_RUNNING" } });
    expect(first.body).toMatchObject({ error: expect.stringContaining("still running") });
    expect([other.status, other.text]).toEqual([await successOf(name), expect.any(String)]);
    const done = await countDone(name, world);
    expect(done).toBeGreaterThan(before);
    const again = await callOperation(name, world.caller, world, { headers: KEY });
    expect([again.status, again.body, await countDone(name, world)]).toEqual([
      other.status,
      repeatOf(name, other.body),
      done,
    ]);
  });

  it("refuses the key for another body and another path with 422", async () => {
    const world = await ready(name);
    const { url, body } = await buildRequest(name, world);
    const first = await callOperation(name, world.caller, world, { headers: KEY });
    expect([first.status, first.text]).toEqual([await successOf(name), expect.any(String)]);
    const done = await countDone(name, world);
    const used = { status: 422, body: { type: "KEY_REUSED" } };
    if (body) expect(await world.caller.post(url, changed(body), KEY)).toMatchObject(used);
    const other = name === "POST /api/projects" ? `/api/projects/${world.projectId}/topics` : "/api/projects";
    expect(await world.caller.post(other, { title: "Else", name: "Else", description: "d" }, KEY)).toMatchObject(used);
    expect((await callOperation(name, world.caller, world, { headers: KEY })).body).toEqual(repeatOf(name, first.body));
    expect(await countDone(name, world)).toBe(done);
  });

  it("keeps people's keys apart", async () => {
    const people = [await ready(name), await ready(name)];
    const before = await Promise.all(people.map((world) => countDone(name, world)));
    const first: Answer[] = [];
    const status = await successOf(name);
    for (const world of people) first.push(await callOperation(name, world.caller, world, { headers: KEY }));
    expect(first.map(({ status }) => status)).toEqual(people.map(() => status));
    const done = await Promise.all(people.map((world) => countDone(name, world)));
    expect(done.every((count, at) => count > (before[at] ?? count))).toBe(true);
    for (const [at, world] of people.entries()) {
      expect((await callOperation(name, world.caller, world, { headers: KEY })).body).toEqual(
        repeatOf(name, first[at]?.body),
      );
    }
    expect(await Promise.all(people.map((world) => countDone(name, world)))).toEqual(done);
  });

  it("deletes the keys with the account", async () => {
    const world = await ready(name);
    await callOperation(name, world.caller, world, { headers: KEY });
    expect(await keysOf(world)).toHaveLength(1);
    const gone = await world.caller.call("DELETE", "/api/user", { confirm: world.username, password: PASSWORD });
    expect(gone.status).toBe(204);
    const { removeDeleted } = await import("@/lib/features/deletion/steps");
    await removeDeleted();
    expect(await keysOf(world)).toEqual([]);
  });
});

/** The body with another value in the first member that accepts one. */
function changed(body: unknown): Record<string, unknown> {
  const members = body as Record<string, unknown>;
  if ("ideasPerKeyword" in members) return { ...members, ideasPerKeyword: 1 };
  if ("keywords" in members) return { keywords: ["something else"] };
  const [first = ""] = Object.keys(members);
  return { ...members, [first]: "Something else" };
}
describe("a stream", () => {
  const STREAM = { ...KEY, accept: "text/event-stream" };
  const doneOf = ({ text }: Answer) => JSON.parse(/event: done\ndata: (.*)\n/.exec(text)?.[1] ?? "null");

  it.each([OUTLINE, "POST /api/content/[id]/generate-from-outline"])(
    "that is requested again ends at once with the same result: %s",
    async (name) => {
      const world = await ready(name);
      const first = await callOperation(name, world.caller, world, { headers: STREAM });
      expect(first.text).toContain("event: delta");
      const callsBefore = backend.ai.requests.length;
      const again = await callOperation(name, world.caller, world, { headers: STREAM });
      expect(again.text).toMatch(/^event: done\n/);
      expect(doneOf(again)).toEqual(repeatOf(name, doneOf(first)));
      expect((await callOperation(name, world.caller, world, { headers: KEY })).body).toEqual(
        repeatOf(name, doneOf(first)),
      );
      expect(backend.ai.requests).toHaveLength(callsBefore);
    },
  );

  it("is refused with 409 while the same call runs, and can be retried after a failure", async () => {
    const world = await ready(OUTLINE);
    await withLockedTable(blockedTable(OUTLINE), async (releaseLock) => {
      const call = callOperation(OUTLINE, world.caller, world, { headers: STREAM });
      await eventually(
        () => keysOf(world),
        ({ length }) => length === 1,
      );
      const other = await callOperation(OUTLINE, world.caller, world, { headers: STREAM });
      expect(other).toMatchObject({ status: 409, body: { type: "ALREADY_RUNNING" } });
      backend.ai.faults.next(["no-quota"]);
      await releaseLock();
      expect((await call).text).toContain("event: error");
    });
    expect(await keysOf(world)).toEqual([]);
    expect((await callOperation(OUTLINE, world.caller, world, { headers: STREAM })).text).toContain("event: done");
  });
});

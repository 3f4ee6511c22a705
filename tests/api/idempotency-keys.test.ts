import type { ActionResult } from "@/lib/transport/action";
import { callAction } from "@/tests/support/action-request";
import { listActions } from "@/tests/support/actions";
import { type Backend, eventually, startBackend } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import {
  blockedTable,
  KEY,
  keyedCalls,
  keysOf,
  names,
  OUTLINE,
  SUGGEST,
  withLockedTable,
} from "@/tests/support/keyed-calls";
import { callOperation, successOf } from "@/tests/support/operations";
import type { World } from "@/tests/support/world";

jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);

let backend: Backend;
const { ready, countDone } = keyedCalls(() => backend);

beforeAll(async () => {
  process.env.RATE_LIMIT_SCALE = "1000";
  backend = await startBackend();
});
afterAll(() => backend.close());

describe("a key", () => {
  it.each(["POST /api/projects", SUGGEST])("can be reused after 24 hours: %s", async (name) => {
    const world = await ready(name);
    await callOperation(name, world.caller, world, { headers: KEY });
    const done = await countDone(name, world);
    await age(world, "23 hours 59 minutes");
    await callOperation(name, world.caller, world, { headers: KEY });
    expect(await countDone(name, world)).toBe(done);
    await age(world, "1 minute");
    expect((await callOperation(name, world.caller, world, { headers: KEY })).status).toBe(await successOf(name));
    expect(await countDone(name, world)).toBe(done + 1);
    const again = await world.caller.post("/api/projects", { title: "Else" }, KEY);
    expect(again).toMatchObject({ status: 422 });
  });

  it("is deleted by the sweep after 24 hours, not before", async () => {
    const world = await ready("POST /api/projects");
    // Loaded late, after the environment is set.
    const { pruneExpired } = await import("@/lib/features/account/steps");
    await callOperation("POST /api/projects", world.caller, world, { headers: KEY });
    await pruneExpired();
    expect(await keysOf(world)).toHaveLength(1);
    await age(world, "24 hours");
    await pruneExpired();
    expect(await keysOf(world)).toEqual([]);
  });

  it("can be reused after a refused call", async () => {
    const world = await ready("POST /api/projects");
    const topics = `/api/projects/${world.projectId}/topics`;
    expect((await world.caller.post(topics, { name: "" }, KEY)).status).toBe(400);
    expect((await world.caller.post("/api/projects/2147483647/topics", TOPIC, KEY)).status).toBe(404);
    expect((await world.caller.post(topics, TOPIC, KEY)).status).toBe(201);
  });

  it("can be reused after a failed paid call", async () => {
    const world = await ready(SUGGEST);
    backend.ai.faults.next(["no-quota"]);
    expect((await callOperation(SUGGEST, world.caller, world, { headers: KEY })).status).toBeGreaterThanOrEqual(400);
    expect(await keysOf(world)).toEqual([]);
    expect((await callOperation(SUGGEST, world.caller, world, { headers: KEY })).status).toBe(200);
  });

  it("is released for this user only", async () => {
    const [mine, theirs] = [await ready(SUGGEST), await ready(SUGGEST)];
    await callOperation(SUGGEST, theirs.caller, theirs, { headers: KEY });
    backend.ai.faults.next(["no-quota"]);
    expect((await callOperation(SUGGEST, mine.caller, mine, { headers: KEY })).status).toBeGreaterThanOrEqual(400);
    expect([await keysOf(mine), await keysOf(theirs)]).toEqual([[], [expect.anything()]]);
  });

  it("is locked for this user only", async () => {
    const people = [await ready(CREATE), await ready(CREATE)];
    const answers = await withLockedTable(blockedTable(CREATE), async (releaseLock) => {
      const calls = people.map((world) => callOperation(CREATE, world.caller, world, { headers: KEY }));
      const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'idempotency_keys'::regclass";
      const refused = Promise.race(calls).then(() => [0, 1]);
      await eventually(
        () => Promise.race([query(waiting), refused]),
        ({ length }) => length === people.length,
      );
      await releaseLock();
      return Promise.all(calls);
    });
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });

  it("is refused for another call while the first is running", async () => {
    const world = await ready(SUGGEST);
    await withLockedTable(blockedTable(SUGGEST), async (releaseLock) => {
      const call = callOperation(SUGGEST, world.caller, world, { headers: KEY });
      await eventually(
        () => keysOf(world),
        ({ length }) => length === 1,
      );
      const other = await callOperation(OUTLINE, world.caller, world, { headers: KEY });
      expect(other).toMatchObject({ status: 422, body: { type: "KEY_REUSED" } });
      const made = await world.caller.post("/api/projects", { title: "Else" }, KEY);
      expect(made).toMatchObject({ status: 422, body: { type: "KEY_REUSED" } });
      await releaseLock();
      expect((await call).status).toBe(200);
    });
  });

  it("answers that its resource was deleted, and creates no other", async () => {
    const world = await ready("POST /api/projects");
    const { body } = await world.caller.post<{ id: number }>("/api/projects", { title: "Short-lived" }, KEY);
    await world.caller.delete(`/api/projects/${body.id}`);
    const again = await world.caller.post("/api/projects", { title: "Short-lived" }, KEY);
    expect(again).toMatchObject({ status: 404, body: { type: "NOT_FOUND" } });
  });

  it("of a paid call is stored before the provider is called", async () => {
    const world = await ready(SUGGEST);
    await withLockedTable(blockedTable(SUGGEST), async (releaseLock) => {
      const call = callOperation(SUGGEST, world.caller, world, { headers: KEY });
      const rows = await eventually(
        () => keysOf(world),
        ({ length }) => length === 1,
      );
      expect(rows[0]?.kept).toBeNull();
      await releaseLock();
      await call;
    });
    expect((await keysOf(world))[0]?.kept).not.toBeNull();
  });

  it("of a call whose process died is taken over once its lease has expired", async () => {
    const world = await ready(SUGGEST);
    await callOperation(SUGGEST, world.caller, world, { headers: KEY });
    await query("UPDATE idempotency_keys SET kept = NULL WHERE user_id = $1", [world.id]);
    await leaseOfAnother(world, "1 minute");
    const callsBefore = backend.ai.requests.length;
    expect((await callOperation(SUGGEST, world.caller, world, { headers: KEY })).status).toBe(409);
    expect(backend.ai.requests).toHaveLength(callsBefore);
    await query("UPDATE leases SET until = now() - interval '1 second' WHERE user_id = $1", [world.id]);
    expect((await callOperation(SUGGEST, world.caller, world, { headers: KEY })).status).toBe(200);
    expect(backend.ai.requests).toHaveLength(callsBefore + 1);
    expect((await keysOf(world))[0]?.kept).not.toBeNull();
  });

  it("that was taken over is neither completed nor released by its former holder", async () => {
    const world = await ready(SUGGEST);
    for (const fault of [null, "no-quota"] as const) {
      await withLockedTable(blockedTable(SUGGEST), async (releaseLock) => {
        const call = callOperation(SUGGEST, world.caller, world, { headers: KEY });
        await eventually(
          () => keysOf(world),
          ({ length }) => length === 1,
        );
        await query("UPDATE leases SET token = gen_random_uuid() WHERE user_id = $1", [world.id]);
        backend.ai.faults.next([fault]);
        await releaseLock();
        await call;
      });
      expect(await keysOf(world)).toEqual([{ key: "one intention", kept: null }]);
      expect(await query("SELECT 1 FROM leases WHERE user_id = $1", [world.id])).toHaveLength(1);
      await query("DELETE FROM idempotency_keys WHERE user_id = $1", [world.id]);
      await query("DELETE FROM leases WHERE user_id = $1", [world.id]);
    }
  });

  it("of a long call has its lease renewed", async () => {
    const world = await ready(SUGGEST);
    await withLockedTable(blockedTable(SUGGEST), async (releaseLock) => {
      fakeIntervals();
      const call = callOperation(SUGGEST, world.caller, world, { headers: KEY });
      await eventually(
        () => keysOf(world),
        ({ length }) => length === 1,
      );
      await query("UPDATE leases SET until = now() + interval '1 second' WHERE user_id = $1", [world.id]);
      jest.advanceTimersByTime(30_000);
      jest.useRealTimers();
      await eventually(
        () => query("SELECT 1 FROM leases WHERE user_id = $1 AND until > now() + interval '30 seconds'", [world.id]),
        ({ length }) => length === 1,
      );
      await releaseLock();
      expect((await call).status).toBe(200);
    });
    expect(await query("SELECT 1 FROM leases WHERE user_id = $1", [world.id])).toEqual([]);
  });

  it("whose response is too large to store does not repeat the call", async () => {
    const world = await ready("POST /api/chat/message");
    backend.ai.turns.push({ text: "word ".repeat(14_000) });
    const first = await callOperation("POST /api/chat/message", world.caller, world, { headers: KEY });
    expect([first.status, first.text.length > 65_536]).toEqual([200, true]);
    const callsBefore = backend.ai.requests.length;
    const again = await callOperation("POST /api/chat/message", world.caller, world, { headers: KEY });
    expect(again).toMatchObject({ status: 409, body: { type: "DUPLICATE" } });
    expect(again.body).toMatchObject({ error: expect.stringContaining("Reload the page") });
    expect(backend.ai.requests).toHaveLength(callsBefore);
  });

  it("refers to a large text in its piece instead of storing it", async () => {
    const world = await ready(OUTLINE);
    const answer = await callOperation(OUTLINE, world.caller, world, { headers: KEY });
    const { outline } = (answer.body as { outline: { id: string; outline: string } }).outline;
    const [row] = await keysOf(world);
    expect(row?.kept).not.toContain(outline.slice(0, 20));
  });

  it("is not needed: without one the call is repeated", async () => {
    const world = await ready(SUGGEST);
    const callsBefore = backend.ai.requests.length;
    await callOperation(SUGGEST, world.caller, world);
    await callOperation(SUGGEST, world.caller, world);
    expect(backend.ai.requests).toHaveLength(callsBefore + 2);
    expect(await keysOf(world)).toEqual([]);
  });
});

const CREATE = "POST /api/projects";
const TOPIC = { name: "Watering", description: "Little and often." };

/** Intervals run when the test says so; other timers run as usual. */
function fakeIntervals(): void {
  jest.useFakeTimers({
    doNotFake: [
      ...(["Date", "hrtime", "nextTick", "performance", "queueMicrotask"] as const),
      ...(["setImmediate", "clearImmediate", "setTimeout", "clearTimeout"] as const),
    ],
  });
}

const age = ({ id }: World, by: string) =>
  query("UPDATE idempotency_keys SET created_at = created_at - $2::interval WHERE user_id = $1", [id, by]);

const leaseOfAnother = ({ id }: World, left: string) =>
  query(
    `INSERT INTO leases (kind, subject, user_id, token, until)
     SELECT 'call', user_id || ' ' || key, user_id, gen_random_uuid(), now() + $2::interval FROM idempotency_keys WHERE user_id = $1`,
    [id, left],
  );
describe("the header", () => {
  const post = (world: World, key: string) =>
    world.caller.post<{ id: number }>("/api/projects", { title: "Balcony" }, { "idempotency-key": key });

  it("is a string of RFC 8941, or the same characters bare", async () => {
    const world = await ready("POST /api/projects");
    const [quoted, bare] = [await post(world, '"8e03978e-40d5"'), await post(world, "8e03978e-40d5")];
    expect([quoted.status, bare.body.id]).toEqual([201, quoted.body.id]);
    const escaped = await post(world, String.raw`"a \"b\" \\ c"`);
    expect(escaped.status).toBe(201);
    expect((await keysOf(world)).map(({ key }) => key).sort()).toEqual(["8e03978e-40d5", String.raw`a "b" \ c`]);
    expect((await post(world, `"${"x".repeat(255)}"`)).status).toBe(201);
    expect((await post(world, `"${String.raw`\"`.repeat(255)}"`)).status).toBe(201);
  });

  it.each([
    ["empty", ""],
    ["an empty string", '""'],
    ["256 characters", `"${"x".repeat(256)}"`],
    ["256 bare characters", "x".repeat(256)],
    ["very long", "x".repeat(100_000)],
    ["not closed", '"abc'],
    ["an unknown escape", String.raw`"a\bc"`],
    ["two keys", '"a", "b"'],
    ["with a parameter", '"a";b=c'],
    ["two bare words", "a b"],
    ["a tab", '"a\tb"'],
    ["beyond ASCII", '"caf\xe9"'],
  ])("is refused when it is %s", async (_what, key) => {
    const world = await ready("POST /api/projects");
    const answer = await post(world, key);
    expect(answer).toMatchObject({ status: 400, body: { type: "VALIDATION_ERROR" } });
    expect(answer.body).toMatchObject({ error: expect.stringContaining("Idempotency-Key") });
    expect(await keysOf(world)).toEqual([]);
  });

  it("is ignored by calls that neither create nor cost anything", async () => {
    const world = await ready("POST /api/projects");
    const restored = await world.caller.post("/api/queue/resume", undefined, { "idempotency-key": '"not closed' });
    expect([restored.status, await keysOf(world)]).toEqual([200, []]);
  });

  it("is in the API document, with its failures", async () => {
    const world = await ready("POST /api/projects");
    type Operation = { parameters: { name: string; in: string; required: boolean }[]; responses: object };
    const { paths } = (
      await world.caller.get<{ paths: Record<string, Record<string, Operation>> }>("/api/openapi.json")
    ).body;
    const named = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { parameters, responses }]) => {
        const isNamed = parameters?.some?.((one) => one.name === "Idempotency-Key" && one.in === "header");
        if (isNamed) expect(Object.keys(responses)).toEqual(expect.arrayContaining(["400", "409", "422"]));
        return isNamed ? [`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, "[$1]")}`] : [];
      }),
    );
    expect(named.sort()).toEqual([...names].sort());
  });
});

describe("the form of a new project", () => {
  async function submit(world: World, input: object) {
    const { createProjectAction } = Object.fromEntries(await listActions());
    const call = () => createProjectAction?.(input) as Promise<ActionResult<{ id: number }>>;
    return (await callAction(call, { cookie: world.caller.cookie() })).answer;
  }

  it("creates one project however often it is sent, also together with the route", async () => {
    const world = await ready("POST /api/projects");
    const before = await countDone("POST /api/projects", world);
    const input = { title: "Balcony", description: "", idempotencyKey: "one intention" };
    const [first, again] = [await submit(world, input), await submit(world, input)];
    if (!first.ok || !again.ok) throw new Error("refused");
    expect(again.data).toEqual(first.data);
    const { body } = await world.caller.post("/api/projects", { title: "Balcony", description: "" }, KEY);
    expect(body).toMatchObject({ id: first.data.id });
    expect(await countDone("POST /api/projects", world)).toBe(before + 1);
    expect(await submit(world, { ...input, title: "Terrace" })).toMatchObject({ error: { type: "KEY_REUSED" } });
  });

  it.each([7, "", "x".repeat(256), "ä", ["a"]])("is refused with the key %j", async (idempotencyKey) => {
    const world = await ready("POST /api/projects");
    const answer = await submit(world, { title: "Balcony", idempotencyKey });
    expect(answer).toMatchObject({ ok: false, error: { type: "VALIDATION_ERROR" } });
  });
});

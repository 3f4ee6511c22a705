import type { AppFetch } from "@/inngest/local-server/app-client";
import { LIVE_RUNS } from "@/inngest/local-server/runs";
import { startLocalInngest } from "@/inngest/local-server/server";
import { type Build, ECHO, harnessPerTest, until } from "@/tests/support/inngest-contract";
import { createOffline } from "@/tests/support/offline-engine";

// The embedded engine refuses what it does not emulate, rather than run it differently from Inngest.
jest.setTimeout(15_000);

const own = harnessPerTest();

describe("what is not emulated", () => {
  it.each([
    ["debounce", { debounce: { period: "1m" } }],
    ["batchEvents", { batchEvents: { maxSize: 5, timeout: "5s" } }],
    ["rateLimit", { rateLimit: { limit: 1, period: "1m" } }],
    ["throttle", { throttle: { limit: 1, period: "1m" } }],
    ["singleton", { singleton: { mode: "skip" } }],
    ["priority", { priority: { run: "1" } }],
    ["timeouts", { timeouts: { finish: "1m" } }],
    [
      "concurrency[0].key: the expression event.data.a + event.data.b",
      { concurrency: [{ limit: 1, key: "event.data.a + event.data.b" }] },
    ],
    ["cancelOn[0].if: the expression async.data.n > 1", { cancelOn: [{ event: "c", if: "async.data.n > 1" }] }],
    ["cancel.0.timeout", { cancelOn: [{ event: "c", timeout: "1h" }] }],
    ["concurrency.0.scope", { concurrency: [{ limit: 1, key: '"ai"', scope: "account" }] }],
    ["idempotency", { idempotency: "event.data.id" }],
    ["triggers[0].if: the expression event.data.n == 1", { triggers: [{ event: "go", if: "event.data.n == 1" }] }],
    ["triggers[0].event: app/*", { triggers: [{ event: "app/*" }] }],
    ["triggers[0].event: inngest/function.finished", { triggers: [{ event: "inngest/function.finished" }] }],
    ["triggers[0].cron", { triggers: [{ cron: "TZ=Europe/Paris 0 12 * * *" }] }],
  ] as const)("refuses to register a function with %s, and names both", async (what, options) => {
    const { engine } = createOffline({}, options);
    const refused = engine.sync();
    await expect(refused).rejects.toThrow(
      'Function "offline-fn" uses what the local Inngest engine does not emulate: ',
    );
    await expect(refused).rejects.toThrow(what);
    expect(engine.isRegistered()).toBe(false);
    await engine.close();
  });

  it("keeps the registered functions when new ones are refused", async () => {
    const { engine } = await own.start(ECHO);
    expect(() => engine().register([{ id: "new", debounce: {} }])).toThrow('Function "new" uses');
    expect(engine().status().functions).toEqual([expect.stringMatching(/-echo$/)]);
  });

  it("logs once why functions are refused, however often it syncs", async () => {
    const logged: string[] = [];
    let syncs = 0;
    const { all } = createOffline({ log: (sentence) => logged.push(sentence) }, { debounce: { period: "1m" } });
    const fetch: AppFetch = (url, request) => {
      syncs++;
      return all.fetch(url, request);
    };
    const server = await startLocalInngest({ ...all, fetch });
    await until(() => syncs >= 3);
    expect(logged).toEqual([expect.stringContaining("does not emulate: debounce")]);
    await server.close();
  });

  it.each<[string, Build]>([
    [
      "step.waitForEvent",
      (inngest, name) => [
        inngest.createFunction({ id: "fn", triggers: [{ event: name("go") }] }, async ({ step }) =>
          step.waitForEvent("wait", { event: "later", timeout: "1m" }),
        ),
      ],
    ],
    [
      "step.invoke",
      (inngest, name) => {
        const other = inngest.createFunction({ id: "other", triggers: [] }, async () => {});
        const fn = inngest.createFunction({ id: "fn", triggers: [{ event: name("go") }] }, async ({ step }) =>
          step.invoke("call", { function: other, data: {} }),
        );
        return [fn, other];
      },
    ],
    [
      "group.parallel",
      (inngest, name) => [
        inngest.createFunction({ id: "fn", triggers: [{ event: name("go") }] }, async ({ step }) =>
          Promise.race(["a", "b"].map((id) => step.run({ id, parallelMode: "race" }, () => id))),
        ),
      ],
    ],
  ])("fails a run that uses %s with an error that says so", async (tool, build) => {
    const { run } = await own.start(build);
    const { status, output } = await run("go");
    expect(status).toBe("Failed");
    expect(output).toMatchObject({ name: "NotEmulated", message: expect.stringContaining(`-fn" uses ${tool} (`) });
    expect(output).toMatchObject({ message: expect.stringContaining("does not emulate") });
  });

  it("answers an unknown path with 404 and a sentence", async () => {
    const { api } = await own.start(ECHO);
    const response = await api("POST", "/v1/realtime/publish");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: expect.stringContaining("does not emulate POST /v1/realtime/publish"),
    });
  });

  it("logs a key for which an event has no value, and runs it anyway", async () => {
    const logged: string[] = [];
    const options = { concurrency: [{ limit: 1, key: "event.data.userId" }] };
    const { engine } = createOffline({ log: (sentence) => logged.push(sentence) }, options);
    await engine.sync();
    engine.ingest({ name: "go", id: "e" });
    await engine.idle();
    expect(engine.runsOfEvent("e")).toMatchObject([{ status: "Completed" }]);
    expect(logged).toContain('Function "offline-fn": go has no value for the key event.data.userId.');
    await engine.close();
  });
});

it("refuses an event beyond the runs that it can hold, and starts nothing for it", async () => {
  const { all } = createOffline({});
  const server = await startLocalInngest({ ...all, eventKey: "key", syncEveryMs: "never" });
  for (let n = 1; n < LIVE_RUNS; n++) server.engine.ingest({ name: "go", id: `${n}` });
  const send = () => fetch(`${server.url}/e/key`, { method: "POST", body: '{"name":"go"}' });
  expect((await send()).status).toBe(200);
  expect((await send()).status).toBe(503);
  await server.close();
});

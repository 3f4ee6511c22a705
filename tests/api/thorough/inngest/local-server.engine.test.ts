import { MAX_EVENT_BYTES, MAX_EVENTS_PER_REQUEST, MAX_REQUEST_BYTES } from "@/inngest/local-server/protocol";
import { FINISHED_RUNS_KEPT } from "@/inngest/local-server/runs";
import { ECHO, harnessPerTest, pause, until } from "@/tests/support/inngest-contract";
import { createOffline } from "@/tests/support/offline-engine";

// What the embedded engine does beyond the contract: holding events, outages and bounds.
jest.setTimeout(15_000);

const own = harnessPerTest();

describe("an app that is down", () => {
  it("holds events until the app first responds, each id once, and then delivers them", async () => {
    const { app, send, ended, logged } = await own.start(ECHO, { appDown: true });
    const id = await send("go", { n: 1 }, { id: "early" });
    await send("go", { n: 2 }, { id: "early" });

    await app.start();
    expect(await ended(id)).toMatchObject([{ status: "Completed", output: { n: 1 } }]);
    expect(logged.filter((sentence) => sentence.includes("does not answer"))).toHaveLength(1);
  });

  it("waits for an app that restarts during a run, without counting an attempt", async () => {
    const ran: string[] = [];
    const { app, send, ended, logged } = await own.start((inngest, name) => [
      inngest.createFunction(
        { id: "long", triggers: [{ event: name("go") }], retries: 0 },
        async ({ step, attempt }) => {
          await step.run("first", () => ran.push("first"));
          await step.run("second", async () => {
            if (ran.push(`second ${attempt}`) === 2) await new Promise(() => {});
          });
        },
      ),
    ]);

    const id = await send("go");
    await until(() => ran.length === 2);
    await app.stop();
    await pause(50);
    await app.start();
    expect(await ended(id)).toMatchObject([{ status: "Completed" }]);
    expect(ran).toEqual(["first", "second 0", "second 0"]);
    expect(logged.filter((sentence) => sentence.startsWith("Waiting for the app"))).toHaveLength(1);
    expect(logged.at(-1)).toBe("The app answers again.");
  });

  it("gives up after ten minutes and says so", async () => {
    const clock = { now: 0 };
    const { engine, app } = createOffline({ now: () => clock.now });
    await engine.sync();
    app.up = false;
    engine.ingest({ name: "go", id: "e" });
    await pause(20);
    clock.now += 10 * 60_000 + 1;
    await engine.idle();
    expect(engine.runsOfEvent("e")).toMatchObject([
      {
        status: "Failed",
        output: { name: "AppUnreachable", message: "The app did not answer for 10 minutes: ECONNREFUSED" },
      },
    ]);
    await engine.close();
  });

  it("continues when the run that found the app down is cancelled", async () => {
    const { engine, app } = createOffline({});
    await engine.sync();
    app.up = false;
    engine.ingest({ name: "go", id: "cancelled" });
    await until(() => engine.status().running === 0);
    engine.ingest({ name: "go", id: "other" });
    for (const run of engine.runsOfEvent("cancelled")) engine.cancel(run);
    app.up = true;
    await engine.idle();
    expect(engine.runsOfEvent("other")).toMatchObject([{ status: "Completed" }]);
    await engine.close();
  });

  it("closes within a second while the app is working", async () => {
    let began = false;
    const { send, close } = await own.start((inngest, name) => [
      inngest.createFunction({ id: "endless", triggers: [{ event: name("go") }] }, async () => {
        began = true;
        await new Promise(() => {});
      }),
    ]);
    await send("go");
    await until(() => began);
    const before = Date.now();
    await close();
    own.harness = undefined;
    expect(Date.now() - before).toBeLessThan(1000);
  });
});

describe("events", () => {
  function post(path: string, body: string): Promise<Response> {
    return fetch(`${own.harness?.url}${path}`, { method: "POST", body });
  }

  it("refuses events with another key, and queries without the signing key", async () => {
    const { eventKey, url } = await own.start(ECHO);
    const event = JSON.stringify({ name: "go", data: {} });
    expect((await post("/e/another-key", event)).status).toBe(401);
    expect((await post(`/e/${eventKey}`, event)).status).toBe(200);
    expect((await fetch(`${url}/v1/events/e/runs`)).status).toBe(401);
    expect((await fetch(`${url}/fn/register`, { method: "POST", body: '{"functions":[]}' })).status).toBe(401);
  });

  it.each([
    ["what is not JSON", "{", "The request's body is not JSON."],
    ["an event without a name", '{"data":{}}', "Event 0 is not valid: name"],
    ["a reserved name", '{"name":"inngest/function.failed"}', "reserved"],
    ["data that is not an object", '[{"name":"a"},{"name":"b","data":[1]}]', "Event 1 is not valid: data"],
    [
      "an event too large",
      JSON.stringify({ name: "a", data: { text: "x".repeat(MAX_EVENT_BYTES) } }),
      "larger than 512 KB",
    ],
    ["too many events", JSON.stringify(Array(MAX_EVENTS_PER_REQUEST + 1).fill({ name: "a" })), "too many"],
    ["a request too large", `"${"x".repeat(MAX_REQUEST_BYTES)}"`, "larger than 10 MB"],
  ])("answers %s with 400 and a sentence, and accepts none of it", async (_, body, sentence) => {
    const { eventKey, engine } = await own.start(ECHO);
    const response = await post(`/e/${eventKey}`, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ status: 400, error: expect.stringContaining(sentence) });
    expect(engine().status().runs).toEqual({ live: 0, finished: 0 });
  });

  it("accepts a request that the SDK repeats with the same seed only once", async () => {
    const { url, eventKey, name, ended } = await own.start(ECHO);
    const send = async () => {
      const headers = { "x-inngest-event-id-seed": "1,abc" };
      const body = JSON.stringify([{ name: name("go") }, { name: name("go") }]);
      const response = await fetch(`${url}/e/${eventKey}`, { method: "POST", headers, body });
      return ((await response.json()) as { ids: string[] }).ids;
    };
    const ids = await send();
    expect(await send()).toEqual(ids);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(await ended(id)).toHaveLength(1);
  });

  it("forgets an event's id after 24 hours", async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    const { engine } = createOffline({ now: () => clock.now });
    await engine.sync();
    const starts = [0, 23, 2].map((hours) => {
      clock.now += hours * 3_600_000;
      engine.ingest({ name: "go", id: "same" });
      return engine.runsOfEvent("same").length;
    });
    expect(starts).toEqual([1, 1, 2]);
    await engine.idle();
    await engine.close();
  });

  it("starts an event dated in the future when its time comes", async () => {
    const { send, ended } = await own.start(ECHO);
    const ts = Date.now() + 300;
    await ended(await send("go", {}, { ts }));
    expect(Date.now()).toBeGreaterThanOrEqual(ts);
  });

  it("cancels a run on request, and shows its status", async () => {
    const { send, ended, api, engine } = await own.start((inngest, name) => [
      inngest.createFunction({ id: "sleeper", triggers: [{ event: name("go") }] }, async ({ step }) =>
        step.sleep("s", "1h"),
      ),
    ]);
    const id = await send("go");
    await until(() => engine().runsOfEvent(id).length === 1);
    const runId = engine().runsOfEvent(id)[0]?.id;
    expect(await (await api("GET", `/v1/runs/${runId}`)).json()).toMatchObject({
      data: { status: "Running", ended_at: null },
    });
    expect((await api("DELETE", `/v1/runs/${runId}`)).status).toBe(200);
    expect(await ended(id)).toMatchObject([{ status: "Cancelled" }]);
    // Its timer is gone as well.
    await engine().idle();
    expect(await (await api("GET", "/")).json()).toMatchObject({
      kind: "local-inngest-engine",
      runs: { live: 0, finished: 1 },
    });
    expect((await api("GET", "/v1/runs/none")).status).toBe(404);
  });

  it("works unsigned with an app in dev mode when it has no signing key", async () => {
    const { run } = await own.start(ECHO, { keys: { signingKey: undefined, eventKey: undefined } });
    expect(await run("go", { n: 3 })).toMatchObject({ status: "Completed", output: { n: 3 } });
  });
});

describe("schedules and keys", () => {
  it("starts a scheduled function once in each minute that its schedule names", async () => {
    const clock = { now: Date.UTC(2030, 0, 1, 12, 3, 30) };
    const events: unknown[] = [];
    const { engine } = createOffline({ now: () => clock.now }, { triggers: [{ cron: "*/5 * * * *" }] }, (event) => {
      events.push(event);
    });
    await engine.sync();
    for (let second = 0; second < 11 * 60; second += 20) {
      clock.now += 20_000;
      engine.tick();
    }
    await engine.idle();
    const timer = { name: "inngest/scheduled.timer", data: { cron: "*/5 * * * *" } };
    expect(events).toEqual([12 * 60 + 5, 12 * 60 + 10].map((minute) => ({ ...timer, minute })));
    await engine.close();
  });

  it("applies a changed limit to waiting runs", async () => {
    let now = 0;
    let most = 0;
    const options = { concurrency: { limit: 1, key: "event.data.userId" } };
    const { engine } = createOffline({}, options, async () => {
      most = Math.max(most, ++now);
      await pause(60);
      now--;
    });
    await engine.sync();
    for (let i = 0; i < 20; i++) engine.ingest({ name: "go", data: { userId: "u" } });
    while (most === 0) await pause(5);
    const before = most;
    options.concurrency.limit = 4;
    await engine.sync();
    await engine.idle();
    expect([before, most]).toEqual([1, 4]);
    await engine.close();
  });

  it("lets one user's few items run between another's many", async () => {
    const order: string[] = [];
    const options = { concurrency: [{ limit: 4, key: "event.data.userId" }, { limit: 2 }] } as const;
    const { engine } = createOffline({}, options, ({ data }) => {
      order.push(String(data.userId));
    });
    await engine.sync();
    for (let i = 0; i < 200; i++) engine.ingest({ name: "go", data: { userId: "a" } });
    for (let i = 0; i < 5; i++) engine.ingest({ name: "go", data: { userId: "b" } });
    await engine.idle();
    expect(order).toHaveLength(205);
    expect(order.lastIndexOf("b")).toBeLessThan(16);
    await engine.close();
  });
});

describe("size", () => {
  it("keeps the newest 500 ended runs for an hour", async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    const { engine } = createOffline({ now: () => clock.now });
    await engine.sync();
    for (let i = 0; i < FINISHED_RUNS_KEPT + 20; i++) engine.ingest({ name: "go", id: `e${i}` });
    await engine.idle();
    expect(engine.status().runs).toEqual({ live: 0, finished: FINISHED_RUNS_KEPT });
    expect([engine.runsOfEvent("e0").length, engine.runsOfEvent("e519").length]).toEqual([0, 1]);

    clock.now += 60 * 60_000;
    engine.tick();
    expect(engine.status().runs).toEqual({ live: 0, finished: 0 });
    expect(engine.runsOfEvent("e519")).toEqual([]);
    await engine.close();
  });

  it("works through 2,000 items", async () => {
    let done = 0;
    const { engine } = createOffline({}, { concurrency: [{ limit: 8, key: "event.data.userId" }] }, () => {
      done++;
    });
    await engine.sync();
    const before = performance.now();
    for (let i = 0; i < 2000; i++) engine.ingest({ name: "go", data: { userId: i % 4 } });
    await engine.idle();
    console.info(`${((performance.now() - before) / 2000).toFixed(2)} ms an item, the SDK's own time included`);
    expect(done).toBe(2000);
    await engine.close();
  }, 60_000);
});

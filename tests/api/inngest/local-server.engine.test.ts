import http from "node:http";
import { Inngest } from "inngest";
import { serve } from "inngest/next";
import { NextRequest } from "next/server";
import type { AppFetch } from "@/inngest/local-server/app-client";
import { createEngine, type EngineOptions } from "@/inngest/local-server/engine";
import { MAX_EVENT_BYTES, MAX_EVENTS_PER_REQUEST, MAX_REQUEST_BYTES } from "@/inngest/local-server/protocol";
import { FINISHED_RUNS_KEPT } from "@/inngest/local-server/runs";
import { startLocalInngest } from "@/inngest/local-server/server";
import {
  type Build,
  type Harness,
  type HarnessOptions,
  pause,
  quietSdk,
  startHarness,
  until,
} from "@/tests/support/inngest-contract";

// What the embedded engine does beyond the contract: holding events, outages, what it refuses, and how it stays small.
jest.setTimeout(15_000);

let harness: Harness | undefined;

async function start(build: Build, options: HarnessOptions = {}): Promise<Harness> {
  harness = await startHarness(build, options);
  return harness;
}

beforeEach(quietSdk);
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const echo: Build = (inngest, name) => [
  inngest.createFunction({ id: "echo", triggers: [{ event: name("go") }] }, async ({ event }) => event.data),
];

describe("an app that is not there", () => {
  it("holds events sent before the app has answered, each id once, and then delivers them", async () => {
    const { app, send, ended, logged } = await start(echo, { appDown: true });
    const id = await send("go", { n: 1 }, { id: "early" });
    await send("go", { n: 2 }, { id: "early" });

    await app.start();
    expect(await ended(id)).toMatchObject([{ status: "Completed", output: { n: 1 } }]);
    expect(logged.filter((sentence) => sentence.includes("does not answer"))).toHaveLength(1);
  });

  it("waits for an app that restarts in mid-run, without counting it as an attempt", async () => {
    const ran: string[] = [];
    const { app, send, ended, logged } = await start((inngest, name) => [
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

  it("gives up after ten minutes, saying so", async () => {
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

  it("closes within a second while the app is at work", async () => {
    let began = false;
    const { send, close } = await start((inngest, name) => [
      inngest.createFunction({ id: "endless", triggers: [{ event: name("go") }] }, async () => {
        began = true;
        await new Promise(() => {});
      }),
    ]);
    await send("go");
    await until(() => began);
    const before = Date.now();
    await close();
    harness = undefined;
    expect(Date.now() - before).toBeLessThan(1000);
  });
});

describe("events", () => {
  function post(path: string, body: string): Promise<Response> {
    return fetch(`${harness?.url}${path}`, { method: "POST", body });
  }

  it("refuses events under another key, and questions without the signing key", async () => {
    const { eventKey, url } = await start(echo);
    const event = JSON.stringify({ name: "go", data: {} });
    expect((await post("/e/another-key", event)).status).toBe(401);
    expect((await post(`/e/${eventKey}`, event)).status).toBe(200);
    expect((await fetch(`${url}/v1/events/e/runs`)).status).toBe(401);
    expect((await fetch(`${url}/fn/register`, { method: "POST", body: '{"functions":[]}' })).status).toBe(401);
  });

  it.each([
    ["what is not JSON", "{", "The request's body is not JSON."],
    ["an event without a name", '{"data":{}}', "Event 0 is not valid: name"],
    ["a name of Inngest's own", '{"name":"inngest/function.failed"}', "reserved"],
    ["data that is not an object", '[{"name":"a"},{"name":"b","data":[1]}]', "Event 1 is not valid: data"],
    [
      "an event too large",
      JSON.stringify({ name: "a", data: { text: "x".repeat(MAX_EVENT_BYTES) } }),
      "larger than 512 KB",
    ],
    ["too many events", JSON.stringify(Array(MAX_EVENTS_PER_REQUEST + 1).fill({ name: "a" })), "too many"],
    ["a request too large", `"${"x".repeat(MAX_REQUEST_BYTES)}"`, "larger than 10 MB"],
  ])("answers %s with 400 and a sentence, and takes none of it", async (_, body, sentence) => {
    const { eventKey, engine } = await start(echo);
    const response = await post(`/e/${eventKey}`, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ status: 400, error: expect.stringContaining(sentence) });
    expect(engine().status().runs).toEqual({ live: 0, finished: 0 });
  });

  it("takes a request the SDK sends twice, with the same seed, once", async () => {
    const { url, eventKey, name, ended } = await start(echo);
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
    const { send, ended } = await start(echo);
    const ts = Date.now() + 300;
    await ended(await send("go", {}, { ts }));
    expect(Date.now()).toBeGreaterThanOrEqual(ts);
  });

  it("cancels a run when asked to, and shows how it is", async () => {
    const { send, ended, api, engine } = await start((inngest, name) => [
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
    expect(await (await api("GET", "/")).json()).toMatchObject({
      kind: "local-inngest-engine",
      runs: { live: 0, finished: 1 },
    });
    expect((await api("GET", "/v1/runs/none")).status).toBe(404);
  });

  it("works unsigned with an app in dev mode when it has no signing key", async () => {
    const { run } = await start(echo, { keys: { signingKey: undefined, eventKey: undefined } });
    expect(await run("go", { n: 3 })).toMatchObject({ status: "Completed", output: { n: 3 } });
  });
});

describe("its port", () => {
  const paths = [
    "GET /",
    "GET /dev",
    "GET /fn/register",
    "POST /fn/register",
    "GET /v1/events/e/runs",
    "GET /v1/runs/r",
  ];
  const asked = [
    ...paths,
    "DELETE /v1/runs/r",
    "POST /e/another-key",
    "POST /e",
    "OPTIONS /e/x",
    "GET /nowhere",
    "GET /%ff",
  ];

  function knock(call: string, headers: Record<string, string> = {}): Promise<Response> {
    const [method = "", path = ""] = call.split(" ");
    const body = method === "POST" ? JSON.stringify({ name: "go", data: {}, functions: [] }) : undefined;
    return fetch(`${harness?.url}${path}`, { method, headers, ...(body ? { body } : {}) });
  }

  it.each(asked)("refuses %s without its key", async (call) => {
    const { engine, logged } = await start(echo);
    const before = engine().status();
    const answer = await knock(call);
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain("contract-");
    expect(engine().status()).toEqual(before);
    expect(logged.join()).not.toContain("another-key");
  });

  it.each(["https://stranger.example", "http://localhost:3000", "null"])(
    "refuses a page's request from %s, with the keys too",
    async (origin) => {
      const { engine, eventKey, signingKey } = await start(echo);
      const before = engine().status();
      const headers = { origin, authorization: `Bearer ${signingKey}` };
      for (const call of [...paths, `POST /e/${eventKey}`, `OPTIONS /e/${eventKey}`]) {
        const answer = await knock(call, headers);
        expect(answer.status).toBe(403);
        expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
      }
      expect(engine().status()).toEqual(before);
    },
  );

  it("refuses what a page fetches without saying so, such as an image", async () => {
    const { signingKey } = await start(echo);
    const headers = { "sec-fetch-site": "cross-site", authorization: `Bearer ${signingKey}` };
    expect((await knock("GET /", headers)).status).toBe(403);
  });

  it("shows how it is to who has the key", async () => {
    const { signingKey } = await start(echo);
    const answer = await knock("GET /", { authorization: `Bearer ${signingKey}` });
    expect(await answer.json()).toMatchObject({ kind: "local-inngest-engine", waiting: 0 });
  });

  it.each([
    ["a stranger", "/e/another-key", 401],
    ["a sender with the key", "/e/contract-event-key", 400],
  ])("does not read on when %s sends without end", async (_who, path, status) => {
    await start(echo);
    const { answered, sent } = await sendWithoutEnd(`${harness?.url}${path}`);
    // Who is cut off in the middle of sending may miss the answer.
    expect([status, undefined]).toContain(answered);
    expect(sent).toBeLessThan(4 * MAX_REQUEST_BYTES);
  });
});

/** Sends for as long as somebody reads, 200 MB at most. */
function sendWithoutEnd(url: string): Promise<{ answered: number | undefined; sent: number }> {
  return new Promise((resolve) => {
    let sent = 0;
    let answered: number | undefined;
    const request = http.request(url, { method: "POST" }, (response) => {
      answered = response.statusCode;
      response.resume();
    });
    const chunk = Buffer.alloc(65_536, 0x20);
    const push = () => {
      while (!request.destroyed && sent < 200 * 1_048_576) {
        sent += chunk.length;
        if (!request.write(chunk)) return request.once("drain", push);
      }
      return request.end();
    };
    request.on("error", () => undefined);
    request.once("close", () => resolve({ answered, sent }));
    push();
  });
}

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
    ["idempotency: the expression string(event.data)", { idempotency: "string(event.data)" }],
    ["triggers[0].if: the expression event.data.n == 1", { triggers: [{ event: "go", if: "event.data.n == 1" }] }],
    ["triggers[0].event: app/*", { triggers: [{ event: "app/*" }] }],
    ["triggers[0].event: inngest/function.finished", { triggers: [{ event: "inngest/function.finished" }] }],
    ["triggers[0].cron", { triggers: [{ cron: "TZ=Europe/Paris 0 12 * * *" }] }],
  ] as const)("refuses to register a function with %s, naming both", async (what, options) => {
    const { engine } = createOffline({}, options);
    const refused = engine.sync();
    await expect(refused).rejects.toThrow(
      'Function "offline-fn" uses what the local Inngest engine does not emulate: ',
    );
    await expect(refused).rejects.toThrow(what);
    expect(engine.isRegistered()).toBe(false);
    await engine.close();
  });

  it("keeps the functions it had when the new ones are refused", async () => {
    const { engine } = await start(echo);
    expect(() => engine().register([{ id: "new", debounce: {} }])).toThrow('Function "new" uses');
    expect(engine().status().functions).toEqual([expect.stringMatching(/-echo$/)]);
  });

  it("says once in its log why functions are refused, however often it asks for them", async () => {
    const logged: string[] = [];
    let asked = 0;
    const { all } = createOffline({ log: (sentence) => logged.push(sentence) }, { debounce: { period: "1m" } });
    const fetch: AppFetch = (url, request) => {
      asked++;
      return all.fetch(url, request);
    };
    const server = await startLocalInngest({ ...all, fetch });
    await until(() => asked >= 3);
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
    const { run } = await start(build);
    const { status, output } = await run("go");
    expect(status).toBe("Failed");
    expect(output).toMatchObject({ name: "NotEmulated", message: expect.stringContaining(`-fn" uses ${tool} (`) });
    expect(output).toMatchObject({ message: expect.stringContaining("does not emulate") });
  });

  it("answers an unknown path with 404 and a sentence", async () => {
    const { api } = await start(echo);
    const response = await api("POST", "/v1/realtime/publish");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: expect.stringContaining("does not emulate POST /v1/realtime/publish"),
    });
  });

  it("logs a key that an event has no value for, and runs it all the same", async () => {
    const logged: string[] = [];
    const options = { concurrency: [{ limit: 1, key: "event.data.userId" }], idempotency: "event.data.once" } as const;
    const { engine } = createOffline({ log: (sentence) => logged.push(sentence) }, options);
    await engine.sync();
    engine.ingest({ name: "go", id: "e" });
    await engine.idle();
    expect(engine.runsOfEvent("e")).toMatchObject([{ status: "Completed" }]);
    expect(logged).toEqual(
      expect.arrayContaining([
        'Function "offline-fn": go has no value for the key event.data.userId.',
        'Function "offline-fn": go has no value for its idempotency key.',
      ]),
    );
    await engine.close();
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

  it("starts one run for a value of the idempotency key", async () => {
    const { engine } = createOffline({}, { idempotency: "event.data.itemId" });
    await engine.sync();
    for (const [id, itemId] of Object.entries({ a: 1, b: 1, c: 2 }))
      engine.ingest({ name: "go", id, data: { itemId } });
    expect(["a", "b", "c"].map((id) => engine.runsOfEvent(id).length)).toEqual([1, 0, 1]);
    await engine.idle();
    await engine.close();
  });

  it("holds what waits to a limit that has changed since", async () => {
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

  it("lets a user's few items pass between another's many", async () => {
    const order: string[] = [];
    const options = {
      concurrency: [
        { limit: 4, key: "event.data.userId" },
        { limit: 2, key: '"llm"', scope: "env" },
      ],
    } as const;
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
  it("keeps the newest 500 ended runs, for an hour", async () => {
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
  });
});

type Options = Parameters<Inngest["createFunction"]>[0];
type Seen = { name: string; data: Record<string, unknown>; minute: number };

/**
 * An engine in front of one function, without HTTP: the route handlers that Next would call, called directly. With a
 * clock of the test's own it goes unsigned, for the SDK's is the real one.
 */
function createOffline(
  engineOptions: Partial<EngineOptions>,
  options: Partial<Record<keyof Options, unknown>> = {},
  work: (event: Seen) => void | Promise<void> = () => {},
) {
  const signingKey = engineOptions.now ? undefined : `signkey-test-${"5e".repeat(32)}`;
  const app = { up: true };

  function handlers() {
    const inngest = new Inngest({
      id: "offline",
      isDev: !signingKey,
      signingKey,
      checkpointing: false,
      logger: SILENT,
    });
    const trigger = { triggers: [{ event: "go" }] };
    const fn = inngest.createFunction({ id: "fn", ...trigger, ...options } as Options, async ({ event }) => {
      await work({ name: event.name, data: event.data, minute: Math.floor(Number(event.ts) / 60_000) % 1440 });
    });
    return serve({ client: inngest, functions: [fn] });
  }

  let served = handlers();
  const fetch: AppFetch = async (url, request) => {
    if (!app.up) throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    if (request.method === "PUT") served = handlers();
    return served[request.method](new NextRequest(url, request), undefined);
  };
  const all = { appUrl: "http://app.test/api/inngest", fetch, backoff: () => 5, signingKey, ...engineOptions };
  return { app, all, engine: createEngine(all) };
}

const SILENT = { info() {}, warn() {}, error() {}, debug() {} };

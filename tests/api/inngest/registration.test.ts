import { createServer } from "node:http";
import { type LocalInngest, startLocalInngest } from "@/inngest/local-server/server";
import { log } from "@/lib/log";
import { freePort } from "@/scripts/ports";
import { query } from "@/tests/support/db";
import { quietSdk, until } from "@/tests/support/inngest-contract";

// The app and an engine that goes away, restarts without state or refuses the app: the app's own endpoint and
// the embedded engine over the real protocol. Only the app's registration makes the engine know it.

type Method = "POST" | "PUT";
type Endpoint = Record<Method, (request: Request, context: unknown) => Promise<Response>>;
type Registration = typeof import("@/lib/events/registration");
type Options = Parameters<Registration["startRegistration"]>[0];

const ADDRESS = "http://localhost:3000/api/inngest";
const SIGNING_KEY = `signkey-test-${"cd".repeat(32)}`;
const EVENT_KEY = "registration-event-key";
const NOBODYS = "00000000-0000-4000-8000-000000000000";

let port: number;
let engine: LocalInngest | undefined;
let endpoint: Endpoint;
let registration: Registration;
let presence: typeof import("@/lib/events/presence");
let sendEvents: typeof import("@/lib/events/send")["sendEvents"];

beforeAll(async () => {
  port = await freePort();
  delete process.env.INNGEST_DEV;
  Object.assign(process.env, {
    INNGEST_BASE_URL: `http://127.0.0.1:${port}`,
    INNGEST_SIGNING_KEY: SIGNING_KEY,
    INNGEST_EVENT_KEY: EVENT_KEY,
  });
  endpoint = (await import("@/app/api/inngest/route")) as unknown as Endpoint;
  registration = await import("@/lib/events/registration");
  presence = await import("@/lib/events/presence");
  ({ sendEvents } = await import("@/lib/events/send"));
});

beforeEach(async () => {
  quietSdk();
  await query("UPDATE engine_state SET away_since = NULL, back_at = NULL, seen_at = NULL");
  await startEngine();
});
afterEach(async () => {
  app?.stop();
  app = undefined;
  await stopEngine();
  jest.restoreAllMocks();
});

async function startEngine(signingKey = SIGNING_KEY): Promise<void> {
  engine = await startLocalInngest({
    appUrl: ADDRESS,
    signingKey,
    eventKey: EVENT_KEY,
    port,
    syncEveryMs: "never",
    fetch: (url, { method, headers, body }) => callApp(method, url, { headers, body }),
  });
}

async function stopEngine(): Promise<void> {
  await engine?.close();
  engine = undefined;
}

function callApp(method: Method, url: string, init: RequestInit): Promise<Response> {
  return endpoint[method](new Request(url, { ...init, method }), { params: Promise.resolve({}) });
}

let app: { stop: () => void } | undefined;

/** The app's registration, which checks the engine when the test says so. */
function startApp(options: Partial<Options> = {}) {
  const checks: { ms: number; next: () => void }[] = [];
  const seen = { backs: 0, syncs: 0 };
  const { stop } = registration.startRegistration({
    url: ADDRESS,
    signingKey: SIGNING_KEY,
    engine: "may forget",
    onEngineBack: async () => {
      seen.backs++;
    },
    fetch: (url, init) => {
      seen.syncs++;
      return callApp("PUT", url, init);
    },
    clock: { now: Date.now, pause: (ms) => new Promise((resolve) => checks.push({ ms, next: resolve })) },
    ...options,
  });

  /** Waits for a check and returns the time until the next one. */
  async function untilCheck(): Promise<number> {
    await until(() => checks.length > 0);
    return Number(checks[0]?.ms);
  }

  async function untilNextCheck(): Promise<number> {
    await untilCheck();
    checks.shift()?.next();
    return untilCheck();
  }

  app = { stop };
  return { untilCheck, untilNextCheck, seen, checks, stop };
}

const isAway = async () => (await presence.engineAwaySince()) !== null;
const isRegistered = () => engine?.engine.isRegistered();

describe("the app's registration", () => {
  it("registers at start, sends waiting items once, and then checks the engine every ten seconds", async () => {
    const { untilCheck, untilNextCheck, seen } = startApp();
    expect(await untilCheck()).toBe(10_000);
    expect([isRegistered(), seen.backs]).toEqual([true, 1]);
    expect(engine?.engine.status().functions).toContain("content-planner-write-content");
    await untilNextCheck();
    await untilNextCheck();
    expect([seen.syncs, seen.backs, await isAway()]).toEqual([3, 1, false]);
  });

  it("sends waiting items when the app starts with an engine that already knows it", async () => {
    const before = startApp();
    await before.untilCheck();
    before.stop();
    const { untilCheck, seen } = startApp();
    await untilCheck();
    expect(seen.backs).toBe(1);
  });

  it("notices an engine that is away, and one that restarted without state, and sends waiting items", async () => {
    const { untilCheck, untilNextCheck, seen } = startApp();
    await untilCheck();
    await stopEngine();
    expect(await untilNextCheck()).toBe(5_000);
    expect(await isAway()).toBe(true);
    await untilNextCheck();
    expect(seen.backs).toBe(1);

    await startEngine();
    expect(isRegistered()).toBe(false);
    expect(await untilNextCheck()).toBe(10_000);
    expect([isRegistered(), seen.backs, await isAway()]).toEqual([true, 2, false]);
    await untilNextCheck();
    expect(seen.backs).toBe(2);

    await sendEvents({ id: "queued-again", name: "jobs/job.queued", data: { jobId: NOBODYS, userId: NOBODYS } });
    await until(() => engine?.engine.runsOfEvent("queued-again")[0]?.status === "Completed");
  });

  it("notices an engine that was replaced between two checks", async () => {
    const { untilCheck, untilNextCheck, seen } = startApp();
    await untilCheck();
    await stopEngine();
    await startEngine();
    await untilNextCheck();
    expect([isRegistered(), seen.backs]).toEqual([true, 2]);
  });

  it.each(["may forget", "remembers"] as const)(
    "sends waiting items after an outage that only requests noticed, between two checks (engine: %s)",
    async (kind) => {
      const { untilCheck, untilNextCheck, seen } = startApp({ engine: kind });
      await untilCheck();
      await presence.markEngineAway();
      await presence.markEngineBack();
      await untilNextCheck();
      expect(seen.backs).toBe(2);
      await untilNextCheck();
      expect(seen.backs).toBe(2);
    },
  );

  it("registers once with an engine that keeps its state, and again after an outage", async () => {
    const { untilCheck, untilNextCheck, seen } = startApp({ engine: "remembers" });
    await untilCheck();
    await untilNextCheck();
    expect(seen).toEqual({ syncs: 1, backs: 1 });
    await presence.markEngineAway();
    await untilNextCheck();
    expect([seen, await isAway()]).toEqual([{ syncs: 2, backs: 2 }, false]);
  });

  it("sends waiting items again when sending failed", async () => {
    let fails = 1;
    let sent = 0;
    jest.spyOn(log, "warn").mockImplementation(() => undefined);
    const { untilCheck, untilNextCheck } = startApp({
      onEngineBack: async () => {
        if (fails-- > 0) throw new Error("the database is away");
        sent++;
      },
    });
    await untilCheck();
    expect(sent).toBe(0);
    await untilNextCheck();
    await untilNextCheck();
    expect(sent).toBe(1);
  });

  it.each<[string, Options["fetch"]]>([
    ["does not listen yet", async () => Promise.reject(new TypeError("fetch failed"))],
    ["is still being compiled", async () => new Response("<html>", { status: 404 })],
  ])("checks again soon while the app itself %s, without reporting an outage", async (_, fetch) => {
    const { untilCheck, seen } = startApp({ fetch });
    expect(await untilCheck()).toBe(500);
    expect([seen.backs, await isAway()]).toEqual([0, false]);
  });

  it("treats an engine that does not respond in time as away", async () => {
    const { untilCheck } = startApp({
      fetch: async () => Promise.reject(new DOMException("too late", "TimeoutError")),
    });
    expect(await untilCheck()).toBe(5_000);
    expect(await isAway()).toBe(true);
  });

  it("logs once that the engine refuses the app, without reporting an outage", async () => {
    await stopEngine();
    await startEngine(`signkey-test-${"00".repeat(32)}`);
    const warn = jest.spyOn(log, "warn").mockImplementation(() => undefined);
    const { untilCheck, untilNextCheck } = startApp();
    expect(await untilCheck()).toBe(10_000);
    await untilNextCheck();
    const warnings = warn.mock.calls.filter(([, message]) => message === "the job engine refuses to register this app");
    expect(warnings).toEqual([[{ why: expect.stringMatching(/^401/) }, expect.anything()]]);
    expect([isRegistered(), await isAway()]).toEqual([false, false]);
  });

  it("stops checking once it is stopped", async () => {
    const { untilCheck, checks, stop, seen } = startApp();
    await untilCheck();
    stop();
    checks.shift()?.next();
    await new Promise(setImmediate);
    expect([seen.syncs, checks]).toEqual([1, []]);
  });
});

describe("sending events", () => {
  const event = { name: "jobs/job.queued", data: { jobId: NOBODYS, userId: NOBODYS } };

  it("records an outage, and reports its end to one request only", async () => {
    expect(await sendEvents(event)).toEqual({ endedAbsence: false });
    await stopEngine();
    await expect(sendEvents(event)).rejects.toThrow();
    const since = await presence.engineAwaySince();
    expect(since).not.toBeNull();
    await presence.markEngineAway();
    expect(await presence.engineAwaySince()).toEqual(since);

    await startEngine();
    const sent = await Promise.all([sendEvents(event), sendEvents(event), sendEvents(event)]);
    expect(sent.map(({ endedAbsence }) => endedAbsence).toSorted()).toEqual([false, false, true]);
    expect(await isAway()).toBe(false);
  });

  it("gives up on an engine that hangs, which is away then", async () => {
    await stopEngine();
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(port, "127.0.0.1", resolve));
    try {
      await expect(sendEvents(event, 100)).rejects.toThrow("The job engine did not take the events in time.");
      expect(await isAway()).toBe(true);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  it("does not treat an engine that refuses an event as away", async () => {
    await expect(sendEvents({ name: "inngest/reserved", data: {} })).rejects.toThrow("400");
    expect(await isAway()).toBe(false);
  });

  it("records that the engine is present at most every thirty seconds", async () => {
    const seenAt = () => query<{ seen_at: Date }>("SELECT seen_at FROM engine_state");
    await presence.markEngineBack();
    const first = await seenAt();
    await presence.markEngineBack();
    expect(await seenAt()).toEqual(first);
    await query("UPDATE engine_state SET seen_at = now() - interval '31 seconds'");
    // A process looks once per second.
    const now = performance.now();
    jest.spyOn(performance, "now").mockReturnValue(now + 1_001);
    expect(await presence.markEngineBack()).toBe(false);
    jest.restoreAllMocks();
    expect((await seenAt())[0]?.seen_at.getTime()).toBeGreaterThanOrEqual(Number(first[0]?.seen_at.getTime()));
  });
});

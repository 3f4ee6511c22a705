import { type LocalInngest, startLocalInngest } from "@/inngest/local-server/server";
import { log } from "@/lib/log";
import { freePort } from "@/scripts/ports";
import { query } from "@/tests/support/db";
import { quietSdk, until } from "@/tests/support/inngest-contract";

// The app and an engine that goes away, comes back without knowing the app, or refuses it: the app's own endpoint and
// the embedded engine over the real protocol. Only the app's registration makes the engine know it.

type Method = "POST" | "PUT";
type Door = Record<Method, (request: Request, context: unknown) => Promise<Response>>;
type Registration = typeof import("@/lib/events/registration");
type Options = Parameters<Registration["startRegistration"]>[0];

const ADDRESS = "http://localhost:3000/api/inngest";
const SIGNING_KEY = `signkey-test-${"cd".repeat(32)}`;
const EVENT_KEY = "registration-event-key";
const NOBODYS = "00000000-0000-4000-8000-000000000000";

let port: number;
let engine: LocalInngest | undefined;
let door: Door;
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
  door = (await import("@/app/api/inngest/route")) as unknown as Door;
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
    fetch: (url, { method, headers, body }) => knock(method, url, { headers, body }),
  });
}

async function stopEngine(): Promise<void> {
  await engine?.close();
  engine = undefined;
}

function knock(method: Method, url: string, init: RequestInit): Promise<Response> {
  return door[method](new Request(url, { ...init, method }), { params: Promise.resolve({}) });
}

let app: { stop: () => void } | undefined;

/** The app's registration, which looks when the test says so. */
function startApp(options: Partial<Options> = {}) {
  const looks: { ms: number; next: () => void }[] = [];
  const seen = { backs: 0, asked: 0 };
  const { stop } = registration.startRegistration({
    url: ADDRESS,
    signingKey: SIGNING_KEY,
    engine: "may forget",
    onEngineBack: async () => {
      seen.backs++;
    },
    fetch: (url, init) => {
      seen.asked++;
      return knock("PUT", url, init);
    },
    clock: { now: Date.now, pause: (ms) => new Promise((resolve) => looks.push({ ms, next: resolve })) },
    ...options,
  });

  /** Waits until it has looked; gives the time until it looks again. */
  async function looked(): Promise<number> {
    await until(() => looks.length > 0);
    return Number(looks[0]?.ms);
  }

  async function looksAgain(): Promise<number> {
    await looked();
    looks.shift()?.next();
    return looked();
  }

  app = { stop };
  return { looked, looksAgain, seen, looks, stop };
}

const isAway = async () => (await presence.engineAwaySince()) !== null;
const isRegistered = () => engine?.engine.isRegistered();

describe("the app's registration", () => {
  it("makes the engine know the app at start and sends what waits, once, and then looks every ten seconds", async () => {
    const { looked, looksAgain, seen } = startApp();
    expect(await looked()).toBe(10_000);
    expect([isRegistered(), seen.backs]).toEqual([true, 1]);
    expect(engine?.engine.status().functions).toContain("content-planner-write-content");
    await looksAgain();
    await looksAgain();
    expect([seen.asked, seen.backs, await isAway()]).toEqual([3, 1, false]);
  });

  it("sends what waits when the app starts beside an engine that knows it", async () => {
    const before = startApp();
    await before.looked();
    before.stop();
    const { looked, seen } = startApp();
    await looked();
    expect(seen.backs).toBe(1);
  });

  it("notices an engine that is away and one that came back without knowing the app, and sends what waits", async () => {
    const { looked, looksAgain, seen } = startApp();
    await looked();
    await stopEngine();
    expect(await looksAgain()).toBe(5_000);
    expect(await isAway()).toBe(true);
    await looksAgain();
    expect(seen.backs).toBe(1);

    await startEngine();
    expect(isRegistered()).toBe(false);
    expect(await looksAgain()).toBe(10_000);
    expect([isRegistered(), seen.backs, await isAway()]).toEqual([true, 2, false]);
    await looksAgain();
    expect(seen.backs).toBe(2);

    const { ids } = await sendEvents({ name: "jobs/job.queued", data: { jobId: NOBODYS, userId: NOBODYS } });
    await until(() => engine?.engine.runsOfEvent(String(ids[0]))[0]?.status === "Completed");
  });

  it("notices an engine that has been replaced between two looks", async () => {
    const { looked, looksAgain, seen } = startApp();
    await looked();
    await stopEngine();
    await startEngine();
    await looksAgain();
    expect([isRegistered(), seen.backs]).toEqual([true, 2]);
  });

  it.each(["may forget", "remembers"] as const)(
    "sends what waits after an absence that requests saw begin and end between two looks (engine: %s)",
    async (kind) => {
      const { looked, looksAgain, seen } = startApp({ engine: kind });
      await looked();
      await presence.noteEngineAway();
      await presence.noteEngineBack();
      await looksAgain();
      expect(seen.backs).toBe(2);
      await looksAgain();
      expect(seen.backs).toBe(2);
    },
  );

  it("registers with an engine that remembers once, and again after it was away", async () => {
    const { looked, looksAgain, seen } = startApp({ engine: "remembers" });
    await looked();
    await looksAgain();
    expect(seen).toEqual({ asked: 1, backs: 1 });
    await presence.noteEngineAway();
    await looksAgain();
    expect([seen, await isAway()]).toEqual([{ asked: 2, backs: 2 }, false]);
  });

  it("sends what waits again when that failed", async () => {
    let fails = 1;
    let sent = 0;
    jest.spyOn(log, "warn").mockImplementation(() => undefined);
    const { looked, looksAgain } = startApp({
      onEngineBack: async () => {
        if (fails-- > 0) throw new Error("the database is away");
        sent++;
      },
    });
    await looked();
    expect(sent).toBe(0);
    await looksAgain();
    await looksAgain();
    expect(sent).toBe(1);
  });

  it.each<[string, Options["fetch"]]>([
    ["does not listen yet", async () => Promise.reject(new TypeError("fetch failed"))],
    ["is still being compiled", async () => new Response("<html>", { status: 404 })],
  ])("looks again soon while the app itself %s, and blames no engine", async (_, fetch) => {
    const { looked, seen } = startApp({ fetch });
    expect(await looked()).toBe(500);
    expect([seen.backs, await isAway()]).toEqual([0, false]);
  });

  it("takes an answer that does not come in time for an engine that is away", async () => {
    const { looked } = startApp({ fetch: async () => Promise.reject(new DOMException("too late", "TimeoutError")) });
    expect(await looked()).toBe(5_000);
    expect(await isAway()).toBe(true);
  });

  it("says once in the log that the engine refuses the app, which is no absence", async () => {
    await stopEngine();
    await startEngine(`signkey-test-${"00".repeat(32)}`);
    const warn = jest.spyOn(log, "warn").mockImplementation(() => undefined);
    const { looked, looksAgain } = startApp();
    expect(await looked()).toBe(10_000);
    await looksAgain();
    const said = warn.mock.calls.filter(([, message]) => message === "the job engine refuses to register this app");
    expect(said).toEqual([[{ why: expect.stringMatching(/^401/) }, expect.anything()]]);
    expect([isRegistered(), await isAway()]).toEqual([false, false]);
  });

  it("looks no more once it is stopped", async () => {
    const { looked, looks, stop, seen } = startApp();
    await looked();
    stop();
    looks.shift()?.next();
    await new Promise(setImmediate);
    expect([seen.asked, looks]).toEqual([1, []]);
  });
});

describe("sending events", () => {
  const event = { name: "jobs/job.queued", data: { jobId: NOBODYS, userId: NOBODYS } };

  it("notes an engine that is away, and tells the one request that finds it back", async () => {
    expect(await sendEvents(event)).toEqual({ ids: [expect.any(String)], endedAbsence: false });
    await stopEngine();
    await expect(sendEvents(event)).rejects.toThrow();
    const since = await presence.engineAwaySince();
    expect(since).not.toBeNull();
    await presence.noteEngineAway();
    expect(await presence.engineAwaySince()).toEqual(since);

    await startEngine();
    const sent = await Promise.all([sendEvents(event), sendEvents(event), sendEvents(event)]);
    expect(sent.map(({ endedAbsence }) => endedAbsence).toSorted()).toEqual([false, false, true]);
    expect(await isAway()).toBe(false);
  });

  it("takes an engine that refuses an event for one that is there", async () => {
    await expect(sendEvents({ name: "inngest/reserved", data: {} })).rejects.toThrow("400");
    expect(await isAway()).toBe(false);
  });

  it("writes that the engine is there every thirty seconds at most", async () => {
    const seenAt = () => query<{ seen_at: Date }>("SELECT seen_at FROM engine_state");
    await presence.noteEngineBack();
    const first = await seenAt();
    await presence.noteEngineBack();
    expect(await seenAt()).toEqual(first);
    await query("UPDATE engine_state SET seen_at = now() - interval '31 seconds'");
    expect(await presence.noteEngineBack()).toBe(false);
    expect((await seenAt())[0]?.seen_at.getTime()).toBeGreaterThanOrEqual(Number(first[0]?.seen_at.getTime()));
  });
});

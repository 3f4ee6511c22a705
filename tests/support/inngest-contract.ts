import { randomBytes } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { Inngest, type InngestFunction } from "inngest";
import { serve } from "inngest/node";
import type { Engine } from "@/inngest/local-server/engine";
import { type LocalInngest, type LocalInngestOptions, startLocalInngest } from "@/inngest/local-server/server";

/** The address of a real Inngest server to test; by default our own engine is tested. */
export const REAL_SERVER = process.env.INNGEST_CONTRACT_URL ?? process.env.INNGEST_BASE_URL;

/** The keys of the real server; none in dev mode. */
const REAL_KEYS = {
  signingKey: process.env.INNGEST_CONTRACT_SIGNING_KEY,
  eventKey: process.env.INNGEST_CONTRACT_EVENT_KEY,
};
const OUR_KEYS = { signingKey: `signkey-test-${"5e".repeat(32)}`, eventKey: "contract-event-key" };

/** Does the server under test sign its calls? */
export const SIGNED = !REAL_SERVER || REAL_KEYS.signingKey !== undefined;

const SILENT = { info() {}, warn() {}, error() {}, debug() {} };

/** Real servers wait 15 seconds and more before a retry. */
const BACKOFF_MS = 10;

export type HarnessOptions = {
  real?: string;
  appDown?: boolean;
  keys?: { signingKey?: string; eventKey?: string };
  engine?: Partial<LocalInngestOptions>;
};
export type Build = (inngest: Inngest, name: (event: string) => string) => InngestFunction.Any[];
type EndedRun = { run_id: string; status: string; output: unknown };
export type Harness = Awaited<ReturnType<typeof startHarness>>;

/**
 * An app with these functions on an HTTP server, and the engine or real server that calls it. `name` makes a test's
 * events unique.
 */
export async function startHarness(build: Build, options: HarnessOptions = {}) {
  const appId = `contract-${randomBytes(4).toString("hex")}`;
  const name = (event: string) => `${appId}/${event}`;
  const logged: string[] = [];
  const app = await startApp();
  const keys = { ...(options.real ? REAL_KEYS : OUR_KEYS), ...options.keys };
  const log = (sentence: string) => logged.push(sentence);
  const backoff = () => BACKOFF_MS;
  const local = options.real
    ? undefined
    : await startLocalInngest({ appUrl: app.url, log, backoff, ...keys, ...options.engine });
  const url = local?.url ?? String(options.real);

  const inngest = new Inngest({
    id: appId,
    baseUrl: url,
    isDev: keys.signingKey === undefined,
    ...keys,
    checkpointing: false,
    logger: SILENT,
  });
  app.use(serve({ client: inngest, functions: build(inngest, name) }));
  if (options.appDown) await app.stop();
  else if (local) await until(() => local.engine.isRegistered());
  else await fetch(app.url, { method: "PUT" });

  /** Sends events and returns their ids. */
  async function send(event: string, data: Record<string, unknown> = {}, rest: object = {}): Promise<string> {
    const { ids } = await inngest.send({ name: name(event), data, ...rest });
    return String(ids[0]);
  }

  function api(method: string, path: string): Promise<Response> {
    return fetch(url + path, {
      method,
      headers: keys.signingKey ? { authorization: `Bearer ${keys.signingKey}` } : {},
    });
  }

  /** The runs an event started, once there are `count` and all have ended. */
  async function ended(eventId: string, count = 1): Promise<EndedRun[]> {
    let runs: EndedRun[] = [];
    await until(async () => {
      const { data } = (await (await api("GET", `/v1/events/${eventId}/runs`)).json()) as { data: EndedRun[] | null };
      runs = data ?? [];
      return runs.length >= count && runs.every((run) => run.status !== "Running");
    });
    return runs;
  }

  /** Sends an event and returns its one run once it has ended. */
  async function run(event: string, data: Record<string, unknown> = {}): Promise<EndedRun> {
    const [only] = await ended(await send(event, data));
    return only as EndedRun;
  }

  async function close(): Promise<void> {
    await local?.close();
    await app.stop();
  }

  return { app, inngest, name, url, ...keys, logged, send, ended, run, api, close, engine: () => ours(local) };
}

function ours(local: LocalInngest | undefined): Engine {
  if (!local) throw new Error("Only the embedded engine can be looked into.");
  return local.engine;
}

/** An HTTP server that can stop and restart at the same address. */
async function startApp() {
  let handler: http.RequestListener = (_, response) => response.writeHead(503).end();
  let server: http.Server;
  let port = 0;

  async function start(): Promise<void> {
    server = http.createServer((request, response) => handler(request, response));
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  }

  async function stop(): Promise<void> {
    const stopped = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await stopped;
  }

  await start();
  const use = (next: http.RequestListener) => {
    handler = next;
  };
  return { url: `http://127.0.0.1:${port}/api/inngest`, use, start, stop };
}

/** Polls until the condition holds; throws after `ms`. */
export async function until(isSo: () => boolean | Promise<boolean>, ms = REAL_SERVER ? 120_000 : 8000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Not so after ${ms} ms: ${isSo}`);
    await pause(5);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Jest cannot import node:async_hooks the way the SDK does; silence its warning. */
export function quietSdk(): void {
  const warn = console.warn;
  jest.spyOn(console, "warn").mockImplementation((...args: unknown[]) => {
    if (!String(args[0]).startsWith("node:async_hooks")) warn(...args);
  });
}

/** For suites of the embedded engine: `own.start` starts a harness that is closed after the test. */
export function harnessPerTest() {
  const own = {
    harness: undefined as Harness | undefined,
    async start(build: Build, options: HarnessOptions = {}): Promise<Harness> {
      own.harness = await startHarness(build, options);
      return own.harness;
    },
  };
  beforeEach(quietSdk);
  afterEach(async () => {
    await own.harness?.close();
    own.harness = undefined;
  });
  return own;
}

/** For suites of the contract, which a real server must keep too, in its own time. */
export function contractSuite() {
  jest.setTimeout(REAL_SERVER ? 180_000 : 15_000);
  const own = harnessPerTest();
  return {
    serve: (build: Build) => own.start(build, { real: REAL_SERVER }),
    harness: () => own.harness as Harness,
  };
}

/** A function that returns its input. */
export const ECHO: Build = (inngest, name) => [
  inngest.createFunction({ id: "echo", triggers: [{ event: name("go") }] }, async ({ event }) => event.data),
];

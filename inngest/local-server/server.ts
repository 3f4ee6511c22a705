import { createHash } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { createEngine, type Engine, type EngineOptions } from "@/inngest/local-server/engine";
import { MAX_REQUEST_BYTES, parseEvents, parseJson, registration } from "@/inngest/local-server/protocol";
import type { Run } from "@/inngest/local-server/runs";
import { bearsSigningKey, sameText } from "@/inngest/local-server/signature";

export type LocalInngestOptions = EngineOptions & {
  /** Other event keys are refused with 401. Without this and a signing key any key is accepted. */
  eventKey?: string;
  /** 0 (the default) takes a free port. */
  port?: number;
  host?: string;
  /** How often the app's functions are fetched again; "never" waits for the app to register. */
  syncEveryMs?: number | "never";
};

export type LocalInngest = { url: string; port: number; engine: Engine; close: () => Promise<void> };

const FIRST_SYNC_EVERY_MS = 300;
const TICK_MS = 1000;

/**
 * Starts the embedded Inngest engine, a stand-in for `inngest dev` that speaks the SDK's HTTP protocol. The app need not be up
 * yet. To the SDK it is a cloud server with a signing key, and a dev server without one. It refuses what it does not emulate.
 */
export async function startLocalInngest(options: LocalInngestOptions): Promise<LocalInngest> {
  const { host = "127.0.0.1", syncEveryMs = 5000, log = () => {} } = options;
  const engine = createEngine(options);
  const server = http.createServer((request, response) => {
    answer(engine, options, request).then(
      (reply) => send(response, request, reply),
      (error: unknown) => {
        const status = error instanceof Refusal ? error.status : 400;
        const message = error instanceof Error ? error.message : String(error);
        // The rest of /e/… is the event key, a secret.
        log(`Refused ${request.method} /${request.url?.split("/")[1] ?? ""}: ${message}`);
        send(response, request, { status, body: { error: message, status } });
      },
    );
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(options.port ?? 0, host, resolve));

  let closed = false;
  let syncTimer: NodeJS.Timeout | undefined;
  let lastProblem = "";
  async function keepSynced(everyMs: number): Promise<void> {
    let problem = "";
    await engine.sync().catch((error: unknown) => {
      problem = error instanceof Error ? error.message : String(error);
    });
    if (closed) return;
    if (problem && problem !== lastProblem) log(problem);
    lastProblem = problem;
    syncTimer = setTimeout(() => void keepSynced(everyMs), engine.isRegistered() ? everyMs : FIRST_SYNC_EVERY_MS);
  }
  if (syncEveryMs !== "never") void keepSynced(syncEveryMs);
  const ticks = setInterval(engine.tick, TICK_MS);

  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    port,
    engine,
    async close() {
      closed = true;
      clearTimeout(syncTimer);
      clearInterval(ticks);
      const stopped = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([stopped, engine.close()]);
    },
  };
}

type Reply = { status: number; body: unknown };

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function answer(engine: Engine, options: LocalInngestOptions, request: http.IncomingMessage): Promise<Reply> {
  refusePages(request.headers);
  const { pathname } = new URL(request.url ?? "/", "http://engine");
  const raw = pathname.split("/").slice(1);
  const call = `${request.method} ${pathname}`;

  if (request.method === "POST" && raw[0] === "e" && raw[1] && raw[2] === undefined) {
    if (!isEventKey(raw[1], options)) throw new Refusal(401, "The event key is not this engine's.");
    return { status: 200, body: { ids: await takeEvents(engine, request), status: 200 } };
  }

  if (options.signingKey && !bearsSigningKey(request.headers.authorization, options.signingKey)) {
    throw new Refusal(401, "Send the signing key: Authorization: Bearer <INNGEST_SIGNING_KEY>.");
  }
  const [first, second, third, fourth] = raw.map(decodeURIComponent);
  if (call === "GET /" || call === "GET /dev")
    return { status: 200, body: { kind: "local-inngest-engine", ...engine.status() } };
  if (call === "POST /fn/register") {
    const { functions } = registration.parse(parseJson(await readBody(request), "The request's body"));
    return { status: 200, body: { ok: true, status: 200, modified: engine.register(functions) } };
  }
  if (first === "v1" && second === "events" && third && fourth === "runs" && request.method === "GET") {
    return { status: 200, body: { data: engine.runsOfEvent(third).map(view) } };
  }
  if (first === "v1" && second === "runs" && third && fourth === undefined) {
    const run = engine.findRun(third);
    if (!run) throw new Refusal(404, "There is no such run, or it ended long ago.");
    if (request.method === "DELETE") engine.cancel(run);
    if (request.method === "DELETE" || request.method === "GET") return { status: 200, body: { data: view(run) } };
  }
  throw new Refusal(404, `The local Inngest engine does not emulate ${call}.`);
}

/** Browsers always send one of these headers, the SDK never does. */
function refusePages(headers: http.IncomingHttpHeaders): void {
  if (headers.origin === undefined && headers["sec-fetch-site"] === undefined) return;
  throw new Refusal(403, "The engine is not for pages in a browser.");
}

function isEventKey(encoded: string, { eventKey, signingKey }: LocalInngestOptions): boolean {
  if (eventKey === undefined) return signingKey === undefined;
  return sameText(encoded, encodeURIComponent(eventKey)) || sameText(encoded, eventKey);
}

async function takeEvents(engine: Engine, request: http.IncomingMessage): Promise<string[]> {
  const events = parseEvents(await readBody(request));
  if (engine.isFull()) throw new Refusal(503, "The engine has too many runs. Send the events again.");
  // The SDK repeats the seed when it retries, which identifies events without an id.
  const seed = request.headers["x-inngest-event-id-seed"];
  return events.map((event, i) => {
    const id = event.id || (seed ? createHash("sha1").update(`${seed}-${i}`).digest("hex") : undefined);
    return engine.ingest({ ...event, id });
  });
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Read on for a while: a sender that is cut off never sees the answer.
    if (size <= MAX_REQUEST_BYTES) chunks.push(chunk);
    if (size > 2 * MAX_REQUEST_BYTES) break;
  }
  if (size > MAX_REQUEST_BYTES)
    throw new Refusal(400, `The request is larger than ${MAX_REQUEST_BYTES / 1024 / 1024} MB.`);
  return Buffer.concat(chunks).toString("utf8");
}

/** A run as in Inngest's API; function_name, attempts, executions and steps are added, as in its dashboard. */
function view(run: Run) {
  return {
    run_id: run.id,
    function_id: run.fn.id,
    function_name: run.fn.name,
    event_id: run.event.id,
    status: run.status,
    output: run.output ?? null,
    attempts: run.attempts,
    executions: run.executions,
    steps: run.records.all(),
    run_started_at: new Date(run.startedAt).toISOString(),
    ended_at: run.endedAt === undefined ? null : new Date(run.endedAt).toISOString(),
  };
}

function send(response: http.ServerResponse, request: http.IncomingMessage, { status, body }: Reply): void {
  // Without this Node would keep reading an unread request.
  const headers = { "content-type": "application/json", ...(request.complete ? {} : { connection: "close" }) };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

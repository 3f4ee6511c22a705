import "server-only";
import { subscribe } from "node:diagnostics_channel";
import { existsSync, readdirSync } from "node:fs";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import path from "node:path";
import { env } from "@/lib/env";
import { AppError, isAppError } from "@/lib/errors";
import { PARAMETERS, PIPELINED_REQUESTS, REQUEST_MS, RESPONSES } from "@/lib/limits/bounds";
import { callerOf } from "@/lib/limits/callers";
import type { Caller } from "@/lib/limits/gate";
import { inPlace } from "@/lib/limits/place";
import { PUBLIC_FILES } from "@/lib/transport/paths";
import { type BufferedBody, createBodyBuffer } from "@/lib/transport/server/body-buffer";
import { drainOnShutdown } from "@/lib/transport/server/drain";
import { ownCookies } from "@/lib/transport/server/own-cookies";
import { refuse } from "@/lib/transport/server/refuse";
import { endUnread } from "@/lib/transport/server/unread";
import { boundedSet } from "@/lib/utils/bounded";

type Start = { request: IncomingMessage; response: ServerResponse; server: Server };

/**
 * Stands before Next on the first server of this process that gets a request: bounds what a request may hold before
 * anything reads it, lets it in by turns of callers (lib/limits/gate.ts) once its body is complete, and ends clients that do
 * not read. `platform`: the server is not ours, so its own times and shutdown stay.
 */
export function guardServer({
  platform = false,
  signals = process as Pick<NodeJS.EventEmitter, "once">,
  responses = RESPONSES,
} = {}): void {
  const inFlight = boundedSet<ServerResponse>("responses", responses, "A request beyond them is cut off.");
  const onStart = platform ? undefined : drainOnShutdown(inFlight, signals);
  let ours: Server | undefined;
  subscribe("http.server.request.start", (message) => {
    const { request, response, server } = message as Start;
    if (!ours) {
      ours = server;
      // Node publishes the start before it emits the request, so that this one is guarded too.
      standBefore(server);
      if (!platform) server.requestTimeout = REQUEST_MS;
      // An upgrade would pass by. Only Next's development server has something to upgrade to.
      if (env.NODE_ENV !== "development") server.removeAllListeners("upgrade");
      endUnread(inFlight);
    }
    if (server !== ours) return;
    if (inFlight.size >= responses) return void request.socket.destroy();
    inFlight.add(response);
    onEnd(request, response, () => inFlight.delete(response));
    onStart?.(response);
    keepOwnCookies(request);
  });
}

/** Calls `then` once the answer was sent or its connection is gone: a response that waits behind another is not told. */
function onEnd({ socket }: IncomingMessage, response: ServerResponse, then: () => void): void {
  const end = () => {
    response.off("close", end);
    socket.off("close", end);
    then();
  };
  // There is one listener for each pipelined request.
  socket.setMaxListeners(0);
  socket.on("close", end);
  response.on("close", end);
}

function keepOwnCookies({ headers }: IncomingMessage): void {
  if (headers.cookie === undefined) return;
  const own = ownCookies(headers.cookie);
  if (own === undefined) delete headers.cookie;
  else headers.cookie = own;
}

/** Puts the guard in the place of the server's listeners, which it calls. */
function standBefore(server: Server): void {
  const listeners = server.listeners("request") as RequestListener[];
  const isExempt = exemptRequests();
  const { buffer } = createBodyBuffer();
  const inOrder = createConnectionOrder();
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const pass = async () => Promise.allSettled(listeners.map((listener) => listener.call(server, request, response)));
    if (hasTooManyParameters(request))
      return inOrder(request, response, () => refuse(request, response, tooManyParameters()));
    if (isExempt(request)) return inOrder(request, response, pass);
    const caller = callerOf({ get: (name) => request.headers[name]?.toString() ?? null });
    const body = buffer(request, caller.key);
    return inOrder(request, response, () => passInPlace({ request, response, caller, body, pass }));
  });
}

/**
 * Handles pipelined requests one at a time. Their answers are sent in order anyway: one that is ready early would wait in
 * memory, and its call would keep its place. Too many end the connection.
 */
function createConnectionOrder() {
  const connections = new WeakMap<Socket, { last: Promise<void>; count: number }>();
  return async (request: IncomingMessage, response: ServerResponse, work: () => unknown): Promise<void> => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { last: Promise.resolve(), count: 0 };
    connections.set(socket, connection);
    if (++connection.count > PIPELINED_REQUESTS) return void socket.destroy();
    const before = connection.last;
    connection.last = new Promise((resolve) => {
      onEnd(request, response, () => {
        connection.count--;
        resolve();
      });
    });
    await before;
    // The connection may end with the previous answer.
    if (!socket.destroyed && !socket.writableEnded) await work();
  };
}

/** Next parses them in quadratic time: 0.7 s for 5,000. */
function hasTooManyParameters({ url = "" }: IncomingMessage): boolean {
  let count = 0;
  for (let at = url.indexOf("&"); at >= 0; at = url.indexOf("&", at + 1)) if (++count > PARAMETERS) return true;
  return false;
}

function tooManyParameters(): AppError {
  const message = `This address has too many parameters. Send at most ${PARAMETERS}.`;
  return new AppError("VALIDATION_ERROR", { message });
}

/** The engine's path has bounds of its own, see lib/events/endpoint.ts. */
const ENGINE = "/api/inngest";
/** Reading these costs next to nothing. */
const EXEMPT = ["/api/health", "/api/ready", ...PUBLIC_FILES];

const STATIC = "/_next/static/";

/** A file that is missing is not exempt: its answer is a whole page. */
function exemptRequests(): (request: IncomingMessage) => boolean {
  const folder = path.join(/* turbopackIgnore: true */ process.cwd(), ".next/static");
  const files = existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : [];
  const exempt = new Set([...EXEMPT, ...files.map((file) => STATIC + file.split(path.sep).join("/"))]);
  return ({ url = "", method }) => {
    const asked = url.split("?", 1)[0] ?? "";
    if (asked === ENGINE) return true;
    if (method !== "GET" && method !== "HEAD") return false;
    return exempt.has(asked) || (env.NODE_ENV === "development" && asked.startsWith(STATIC));
  };
}

type Passing = {
  request: IncomingMessage;
  response: ServerResponse;
  caller: Caller;
  body: BufferedBody;
  pass: () => Promise<unknown>;
};

async function passInPlace({ request, response, caller, body, pass }: Passing): Promise<void> {
  const gone = new AbortController();
  const { signal } = gone;
  onEnd(request, response, () => gone.abort());
  try {
    await body.complete;
    await inPlace(caller, { isPrefetch: isPrefetch(request), signal }, (leave) => {
      body.deliver();
      leaveWithAnswer(response, leave);
      return untilDone(pass, signal);
    });
  } catch (error) {
    body.drop();
    if (!signal.aborted && !response.headersSent) refuse(request, response, toRefusal(error));
  }
}

function toRefusal(error: unknown): AppError {
  return isAppError(error) ? error : new AppError("INTERNAL", { cause: error });
}

function isPrefetch({ headers, method }: IncomingMessage): boolean {
  if (method !== "GET") return false;
  const purpose = `${headers.purpose ?? ""} ${headers["sec-purpose"] ?? ""}`;
  return headers["next-router-prefetch"] !== undefined || purpose.includes("prefetch");
}

/** The answer is ready once it has ended, or once the client has to read before more can be sent. */
function leaveWithAnswer(response: ServerResponse, leave: () => void): void {
  response.once("prefinish", leave);
  const write = response.write.bind(response) as (...parts: unknown[]) => boolean;
  response.write = (...parts: unknown[]) => {
    const mayContinue = write(...parts);
    if (!mayContinue) leave();
    return mayContinue;
  };
}

/**
 * The work continues when its client goes, and keeps its place: to ask and to go would otherwise be a way around the
 * gate. The time only ensures that no place is lost.
 */
const WORK_AFTER_CLOSE_MS = 30_000;

async function untilDone(work: () => Promise<unknown>, gone: AbortSignal): Promise<void> {
  // The client went after the call was admitted and before it began.
  if (gone.aborted) return;
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<void>((resolve) => {
    gone.addEventListener("abort", () => {
      timer = setTimeout(resolve, WORK_AFTER_CLOSE_MS).unref();
    });
  });
  const answered = new Promise((resolve) => gone.addEventListener("abort", resolve));
  await Promise.race([Promise.all([work(), answered]), overdue]);
  clearTimeout(timer);
}

import { randomInt } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;
/** `path` as in the folder names: `/api/topics/[id]`. */
type Route = { path: string; pattern: RegExp; names: string[]; load: () => Promise<Record<string, Handler>> };

const ROOT = path.join(process.cwd(), "app/api");
export const ORIGIN = "http://localhost:3000";

/** All route handlers, found by their files. */
export const routes: Route[] = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(`${path.sep}route.ts`))
  .map((file) => {
    const segments = path.dirname(file).split(path.sep);
    const names: string[] = [];
    const pattern = segments.map((segment) => {
      const name = /^\[(?:\.\.\.)?(\w+)\]$/.exec(segment)?.[1];
      if (!name) return segment;
      names.push(name);
      return "([^/]+)";
    });
    const folder = `/api/${segments.join("/")}`;
    return {
      path: folder,
      pattern: new RegExp(`^/api/${pattern.join("/")}$`),
      names,
      load: () => import(path.join(ROOT, file)),
    };
  })
  .sort((a, b) => a.names.length - b.names.length);

export type Answer<T = unknown> = { status: number; headers: Headers; body: T; text: string };

/** Random start: suites that share a database must not use up each other's limits. */
let callers = randomInt(2 ** 24);

function newAddress(): string {
  callers = (callers + 1) % 2 ** 24;
  return `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`;
}

/** Calls the route handler in this process, without a network. */
export async function answerInProcess(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  for (const route of routes) {
    const match = route.pattern.exec(pathname);
    if (!match) continue;
    const handler = (await route.load())[request.method];
    if (!handler) throw new Error(`${pathname} has no ${request.method}`);
    const params = Object.fromEntries(route.names.map((name, at) => [name, decodeURIComponent(match[at + 1] ?? "")]));
    return handler(request, { params: Promise.resolve(params) });
  }
  throw new Error(`no route for ${pathname}`);
}

/** A client with its own address and cookies (session and device) that calls the route handlers in process. */
export function createCaller(cookie?: string, address = newAddress(), answer = answerInProcess) {
  let jar = cookie;
  /** Identifies the browser to accounts; kept when the session ends. */
  let device: string | undefined;

  async function call<T = Record<string, unknown>>(
    method: string,
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const response = await respond(method, url, body, headers);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : null) as T, text };
  }

  async function respond(method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
    const request = new Request(new URL(url, ORIGIN), {
      method,
      headers: {
        "x-forwarded-for": address,
        ...(jar || device ? { cookie: [jar, device].filter(Boolean).join("; ") } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
    });
    const response = await answer(request);
    for (const set of response.headers.getSetCookie()) {
      const pair = set.includes("Max-Age=0") ? undefined : set.split(";")[0];
      if (/^(__Host-)?device=/.test(set)) device = pair;
      else jar = pair;
    }
    return response;
  }

  return {
    call,
    respond,
    get: <T = Record<string, unknown>>(url: string, headers?: Record<string, string>) =>
      call<T>("GET", url, undefined, headers),
    post: <T = Record<string, unknown>>(url: string, body?: unknown, headers?: Record<string, string>) =>
      call<T>("POST", url, body, headers),
    patch: <T = Record<string, unknown>>(url: string, body?: unknown) => call<T>("PATCH", url, body),
    delete: <T = Record<string, unknown>>(url: string) => call<T>("DELETE", url),
    cookie: () => jar,
    device: () => device,
  };
}

/** Sent as is; anything else is sent as JSON. */
function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" || body instanceof Uint8Array;
}

export type Caller = ReturnType<typeof createCaller>;

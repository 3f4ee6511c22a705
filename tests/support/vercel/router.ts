import { existsSync, readFileSync, statSync } from "node:fs";
import http, { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import type { Functions } from "@/tests/support/vercel/functions";
import type { VercelOutput, VercelRoute } from "@/tests/support/vercel/output";

export type Deployment = { url: string; close(): Promise<void> };

type Asked = { method: string; path: string; query: string; headers: IncomingHttpHeaders; body: Buffer };

/**
 * Serves a build as Vercel's edge does, as far as this app needs it: the routes of config.json phase by phase, the proxy, static
 * files, and functions (https://vercel.com/docs/build-output-api/configuration). `host` is the deployment's address.
 */
export async function serveOutput(output: VercelOutput, functions: Functions, host: string): Promise<Deployment> {
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => outgoing.writeHead(500).end(String(error)));
  });

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const [pathname = "/", query = ""] = (incoming.url ?? "/").split("?");
    const headers = { ...incoming.headers, host, ...FORWARDED, "x-forwarded-host": host };
    const asked: Asked = {
      method: incoming.method ?? "GET",
      path: pathname,
      query,
      headers,
      body: await buffer(incoming),
    };
    const extra: http.OutgoingHttpHeaders = {};
    for (const route of phase("")) {
      const found = matches(route, asked);
      if (!found) continue;
      if (route.middlewarePath) {
        if (await proxied(asked, outgoing, extra)) return;
        continue;
      }
      Object.assign(extra, lowerCased(route.headers, found));
      if (route.dest) Object.assign(asked, split(replaced(route.dest, found), asked.query));
      if (route.status && route.headers?.Location) {
        outgoing.writeHead(route.status, extra).end();
        return;
      }
      if (!route.continue) break;
    }
    if (await served(asked, asked.path, outgoing, extra)) return;
    for (const route of phase("rewrite")) {
      const found = matches(route, asked);
      if (!found || !route.dest) continue;
      const target = split(replaced(route.dest, found), asked.query);
      if (await served({ ...asked, query: target.query }, target.path, outgoing, extra)) return;
    }
    outgoing.writeHead(404).end("NOT_FOUND");
  }

  function phase(name: string): VercelRoute[] {
    const { routes } = output.config;
    const begin = name === "" ? 0 : routes.findIndex(({ handle }) => handle === name) + 1;
    const rest = routes.slice(begin);
    const end = rest.findIndex(({ handle }) => handle !== undefined);
    return end < 0 ? rest : rest.slice(0, end);
  }

  /** Asks the proxy. True if it answered itself; otherwise its headers are taken over. */
  async function proxied(asked: Asked, outgoing: ServerResponse, extra: http.OutgoingHttpHeaders): Promise<boolean> {
    const given = await call("_middleware", asked, asked.path);
    const headers = { ...given.headers };
    const isNext = headers["x-middleware-next"] === "1";
    const overridden = String(headers["x-middleware-override-headers"] ?? "");
    for (const name of overridden.split(",").filter(Boolean)) {
      const value = headers[`x-middleware-request-${name}`];
      if (value !== undefined) asked.headers[name] = value as string;
    }
    for (const name of Object.keys(headers)) if (name.startsWith("x-middleware-")) delete headers[name];
    if (isNext) {
      given.resume();
      Object.assign(extra, headers);
      return false;
    }
    outgoing.writeHead(given.statusCode ?? 500, headers);
    given.pipe(outgoing);
    return true;
  }

  /** Serves a static file or a function at this path. */
  async function served(
    asked: Asked,
    target: string,
    outgoing: ServerResponse,
    extra: http.OutgoingHttpHeaders,
  ): Promise<boolean> {
    const name = target === "/" ? "index" : target.slice(1);
    const file = path.join(output.folder, "static", name);
    if (existsSync(file) && statSync(file).isFile()) {
      outgoing.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream", ...extra });
      outgoing.end(readFileSync(file));
      return true;
    }
    if (!existsSync(path.join(output.folder, "functions", `${name}.func`))) return false;
    const matched = { ...asked, headers: { ...asked.headers, "x-matched-path": target } };
    const given = await call(name, matched, asked.path);
    outgoing.writeHead(given.statusCode ?? 500, { ...given.headers, ...extra });
    given.pipe(outgoing);
    return true;
  }

  async function call(name: string, asked: Asked, at: string): Promise<IncomingMessage> {
    const port = await functions.portOf(name);
    return new Promise((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port,
        method: asked.method,
        path: at + (asked.query ? `?${asked.query}` : ""),
      };
      const sent = http.request({ ...options, headers: asked.headers }, resolve);
      sent.once("error", reject);
      sent.end(asked.body);
    });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const FORWARDED = {
  "x-forwarded-proto": "https",
  "x-forwarded-for": "203.0.113.7",
  "x-vercel-forwarded-for": "203.0.113.7",
  "x-real-ip": "203.0.113.7",
};
const TYPES: Record<string, string> = {
  ".js": "application/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

function matches(route: VercelRoute, { path: pathname, headers }: Asked): RegExpExecArray | null {
  const { src = "^$" } = route;
  const found = new RegExp(src.startsWith("^") ? src : `^${src}$`).exec(pathname);
  if (!found) return null;
  const holds = ({ type, key = "", value }: NonNullable<VercelRoute["has"]>[number]) =>
    type === "header" && headers[key] !== undefined && (!value || new RegExp(`^${value}$`).test(String(headers[key])));
  if (route.has && !route.has.every(holds)) return null;
  return route.missing?.some(holds) ? null : found;
}

function replaced(dest: string, found: RegExpExecArray): string {
  return dest.replace(/\$(\w+)/g, (_, name: string) => found.groups?.[name] ?? found[Number(name)] ?? "");
}

function split(target: string, query: string): { path: string; query: string } {
  const [pathname = "/", added = ""] = target.split("?");
  return { path: pathname, query: [query, added].filter(Boolean).join("&") };
}

function lowerCased(headers: Record<string, string> = {}, found: RegExpExecArray): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), replaced(value, found)]),
  );
}

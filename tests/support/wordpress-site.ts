import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { authenticate, PASSWORDS } from "@/tests/support/wordpress/accounts";
import {
  answerInstead,
  DIRTY_BEFORE_JSON,
  FATAL_ERROR,
  type Faults,
  noFaults,
  type PageAnswer,
} from "@/tests/support/wordpress/faults";
import { publicPage } from "@/tests/support/wordpress/pages";
import { postLink } from "@/tests/support/wordpress/post-view";
import { answerRest } from "@/tests/support/wordpress/rest";
import type { RestAnswer, RestContext, RestRequest } from "@/tests/support/wordpress/rest-answers";
import { trashPost } from "@/tests/support/wordpress/rest-posts";
import type { SiteUsers } from "@/tests/support/wordpress/roles";
import { createStore, type StoredPost } from "@/tests/support/wordpress/store";

export type SampleWordPressOptions = {
  /** A free one unless told. */
  port?: number;
  /** Keeps posts and categories across restarts. */
  dataFile?: string;
  permalinks?: "pretty" | "plain";
  /** With its slash: `/blog`. */
  subdirectory?: string;
  faults?: Partial<Faults>;
  clock?: () => Date;
};

export type SampleWordPress = {
  url: string;
  /** An editor's login. */
  username: string;
  applicationPassword: string;
  /** A login for every role. */
  users: SiteUsers;
  /** Change its members to make the site misbehave. */
  faults: Faults;
  /** All posts, whatever their status, oldest first. */
  posts(): StoredPost[];
  /** Requests to the REST API so far, as `POST /wp/v2/posts`. */
  requests: string[];
  /** What somebody else does on the site meanwhile. */
  trash(id: number): void;
  remove(id: number): void;
  edit(id: number, fields: Partial<StoredPost>): void;
  close(): Promise<void>;
};

/** A WordPress for trying things out and for tests: REST API and public pages as WordPress has them, on 127.0.0.1. */
export async function startSampleWordPress(options: SampleWordPressOptions = {}): Promise<SampleWordPress> {
  const { permalinks = "pretty", subdirectory = "", dataFile, clock = () => new Date() } = options;
  const store = createStore({ dataFile, clock });
  const faults = { ...noFaults(), ...options.faults };
  const requests: string[] = [];
  const context: RestContext = { store, permalinks, siteUrl: "", restRoot: "" };
  const server = createServer((request, response) => {
    serve({ context, faults, requests, subdirectory }, request, response).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
  const port = await listen(server, options.port ?? 0);
  context.siteUrl = `http://127.0.0.1:${port}${subdirectory}`;
  context.restRoot =
    permalinks === "pretty" ? `${context.siteUrl}/wp-json/` : `${context.siteUrl}/index.php?rest_route=/`;

  const stored = (id: number) => {
    const post = store.posts.get(id);
    if (!post) throw new Error(`The sample site has no post ${id}`);
    return post;
  };
  return {
    url: context.siteUrl,
    ...PASSWORDS.editor,
    users: PASSWORDS,
    faults,
    posts: () => [...store.posts.values()],
    requests,
    trash: (id) => trashPost(context, stored(id)),
    remove(id) {
      store.posts.delete(stored(id).id);
      store.save();
    },
    edit(id, fields) {
      Object.assign(stored(id), fields, { modified: store.now() });
      store.save();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

type Site = { context: RestContext; faults: Faults; requests: string[]; subdirectory: string };

async function serve(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { context, faults, subdirectory } = site;
  if (faults.down) return void request.socket.destroy();
  const body = await readBody(request);
  if (faults.delayMs > 0) await wait(faults.delayMs);

  const url = new URL(request.url ?? "/", context.siteUrl);
  const path = decodeURI(url.pathname);
  if (!path.startsWith(subdirectory)) return sendPage(response, { status: 404, html: "Nothing here." });
  const below = path.slice(subdirectory.length) || "/";
  const route = restRoute(context, below, url.searchParams);
  const method = request.method ?? "GET";
  const instead = answerInstead(faults, {
    isRest: route !== null,
    isWrite: method !== "GET",
    path: `${path}${url.search}`,
  });
  if (instead) return sendPage(response, instead);

  response.setHeader("Link", `<${context.restRoot}>; rel="https://api.w.org/"`);
  if (route === null) return servePublic(context, below, url.searchParams, response);
  site.requests.push(`${method} ${route}`);
  if (faults.html200) return servePublic(context, "/", new URLSearchParams(), response);
  serveRest(site, { method, route, query: url.searchParams, header: request.headers.authorization, body }, response);
}

/** The REST route asked for: below /wp-json with pretty permalinks, and in `rest_route` always. */
function restRoute({ permalinks }: RestContext, path: string, query: URLSearchParams): string | null {
  const named = query.get("rest_route");
  if (named !== null) return named;
  return permalinks === "pretty" && /^\/wp-json(?:\/|$)/.test(path) ? path.slice("/wp-json".length) : null;
}

type RawRequest = { method: string; route: string; query: URLSearchParams; header: string | undefined; body: string };

function serveRest({ context, faults }: Site, raw: RawRequest, response: ServerResponse): void {
  const hasPasswords = !faults.passwordsOff;
  const user = hasPasswords && !faults.stripAuthorization ? authenticate(raw.header) : null;
  const body = parseBody(raw.body);
  if (!body) return sendJson(response, { status: 400, body: INVALID_JSON }, faults);
  const request: RestRequest = { method: raw.method, route: raw.route, query: raw.query, body, user };
  const answer = answerRest(context, request, hasPasswords);

  const isCreate = answer.status === 201 && raw.route.startsWith("/wp/v2/posts");
  const isUpdate = answer.status === 200 && raw.method === "POST";
  if (isCreate && faults.hangAfterCreate > 0) {
    faults.hangAfterCreate--;
    return;
  }
  if (isCreate && faults.failAfterCreate > 0) {
    faults.failAfterCreate--;
    return sendJson(response, { status: 500, body: FATAL_ERROR }, faults);
  }
  if (isUpdate && faults.failAfterUpdate > 0) {
    faults.failAfterUpdate--;
    return sendJson(response, { status: 500, body: FATAL_ERROR }, faults);
  }
  sendJson(response, answer, faults);
}

const INVALID_JSON = { code: "rest_invalid_json", message: "Invalid JSON body passed.", data: { status: 400 } };

function parseBody(body: string): Record<string, unknown> | null {
  if (body === "") return {};
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : null;
  } catch {
    return null;
  }
}

function servePublic(context: RestContext, path: string, query: URLSearchParams, response: ServerResponse): void {
  if (path.startsWith("/wp-admin")) {
    return sendPage(response, { status: 302, headers: { Location: `${context.siteUrl}/wp-login.php` }, html: "" });
  }
  const numbered = context.store.posts.get(Number(query.get("p")));
  if (numbered?.status === "publish" && context.permalinks === "pretty") {
    return sendPage(response, { status: 301, headers: { Location: postLink(context, numbered) }, html: "" });
  }
  sendPage(response, publicPage(context, path, query));
}

function sendPage(response: ServerResponse, { status, headers, html }: PageAnswer): void {
  // Posts are somebody's HTML: nothing in them may run.
  const policy = "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'";
  response.writeHead(status, {
    "Content-Type": "text/html; charset=UTF-8",
    "Content-Security-Policy": policy,
    ...headers,
  });
  response.end(html);
}

function sendJson(response: ServerResponse, answer: RestAnswer, faults: Faults): void {
  response.writeHead(answer.status, { "Content-Type": "application/json; charset=UTF-8", ...answer.headers });
  response.end((faults.dirtyJson ? DIRTY_BEFORE_JSON : "") + JSON.stringify(answer.body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

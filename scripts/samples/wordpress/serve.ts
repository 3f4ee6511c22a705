import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { authenticate } from "@/scripts/samples/wordpress/accounts";
import { authorizePage } from "@/scripts/samples/wordpress/authorize-page";
import {
  answerInstead,
  DIRTY_BEFORE_JSON,
  FATAL_ERROR,
  type Faults,
  type PageAnswer,
} from "@/scripts/samples/wordpress/faults";
import { publicPage } from "@/scripts/samples/wordpress/pages";
import { postLink } from "@/scripts/samples/wordpress/post-view";
import { AUTHORIZE_PATH, answerRest } from "@/scripts/samples/wordpress/rest";
import type { RestAnswer, RestContext } from "@/scripts/samples/wordpress/rest-answers";

export type Site = { context: RestContext; faults: Faults; requests: string[]; subdirectory: string };

/** Answers one HTTP request with a fault, the REST API or a public page. */
export async function serve(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { context, faults, subdirectory } = site;
  if (faults.down) {
    request.socket.destroy();
    return;
  }
  const body = await readBody(request);
  if (faults.delayMs > 0) await wait(faults.delayMs, undefined, { ref: false });

  const method = request.method ?? "GET";
  const url = new URL(request.url ?? "/", context.siteUrl);
  const below = url.pathname.startsWith(subdirectory) ? url.pathname.slice(subdirectory.length) || "/" : null;
  const route = below === null ? null : restRoute(context, below, url.searchParams);
  const path = url.pathname + url.search;
  const { authorization } = request.headers;
  const isWrite = method !== "GET";
  const belowHome = (below ?? "/") + url.search;
  const instead = answerInstead(faults, { route, isWrite, path, belowHome, authorization });
  if (below === null || instead) {
    sendPage(response, instead ?? { status: 404, html: "There is nothing outside the subdirectory." });
    return;
  }
  const isUnlinked = route === null && below === "/" && take(faults, "noApiLink");
  if (!isUnlinked) response.setHeader("Link", `<${context.restRoot}>; rel="https://api.w.org/"`);
  if (route !== null) site.requests.push(`${method} ${route}`);
  if (route === null || faults.html200) {
    sendPage(
      response,
      route === null
        ? page(context, below, { method, query: url.searchParams, body })
        : page(context, "/", { method, query: new URLSearchParams(), body }),
    );
    return;
  }
  const answer = rest(site, { method, route, query: url.searchParams, authorization, body });
  await faults.answerAfter?.({ method, route });
  if (answer === "dropped") request.socket.destroy();
  else if (answer !== "unanswered") sendJson(response, faults.rewrite?.(answer, { method, route }) ?? answer, faults);
}

/** The REST route: below /wp-json with pretty permalinks, and always in `rest_route`. */
function restRoute({ permalinks }: RestContext, path: string, query: URLSearchParams): string | null {
  const named = query.get("rest_route");
  if (named !== null) return named;
  return permalinks === "pretty" && /^\/wp-json(?:\/|$)/.test(path) ? path.slice("/wp-json".length) : null;
}

type RawRequest = {
  method: string;
  route: string;
  query: URLSearchParams;
  authorization: string | undefined;
  body: string;
};

function rest({ context, faults }: Site, raw: RawRequest): RestAnswer | "unanswered" | "dropped" {
  const { route, query } = raw;
  // WordPress takes a POST for what this says.
  const method = query.get("_method") ?? raw.method;
  const user = faults.passwordsOff || faults.stripAuthorization ? null : authenticate(raw.authorization);
  const body = parseBody(raw.body);
  if (!body) return { status: 400, body: INVALID_JSON };
  const answer = answerRest(context, { method, route, query, body, user }, faults);

  const isPost = method === "POST" && route.startsWith("/wp/v2/posts");
  const [isCreated, isUpdated, isBatch] = [
    isPost && answer.status === 201,
    isPost && answer.status === 200,
    answer.status === 207,
  ];
  if (isBatch && faults.halfBatch !== null) {
    faults.halfBatch = null;
    return "dropped";
  }
  if (isCreated && take(faults, "hangAfterCreate")) return "unanswered";
  if (isBatch && take(faults, "hangAfterBatch")) return "unanswered";
  const fails =
    (isCreated && take(faults, "failAfterCreate")) ||
    (isUpdated && take(faults, "failAfterUpdate")) ||
    (isBatch && take(faults, "failAfterBatch"));
  return fails ? { status: 500, body: FATAL_ERROR } : answer;
}

type Counted =
  | "noApiLink"
  | "hangAfterCreate"
  | "failAfterCreate"
  | "failAfterUpdate"
  | "hangAfterBatch"
  | "failAfterBatch";

/** Uses up one of a counted fault. */
function take(faults: Faults, name: Counted): boolean {
  if (faults[name] <= 0) return false;
  faults[name]--;
  return true;
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

type PageRequest = Pick<RawRequest, "method" | "query" | "body">;

function page(context: RestContext, path: string, request: PageRequest): PageAnswer {
  const { query } = request;
  if (path === AUTHORIZE_PATH) return authorizePage(context, request);
  if (path.startsWith("/wp-admin")) {
    return { status: 302, headers: { Location: `${context.siteUrl}/wp-login.php` }, html: "" };
  }
  const numbered = context.store.posts.get(Number(query.get("p")));
  if (numbered?.status === "publish" && context.permalinks === "pretty") {
    return { status: 301, headers: { Location: postLink(context, numbered) }, html: "" };
  }
  return publicPage(context, path, query);
}

function sendPage(response: ServerResponse, { status, headers, html }: PageAnswer): void {
  // Posts contain user HTML: nothing in them may run.
  const policy = "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'";
  const always = { "Content-Type": "text/html; charset=UTF-8", "Content-Security-Policy": policy };
  response.writeHead(status, { ...always, ...headers });
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

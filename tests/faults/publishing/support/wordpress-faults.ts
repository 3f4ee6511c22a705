import { type Fault, instead, type ProxiedRequest } from "@/tests/faults/faults";
import type { Rule } from "@/tests/faults/proxy";

/** The REST route of a request, such as `/wp/v2/posts`, with either kind of permalinks; null for a page. */
export function restRoute({ path }: Pick<ProxiedRequest, "path">): string | null {
  const url = new URL(path, "http://site.test");
  const plain = url.searchParams.get("rest_route");
  const pretty = /\/wp-json(\/.*)?$/.exec(url.pathname);
  return plain ?? (pretty ? (pretty[1] ?? "/") : null);
}

export type Kind = "page" | "index" | "lookup" | "read" | "create" | "update" | "batch" | "category" | "categories";

/** What a request is for; a look-up searches posts by slug. */
export function kindOf(request: ProxiedRequest): Kind {
  const route = restRoute(request);
  if (route === null) return "page";
  const isWrite = request.method !== "GET";
  if (route.startsWith("/batch/v1")) return "batch";
  if (/^\/wp\/v2\/posts\/?$/.test(route))
    return isWrite ? "create" : request.path.includes("slug=") ? "lookup" : "read";
  if (/^\/wp\/v2\/posts\/\d+/.test(route)) return isWrite ? "update" : "read";
  if (route.startsWith("/wp/v2/categories")) return isWrite ? "category" : "categories";
  return "index";
}

/** True if it writes a post or a category. */
export function isWrite(request: ProxiedRequest): boolean {
  return request.method !== "GET";
}

/** Applies the same fault to all requests of these kinds; with `times`, to the first ones only. */
export function faultOn(kinds: Kind | Kind[], fault: Fault, times = Number.POSITIVE_INFINITY): Rule {
  let left = times;
  return (request) => ([kinds].flat().includes(kindOf(request)) && left-- > 0 ? fault : undefined);
}

/** Applies the first rule that has a fault for the request. */
export function firstOf(...rules: Rule[]): Rule {
  return (request) => {
    for (const rule of rules) {
      const fault = rule(request);
      if (fault) return fault;
    }
    return undefined;
  };
}

/** The network breaks after the first `count` requests of a batch were done. */
export function halfBatch(count: number): Fault {
  return async ({ request, forward, drop }) => {
    const batch = JSON.parse(request.body) as { requests: unknown[] };
    await forward({ body: JSON.stringify({ ...batch, requests: batch.requests.slice(0, count) }) });
    drop();
  };
}

/** A page without WordPress' link to its REST API, as some caches serve it. */
export function withoutApiLink(): Fault {
  return async ({ forward, answer }) => {
    const page = await forward();
    const { link: _, ...headers } = page.headers;
    answer({ ...page, headers, body: page.body.replace(/<link\b[^>]*api\.w\.org[^>]*>/g, "") });
  };
}

/** "Almost pretty" permalinks, for servers that cannot rewrite: the REST API lies below index.php. */
export function belowIndexPhp(): Fault {
  return async ({ request, forward, answer }) => {
    const done = await forward({ path: request.path.replace("/index.php/wp-json", "/wp-json") });
    const moved = (text: string) => text.replaceAll("/wp-json/", "/index.php/wp-json/");
    const link = done.headers.link === undefined ? {} : { link: moved(String(done.headers.link)) };
    answer({ ...done, headers: { ...done.headers, ...link }, body: moved(done.body) });
  };
}

/** The REST index names another home, as after a change of WordPress' own setting. */
export function callsItself(home: string): Fault {
  return async ({ forward, answer }) => {
    const done = await forward();
    const json = JSON.parse(done.body);
    answer("home" in json ? { ...done, body: JSON.stringify({ ...json, home }) } : done);
  };
}

/** WordPress' answer to a login that it does not accept. */
export function loggedOut(): Fault {
  const code = "rest_cannot_edit";
  const body = { code, message: "Sorry, you are not allowed to edit this post.", data: { status: 401 } };
  return instead({ status: 401, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

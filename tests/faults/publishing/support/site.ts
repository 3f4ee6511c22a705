import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { SiteUsers } from "@/scripts/samples/wordpress/roles";
import { startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { type FaultProxy, type ProxyOptions, startFaultProxy } from "@/tests/faults/proxy";
import { setRealPermalinks } from "@/tests/faults/publishing/support/real-permalinks";
import { startRealWordPress } from "@/tests/support/real-wordpress";

/** A post as an administrator sees it, in any status. */
export type SeenPost = {
  id: number;
  status: string;
  slug: string;
  title: { raw: string };
  content: { raw: string };
  categories: number[];
};

export type Permalinks = "pretty" | "plain";

/** A WordPress behind a faulty network. */
export type FaultSite = {
  /** What the user enters; the proxy's address. */
  url: string;
  proxy: FaultProxy;
  users: SiteUsers;
  /** All posts, the trash included, oldest first; asked past the proxy, like everything below. */
  posts(): Promise<SeenPost[]>;
  terms(): Promise<{ id: number; name: string }[]>;
  /** What other users do on the site meanwhile. */
  edit(id: number, fields: Record<string, unknown>): Promise<void>;
  trash(id: number): Promise<void>;
  addTerm(name: string): Promise<number>;
  setPermalinks(kind: Permalinks): Promise<void>;
  /** Opens one more address of the site, which closes with it. */
  alsoAt(options?: Omit<ProxyOptions, "upstream">): Promise<FaultProxy>;
  /** A staging copy with an address of its own. Only the double can be copied. */
  copy(): Promise<FaultSite>;
  close(): Promise<void>;
};

export const isReal = process.env.FAULTS_UPSTREAM === "real";

/** How long the app waits for the answer to a write; by default it is twenty seconds. */
export const WRITE_TIMEOUT_MS = isReal ? 4_000 : 1_000;

export type SiteOptions = {
  permalinks?: Permalinks;
  /** Keeps the double's posts in memory only, which is faster. */
  isFixed?: boolean;
};

export async function startSite({ permalinks = "pretty", isFixed = false }: SiteOptions = {}): Promise<FaultSite> {
  // The app reads them once, when the first route is loaded.
  process.env.WORDPRESS_ALLOWED_HOSTS = "127.0.0.0/8,localhost";
  process.env.WORDPRESS_WRITE_TIMEOUT_SECONDS = String(WRITE_TIMEOUT_MS / 1000);
  return behindProxy(isReal ? await realUpstream(permalinks) : await doubleUpstream({ permalinks, isFixed }));
}

type Upstream = {
  url: string;
  users: SiteUsers;
  setPermalinks(kind: Permalinks): Promise<void>;
  copy(): Promise<Upstream>;
  close(): Promise<void>;
};

async function realUpstream(permalinks: Permalinks): Promise<Upstream> {
  const { url, users, stop } = await startRealWordPress({ permalinks });
  return {
    url,
    users,
    setPermalinks: (kind) => setRealPermalinks(url, kind),
    copy: () => Promise.reject(new Error("Only the double can be copied.")),
    close: stop,
  };
}

async function doubleUpstream(options: { permalinks: Permalinks; isFixed: boolean; from?: string }): Promise<Upstream> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "faulty-site-"));
  const file = path.join(folder, "data.json");
  if (options.from && existsSync(options.from)) copyFileSync(options.from, file);
  let { permalinks } = options;
  const start = (port = 0) =>
    startSampleWordPress({ permalinks, port, ...(options.isFixed ? {} : { dataFile: file }) });
  let site = await start();
  const port = Number(new URL(site.url).port);
  return {
    url: site.url,
    users: site.users,
    async setPermalinks(kind) {
      permalinks = kind;
      await site.close();
      site = await start(port);
    },
    copy: () => doubleUpstream({ ...options, permalinks, from: file }),
    async close() {
      await site.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function behindProxy(upstream: Upstream): Promise<FaultSite> {
  const proxies = [await startFaultProxy({ upstream: upstream.url })];
  const [proxy] = proxies as [FaultProxy];
  const ask = administrator(upstream);
  return {
    url: proxy.origin,
    proxy,
    users: upstream.users,
    posts: () => ask.all<SeenPost>("posts", "status=any,trash&context=edit&orderby=id&order=asc"),
    terms: () => ask.all("categories", "orderby=id&order=asc"),
    edit: async (id, fields) => void (await ask.call(`posts/${id}`, fields)),
    trash: async (id) => void (await ask.call(`posts/${id}`, undefined, "DELETE")),
    addTerm: async (name) => (await ask.call<{ id: number }>("categories", { name })).body.id,
    setPermalinks: upstream.setPermalinks,
    async alsoAt(options = {}) {
      const another = await startFaultProxy({ ...options, upstream: upstream.url });
      proxies.push(another);
      return another;
    },
    copy: async () => behindProxy(await upstream.copy()),
    async close() {
      await Promise.all(proxies.map((each) => each.close()));
      await upstream.close();
    },
  };
}

/** `?rest_route=` works with either kind of permalinks. */
function administrator({ url, users }: Upstream) {
  const { username, applicationPassword } = users.administrator;
  const authorization = `Basic ${Buffer.from(`${username}:${applicationPassword}`).toString("base64")}`;

  async function call<T>(route: string, body?: unknown, method = body ? "POST" : "GET", query = "") {
    const answer = await fetch(`${url}/?rest_route=/wp/v2/${route}&${query}`, {
      method,
      // A double that changes its permalinks starts again, and breaks connections that were kept.
      headers: { authorization, "content-type": "application/json", connection: "close" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${await answer.text()}`);
    return { body: (await answer.json()) as T, pages: Number(answer.headers.get("x-wp-totalpages")) };
  }

  async function all<T>(route: string, query: string): Promise<T[]> {
    const found: T[] = [];
    for (let page = 1; ; page++) {
      const { body, pages } = await call<T[]>(route, undefined, "GET", `${query}&per_page=100&page=${page}`);
      found.push(...body);
      if (page >= pages) return found;
    }
  }

  return { call, all };
}

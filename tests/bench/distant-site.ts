import { setTimeout as wait } from "node:timers/promises";
import pLimit from "p-limit";
import { startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { startFaultProxy } from "@/tests/faults/proxy";
import type { RealWordPress } from "@/tests/support/real-wordpress";
import { keysOf } from "@/tests/support/wordpress/seo-plugins";

/** Requests that it works on at once; others wait. */
const WORKERS = 2;
/** What WordPress took on an ordinary processor, in milliseconds. */
const REQUEST_MS = 40;
const WRITE_MS = { empty: 15, text: 35 };

/**
 * The sample site as on a machine of its own, which shares no processor with the app: it takes a fixed time for each write,
 * and works on a fixed number of requests at once.
 */
export async function startDistantSite(): Promise<RealWordPress> {
  const site = await startSampleWordPress();
  const proxy = await startFaultProxy({ upstream: site.url });
  const worker = pLimit(WORKERS);
  proxy.rule =
    ({ body }) =>
    async ({ forward, answer }) =>
      worker(async () => {
        await wait(REQUEST_MS + workOf(body));
        answer(await forward());
      });
  return {
    url: proxy.origin,
    origin: site.url,
    version: "double",
    users: site.users,
    // It has no process of its own: its work is waiting, in this one.
    pid: -1,
    requests: () => proxy.requests.map(({ method, path }) => `${method} ${path}`),
    activate: (plugins) => site.registerMeta(keysOf(plugins)),
    async stop() {
      await proxy.close();
      await site.close();
    },
  };
}

function workOf(body: string): number {
  const { requests = [] } = (body ? JSON.parse(body) : {}) as { requests?: { method: string; body?: object }[] };
  const writes = requests.filter(({ method }) => method !== "DELETE");
  return writes.reduce((total, { body = {} }) => total + WRITE_MS["content" in body ? "text" : "empty"], 0);
}

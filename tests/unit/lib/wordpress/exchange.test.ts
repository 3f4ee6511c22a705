import { setTimeout as wait } from "node:timers/promises";
import { SITES_REMEMBERED } from "@/lib/limits/bounds";
import { createSafeFetch, type SafeFetch } from "@/lib/net/safe-fetch";
import { UnreachableError } from "@/lib/net/unreachable";
import { createWordPressClient } from "@/lib/wordpress/client";
import { discoverSite } from "@/lib/wordpress/discover";
import { createExchange, paceOf } from "@/lib/wordpress/exchange";
import { fakeDns, serveSite } from "@/tests/support/outgoing";
import { createDraft, updatePost } from "@/tests/support/wordpress/one-write";
import { A_CALLER, aPost } from "@/tests/support/wordpress/site-that";

const BARE = A_CALLER.password.replaceAll(" ", "");
const APP_ROOT = "https://x.example/wp-json/";

/** A site whose answers wait until a test gives them, and who asked for what. */
function heldSite() {
  type Answer = (status: number, json: unknown, headers?: Record<string, string>) => void;
  const asked: { method: string; url: string; answer: Answer }[] = [];
  const fetch: SafeFetch = (address, { method = "GET", signal } = {}) =>
    new Promise((resolve, reject) => {
      const url = String(address);
      const answer: Answer = (status, json, headers) =>
        resolve({ status, headers: new Headers(headers), url, text: JSON.stringify(json) });
      asked.push({ method, url, answer });
      signal?.addEventListener("abort", () => reject(new UnreachableError("timeout", "x.example", { sent: true })));
    });
  const clientOf = (userId: string, ends: { signal?: AbortSignal; deadline?: AbortSignal } = {}) =>
    createWordPressClient({ ...A_CALLER, userId, apiRoot: APP_ROOT, fetch, ...ends });
  return { asked, fetch, clientOf };
}

const settle = () => wait(0);
const GONE = { type: "RATE_LIMITED", message: expect.stringContaining("Nothing was sent") };

describe("a caller who leaves", () => {
  it("ends a read that is under way, and one that waits", async () => {
    const { asked, clientOf } = heldSite();
    const caller = new AbortController();
    const client = clientOf("one", { signal: caller.signal });
    const reads = Array.from({ length: 6 }, (_, n) => client.readPost(n + 1).catch((error: unknown) => error));
    await settle();
    expect(asked).toHaveLength(4);
    caller.abort();
    expect(await Promise.all(reads)).toEqual(Array(6).fill(expect.objectContaining(GONE)));
    expect(asked).toHaveLength(4);
  });

  it("ends a write that waits, and none that was sent", async () => {
    const { asked, clientOf } = heldSite();
    const others = Array.from({ length: 3 }, (_, n) => clientOf("other").readPost(n + 1));
    const callers = [new AbortController(), new AbortController()];
    const [sent, waiting] = callers.map(({ signal }) =>
      createDraft(clientOf("one", { signal }), { marker: "m", title: "T" }),
    );
    const refused = waiting?.catch((error: unknown) => error);
    await settle();
    for (const each of callers) each.abort();
    expect(await refused).toMatchObject(GONE);
    expect(await refused).not.toHaveProperty("outcome");
    asked.at(-1)?.answer(201, aPost(7));
    expect(await sent).toMatchObject({ id: 7 });
    expect(asked.filter(({ method }) => method === "POST")).toHaveLength(1);
    for (const [n, { answer }] of asked.entries()) answer(200, aPost(n + 1));
    await Promise.all(others);
  });

  it("lets a call go on whose first write was sent, unless its time is up", async () => {
    const { asked, clientOf } = heldSite();
    const [caller, time] = [new AbortController(), new AbortController()];
    const client = clientOf("one", { signal: caller.signal, deadline: time.signal });
    const created = createDraft(client, { marker: "m", title: "T" });
    await settle();
    caller.abort();
    asked[0]?.answer(201, aPost(7));
    await created;
    const updated = updatePost(client, 7, { title: "T" });
    await settle();
    asked[1]?.answer(200, aPost(7));
    expect(await updated).toMatchObject({ id: 7 });
    time.abort();
    await expect(updatePost(client, 7, { title: "U" })).rejects.toMatchObject(GONE);
  });

  it("keeps the outcome of a write that was sent and would be repeated", async () => {
    const { asked, clientOf } = heldSite();
    const time = new AbortController();
    const client = clientOf("one", { deadline: time.signal });
    const busy = createDraft(client, { marker: "m", title: "T" }).catch((error: unknown) => error);
    await settle();
    asked[0]?.answer(503, null, { "retry-after": "5" });
    await settle();
    time.abort();
    expect(await busy).toMatchObject({ outcome: "unknown" });
    expect(asked).toHaveLength(1);
  });
});

it("a stranger's requests that hang leave the next place to another user of the site, also for finding it", async () => {
  const { asked, fetch, clientOf } = heldSite();
  const stranger = Array.from({ length: 50 }, (_, n) =>
    clientOf("stranger")
      .readPost(n + 1)
      .catch(() => null),
  );
  const found = discoverSite("https://x.example", { ...A_CALLER, userId: "owner", fetch }).catch(() => null);
  await settle();
  asked[0]?.answer(401, { code: "rest_forbidden", message: "", data: null });
  await settle();
  expect(asked.slice(4).map(({ url }) => url)).toEqual(["https://x.example/"]);
  const done = Promise.all([...stranger, found]);
  for (let at = 0; at < asked.length; at++) {
    asked[at]?.answer(401, { code: "rest_forbidden", message: "", data: null });
    await settle();
  }
  await done;
});

describe("an address that quotes the password", () => {
  const to = (location: string) =>
    serveSite((request, response) => {
      if (request.url !== "/") return response.end("<html>");
      response.writeHead(302, { location }).end();
    });

  it("is not followed, and its host is not looked up", async () => {
    const host = `${BARE}.example`;
    const site = await to(`http://${host}/`);
    const lookup = jest.fn(fakeDns({ [host]: [["127.0.0.1"]] }));
    const fetch = createSafeFetch({ allowedHosts: "127.0.0.0/8", lookup });
    const failed = await discoverSite(site.url, { ...A_CALLER, fetch }).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      type: "CONNECTION_ERROR",
      details: { detail: expect.stringContaining("puts your application password into its addresses") },
    });
    expect(lookup).not.toHaveBeenCalled();
  });

  it("is not asked, where a home page links it as that of the REST API", async () => {
    const requested: string[] = [];
    const fetch: SafeFetch = async (url) => {
      requested.push(String(url));
      const text = `<link rel="https://api.w.org/" href="https://${BARE}.example/wp-json/">`;
      return { status: 200, headers: new Headers(), url: String(url), text };
    };
    await expect(discoverSite("https://x.example", { ...A_CALLER, fetch })).rejects.toMatchObject({
      details: { detail: expect.stringContaining("puts your application password into its addresses") },
    });
    expect(requested).toEqual(["https://x.example/"]);
  });

  it("is in no header and no response", async () => {
    const answer = { status: 200, headers: new Headers({ link: `<https://x/${BARE}>`, etag: "a" }), text: "" };
    const exchange = (url: string) =>
      createExchange({ ...A_CALLER, fetch: async () => ({ ...answer, url }) }).send(
        new URL("https://x.example/"),
        { kind: "read" },
        () => ({}),
      );
    expect([...(await exchange("https://x.example/")).headers.keys()]).toEqual(["etag"]);
    await expect(exchange(`https://x.example/${BARE}`)).rejects.toMatchObject({ type: "CONNECTION_ERROR" });
  });

  it("is in no error, wherever the site put it", async () => {
    for (const error of [
      new UnreachableError("dns", `${BARE}.example`),
      new UnreachableError("tls", "x.example", { cause: new Error(`altnames: DNS:${BARE}.example`) }),
    ]) {
      const fetch: SafeFetch = () => Promise.reject(error);
      const send = createExchange({ ...A_CALLER, fetch }).send(
        new URL("https://x.example"),
        { kind: "read" },
        () => ({}),
      );
      const failed = await send.catch((thrown: Error) => thrown);
      expect(failed).toMatchObject({ reason: error.reason, host: "x.example" });
      expect(failed).not.toHaveProperty("cause");
    }
  });
});

it("the pace of the thousand sites asked last is remembered", () => {
  const fetch: SafeFetch = () => Promise.reject(new Error("not asked"));
  const first = paceOf(fetch, "https://0.example");
  for (let n = 1; n < 1_000; n++) paceOf(fetch, `https://${n}.example`);
  expect(paceOf(fetch, "https://0.example")).toBe(first);
  paceOf(fetch, "https://1000.example");
  expect(paceOf(fetch, "https://0.example")).toBe(first);
  for (let n = 1_001; n <= 2_000; n++) paceOf(fetch, `https://${n}.example`);
  expect(paceOf(fetch, "https://0.example")).not.toBe(first);
});

it("forgets the pace of the site asked longest ago, but of none that is being asked", async () => {
  const { asked, fetch } = heldSite();
  const [busy, idle] = [paceOf(fetch, "https://busy.example"), paceOf(fetch, "https://idle.example")];
  const send = () => fetch("https://busy.example");
  const reading = busy.run({ userId: "one", kind: "read", writes: 1 }, send);
  for (let n = 0; n < SITES_REMEMBERED; n++) paceOf(fetch, `https://${n}.example`);
  expect(paceOf(fetch, "https://busy.example")).toBe(busy);
  expect(paceOf(fetch, "https://idle.example")).not.toBe(idle);
  await settle();
  asked[0]?.answer(200, {});
  await reading;
  expect(busy.isInUse()).toBe(false);
});

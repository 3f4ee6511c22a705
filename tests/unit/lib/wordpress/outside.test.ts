import { createSafeFetch, type SafeFetch, type SafeFetchOptions } from "@/lib/net/safe-fetch";
import { UnreachableError, type UnreachableReason } from "@/lib/net/unreachable";
import { createWordPressClient } from "@/lib/wordpress/client";
import { lookFromOutside } from "@/lib/wordpress/outside";
import { createDraft, updatePost } from "@/tests/support/wordpress/one-write";
import { A_CALLER } from "@/tests/support/wordpress/site-that";
import { type SampleWordPress, startSampleWordPress } from "@/tests/support/wordpress-site";

type Page = { status?: number; headers?: Record<string, string>; text: string; url?: string };

const INDEX = { home: "https://x.example", namespaces: ["wp/v2"] };
const shown = (id: number) => ({
  id,
  guid: { rendered: `https://x.example/?p=${id}` },
  date_gmt: "2026-01-02T03:04:05",
});
const json = (body: unknown, status = 200): Page => ({ status, text: JSON.stringify(body) });
const WORDPRESS_PAGE = '<html><link rel="stylesheet" href="https://x.example/wp-content/themes/a.css">';
const OTHER_PAGE = "<html><body>A shop for tea</body></html>";

/** An address that answers for the index, and for the list of posts. */
function looking(
  index: Page | Error,
  posts: Page | Error = json([]),
  apiRoot = "https://x.example/wp-json/",
  ids = [7],
) {
  const asked: (SafeFetchOptions & { url: URL })[] = [];
  const fetch: SafeFetch = async (address, options = {}) => {
    const url = new URL(address);
    asked.push({ ...options, url });
    const page = url.searchParams.get("rest_route") === "/" ? index : posts;
    if (page instanceof Error) throw page;
    return {
      status: page.status ?? 200,
      headers: new Headers(page.headers),
      url: page.url ?? url.href,
      text: page.text,
    };
  };
  return { asked, look: () => lookFromOutside(apiRoot, ids, { ...A_CALLER, fetch }) };
}

describe("a look at an address that answers", () => {
  it("finds the home and the public posts that were asked for", async () => {
    const encoded = { ...shown(8), guid: { rendered: "https://x.example/?post_type=post&#038;p=8" } };
    const { look, asked } = looking(json(INDEX), json([shown(7), encoded, shown(9)]), undefined, [7, 8]);
    expect(await look()).toEqual({
      state: "answers",
      home: "https://x.example",
      posts: [
        { id: 7, guid: "https://x.example/?p=7", dateGmt: "2026-01-02T03:04:05" },
        { id: 8, guid: "https://x.example/?post_type=post&p=8", dateGmt: "2026-01-02T03:04:05" },
      ],
    });
    expect(asked.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([
      { rest_route: "/", _fields: "home,namespaces" },
      { rest_route: "/wp/v2/posts", include: "7,8", per_page: "100", _fields: "id,guid.rendered,date_gmt" },
    ]);
  });

  it("never sends a login", async () => {
    const { look, asked } = looking(json(INDEX));
    await look();
    for (const { method = "GET", headers } of asked) {
      expect(method).toBe("GET");
      expect(Object.keys(headers ?? {}).sort()).toEqual(["Accept", "User-Agent"]);
    }
    expect(asked).toHaveLength(2);
  });

  it("asks for a hundred posts at a time, and for none where there are none", async () => {
    const many = looking(
      json(INDEX),
      json([]),
      undefined,
      Array.from({ length: 101 }, (_, n) => n + 1),
    );
    await many.look();
    expect(many.asked.slice(1).map(({ url }) => url.searchParams.get("include")?.split(",").length)).toEqual([100, 1]);
    const none = looking(json(INDEX), json([]), undefined, []);
    expect(await none.look()).toEqual({ state: "answers", home: "https://x.example", posts: [] });
    expect(none.asked).toHaveLength(1);
  });

  it.each<[string, string]>([
    ["https://x.example/blog/wp-json/", "https://x.example/blog/"],
    ["https://x.example/blog/index.php?rest_route=/", "https://x.example/blog/"],
    ["https://x.example/?rest_route=/", "https://x.example/"],
  ])("asks at its home, whatever its permalinks are now: %s", async (apiRoot, home) => {
    const { look, asked } = looking(json(INDEX), json([]), apiRoot);
    await look();
    expect(asked.map(({ url }) => url.origin + url.pathname)).toEqual([home, home]);
  });

  it("takes what is missing as unknown", async () => {
    const { look } = looking(json({ namespaces: ["wp/v2"], home: 7 }), json([{ id: 7 }]));
    expect(await look()).toEqual({ state: "answers", home: null, posts: [{ id: 7, guid: null, dateGmt: null }] });
  });

  it.each<[string, Page | Error]>([
    ["another status", json([], 401)],
    ["no list", json({})],
    ["a list of something else", json([{ id: "7" }])],
    ["no answer", new UnreachableError("dns", "x.example")],
  ])("is unclear when its posts cannot be read: %s", async (_what, posts) => {
    expect(await looking(json(INDEX), posts).look()).toEqual({ state: "unclear" });
  });
});

describe("a look at an address that redirects", () => {
  it.each<[string, string, string]>([
    ["another host", "https://y.example/?rest_route=%2F&_fields=home%2Cnamespaces", "https://y.example"],
    ["its home alone", "https://y.example/", "https://y.example"],
    ["a folder", "https://x.example/blog/index.php?rest_route=%2F", "https://x.example/blog"],
    ["a page", "https://y.example/parked?domain=x", "https://y.example/parked"],
  ])("tells where it ends: %s", async (_what, url, to) => {
    for (const page of [json(INDEX), { status: 500, text: OTHER_PAGE }])
      expect(await looking({ ...page, url }).look()).toEqual({ state: "moved", to });
  });

  it.each([
    "http://x.example/?rest_route=%2F",
    "https://www.x.example/?rest_route=%2F",
    "https://x.example/index.php?rest_route=/",
  ])("stays at the same place: %s", async (url) => {
    expect((await looking({ ...json(INDEX), url }).look()).state).toBe("answers");
  });

  it("is unclear when its target does not answer", async () => {
    for (const reason of ["dns", "refused", "timeout", "blocked", "redirect"] as const)
      expect(await looking(new UnreachableError(reason, "y.example")).look()).toEqual({ state: "unclear" });
  });
});

describe("a look at an address without an answer from WordPress", () => {
  const coded = (code: string) => Object.assign(new Error(code), { code });
  const unreachable = (reason: UnreachableReason, sent = false, cause?: Error) =>
    new UnreachableError(reason, "x.example", { sent, cause });

  it.each<[string, Page | Error, "gone" | "unclear"]>([
    ["no such name", unreachable("dns"), "gone"],
    ["no such name, says the system", unreachable("dns", false, new Error("x", { cause: coded("ENOTFOUND") })), "gone"],
    ["a name server that is away", unreachable("dns", false, new Error("x", { cause: coded("EAI_AGAIN") })), "unclear"],
    ["nothing listens", unreachable("refused", false, coded("ECONNREFUSED")), "gone"],
    ["our own network is away", unreachable("refused", false, coded("ENETUNREACH")), "unclear"],
    [
      "no way to one of its addresses",
      unreachable("refused", false, new AggregateError([coded("ECONNREFUSED"), coded("EHOSTUNREACH")])),
      "unclear",
    ],
    ["a dropped connection", unreachable("refused", true), "unclear"],
    ["a time-out", unreachable("timeout", true), "unclear"],
    ["a time-out while connecting", unreachable("timeout"), "unclear"],
    ["a private address", unreachable("blocked"), "unclear"],
    ["a certificate that is not valid", unreachable("tls"), "unclear"],
    ["too much data", unreachable("too-large", true), "unclear"],
    ["another site", { text: OTHER_PAGE }, "gone"],
    ["another site's data", json({ hello: "world" }), "gone"],
    ["a page that is not there", { status: 404, text: OTHER_PAGE }, "gone"],
    ["a page that is gone", { status: 410, text: OTHER_PAGE }, "gone"],
    ["WordPress without its REST API", { text: WORDPRESS_PAGE }, "unclear"],
    ["WordPress without that page", { status: 404, text: WORDPRESS_PAGE }, "unclear"],
    [
      "WordPress by its header",
      { text: OTHER_PAGE, headers: { link: '<https://x.example/wp-json/>; rel="https://api.w.org/"' } },
      "unclear",
    ],
    ["WordPress by its name", { text: '<meta name="generator" content="WordPress 6.1">' }, "unclear"],
    ["WordPress without that route", json({ code: "rest_no_route", message: "" }, 404), "unclear"],
    ["a firewall's question", { text: "<html>Please solve this captcha" }, "unclear"],
    ["nothing", { text: " " }, "unclear"],
    ["a members-only site", json({ code: "rest_login_required", message: "" }, 401), "unclear"],
    ["a firewall", { status: 403, text: OTHER_PAGE }, "unclear"],
    ["too many requests", { status: 429, text: OTHER_PAGE }, "unclear"],
    ["an internal error", { status: 500, text: OTHER_PAGE }, "unclear"],
    ["maintenance", { status: 503, text: OTHER_PAGE }, "unclear"],
    ["an index under an error", json(INDEX, 500), "unclear"],
    ["another success", { status: 202, text: OTHER_PAGE }, "unclear"],
    ["an unfollowed redirect", { status: 302, text: OTHER_PAGE }, "unclear"],
  ])("is %s", async (_what, page, state) => {
    expect(await looking(page).look()).toEqual({ state });
  });

  it("passes on an internal error", async () => {
    await expect(looking(new Error("a fault of ours")).look()).rejects.toThrow("a fault of ours");
  });

  it("contacts no private address by default", async () => {
    expect(await lookFromOutside("http://127.0.0.1:9/wp-json/", [7], A_CALLER)).toEqual({ state: "unclear" });
  });
});

describe("a look at the sample site", () => {
  const fetch = createSafeFetch({ allowedHosts: "127.0.0.1" });
  const open: SampleWordPress[] = [];
  const look = (site: SampleWordPress, ids: number[]) =>
    lookFromOutside(`${site.url}/wp-json/`, ids, { ...A_CALLER, fetch });
  const clientOf = ({ url, username, applicationPassword: password }: SampleWordPress) =>
    createWordPressClient({ userId: "one", apiRoot: `${url}/wp-json/`, username, password, fetch });

  async function withPost() {
    const site = await startSampleWordPress();
    open.push(site);
    const client = clientOf(site);
    const { id } = await createDraft(client, { marker: "m", title: "T" });
    return { site, post: await updatePost(client, id, { status: "publish" }) };
  }
  afterEach(() => Promise.all(open.splice(0).map((site) => site.close())));

  it("follows a move, and sees the old address beside a copy", async () => {
    const { site, post } = await withPost();
    const { id, guid, dateGmt } = post;
    const copy = await site.copy();
    open.push(copy);
    expect(await look(site, [id])).toEqual({ state: "answers", home: site.url, posts: [{ id, guid, dateGmt }] });
    expect(await look(copy, [id])).toEqual({ state: "answers", home: copy.url, posts: [{ id, guid, dateGmt }] });
    site.faults.movedTo = copy.url;
    expect(await look(site, [id])).toEqual({ state: "moved", to: copy.url });
  });

  it("finds nobody where the site was shut down, and nothing certain while it fails", async () => {
    const { site, post } = await withPost();
    site.faults.maintenance = true;
    expect(await look(site, [post.id])).toEqual({ state: "unclear" });
    site.faults.maintenance = false;
    site.faults.down = true;
    expect(await look(site, [post.id])).toEqual({ state: "unclear" });
    await site.close();
    expect(await look(site, [post.id])).toEqual({ state: "gone" });
  });
});

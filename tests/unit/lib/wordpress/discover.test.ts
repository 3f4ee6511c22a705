import type { SafeFetch } from "@/lib/net/safe-fetch";
import { UnreachableError, type UnreachableReason } from "@/lib/net/unreachable";
import { discoverSite } from "@/lib/wordpress/discover";
import { cpuTimeOf } from "@/tests/support/cpu-time";
import { A_CALLER } from "@/tests/support/wordpress/site-that";

type Page = { status?: number; headers?: Record<string, string>; text?: string; url?: string };

/** A web of the given pages; everything else is a 404. `requested` lists the addresses in order. */
function web(pages: Record<string, Page | UnreachableReason>): { fetch: SafeFetch; requested: string[] } {
  const requested: string[] = [];
  const fetch: SafeFetch = async (address) => {
    const url = String(address);
    requested.push(url);
    const page = pages[url] ?? { status: 404, text: "<html>Not found</html>" };
    if (typeof page === "string") throw new UnreachableError(page, new URL(url).host);
    return {
      status: page.status ?? 200,
      headers: new Headers(page.headers),
      url: page.url ?? url,
      text: page.text ?? "<html>",
    };
  };
  return { fetch, requested };
}

const linkTo = (root: string) => ({
  link: `<https://x.example/feed/>; rel="alternate", <${root}>; rel="https://api.w.org/"`,
});
const home = { headers: linkTo("https://x.example/wp-json/") };
const INDEX = JSON.stringify({ name: "X", namespaces: ["oembed/1.0", "wp/v2"], authentication: {} });
const failureOf = (fetch: SafeFetch, typed = "https://x.example") =>
  discoverSite(typed, { ...A_CALLER, fetch }).then(
    () => "found",
    (error: Error & { type?: string; details?: { detail?: string } }) =>
      `${error.type}: ${error.message} | ${error.details?.detail}`,
  );

const SENTENCE =
  "CONNECTION_ERROR: Could not connect to WordPress site. Please check your site URL and ensure it is accessible. | ";

describe("finding the REST API of a site", () => {
  it.each([
    "https://x.example",
    "https://x.example/",
    " https://X.example/wp-admin/post.php?post=1&action=edit#top ",
    "https://x.example/wp-login.php?redirect_to=y",
    "https://x.example/wp-json/wp/v2/posts",
    "https://x.example/xmlrpc.php",
    "https://x.example/index.php?rest_route=/",
    "x.example",
    "x.example/wp-admin",
    "https:// x.example",
    "https:/x.example",
    "https//x.example\u200b",
  ])("works from %p", async (typed) => {
    const { fetch, requested } = web({ "https://x.example/": home });
    expect(await discoverSite(typed, { ...A_CALLER, fetch })).toEqual({
      apiRoot: "https://x.example/wp-json/",
      home: "https://x.example",
    });
    expect(requested).toEqual(["https://x.example/"]);
  });

  it("refuses an API address that is too long", async () => {
    const { fetch } = web({ "https://x.example/": { headers: linkTo(`https://x.example/${"x".repeat(2_000)}/`) } });
    expect(await failureOf(fetch)).toBe(`${SENTENCE}The address of its REST API is too long to be one.`);
    const longest = `https://x.example/${"x".repeat(1_981)}/`;
    const site = web({ "https://x.example/": { headers: linkTo(longest) } });
    expect(await discoverSite("x.example", { ...A_CALLER, ...site })).toMatchObject({ apiRoot: longest });
  });

  it("contacts no private address unless that is allowed", async () => {
    await expect(discoverSite("http://127.0.0.1:9", A_CALLER)).rejects.toMatchObject({
      details: { detail: "127.0.0.1:9 is a private address, which this server may not contact." },
    });
  });

  it("reads a header of nothing but opening brackets quickly", async () => {
    const { fetch } = web({ "https://x.example/": { headers: { link: "<".repeat(200_000) } } });
    expect(await cpuTimeOf(() => failureOf(fetch))).toBeLessThan(1_000);
  });

  it("keeps the folder that WordPress is installed in", async () => {
    const { fetch } = web({
      "https://x.example/blog/": { headers: linkTo("https://x.example/blog/index.php?rest_route=/") },
    });
    expect(await discoverSite("https://x.example/blog/wp-admin/", { ...A_CALLER, fetch })).toEqual({
      apiRoot: "https://x.example/blog/index.php?rest_route=/",
      home: "https://x.example/blog",
    });
  });

  it("remembers the address it was redirected to", async () => {
    const moved = { url: "https://www.x.example/", headers: linkTo("https://www.x.example/wp-json/") };
    const { fetch } = web({ "http://x.example/": moved });
    expect((await discoverSite("http://x.example", { ...A_CALLER, fetch })).apiRoot).toBe(
      "https://www.x.example/wp-json/",
    );
  });

  it("does not go back from https to http when WordPress considers itself an http site", async () => {
    const { fetch } = web({ "https://x.example/": { headers: linkTo("http://x.example/wp-json/") } });
    expect((await discoverSite("x.example", { ...A_CALLER, fetch })).apiRoot).toBe("https://x.example/wp-json/");
  });

  it("tries http when an address without a scheme has no https", async () => {
    const { fetch, requested } = web({
      "https://x.example/": "refused",
      "http://x.example/": { headers: linkTo("http://x.example/wp-json/") },
    });
    expect((await discoverSite("x.example", { ...A_CALLER, fetch })).home).toBe("http://x.example");
    expect(requested).toEqual(["https://x.example/", "http://x.example/"]);
    const down = web({ "https://x.example/": "refused" });
    expect(await failureOf(down.fetch)).toContain("refused or dropped");
    expect(down.requested).toEqual(["https://x.example/"]);
  });

  it("does not try http when https was answered", async () => {
    const { fetch, requested } = web({ "https://x.example/": { status: 502 } });
    expect(await failureOf(fetch, "x.example")).toContain("an internal error (502)");
    expect(requested).toEqual(["https://x.example/"]);
  });

  it("keeps the scheme of a REST API on another host", async () => {
    const { fetch } = web({ "https://x.example/": { headers: linkTo("http://api.example/wp-json/") } });
    expect((await discoverSite("x.example", { ...A_CALLER, fetch })).apiRoot).toBe("http://api.example/wp-json/");
  });

  it("reads the page when the header is missing", async () => {
    const text = `<html><head><link rel="https://api.w.org/" href="https://x.example/wp-json/" /></head>`;
    const { fetch } = web({ "https://x.example/": { text } });
    expect((await discoverSite("https://x.example", { ...A_CALLER, fetch })).apiRoot).toBe(
      "https://x.example/wp-json/",
    );
  });

  it.each(["<link ", 'rel="https://api.w.org/" ', '<link rel="https://api.w.org/" '])(
    "reads 2 MB of %p quickly",
    async (piece) => {
      const { fetch } = web({ "https://x.example/": { text: `<link ${piece.repeat(2_000_000 / piece.length)}` } });
      const cost = await cpuTimeOf(async () =>
        expect(await failureOf(fetch)).toContain("No WordPress was found there"),
      );
      expect(cost).toBeLessThan(5_000);
    },
  );

  it("tries the usual addresses when the page does not name the API", async () => {
    for (const page of [{}, { status: 399 }, { status: 404 }, { headers: linkTo("https://[") }]) {
      const pretty = web({ "https://x.example/": page, "https://x.example/wp-json/": { text: INDEX } });
      expect((await discoverSite("https://x.example", { ...A_CALLER, ...pretty })).apiRoot).toBe(
        "https://x.example/wp-json/",
      );
    }
    const plain = web({
      "https://x.example/": {},
      "https://x.example/?rest_route=%2F": { text: `\uFEFF<br />Notice${INDEX}` },
    });
    expect((await discoverSite("https://x.example", { ...A_CALLER, ...plain })).apiRoot).toBe(
      "https://x.example/?rest_route=/",
    );
  });

  it("accepts a REST API that requires a login", async () => {
    const text = JSON.stringify({ code: "rest_login_required", message: "Sorry", data: { status: 401 } });
    const { fetch } = web({ "https://x.example/": {}, "https://x.example/wp-json/": { status: 401, text } });
    expect((await discoverSite("https://x.example", { ...A_CALLER, fetch })).apiRoot).toBe(
      "https://x.example/wp-json/",
    );
  });
});

describe("the error of a site that is not found explains", () => {
  it.each<[UnreachableReason, string]>([
    ["blocked", "x.example is a private address, which this server may not contact."],
    ["dns", "There is no site named x.example: check the spelling."],
    ["timeout", "x.example took too long to answer: try again in a minute."],
    ["refused", "x.example refused or dropped the connection: check that the site is running."],
    ["tls", "The security certificate of x.example is not valid: renew it, or ask the site's host to."],
    ["too-large", "x.example answered with more data than a WordPress site does."],
    ["redirect", "x.example redirects in circles: enter the address that the browser shows in the end."],
    ["protocol", "x.example is not the address of a web site: it should look like https://blog.example.com."],
  ])("%s", async (reason, sentence) => {
    expect(await failureOf(web({ "https://x.example/": reason }).fetch)).toBe(SENTENCE + sentence);
  });

  it.each<[string, Page, string]>([
    ["another kind of site", {}, "No WordPress was found there"],
    ["a missing page", { status: 404 }, "No WordPress was found there"],
    ["a bad request", { status: 400 }, "web page where WordPress answers with data"],
    ["maintenance", { status: 503, headers: { "retry-after": "600" } }, "maintenance mode"],
    ["a server that is down behind its proxy", { status: 502 }, "an internal error (502)"],
    [
      "Cloudflare",
      { status: 403, headers: { "cf-ray": "1" }, text: "<title>Just a moment...</title>" },
      "Cloudflare blocked",
    ],
    [
      "a password of the server",
      { status: 401, headers: { "www-authenticate": "Basic" } },
      "behind its server's password",
    ],
  ])("%s", async (_what, page, sentence) => {
    const failure = await failureOf(web({ "https://x.example/": page }).fetch);
    expect(failure.startsWith(SENTENCE)).toBe(true);
    expect(failure).toContain(sentence);
  });

  it("a refusal by WordPress, in its own words", async () => {
    const text = JSON.stringify({ code: "x", message: "No robots.", data: null });
    expect(await failureOf(web({ "https://x.example/": { status: 400, text } }).fetch)).toBe(
      "WORDPRESS_REJECTED: Your WordPress site refused this. The site says: No robots. | undefined",
    );
  });

  it.each(["", "   ", "https://", "not a url", "ftp://x.example", "mailto:me@x.example"])(
    "the invalid address %p",
    async (typed) => {
      const { fetch } = web({});
      const failure = await failureOf(
        (url, options) =>
          new URL(url).protocol.startsWith("http")
            ? fetch(url, options)
            : Promise.reject(new UnreachableError("protocol", "x.example")),
        typed,
      );
      expect(failure.startsWith(SENTENCE)).toBe(true);
    },
  );
});

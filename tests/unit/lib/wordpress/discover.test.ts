import type { SafeFetch } from "@/lib/net/safe-fetch";
import { UnreachableError, type UnreachableReason } from "@/lib/net/unreachable";
import { discoverSite } from "@/lib/wordpress/discover";
import { cpuTimeOf } from "@/tests/support/cpu-time";

type Page = { status?: number; headers?: Record<string, string>; text?: string; url?: string };

/** A web of the given pages; everything else is a 404. `asked` lists the addresses in order. */
function web(pages: Record<string, Page | UnreachableReason>): { fetch: SafeFetch; asked: string[] } {
  const asked: string[] = [];
  const fetch: SafeFetch = async (address) => {
    const url = String(address);
    asked.push(url);
    const page = pages[url] ?? { status: 404, text: "<html>Not found</html>" };
    if (typeof page === "string") throw new UnreachableError(page, new URL(url).host);
    return {
      status: page.status ?? 200,
      headers: new Headers(page.headers),
      url: page.url ?? url,
      text: page.text ?? "<html>",
    };
  };
  return { fetch, asked };
}

const linkTo = (root: string) => ({
  link: `<https://x.example/feed/>; rel="alternate", <${root}>; rel="https://api.w.org/"`,
});
const home = { headers: linkTo("https://x.example/wp-json/") };
const INDEX = JSON.stringify({ name: "X", namespaces: ["oembed/1.0", "wp/v2"], authentication: {} });
const failureOf = (fetch: SafeFetch, typed = "https://x.example") =>
  discoverSite(typed, { fetch }).then(
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
  ])("works from %p", async (typed) => {
    const { fetch, asked } = web({ "https://x.example/": home });
    expect(await discoverSite(typed, { fetch })).toEqual({
      apiRoot: "https://x.example/wp-json/",
      home: "https://x.example",
    });
    expect(asked).toEqual(["https://x.example/"]);
  });

  it("takes no address that is longer than addresses are", async () => {
    const { fetch } = web({ "https://x.example/": { headers: linkTo(`https://x.example/${"x".repeat(2_000)}/`) } });
    expect(await failureOf(fetch)).toBe(`${SENTENCE}The address of its REST API is too long to be one.`);
  });

  it("reads a header of nothing but opening brackets in no time", async () => {
    const { fetch } = web({ "https://x.example/": { headers: { link: "<".repeat(200_000) } } });
    expect(await cpuTimeOf(() => failureOf(fetch))).toBeLessThan(1_000);
  });

  it("keeps the folder WordPress lives in", async () => {
    const { fetch } = web({
      "https://x.example/blog/": { headers: linkTo("https://x.example/blog/index.php?rest_route=/") },
    });
    expect(await discoverSite("https://x.example/blog/wp-admin/", { fetch })).toEqual({
      apiRoot: "https://x.example/blog/index.php?rest_route=/",
      home: "https://x.example/blog",
    });
  });

  it("remembers the address it was redirected to", async () => {
    const moved = { url: "https://www.x.example/", headers: linkTo("https://www.x.example/wp-json/") };
    const { fetch } = web({ "http://x.example/": moved });
    expect((await discoverSite("http://x.example", { fetch })).apiRoot).toBe("https://www.x.example/wp-json/");
  });

  it("does not go back from https to http when WordPress takes itself for an http site", async () => {
    const { fetch } = web({ "https://x.example/": { headers: linkTo("http://x.example/wp-json/") } });
    expect((await discoverSite("x.example", { fetch })).apiRoot).toBe("https://x.example/wp-json/");
  });

  it("tries http when an address without a scheme has no https", async () => {
    const { fetch, asked } = web({
      "https://x.example/": "refused",
      "http://x.example/": { headers: linkTo("http://x.example/wp-json/") },
    });
    expect((await discoverSite("x.example", { fetch })).home).toBe("http://x.example");
    expect(asked).toEqual(["https://x.example/", "http://x.example/"]);
    expect(await failureOf(web({ "https://x.example/": "refused" }).fetch)).toContain("refused or dropped");
  });

  it("reads the page when the header got lost", async () => {
    const text = `<html><head><link rel="https://api.w.org/" href="https://x.example/wp-json/" /></head>`;
    const { fetch } = web({ "https://x.example/": { text } });
    expect((await discoverSite("https://x.example", { fetch })).apiRoot).toBe("https://x.example/wp-json/");
  });

  it.each(["<link ", 'rel="https://api.w.org/" ', '<link rel="https://api.w.org/" '])(
    "is not held up by 2 MB of %p",
    async (piece) => {
      const { fetch } = web({ "https://x.example/": { text: `<link ${piece.repeat(2_000_000 / piece.length)}` } });
      const cost = await cpuTimeOf(async () =>
        expect(await failureOf(fetch)).toContain("No WordPress was found there"),
      );
      expect(cost).toBeLessThan(5_000);
    },
  );

  it("asks the usual addresses when the page does not say", async () => {
    const pretty = web({ "https://x.example/": {}, "https://x.example/wp-json/": { text: INDEX } });
    expect((await discoverSite("https://x.example", pretty)).apiRoot).toBe("https://x.example/wp-json/");
    const plain = web({
      "https://x.example/": {},
      "https://x.example/?rest_route=%2F": { text: `\uFEFF<br />Notice${INDEX}` },
    });
    expect((await discoverSite("https://x.example", plain)).apiRoot).toBe("https://x.example/?rest_route=/");
  });

  it("takes a REST API for members alone as one", async () => {
    const text = JSON.stringify({ code: "rest_login_required", message: "Sorry", data: { status: 401 } });
    const { fetch } = web({ "https://x.example/": {}, "https://x.example/wp-json/": { status: 401, text } });
    expect((await discoverSite("https://x.example", { fetch })).apiRoot).toBe("https://x.example/wp-json/");
  });
});

describe("a site that is not found says why", () => {
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
    ["maintenance", { status: 503, headers: { "retry-after": "600" } }, "maintenance mode"],
    ["a server that is down behind its proxy", { status: 502 }, "an error of its own (502)"],
    [
      "Cloudflare",
      { status: 403, headers: { "cf-ray": "1" }, text: "<title>Just a moment...</title>" },
      "Cloudflare blocked",
    ],
    ["a password of the server", { status: 401, headers: { "www-authenticate": "Basic" } }, "behind a password"],
  ])("%s", async (_what, page, sentence) => {
    const failure = await failureOf(web({ "https://x.example/": page }).fetch);
    expect(failure.startsWith(SENTENCE)).toBe(true);
    expect(failure).toContain(sentence);
  });

  it.each(["", "   ", "https://", "not a url", "ftp://x.example", "mailto:me@x.example"])(
    "the address %p",
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

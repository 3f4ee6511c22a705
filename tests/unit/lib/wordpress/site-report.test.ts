import { UnreachableError } from "@/lib/net/unreachable";
import { pluginsOf, versionIn } from "@/lib/wordpress/site-report";
import { type Answer, type SentRequest, siteThat } from "@/tests/support/wordpress/site-that";

const INDEX = {
  name: "R&amp;D",
  namespaces: ["oembed/1.0", "yoast/v1", "wp/v2"],
  authentication: [],
  routes: [],
};
const ACCOUNT = { id: 3, roles: ["author"], capabilities: { publish_posts: true, upload_files: true } };

function reportOf(index: object = INDEX, account: object = ACCOUNT, feed: () => Answer = () => ({ json: undefined })) {
  const site = siteThat((request: SentRequest) => {
    if (request.url.searchParams.has("feed")) return feed();
    return { json: request.url.pathname.endsWith("/users/me") ? account : index };
  });
  const report = async () => site.client.reportSite(await site.client.checkConnection());
  return { report, requests: site.requests };
}

describe("the report of a site", () => {
  it("names site, role and plugins, and what the role may not do", async () => {
    expect(await reportOf().report()).toEqual({
      name: "R&D",
      url: "https://x.example",
      version: null,
      role: "author",
      mayNot: ["create categories", "edit others' posts"],
      plugins: ["Yoast SEO"],
    });
  });

  it("names the host of a site without a name, and no role of a user who has none there", async () => {
    const { report } = reportOf({ routes: [] }, { ...ACCOUNT, roles: [], capabilities: {} });
    expect(await report()).toMatchObject({
      name: "x.example",
      role: null,
      mayNot: ["publish posts", "create categories", "edit others' posts", "upload files"],
      plugins: [],
    });
  });

  it("asks for the feed without the login", async () => {
    const { report, requests } = reportOf();
    await report();
    const [feed] = requests.filter(({ url }) => url.searchParams.has("feed"));
    expect(feed?.url.href).toBe("https://x.example/?feed=rss2");
    expect(feed?.headers).not.toHaveProperty("Authorization");
  });

  it("does without the version when the feed is not to be had", async () => {
    const broken = () => {
      throw new UnreachableError("timeout", "x.example");
    };
    expect(await reportOf(INDEX, ACCOUNT, broken).report()).toMatchObject({ version: null, role: "author" });
  });

  it("passes on a fault of ours", async () => {
    const broken = () => {
      throw new Error("a fault of ours");
    };
    await expect(reportOf(INDEX, ACCOUNT, broken).report()).rejects.toThrow("a fault of ours");
  });
});

it.each([
  ["<generator>https://wordpress.org/?v=6.5.5</generator>", "6.5.5"],
  ["<generator>http://wordpress.org/?v=4.9</generator>", "4.9"],
  ["<generator>https://wordpress.org/?v=6.7-alpha-58946</generator>", "6.7-alpha-58946"],
  ["<generator>https://wordpress.org/?v=6.7-RC2</generator>", "6.7-RC2"],
  ["<generator>https://wordpress.org/?v=abcdefghijkl</generator>", null],
  ["<generator>https://elsewhere.example/?v=6.5.5</generator>", null],
  ["<title>https://wordpress.org/?v=6.5.5</title>", null],
  ["", null],
])("reads the version that a feed names: %s", (feed, version) => expect(versionIn(feed)).toBe(version));

it("knows plugins by their namespaces, each once, and no others", () => {
  const seen = ["wp/v2", "wc/v3", "wc/store/v1", "rankmath/v1", "litespeed/v1", "wcs/v1", "my-yoast/v1"];
  expect(pluginsOf(seen)).toEqual(["Rank Math", "WooCommerce", "LiteSpeed Cache"]);
  expect(pluginsOf([])).toEqual([]);
});

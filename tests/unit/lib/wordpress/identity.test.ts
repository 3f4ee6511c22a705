import { updatePost } from "@/tests/support/wordpress/one-write";
import { aPost, siteThat, UNEXPECTED } from "@/tests/support/wordpress/site-that";

describe("a post's identity", () => {
  const read = async (fields: object) => {
    const found = await siteThat(() => ({ json: aPost(7, fields) })).client.readPost(7);
    return found.state === "found" ? { guid: found.guid, dateGmt: found.dateGmt } : found;
  };
  const LONGEST = `https://x.example/${"x".repeat(1_982)}`;

  it.each<[string, object, string | null, string | null]>([
    [
      "as it stands",
      { guid: { raw: "https://x.example/?p=7" }, date_gmt: "2026-01-02T03:04:05" },
      "https://x.example/?p=7",
      "2026-01-02T03:04:05",
    ],
    ["missing", {}, null, null],
    ["hidden by a plugin", { guid: null, date_gmt: null }, null, null],
    ["not in the edit context", { guid: { rendered: "https://x.example/?p=7" } }, null, null],
    ["of another type", { guid: "https://x.example/?p=7", date_gmt: 0 }, null, null],
    ["a guid as long as an address may be", { guid: { raw: LONGEST } }, LONGEST, null],
    ["a longer guid", { guid: { raw: `${LONGEST}x` } }, null, null],
    ["a date with a zone", { date_gmt: "2026-01-02T03:04:05Z" }, null, null],
    ["a date with text before it", { date_gmt: "x2026-01-02T03:04:05" }, null, null],
  ])("is read: %s", async (_what, fields, guid, dateGmt) => {
    expect(await read(fields)).toEqual({ guid, dateGmt });
  });

  it("is asked for with every post", async () => {
    const { client, requests } = siteThat(() => ({ json: aPost(7) }));
    await client.readPost(7);
    await updatePost(client, 7, { title: "A" });
    for (const { url } of requests)
      expect(url.searchParams.get("_fields")).toContain(",guid.raw,date_gmt,modified_gmt,");
  });
});

describe("the index of a site", () => {
  const said = { name: "R&amp;D", url: "https://x.example/wp", home: "https://x.example" };
  const batch = { "/batch/v1": { methods: ["POST"] } };
  const page = "https://x.example/wp/wp-admin/authorize-application.php";
  const authentication = { "application-passwords": { endpoints: { authorization: page } } };
  const nothing = { name: null, url: null, home: null, namespaces: [], authorization: null };

  it.each<[string, object, object]>([
    [
      "a usual one",
      { ...said, namespaces: ["wp/v2", "yoast/v1"], authentication, routes: batch },
      { ...said, name: "R&D", namespaces: ["wp/v2", "yoast/v1"], authorization: page, hasBatch: true },
    ],
    ["no batches, in PHP's words", { ...said, routes: [] }, { ...nothing, ...said, name: "R&D", hasBatch: false }],
    [
      "all its routes",
      { ...said, routes: { "/": {}, "/wp/v2": {} } },
      { ...nothing, ...said, name: "R&D", hasBatch: false },
    ],
    ["nothing of itself", { routes: batch }, { ...nothing, hasBatch: true }],
    [
      "no passwords, in PHP's words, and odd namespaces",
      { namespaces: { 0: "wp/v2", 2: 7 }, authentication: [], routes: [] },
      { ...nothing, hasBatch: false },
    ],
    [
      "a list with gaps, in PHP's words",
      { namespaces: { 0: "wp/v2", 2: "wc/v3" }, routes: [] },
      { ...nothing, namespaces: ["wp/v2", "wc/v3"], hasBatch: false },
    ],
    [
      "a page to approve at that is none",
      {
        authentication: { "application-passwords": { endpoints: { authorization: "javascript:alert(1)" } } },
        routes: [],
      },
      { ...nothing, hasBatch: false },
    ],
    [
      "odd things of itself",
      { name: 7, url: ["x"], home: "javascript:alert(1)", routes: [] },
      { ...nothing, hasBatch: false },
    ],
    ["half an address", { name: null, url: "https://", home: "http://[", routes: [] }, { ...nothing, hasBatch: false }],
    [
      "addresses that are none",
      { name: "", url: `https://x.example/${"x".repeat(2_000)}`, home: "x.example", routes: [] },
      { ...nothing, name: "", hasBatch: false },
    ],
  ])("is read: %s", async (_what, json, expected) => {
    expect(await siteThat(() => ({ json })).client.readIndex()).toEqual(expected);
  });

  it.each([[{}], [{ ...said }], [[]], [{ ...said, routes: ["/batch/v1"] }], [{ ...said, routes: "x" }]])(
    "is refused: %j",
    async (json) => {
      await expect(siteThat(() => ({ json })).client.readIndex()).rejects.toMatchObject(UNEXPECTED);
    },
  );

  it("is asked for with the login, and for one route only", async () => {
    const { client, requests } = siteThat(() => ({ json: { ...said, routes: [] } }));
    await client.readIndex();
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers).toHaveProperty("Authorization");
    expect(requests[0]?.url.href).toMatch(
      /^https:\/\/x\.example\/wp-json\/\?_fields=name%2Curl%2Chome%2Cnamespaces%2Cauthentication%2Croutes.%2Fbatch%2Fv1&cp=/,
    );
  });
});

import { UnreachableError } from "@/lib/net/unreachable";
import { createWordPressClient } from "@/lib/wordpress/client";
import { createDraft, updatePost } from "@/tests/support/wordpress/one-write";
import {
  type Answer,
  aPost,
  refusal,
  type SentRequest,
  siteThat,
  UNEXPECTED,
} from "@/tests/support/wordpress/site-that";

const categories = (count: number) => Array.from({ length: count }, (_, n) => ({ id: n + 1, name: `Category ${n}` }));
describe("a request", () => {
  it("that reads has no body, a ten-second timeout and an eight-megabyte limit", async () => {
    const { client, requests } = siteThat(() => ({ json: [] }));
    await client.findByMarkers(["m"]);
    expect(requests[0]).toMatchObject({ method: "GET", timeoutMs: 10_000, maxBytes: 8_000_000, redirects: 0 });
    expect(requests[0]).not.toHaveProperty("body");
    expect(requests[0]?.headers).not.toHaveProperty("Content-Type");
  });

  it("that writes declares its body as JSON", async () => {
    const { client, requests } = siteThat(() => ({ status: 201, json: aPost(7) }));
    await createDraft(client, { marker: "m", title: "t" });
    expect(requests[0]?.headers).toMatchObject({ "Content-Type": "application/json" });
  });

  it.each([
    [200, true],
    [299, true],
    [300, false],
  ])("answered with %s has succeeded: %s", async (status, succeeds) => {
    const { client } = siteThat(() => ({ status, json: aPost(7) }));
    const found = await client.readPost(7).catch(() => "failed");
    expect(found).toEqual(succeeds ? expect.objectContaining({ id: 7 }) : "failed");
  });
});

describe("looking up a post", () => {
  it("refuses an answer about another post", async () => {
    const { client } = siteThat(() => ({ json: aPost(8) }));
    const failure = await client.readPost(7).catch((error: unknown) => error);
    expect(failure).toMatchObject(UNEXPECTED);
    expect(failure).not.toHaveProperty("outcome");
    await expect(updatePost(client, 7, { title: "A" })).rejects.toMatchObject({ ...UNEXPECTED, outcome: "unknown" });
  });

  it("fails without a write outcome when the answer is not a list", async () => {
    const { client } = siteThat(() => ({ json: { id: 7 } }));
    const failure = await client.findByMarkers(["m"]).catch((error: unknown) => error);
    expect(failure).toMatchObject(UNEXPECTED);
    expect(failure).not.toHaveProperty("outcome");
  });
});

describe("a new post", () => {
  it("has an unknown outcome after an unexpected answer to its creation", async () => {
    for (const answer of [
      { status: 200, json: aPost(7) },
      { status: 201, json: { ...aPost(7), id: "7" } },
    ]) {
      const attempt = createDraft(siteThat(() => answer).client, { marker: "m", title: "A" });
      await expect(attempt).rejects.toMatchObject({ ...UNEXPECTED, outcome: "unknown" });
    }
  });

  it("reads as gone once the site has deleted it, and any other refusal is an error", async () => {
    const read = (answer: Answer) => siteThat(() => answer).client.readPost(7);
    expect(await read(refusal(404, "rest_post_invalid_id"))).toEqual({ state: "gone" });
    expect(await read({ json: aPost(7) })).toMatchObject({ state: "found", id: 7, content: "Text" });
    await expect(read(refusal(403, "rest_forbidden"))).rejects.toMatchObject({ type: "WORDPRESS_FORBIDDEN" });
  });
});

describe("a value from a site", () => {
  it("is dropped as a link of more than 2,000 characters", async () => {
    const linkOf = async (link: string) => {
      const found = await siteThat(() => ({ json: aPost(7, { link }) })).client.readPost(7);
      return found.state === "found" && found.link;
    };
    const longest = `https://x.example/${"x".repeat(1_982)}`;
    expect(await linkOf(longest)).toBe(longest);
    expect(await linkOf(`${longest}x`)).toBeNull();
  });

  it.each([
    ["x".repeat(200), "x".repeat(200)],
    ["x".repeat(201), "x".repeat(200)],
    ["&#x000026;".repeat(201), "&".repeat(200)],
    ["&#x00026;".repeat(201), "&".repeat(200)],
  ])("is cut to 200 characters as the name of a category: %p", async (name, kept) => {
    const { client } = siteThat(() => ({ json: { id: 7, name } }));
    expect(await client.readCategory(7)).toEqual({ id: 7, name: kept });
  });

  it("is refused as a list of more than a thousand items", async () => {
    const listed = (count: number) => siteThat(() => ({ json: categories(count) })).client.listCategories();
    await expect(listed(1_001)).rejects.toMatchObject(UNEXPECTED);
    const last = siteThat((_request, count) => ({ json: count === 1 ? categories(1_000) : [] }));
    expect(await last.client.listCategories()).toHaveLength(1_000);
  });

  it.each([
    [{ id: 3, roles: ["editor"], capabilities: ["publish_posts"] }],
    [{ id: 3, roles: null, capabilities: {} }],
    [{ id: 3, roles: "editor", capabilities: {} }],
  ])("is refused as an account: %j", async (json) => {
    const failure = await siteThat(() => ({ json }))
      .client.checkConnection()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject(UNEXPECTED);
    expect(failure).not.toHaveProperty("outcome");
  });
});

describe("the list of categories", () => {
  const pageOf = ({ url }: SentRequest) => Number(url.searchParams.get("page"));

  it("is read page by page, to the last page of the site", async () => {
    const { client, requests } = siteThat(() => ({ headers: { "x-wp-totalpages": "2" }, json: categories(1) }));
    expect(await client.listCategories()).toHaveLength(2);
    expect(requests.map(pageOf)).toEqual([1, 2]);
    expect(requests[0]?.url.searchParams.get("per_page")).toBe("100");
  });

  it("ends with a page that is not full when the site does not give the number of pages", async () => {
    const { client, requests } = siteThat((_request, count) => ({ json: categories(count < 3 ? 100 : 99) }));
    expect(await client.listCategories()).toHaveLength(299);
    expect(requests.map(pageOf)).toEqual([1, 2, 3]);
  });

  it("ends after a hundred pages, whatever the site says", async () => {
    const { client, requests } = siteThat(() => ({ headers: { "x-wp-totalpages": "1000" }, json: categories(1) }));
    expect(await client.listCategories()).toHaveLength(100);
    expect(requests).toHaveLength(100);
  });

  it("fails without a write outcome when the answer is not a list of categories", async () => {
    const failure = await siteThat(() => ({ json: {} }))
      .client.listCategories()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject(UNEXPECTED);
    expect(failure).not.toHaveProperty("outcome");
  });
});

describe("a category", () => {
  it("is missing only if the site says so", async () => {
    const failureOf = (answer: Answer) => siteThat(() => answer).client.readCategory(7);
    expect(await failureOf(refusal(404, "rest_term_invalid"))).toBeNull();
    await expect(failureOf(refusal(403, "rest_forbidden"))).rejects.toMatchObject({ type: "WORDPRESS_FORBIDDEN" });
    for (const json of [{ id: 8, name: "Another" }, { name: "Without id" }]) {
      const failure = await failureOf({ json }).catch((error: unknown) => error);
      expect(failure).toMatchObject(UNEXPECTED);
      expect(failure).not.toHaveProperty("outcome");
    }
    const away = siteThat(() => {
      throw new UnreachableError("timeout", "x.example", { sent: true });
    });
    await expect(away.client.readCategory(7)).rejects.toMatchObject({ type: "CONNECTION_ERROR" });
    await expect(away.client.ensureCategory("News")).rejects.toMatchObject({ type: "CONNECTION_ERROR" });
  });

  const created = { id: 7, name: "News", parent: 0, count: 0 };

  it.each([
    ["another status", { status: 200, json: created }],
    ["another shape", { status: 201, json: { id: 7 } }],
  ])("may have been created when the answer has %s", async (_what, answer) => {
    const attempt = siteThat(() => answer).client.ensureCategory("News");
    await expect(attempt).rejects.toMatchObject({ ...UNEXPECTED, outcome: "unknown" });
  });

  it("that exists already is found by the id in the refusal, and fails without one", async () => {
    const ensured = (data: object) => siteThat(() => refusal(400, "term_exists", data)).client.ensureCategory("News");
    expect(await ensured({ term_id: 9 })).toBe(9);
    await expect(ensured({})).rejects.toMatchObject({ type: "WORDPRESS_REJECTED" });
  });

  it("is not looked up when the login was refused", async () => {
    const { client, requestLines } = siteThat(() => refusal(401, "rest_cannot_create"));
    await expect(client.ensureCategory("News")).rejects.toMatchObject({ type: "WORDPRESS_REJECTED" });
    expect(requestLines()).toEqual(["POST categories"]);
  });

  it("is looked up by name, ignoring case, when the account may not create one", async () => {
    const site = (name: string) =>
      siteThat(({ method }) =>
        method === "POST" ? refusal(403, "rest_cannot_create") : { json: [{ id: 9, name }] },
      ).client.ensureCategory("News");
    expect(await site("NEWS")).toBe(9);
    await expect(site("Newspaper")).rejects.toMatchObject({ type: "WORDPRESS_FORBIDDEN" });
  });

  it("passes on an internal error of the search for duplicates", async () => {
    const { client } = siteThat(({ method }) => {
      if (method === "POST") return { status: 201, json: created };
      throw new Error("a fault of ours");
    });
    await expect(client.ensureCategory("News")).rejects.toThrow("a fault of ours");
  });
});

describe("the connection check", () => {
  const editor = { id: 3, roles: ["editor"], capabilities: { publish_posts: true, manage_categories: true } };

  it("warns of a site without https", async () => {
    const warnings = async (apiRoot: string) =>
      (await siteThat(() => ({ json: editor }), apiRoot).client.checkConnection()).warnings;
    expect(await warnings("https://x.example/wp-json/")).toEqual([]);
    expect(await warnings("http://x.example/wp-json/")).toEqual([
      "The site is not served over https: the application password travels unencrypted.",
    ]);
  });

  it("warns that a category cannot be created of an account that may publish", async () => {
    const warnings = async (capabilities: object) =>
      (await siteThat(() => ({ json: { ...editor, capabilities } })).client.checkConnection()).warnings;
    expect(await warnings({ publish_posts: true })).toEqual([expect.stringContaining("may not create categories")]);
    expect(await warnings({})).toEqual([expect.stringContaining("may not publish posts")]);
    expect(await warnings({ manage_categories: true })).toEqual([expect.stringContaining("may not publish posts")]);
  });

  it.each<[string, Answer | null]>([
    ["passwords are on", { json: { namespaces: ["wp/v2"], authentication: { "application-passwords": {} } } }],
    ["the index lists something else", { json: { namespaces: ["wp/v2"], authentication: ["x"] } }],
    ["there is no index", { status: 404, json: {} }],
    ["the index times out", null],
  ])("names the refused login when %s", async (_what, index) => {
    const { client, requests } = siteThat(({ url }) => {
      if (url.pathname !== "/wp-json/") return refusal(401, "rest_not_logged_in");
      if (index === null) throw new UnreachableError("timeout", "x.example", { sent: true });
      return index;
    });
    await expect(client.checkConnection()).rejects.toMatchObject({
      message: expect.stringContaining("did not accept the login"),
    });
    const [login, indexRequest] = requests;
    expect(login?.headers).toHaveProperty("Authorization");
    expect(indexRequest?.headers).not.toHaveProperty("Authorization");
  });

  it("does not fetch the index after any other refusal", async () => {
    const { client, requests } = siteThat(() => refusal(401, "incorrect_password"));
    await expect(client.checkConnection()).rejects.toMatchObject({ type: "WORDPRESS_REJECTED" });
    expect(requests).toHaveLength(1);
  });

  it("does not hide an internal error behind the refused login", async () => {
    const { client } = siteThat(({ url }) => {
      if (url.pathname !== "/wp-json/") return refusal(401, "rest_not_logged_in");
      throw new Error("a fault of ours");
    });
    await expect(client.checkConnection()).rejects.toThrow("a fault of ours");
  });
});

describe("a refusal of WordPress", () => {
  const messageOf = async (status: number, code: string, message = "No, sorry.") => {
    const { client } = siteThat(() => ({ status, json: { code, message, data: { status } } }));
    const { type, message: sentence } = await client.findByMarkers(["m"]).then(
      () => Promise.reject(new Error("It did not fail.")),
      (error: Error & { type: string }) => error,
    );
    return `${type}: ${sentence}`;
  };
  const FORBIDDEN =
    "WORDPRESS_FORBIDDEN: Your WordPress account is not allowed to do this. Use an account with the Editor or Administrator role.";
  const REFUSED = "WORDPRESS_REJECTED: Your WordPress site refused this.";
  const BROKEN =
    "WORDPRESS_REJECTED: Your WordPress site had an internal error. Check the post list there before you try again.";

  it.each([
    [400, "x", "No, sorry.", `${REFUSED} The site says: No, sorry.`],
    [400, "x", "", REFUSED],
    [402, "x", "No, sorry.", `${REFUSED} The site says: No, sorry.`],
    [403, "x", "No, sorry.", `${FORBIDDEN} The site says: No, sorry.`],
    [403, "x", "", FORBIDDEN],
    [403, "constructor", "No, sorry.", `${FORBIDDEN} The site says: No, sorry.`],
    [404, "x", "No, sorry.", `${REFUSED} The site says: No, sorry.`],
    [400, "rest_post_invalid_id", "No, sorry.", `${REFUSED} The site says: No, sorry.`],
    [499, "x", "No, sorry.", `${REFUSED} The site says: No, sorry.`],
    [500, "x", "No, sorry.", `${BROKEN} The site says: No, sorry.`],
    [500, "x", "", BROKEN],
  ])("with status %s, code %p and message %p has its own sentence", async (status, code, message, sentence) => {
    expect(await messageOf(status, code, message)).toBe(sentence);
  });

  it("that we explain does not quote the site", async () => {
    expect(await messageOf(403, "rest_cannot_publish")).toBe(
      "WORDPRESS_FORBIDDEN: Your WordPress account may write drafts but not publish them. Use an account with the Author, Editor or Administrator role.",
    );
    expect(await messageOf(401, "invalid_email")).toContain("knows no user by that name");
  });
});

it("contacts no private address by default", async () => {
  const client = createWordPressClient({
    userId: "one",
    apiRoot: "http://127.0.0.1:9/wp-json/",
    username: "me",
    password: "secret",
  });
  await expect(client.readPost(7)).rejects.toMatchObject({
    details: { detail: expect.stringContaining("is a private address") },
  });
});

import { createSafeFetch } from "@/lib/net/safe-fetch";
import { createWordPressClient, type WordPressClient } from "@/lib/wordpress/client";
import { discoverSite } from "@/lib/wordpress/discover";
import { type SampleWordPress, startSampleWordPress } from "@/tests/support/wordpress-site";

const fetch = createSafeFetch({ allowedHosts: "127.0.0.1" });
const post = { title: "Title", content: "Text", slug: "title" };

let site: SampleWordPress;
let client: WordPressClient;
let remembered: number[];
const onDraft = async (id: number) => {
  remembered.push(id);
};
const publish = (mayExist = false) => client.publishNew({ marker: "cp-1", post, onDraft, mayExist });

beforeEach(async () => {
  remembered = [];
  site = await startSampleWordPress();
  const { apiRoot } = await discoverSite(site.url, { fetch });
  const { username, applicationPassword: password } = site;
  client = createWordPressClient({ apiRoot, username, password, fetch, timeoutMs: 300 });
});
afterEach(() => site.close());

describe("publishing a new post", () => {
  it("takes two writes and no lookup when nothing fails", async () => {
    expect(await publish()).toMatchObject({ status: "publish", slug: "title" });
    expect(site.requests).toEqual(["POST /wp/v2/posts", `POST /wp/v2/posts/${remembered[0]}`]);
  });

  it.each(["hangAfterCreate", "failAfterCreate"] as const)(
    "creates one post when the response is lost (%s)",
    async (fault) => {
      site.faults[fault] = 1;
      expect(await publish()).toMatchObject({ status: "publish" });
      expect(site.posts()).toHaveLength(1);
      expect(remembered).toEqual([site.posts()[0]?.id]);
    },
  );

  it("creates one post when it is retried after its response was lost", async () => {
    site.faults.hangAfterCreate = 1;
    const requests = jest.fn(fetch);
    // The look-up fails as well: the site is gone from the moment the draft is stored.
    requests.mockImplementation(async (url, options) => {
      if (options?.method === "GET") site.faults.down = true;
      return fetch(url, options);
    });
    const { username, applicationPassword: password } = site;
    const apiRoot = `${site.url}/wp-json/`;
    const cut = createWordPressClient({ apiRoot, username, password, fetch: requests, timeoutMs: 300 });
    await expect(cut.publishNew({ marker: "cp-1", post, onDraft })).rejects.toMatchObject({ outcome: "unknown" });
    expect(remembered).toEqual([]);

    site.faults.down = false;
    expect(await publish(true)).toMatchObject({ status: "publish" });
    expect(site.posts()).toHaveLength(1);
  });

  it("leaves a draft with a known id when the second response is lost, so that an update can finish it", async () => {
    site.faults.failAfterUpdate = 1;
    await expect(publish()).rejects.toMatchObject({ outcome: "unknown", type: "WORDPRESS_REJECTED" });
    const [id = 0] = remembered;
    expect(await client.updatePost(id, { ...post, status: "publish" })).toMatchObject({ id, status: "publish" });
    expect(site.posts()).toHaveLength(1);
  });

  it("writes nothing more when the id cannot be saved", async () => {
    const broken = client.publishNew({ marker: "cp-1", post, onDraft: () => Promise.reject(new Error("no database")) });
    await expect(broken).rejects.toThrow("no database");
    expect(site.posts()).toMatchObject([{ status: "draft", slug: "cp-1" }]);
  });

  it.each<[string, (faulty: SampleWordPress) => void, object]>([
    ["down", (faulty) => Object.assign(faulty.faults, { down: true }), { type: "CONNECTION_ERROR" }],
    [
      "slow",
      (faulty) => Object.assign(faulty.faults, { delayMs: 400 }),
      { type: "CONNECTION_ERROR", outcome: "unknown" },
    ],
    [
      "answering HTML",
      (faulty) => Object.assign(faulty.faults, { html200: true }),
      { type: "CONNECTION_ERROR", outcome: "unknown" },
    ],
    [
      "dropping the login",
      (faulty) => Object.assign(faulty.faults, { stripAuthorization: true }),
      { type: "WORDPRESS_REJECTED", outcome: "refused" },
    ],
    [
      "refusing large bodies",
      (faulty) => Object.assign(faulty.faults, { tooLarge: true }),
      { type: "WORDPRESS_REJECTED", outcome: "refused" },
    ],
    [
      "redirecting",
      (faulty) => Object.assign(faulty.faults, { redirectTo: "https://y.example" }),
      { type: "CONNECTION_ERROR", outcome: "refused" },
    ],
    [
      "in maintenance",
      (faulty) => Object.assign(faulty.faults, { maintenance: true }),
      { type: "CONNECTION_ERROR", outcome: "refused", retryAfter: 600 },
    ],
    [
      "behind a firewall",
      (faulty) => Object.assign(faulty.faults, { firewall: true }),
      { type: "CONNECTION_ERROR", outcome: "refused" },
    ],
  ])("stores nothing twice while the site is %s", async (_how, fail, failure) => {
    fail(site);
    await expect(publish()).rejects.toMatchObject(failure);
    Object.assign(site.faults, { ...site.faults, down: false, delayMs: 0, html200: false, stripAuthorization: false });
    Object.assign(site.faults, { tooLarge: false, redirectTo: null, maintenance: false, firewall: false });
    expect(await publish(true)).toMatchObject({ status: "publish" });
    expect(site.posts()).toHaveLength(1);
  });

  it("understands a site whose plugins print notices before every answer", async () => {
    site.faults.dirtyJson = true;
    expect(await publish()).toMatchObject({ status: "publish", content: "Text" });
  });
});

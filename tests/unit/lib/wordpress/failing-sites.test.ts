import { createSafeFetch } from "@/lib/net/safe-fetch";
import { createWordPressClient, type WordPressClient } from "@/lib/wordpress/client";
import { discoverSite } from "@/lib/wordpress/discover";
import { noFaults } from "@/scripts/samples/wordpress/faults";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { createDraft, publishNew, updatePost } from "@/tests/support/wordpress/one-write";
import { A_CALLER } from "@/tests/support/wordpress/site-that";

const fetch = createSafeFetch({ allowedHosts: "127.0.0.1" });

let site: SampleWordPress;
let client: WordPressClient;

beforeEach(async () => {
  site = await startSampleWordPress();
  const { apiRoot } = await discoverSite(site.url, { ...A_CALLER, fetch });
  const { username, applicationPassword: password } = site;
  client = createWordPressClient({ userId: "one", apiRoot, username, password, fetch, timeoutMs: 300 });
});
afterEach(() => site.close());

const create = () => createDraft(client, { marker: "cp-1", title: "Title" });

describe("a creation", () => {
  it.each(["hangAfterCreate", "failAfterCreate"] as const)(
    "whose response is lost may have been done, and its marker finds it (%s)",
    async (fault) => {
      site.faults[fault] = 1;
      await expect(create()).rejects.toMatchObject({ outcome: "unknown" });
      const [post] = site.posts();
      expect((await client.findByMarkers(["cp-1"])).get("cp-1")).toEqual([
        { id: post?.id, status: "draft", isEmpty: true, meta: {} },
      ]);
    },
  );

  it.each<[string, Partial<SampleWordPress["faults"]>, object]>([
    ["down", { down: true }, { type: "CONNECTION_ERROR" }],
    ["answering HTML", { html200: true }, { type: "CONNECTION_ERROR", outcome: "unknown" }],
    ["dropping the login", { stripAuthorization: true }, { type: "WORDPRESS_REJECTED", outcome: "refused" }],
    ["refusing large bodies", { tooLarge: true }, { type: "WORDPRESS_REJECTED", outcome: "refused" }],
    ["redirecting", { redirectTo: "https://y.example" }, { type: "CONNECTION_ERROR", outcome: "unknown" }],
    ["in maintenance", { maintenance: true }, { type: "CONNECTION_ERROR", outcome: "refused", retryAfter: 600 }],
    ["behind a firewall", { firewall: true }, { type: "CONNECTION_ERROR", outcome: "unknown" }],
  ])("on a site that is %s makes no post, and fails for what that is", async (_how, faults, failure) => {
    Object.assign(site.faults, faults);
    await expect(create()).rejects.toMatchObject(failure);
    Object.assign(site.faults, noFaults());
    expect(site.posts()).toEqual([]);
  });
});

it("leaves a draft with a known id when the second response is lost, so that an update can finish it", async () => {
  site.faults.failAfterUpdate = 1;
  const { id } = await create();
  const text = { title: "Title", content: "Text", slug: "title", status: "publish" } as const;
  await expect(updatePost(client, id, text)).rejects.toMatchObject({ outcome: "unknown", type: "WORDPRESS_REJECTED" });
  expect(await updatePost(client, id, text)).toMatchObject({ id, status: "publish" });
  expect(site.posts()).toHaveLength(1);
});

it("understands a site whose plugins print notices before every answer", async () => {
  site.faults.dirtyJson = true;
  const published = await publishNew(client, { marker: "cp-1", title: "Title", content: "Text" });
  expect(published).toMatchObject({ status: "publish", slug: "title", content: "Text" });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createSafeFetch } from "@/lib/net/safe-fetch";
import { renderPost } from "@/lib/wordpress/blocks";
import { createWordPressClient } from "@/lib/wordpress/client";
import { discoverSite } from "@/lib/wordpress/discover";
import {
  type SampleWordPress,
  type SampleWordPressOptions,
  startSampleWordPress,
} from "@/scripts/samples/wordpress-site";
import { createDraft, publishNew, updatePost } from "@/tests/support/wordpress/one-write";
import { A_CALLER } from "@/tests/support/wordpress/site-that";

const fetch = createSafeFetch({ allowedHosts: "127.0.0.1" });
const open: SampleWordPress[] = [];
const folder = mkdtempSync(path.join(os.tmpdir(), "sample-wordpress-"));

async function start(options: SampleWordPressOptions = {}) {
  const site = await startSampleWordPress(options);
  open.push(site);
  const { apiRoot } = await discoverSite(site.url, { ...A_CALLER, fetch });
  const { username, applicationPassword: password } = site;
  return { site, client: createWordPressClient({ userId: "one", apiRoot, username, password, fetch }) };
}
const publish = ({ client }: Awaited<ReturnType<typeof start>>, title: string, text = "Text") =>
  publishNew(client, { marker: `m-${title}`, title, content: renderPost(text) });

afterEach(() => Promise.all(open.splice(0).map((site) => site.close())));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the public pages of the sample site", () => {
  it("all say that the site is a sample", async () => {
    const sample = await start();
    const { link } = await publish(sample, "Shown");
    for (const address of [
      sample.site.url,
      String(link),
      `${sample.site.url}/nothing-here/`,
      `${sample.site.url}/wp-admin/`,
    ]) {
      expect((await fetch(address)).text).toContain("This is a sample WordPress site.");
    }
  });

  it.each(["pretty", "plain"] as const)("list published posts newest first, with %s permalinks", async (permalinks) => {
    let now = new Date("2026-03-01T12:00:00Z");
    const sample = await start({ permalinks, clock: () => now });
    const { link } = await publish(sample, "First & <foremost>", "With **bold** words\n\n- and a list");
    now = new Date("2026-03-02T12:00:00Z");
    await publish(sample, "Second");
    await createDraft(sample.client, { marker: "hidden", title: "Hidden" });

    const home = (await fetch(sample.site.url)).text;
    expect(home.indexOf("Second")).toBeGreaterThan(0);
    expect(home.indexOf("First &amp; &lt;foremost&gt;")).toBeGreaterThan(home.indexOf("Second"));
    expect(home).not.toContain("Hidden");
    const page = await fetch(String(link));
    expect(page.text).toContain("<p>With <strong>bold</strong> words</p>");
    expect(page.text).toContain("March 1, 2026");
    expect(page.text).not.toContain("<!-- wp:");
  });

  it("run no script, whatever a post contains", async () => {
    const sample = await start();
    const { id, link } = await publish(sample, "Bad");
    sample.site.edit(id, { content: "<script>alert(1)</script>" });
    expect((await fetch(String(link))).headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; img-src .*; style-src /,
    );
  });
});

describe("the sample site's file", () => {
  it("keeps posts, categories and ids across a restart", async () => {
    const dataFile = path.join(folder, "site.json");
    const before = await start({ dataFile });
    const category = await before.client.ensureCategory("Kept");
    const { id } = await publish(before, "Kept");
    await before.site.close();

    const after = await start({ dataFile });
    expect(await after.client.readPost(id)).toMatchObject({ state: "found", title: "Kept", status: "publish" });
    expect(await after.client.ensureCategory("Kept")).toBe(category);
    expect((await publish(after, "New")).id).toBeGreaterThan(id);
  });
});

it("gives posts of an older file their first addresses", async () => {
  const dataFile = path.join(folder, "older.json");
  const before = await start({ dataFile });
  const { id } = await publish(before, "Old");
  await before.site.close();
  writeFileSync(dataFile, readFileSync(dataFile, "utf8").replace(/,"guid":"[^"]*"/, ""));
  const after = await start({ dataFile });
  expect(await after.client.readPost(id)).toMatchObject({ guid: `${after.site.url}/?p=${id}` });
});

describe("another editor of the sample site", () => {
  it("edits, trashes and removes posts", async () => {
    const sample = await start();
    const { id } = await publish(sample, "Post");
    sample.site.edit(id, { content: "Changed" });
    expect(await sample.client.readPost(id)).toMatchObject({ content: "Changed" });
    sample.site.trash(id);
    expect(await sample.client.readPost(id)).toMatchObject({ status: "trash" });
    sample.site.remove(id);
    expect(await sample.client.readPost(id)).toEqual({ state: "gone" });
  });
});

describe("the sample site's address", () => {
  const rootOf = async (site: SampleWordPress) => (await discoverSite(site.url, { ...A_CALLER, fetch })).apiRoot;

  it("of its REST API changes with its permalinks, while it runs", async () => {
    const { site, client } = await start();
    site.setPermalinks("plain");
    expect(await rootOf(site)).toBe(`${site.url}/index.php?rest_route=/`);
    await expect(client.readIndex()).rejects.toMatchObject({ type: "CONNECTION_ERROR" });
    site.setPermalinks("pretty");
    expect(await client.readIndex()).toMatchObject({ home: site.url });
  });

  it("is found without the link on its home page, under another name", async () => {
    const { site } = await start({ permalinks: "plain" });
    site.faults.noApiLink = 1;
    expect(await rootOf(site)).toBe(`${site.url}/?rest_route=/`);
    expect(await rootOf(site)).toBe(`${site.url}/index.php?rest_route=/`);
  });

  it("is another one for a copy, whose posts keep their ids, guids and dates", async () => {
    const original = await start({ subdirectory: "/blog" });
    const { id } = await publish(original, "Copied");
    const site = await original.site.copy();
    open.push(site);
    const { username, applicationPassword: password } = site;
    const copy = createWordPressClient({ userId: "one", apiRoot: await rootOf(site), username, password, fetch });
    expect(site.url).not.toBe(original.site.url);
    expect(site.url).toMatch(/\/blog$/);
    expect(await copy.readIndex()).toMatchObject({ home: site.url, url: site.url });
    const { guid, date: dateGmt } = original.site.posts()[0] ?? {};
    expect(guid).toBe(`${original.site.url}/?p=${id}`);
    expect(await copy.readPost(id)).toMatchObject({ guid, dateGmt, link: `${site.url}/copied/` });

    await updatePost(copy, id, { title: "Only in the copy" });
    expect(await original.client.readPost(id)).toMatchObject({ title: "Copied" });
    const added = await createDraft(copy, { marker: "added", title: "Added" });
    expect(added.id).toBeGreaterThan(id);
    expect(await copy.readPost(added.id)).toMatchObject({ guid: `${site.url}/?p=${added.id}` });
  });

  it("redirects to where the site has moved: pages, reads and writes", async () => {
    const old = await start();
    const { id, link } = await publish(old, "Moved");
    const site = await old.site.copy();
    open.push(site);
    old.site.faults.movedTo = site.url;
    expect((await fetch(String(link))).url).toBe(`${site.url}/moved/`);
    expect(await rootOf(old.site)).toBe(`${site.url}/wp-json/`);
    const detail = expect.stringContaining(`redirects to ${site.url}`);
    await expect(old.client.readPost(id)).rejects.toMatchObject({ type: "CONNECTION_ERROR", details: { detail } });
    await expect(updatePost(old.client, id, { title: "x" })).rejects.toMatchObject({ outcome: "unknown" });
    expect(site.posts()).toMatchObject([{ title: "Moved" }]);
  });
});

it("turns requests away while it is busy", async () => {
  const { site, client } = await start();
  site.faults.busy = { status: 429, retryAfter: "0", times: 1 };
  expect(await createDraft(client, { marker: "m", title: "T" })).toMatchObject({ id: expect.any(Number) });
  site.faults.busy = { status: 503, retryAfter: "600", times: 2 };
  for (let n = 0; n < 2; n++) await expect(client.readIndex()).rejects.toMatchObject({ retryAfter: 600 });
  expect(await client.readIndex()).toMatchObject({ home: site.url });
  expect(site.posts()).toHaveLength(1);
});

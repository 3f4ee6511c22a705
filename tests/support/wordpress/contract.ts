import { randomUUID } from "node:crypto";
import { createSafeFetch, type SafeFetch } from "@/lib/net/safe-fetch";
import { apiUrl, type Query } from "@/lib/wordpress/api-url";
import { renderPost } from "@/lib/wordpress/blocks";
import { createWordPressClient, type WordPressClient } from "@/lib/wordpress/client";
import { discoverSite } from "@/lib/wordpress/discover";
import { encodeTitle } from "@/lib/wordpress/entities";
import { WordPressWriteError } from "@/lib/wordpress/failures";
import type { WordPressLogin } from "@/lib/wordpress/request";
import type { Role, SiteUsers } from "@/scripts/samples/wordpress/roles";
import { describeManyWrites } from "@/tests/support/wordpress/contract-batch";
import { describeFields } from "@/tests/support/wordpress/contract-fields";
import { describeManyPosts } from "@/tests/support/wordpress/contract-many";
import { describeSeoPress } from "@/tests/support/wordpress/contract-seopress";
import { EVERYTHING } from "@/tests/support/wordpress/every-markdown";
import { createDraft, publishNew, updatePost } from "@/tests/support/wordpress/one-write";
import type { SeoPlugin } from "@/tests/support/wordpress/seo-plugins";
import { A_CALLER } from "@/tests/support/wordpress/site-that";

export type ContractSite = {
  url: string;
  users: SiteUsers;
  /** From now on it has these SEO plugins and no others. */
  activate(plugins: readonly SeoPlugin[]): void;
  stop(): Promise<void>;
};

const fetch = createSafeFetch({ allowedHosts: "127.0.0.1" });

/** What publishing relies on, tested on the sample site and on a real WordPress. */
export function describeWordPressContract(name: string, start: () => Promise<ContractSite>): void {
  describe(name, () => {
    let site: ContractSite;
    let apiRoot: string;

    beforeAll(async () => {
      site = await start();
      apiRoot = (await discoverSite(site.url, { ...A_CALLER, fetch })).apiRoot;
    }, 90_000);
    afterAll(() => site?.stop());

    const loginOf = (role: Role): WordPressLogin => {
      const { username, applicationPassword } = site.users[role];
      return { userId: "one", apiRoot, username, password: applicationPassword, fetch };
    };
    const clientOf = (role: Role): WordPressClient => createWordPressClient(loginOf(role));
    const newMarker = () => `contract-${randomUUID()}`;
    const publish = (role: Role, markdown = "Hello", fields: { slug?: string; categories?: number[] } = {}) =>
      publishNew(clientOf(role), { marker: newMarker(), title: "A post", content: renderPost(markdown), ...fields });
    const authorizationOf = (role: Role) => {
      const { username, applicationPassword } = site.users[role];
      return `Basic ${Buffer.from(`${username}:${applicationPassword}`).toString("base64")}`;
    };
    /** As an administrator, without our client. */
    const askAbout = async (id: number, query: Query, method: "GET" | "DELETE" = "GET") => {
      const headers = { authorization: authorizationOf("administrator") };
      const answer = await fetch(apiUrl(apiRoot, `wp/v2/posts/${id}`, query), { method, headers });
      expect(answer.status).toBe(200);
      return JSON.parse(answer.text) as unknown;
    };
    /** To the trash, or permanently. */
    const remove = async (id: number, force: boolean) => {
      await askAbout(id, force ? { force: "true" } : {}, "DELETE");
    };
    const addCategory = async (fields: { name: string; parent: number }) => {
      const answer = await fetch(apiUrl(apiRoot, "wp/v2/categories"), {
        method: "POST",
        headers: { authorization: authorizationOf("administrator"), "Content-Type": "application/json" },
        body: JSON.stringify(fields),
      });
      expect(answer.status).toBe(201);
      return (JSON.parse(answer.text) as { id: number }).id;
    };
    const categoriesOf = async (id: number) =>
      ((await askAbout(id, { _fields: "categories" })) as { categories: number[] }).categories;

    describe("discovery", () => {
      it.each([
        "",
        "/",
        "/wp-admin/",
        "/wp-admin/post-new.php",
        "/wp-login.php",
        "/wp-json",
        "/wp-json/wp/v2",
        "/?p=1",
      ])("finds the REST API when %p follows the address", async (ending) => {
        expect(await discoverSite(site.url + ending, { ...A_CALLER, fetch })).toEqual({ apiRoot, home: site.url });
      });

      it("finds it without a scheme and from the page of a post", async () => {
        expect((await discoverSite(site.url.replace("http://", ""), { ...A_CALLER, fetch })).apiRoot).toBe(apiRoot);
        const { link } = await publish("author");
        expect((await discoverSite(String(link), { ...A_CALLER, fetch })).apiRoot).toBe(apiRoot);
      });
    });

    describe("the connection check", () => {
      it.each<[Role, boolean, boolean]>([
        ["administrator", true, true],
        ["editor", true, true],
        ["author", true, false],
        ["contributor", false, false],
        ["subscriber", false, false],
      ])("knows what a person with the role %s may do", async (role, canPublish, canManageCategories) => {
        const check = await clientOf(role).checkConnection();
        expect(check).toMatchObject({ roles: [role], canPublish, canManageCategories });
        expect(check.userId).toBeGreaterThan(0);
        const warned = check.warnings.join(" ");
        expect(warned.includes("may not publish")).toBe(!canPublish);
        expect(warned.includes("may not create categories")).toBe(canPublish && !canManageCategories);
      });

      it("reports its version, the role and what that may not do", async () => {
        const client = clientOf("author");
        expect(await client.reportSite(await client.checkConnection())).toEqual({
          name: expect.stringMatching(/./),
          url: site.url,
          version: expect.stringMatching(/^\d+\.\d+/),
          role: "author",
          mayNot: ["create categories", "edit others' posts"],
          plugins: [],
        });
      });

      it("takes an application password without its spaces", async () => {
        const { username, applicationPassword } = site.users.author;
        const password = applicationPassword.replaceAll(" ", "");
        const check = await createWordPressClient({
          userId: "one",
          apiRoot,
          username,
          password,
          fetch,
        }).checkConnection();
        expect(check.canPublish).toBe(true);
      });

      it.each([
        ["a login password", "admin", "admin-login-password", "not an application password"],
        ["a wrong application password", "admin", "abcd efgh ijkl mnop qrst uvwx", "did not accept the"],
        ["an unknown user", "nobody-here", "abcd efgh ijkl mnop qrst uvwx", ""],
      ])("refuses %s", async (_what, username, password, sentence) => {
        const client = createWordPressClient({ userId: "one", apiRoot, username, password, fetch });
        await expect(client.checkConnection()).rejects.toMatchObject({
          type: "WORDPRESS_REJECTED",
          message: expect.stringContaining(sentence),
        });
        await expect(createDraft(client, { marker: newMarker(), title: "x" })).rejects.toMatchObject({
          type: "WORDPRESS_REJECTED",
          outcome: "refused",
        });
      });
    });

    describe("the site's identity", () => {
      it("reports its identity in its index, also to an account with few rights", async () => {
        for (const role of ["editor", "subscriber"] as const) {
          const index = await clientOf(role).readIndex();
          expect(index).toEqual({
            ...{ home: site.url, url: site.url, name: expect.any(String), hasBatch: true },
            namespaces: expect.arrayContaining(["wp/v2"]),
            authorization: `${site.url}/wp-admin/authorize-application.php`,
          });
          expect(index.name).not.toBe("");
        }
      });

      it("takes little to ask for", async () => {
        let size = 0;
        const counting: SafeFetch = async (...asked) => {
          const answer = await fetch(...asked);
          size = answer.text.length;
          return answer;
        };
        await createWordPressClient({ ...loginOf("editor"), fetch: counting }).readIndex();
        expect(size).toBeGreaterThan(0);
        expect(size).toBeLessThan(2_000);
      });

      it("is in each post: its guid stays, and its date once it was published", async () => {
        const client = clientOf("author");
        const { id } = await createDraft(client, { marker: newMarker(), title: "Dated" });
        const guid = `${site.url}/?p=${id}`;
        expect(await client.readPost(id)).toMatchObject({ guid, dateGmt: expect.stringMatching(/^\d{4}-/) });
        const before = Date.now();
        const { dateGmt } = await updatePost(client, id, { status: "publish", slug: `dated-${randomUUID()}` });
        // WordPress is at another time zone than UTC.
        expect(Math.abs(Date.parse(`${dateGmt}Z`) - before)).toBeLessThan(60_000);
        await new Promise((resolve) => setTimeout(resolve, 1_100));
        for (const fields of [{ title: "Again" }, { status: "draft" }, { status: "publish" }] as const)
          expect(await updatePost(client, id, fields)).toMatchObject({ id, guid, dateGmt });
      });
    });

    it("says when a post was changed last, in answers to writes and in lists", async () => {
      const client = clientOf("editor");
      const first = await publish("editor");
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      const second = await updatePost(client, first.id, { status: "draft" });
      expect(first.modifiedGmt).toMatch(/^\d{4}-/);
      expect(String(second.modifiedGmt) > String(first.modifiedGmt)).toBe(true);
      const [listed] = (await client.readPosts([first.id])).values();
      expect(listed?.modifiedGmt).toBe(second.modifiedGmt);
    });

    it("shows a public post of another account, and no draft", async () => {
      const { id, guid, dateGmt, slug } = await publish("editor");
      const draft = await createDraft(clientOf("editor"), { marker: newMarker(), title: "Hidden" });
      const client = clientOf("author");
      expect(await client.readPublicPost(id)).toEqual({ id, guid, dateGmt, slug });
      expect(await client.readPublicPost(draft.id)).toBeNull();
    });

    describe("categories", () => {
      it("are created once, whatever the case and the spaces around", async () => {
        const client = clientOf("editor");
        const name = `Garden ${randomUUID()}`;
        const id = await client.ensureCategory(name);
        expect(await client.ensureCategory(name.toUpperCase())).toBe(id);
        expect(await client.ensureCategory(`  ${name} `)).toBe(id);
      });

      it("are created once by six at the same time, ten times over", async () => {
        const client = clientOf("administrator");
        for (let round = 0; round < 10; round++) {
          const name = `Parallel ${randomUUID()}`;
          const ids = await Promise.all(Array.from({ length: 6 }, () => client.ensureCategory(name)));
          const listed = await client.listCategories();
          expect(listed.filter((each) => each.name === name).map((each) => each.id)).toEqual([ids[0]]);
          expect(new Set(ids).size).toBe(1);
        }
      }, 60_000);

      it("keep names apart that differ in punctuation", async () => {
        const client = clientOf("editor");
        const ids = [];
        for (const name of ["C", "C++", "C#"]) ids.push(await client.ensureCategory(name));
        expect(new Set(ids).size).toBe(3);
      });

      it("are listed as people wrote them, over all pages", async () => {
        const client = clientOf("editor");
        const id = await client.ensureCategory('R&D <"quoted">');
        const ids = await Promise.all(Array.from({ length: 101 }, (_, n) => client.ensureCategory(`Many ${n}`)));
        const listed = await client.listCategories();
        expect(listed).toContainEqual(expect.objectContaining({ id, name: expect.stringContaining("R&D") }));
        expect(listed.filter((each) => ids.includes(each.id))).toHaveLength(101);
        expect(await client.ensureCategory("R&D")).toBe(await client.ensureCategory("r&d"));
      }, 60_000);

      it("are read by their id, which another site does not have", async () => {
        const name = `Read & found ${randomUUID()}`;
        const id = await clientOf("editor").ensureCategory(name);
        expect(await clientOf("author").readCategory(id)).toEqual({ id, name });
        expect(await clientOf("author").readCategory(99_999_999)).toBeNull();
      });

      it("are found by their name in any case, those at the top before those below others", async () => {
        const client = clientOf("editor");
        const name = `Nested & found ${randomUUID()}`;
        const parent = await client.ensureCategory(`Parent ${randomUUID()}`);
        const below = await addCategory({ name, parent });
        expect(await client.findCategories(`  ${name.toUpperCase()} `)).toEqual([{ id: below, name, parent }]);
        const top = await client.ensureCategory(name);
        expect(await client.findCategories(name)).toEqual([
          { id: top, name, parent: 0 },
          { id: below, name, parent },
        ]);
        expect(await client.findCategories(name.slice(0, -1))).toEqual([]);
      });

      it("exist for an author, but are not made by one", async () => {
        const name = `Existing & ${randomUUID()}`;
        const id = await clientOf("editor").ensureCategory(name);
        expect(await clientOf("author").ensureCategory(name)).toBe(id);
        await expect(clientOf("author").ensureCategory(`New ${randomUUID()}`)).rejects.toMatchObject({
          type: "WORDPRESS_FORBIDDEN",
          outcome: "refused",
        });
      });

      it.each([" ", "x".repeat(201), `${"x".repeat(196)}&`])("refuses the name %p before it is sent", async (name) => {
        const attempt = clientOf("editor").ensureCategory(name);
        await expect(attempt).rejects.toMatchObject({ type: "VALIDATION_ERROR" });
        await expect(attempt).rejects.not.toBeInstanceOf(WordPressWriteError);
      });

      it("takes a name as long as WordPress keeps", async () => {
        expect(await clientOf("editor").ensureCategory("ä".repeat(200))).toBeGreaterThan(0);
      });
    });

    describe("publishing", () => {
      it("makes a draft, then publishes it under its own slug", async () => {
        const client = clientOf("editor");
        const category = await client.ensureCategory("News");
        const slug = `a-post-${randomUUID()}`;
        const title = "Tom & Jerry <3";
        const { id } = await createDraft(client, { marker: newMarker(), title });
        expect(await client.readPost(id)).toMatchObject({ status: "draft" });
        const text = { title, content: renderPost("Text"), slug, categories: [category] };
        const published = await updatePost(client, id, { ...text, status: "publish" });
        expect(published).toMatchObject({ status: "publish", slug });
        expect(await categoriesOf(id)).toEqual([category]);
        const page = await fetch(String(published.link));
        expect(page).toMatchObject({ status: 200, text: expect.stringContaining("Text") });
        expect(await client.readPost(published.id)).toEqual({
          state: "found",
          ...published,
          categories: [category],
          excerpt: "",
        });
      });

      it("writes the same post again and leaves what is not named", async () => {
        const client = clientOf("author");
        const first = await publish("author", "One", { slug: `again-${randomUUID()}` });
        const second = await updatePost(client, first.id, { content: renderPost("Two") });
        expect(second).toMatchObject({ id: first.id, slug: first.slug, link: first.link, title: first.title });
        expect(second.content).toBe(renderPost("Two"));
      });

      it("withdraws a post and publishes it again at the same address", async () => {
        const client = clientOf("author");
        const live = await publish("author", "Text", { slug: `back-${randomUUID()}` });
        expect(await updatePost(client, live.id, { status: "draft" })).toMatchObject({
          status: "draft",
          slug: live.slug,
        });
        expect((await fetch(String(live.link))).status).toBe(404);
        expect(await updatePost(client, live.id, { status: "publish" })).toMatchObject({
          status: "publish",
          link: live.link,
        });
      });

      it("leaves a scheduled post scheduled, and makes it live when it is dated now", async () => {
        const client = clientOf("author");
        const { id } = await createDraft(client, { marker: newMarker(), title: "Later" });
        const date_gmt = "2051-02-03T04:05:06";
        const scheduled = { status: "future", dateGmt: date_gmt };
        expect(await updatePost(client, id, { status: "publish", date_gmt })).toMatchObject(scheduled);
        expect(await updatePost(client, id, { status: "publish", title: "Later on" })).toMatchObject(scheduled);
        const before = Date.now();
        const { status, dateGmt } = await updatePost(client, id, { status: "publish", date_gmt: null });
        expect(status).toBe("publish");
        expect(Math.abs(Date.parse(`${dateGmt}Z`) - before)).toBeLessThan(60_000);
        expect(await client.readPost(id)).toMatchObject({ status, dateGmt });
      });

      it("gives a slug that is taken a number", async () => {
        const slug = `taken-${randomUUID()}`;
        await publish("author", "One", { slug });
        expect(await publish("author", "Two", { slug })).toMatchObject({ slug: `${slug}-2` });
      });

      it("makes a slug from the title when none is given", async () => {
        expect((await publish("author")).slug).toMatch(/^a-post(-\d+)?$/);
      });

      it("sees that a post was trashed or is gone", async () => {
        const client = clientOf("editor");
        const { id } = await publish("editor");
        await remove(id, false);
        expect(await client.readPost(id)).toMatchObject({ state: "found", status: "trash" });
        await remove(id, true);
        expect(await client.readPost(id)).toEqual({ state: "gone" });
        const attempt = updatePost(client, id, { title: "Late" });
        await expect(attempt).rejects.toMatchObject({ type: "REMOTE_GONE", outcome: "refused" });
      });

      it("is refused to a contributor, who may only write drafts, and to a subscriber", async () => {
        await expect(publish("contributor")).rejects.toMatchObject({
          type: "WORDPRESS_FORBIDDEN",
          outcome: "refused",
          message: expect.stringContaining("may write drafts but not publish"),
        });
        await expect(publish("subscriber")).rejects.toMatchObject({ type: "WORDPRESS_FORBIDDEN", outcome: "refused" });
      });

      it("is refused for a post of somebody else", async () => {
        const { id } = await publish("editor");
        await expect(updatePost(clientOf("author"), id, { title: "Mine" })).rejects.toMatchObject({
          type: "WORDPRESS_FORBIDDEN",
          outcome: "refused",
          message: expect.stringContaining("somebody else wrote it"),
        });
      });
    });

    describeManyPosts({ clientOf, loginOf, newMarker, publish, remove, categoriesOf });
    const activate = (plugins: readonly SeoPlugin[]) => site.activate(plugins);
    describeFields({ clientOf, loginOf, newMarker, publish, remove, categoriesOf, activate });
    describeSeoPress({ clientOf, loginOf, newMarker, publish, remove, categoriesOf, activate });
    describeManyWrites({ clientOf, loginOf, newMarker, publish, remove, categoriesOf });

    describe("the text", () => {
      it.each<Role>(["administrator", "author"])(
        "comes back from an %s's post exactly as it was written",
        async (role) => {
          const content = renderPost(EVERYTHING);
          const published = await publish(role, EVERYTHING);
          expect(published.content).toBe(content);
          expect(await clientOf(role).readPost(published.id)).toMatchObject({ content });
        },
      );

      it.each<Role>(["administrator", "author"])("shows readers the words of a title by an %s", async (role) => {
        const title = encodeTitle("How the <head> element works if x < 5 && y > 2");
        const { id } = await publish(role);
        const { link } = await updatePost(clientOf(role), id, { title });
        const page = await fetch(String(link));
        expect(page.text).toContain("How the &lt;head&gt; element works if x &lt; 5");
        expect(page.text).toContain("y &gt; 2");
      });

      it("keeps what is not ASCII, quotes and backslashes in title and text", async () => {
        const title = "„Größe“ 园艺 🌱 it's 5\\6";
        const text = renderPost('Back\\\\slash, it\'s "quoted", 园艺 🌱 \u00a0 é\n\n`C:\\dir`');
        const client = clientOf("editor");
        const { id } = await publish("editor");
        expect(await updatePost(client, id, { title, content: text })).toMatchObject({ title, content: text });
      });
    });
  });
}

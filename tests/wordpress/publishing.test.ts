import "@/tests/wordpress/local-sites";

import { randomUUID } from "node:crypto";
import type { ContentOut } from "@/lib/features/content/schema";
import type { PublishAllOut } from "@/lib/features/publishing/schema";
import { createSafeFetch } from "@/lib/net/safe-fetch";
import { renderPost } from "@/lib/wordpress/blocks";
import { createWordPressClient } from "@/lib/wordpress/client";
import { discoverSite } from "@/lib/wordpress/discover";
import { encodeTitle } from "@/lib/wordpress/entities";
import { testedSites } from "@/scripts/wordpress-sites";
import { newPiece, newWorkspace } from "@/tests/support/factories";
import { corpusPosts } from "@/tests/support/post-corpus";
import { type RealWordPress, startRealWordPress } from "@/tests/support/real-wordpress";
import { describeWordPressContract } from "@/tests/support/wordpress/contract";
import { EVERYTHING } from "@/tests/support/wordpress/every-markdown";
import { A_CALLER } from "@/tests/support/wordpress/site-that";

describe.each(testedSites(process.env.WORDPRESS_SITES))("$title", ({ title, options }) => {
  let site: RealWordPress;

  beforeAll(async () => {
    site = await startRealWordPress(options);
  }, 90_000);
  afterAll(() => site?.stop());

  describeWordPressContract("the contract", async () => ({ ...site, stop: async () => {} }));

  async function connectedWorkspace(role: "editor" | "author" = "editor") {
    const workspace = await newWorkspace();
    const { username, applicationPassword } = site.users[role];
    await workspace.caller.patch("/api/user/settings", {
      wordpressUrl: site.url,
      wordpressUsername: username,
      wordpressPassword: applicationPassword,
    });
    return workspace;
  }

  it("has the site that the title says", async () => {
    expect(title).toContain(`WordPress ${/^\d+\.\d+(-alpha)?/.exec(site.version)?.[0].replace("-", " ")}`);
    const home = new URL(site.url).pathname;
    expect(home).toBe(options.network ? "/two" : (options.subdirectory ?? "/"));
    const { headers } = await fetch(`${site.url}/`);
    const root = options.permalinks === "plain" ? "/index.php?rest_route=/" : "/wp-json/";
    expect(headers.get("link")).toContain(`<${site.url}${root}>`);
  });

  it("publishes, republishes after an edit, unpublishes and syncs the same post", async () => {
    const workspace = await connectedWorkspace();
    const url = `/api/content/${await newPiece(workspace, workspace, { title: `Peat & co ${workspace.username}`, body: EVERYTHING })}`;
    const first = await workspace.caller.post<ContentOut>(`${url}/publish`);
    expect(first).toMatchObject({
      status: 200,
      body: { status: "wp_published", wpCategoryName: "Seed starting indoors" },
    });
    const page = await fetch(first.body.wpPermalink ?? "");
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(workspace.username)]);
    await workspace.caller.patch(url, { body: "Edited text." });
    const second = await workspace.caller.post<ContentOut>(`${url}/publish`);
    expect(second.body).toMatchObject({ wpPostId: first.body.wpPostId, wpPermalink: first.body.wpPermalink });
    expect(await (await fetch(second.body.wpPermalink ?? "")).text()).toContain("Edited text.");
    const synced = await workspace.caller.post<ContentOut & { remoteChanged: boolean }>(`${url}/sync`);
    expect(synced.body).toMatchObject({ status: "wp_published", remoteChanged: false });
    const taken = await workspace.caller.post<ContentOut>(`${url}/unpublish`);
    expect(taken.body).toMatchObject({ status: "wp_draft", wpPermalink: null });
    expect((await workspace.caller.post<ContentOut>(`${url}/sync`)).body.status).toBe("wp_draft");
    const back = await workspace.caller.post<ContentOut>(`${url}/publish`);
    expect(back.body).toMatchObject({ status: "wp_published", wpPostId: first.body.wpPostId });
  });

  it("publishes a project once, its topic as one category, and writes nothing the second time", async () => {
    const workspace = await connectedWorkspace();
    for (let n = 0; n < 6; n++)
      await newPiece(workspace, workspace, { title: `Bulk ${workspace.username} ${n}`, body: `## One\n\nText ${n}` });
    const url = `/api/projects/${workspace.projectId}/publish-all-to-wordpress`;
    const first = await workspace.caller.post<PublishAllOut>(url);
    expect(first.body.results.map(({ success, error }) => [success, error])).toEqual(Array(6).fill([true, undefined]));
    const again = await workspace.caller.post<PublishAllOut>(url);
    expect(again.body.results.every(({ unchanged }) => unchanged)).toBe(true);
    expect(again.body.results.map(({ wpPostId }) => wpPostId)).toEqual(
      first.body.results.map(({ wpPostId }) => wpPostId),
    );
    const categories = (await workspace.caller.get<{ name: string }[]>("/api/wordpress/categories")).body;
    expect(categories.filter(({ name }) => name === "Seed starting indoors")).toHaveLength(1);
  });

  it("gives a post its SEO title and focus keyword, once the site has a plugin for them", async () => {
    const workspace = await connectedWorkspace();
    const title = `Fields ${workspace.username}`;
    const url = `/api/content/${await newPiece(workspace, workspace, { title, body: "Text" })}`;
    await workspace.caller.patch(url, { metaTitle: "Peat & <co>", focusKeyword: "peat" });
    const publish = async () => (await workspace.caller.post<ContentOut>(`${url}/publish`)).body;
    expect(await publish()).toMatchObject({ status: "wp_published", lacksSearchFields: true, isNewerHere: false });
    site.activate(["RANK_MATH_VERSION"]);
    try {
      const { wpPostId, ...piece } = await publish();
      expect(piece).toMatchObject({ status: "wp_published", lacksSearchFields: false, isNewerHere: false });
      const fetch = createSafeFetch({ allowedHosts: "127.0.0.1" });
      const { apiRoot } = await discoverSite(site.url, { ...A_CALLER, fetch });
      const { username, applicationPassword: password } = site.users.editor;
      const client = createWordPressClient({ userId: "editor", apiRoot, username, password, fetch });
      expect(await client.readPost(Number(wpPostId))).toMatchObject({
        meta: { rank_math_title: "Peat & &lt;co&gt;", rank_math_description: "", rank_math_focus_keyword: "peat" },
      });
    } finally {
      site.activate([]);
    }
  });

  // Permalinks and a folder change no text; a network takes rights from its administrators.
  const mayDiffer = options.build !== "oldest" && options.permalinks === "pretty" && !options.subdirectory;
  const roles = mayDiffer ? (["administrator", "author"] as const) : [];
  for (const role of roles)
    it(`has the 67 posts of an ${role} exactly as they were written`, async () => {
      const fetch = createSafeFetch({ allowedHosts: "127.0.0.1" });
      const { apiRoot } = await discoverSite(site.url, { ...A_CALLER, fetch });
      const { username, applicationPassword: password } = site.users[role];
      const client = createWordPressClient({ userId: role, apiRoot, username, password, fetch });
      const posts = corpusPosts().map(({ slug, title, markdown }) => ({
        title: encodeTitle(title ?? slug),
        content: renderPost(markdown, title),
      }));
      const drafts = await client.createDrafts(posts.map(({ title }) => ({ marker: `corpus-${randomUUID()}`, title })));
      const ids = drafts.flatMap((outcome) => (outcome.ok ? outcome.post.id : []));
      await client.updatePosts(
        ids.map((id, n) => ({ id, fields: { ...posts[n], slug: "", status: "publish" as const } })),
      );
      const read = await client.readPosts(ids);
      const kept = ids.map((id) => ({
        title: read.get(id)?.title,
        content: read.get(id)?.content,
        status: read.get(id)?.status,
      }));
      expect(kept).toEqual(posts.map((post) => ({ ...post, status: "publish" })));
    }, 60_000);

  it("publishes as an author into an existing category", async () => {
    const workspace = await connectedWorkspace("author");
    const url = `/api/content/${await newPiece(workspace, workspace, { title: `Author ${workspace.username}`, body: "Text" })}`;
    expect((await workspace.caller.post<ContentOut>(`${url}/publish`)).body.status).toBe("wp_published");
  });
});

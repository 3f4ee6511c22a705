import { once } from "node:events";
import { createServer } from "node:net";
import type { PublishingJobOut } from "@/lib/features/publishing/schema";
import { noFaults } from "@/scripts/samples/wordpress/faults";
import type { StoredPost } from "@/scripts/samples/wordpress/store";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { query } from "@/tests/support/db";
import { newPiece, newProject, newTopic } from "@/tests/support/factories";
import {
  connectedWorkspace,
  type Failed,
  moveTo,
  type Piece,
  siteSettings,
} from "@/tests/support/publishing-workspace";
import { recordEvents } from "@/tests/support/sent-events";

// Which site is it? The one at the place that it names as its home, or else the one that the user says.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
recordEvents();

const sites: SampleWordPress[] = [];

/** With these posts, if given. */
async function newSite(posts: StoredPost[] = []): Promise<SampleWordPress> {
  const categories = [{ id: 1, name: "Uncategorized", slug: "uncategorized" }];
  const lastPostId = Math.max(0, ...posts.map(({ id }) => id));
  const site = await startSampleWordPress({ initial: { posts, categories, lastPostId, lastCategoryId: 1 } });
  sites.push(site);
  return site;
}

async function copyOf(site: SampleWordPress): Promise<SampleWordPress> {
  const copy = await site.copy();
  sites.push(copy);
  return copy;
}

beforeAll(() => {
  process.env.WORDPRESS_ALLOWED_HOSTS = "127.0.0.0/8";
});
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

/** Two live pieces on the site. */
async function publishedOn(site: SampleWordPress) {
  const workspace = await connectedWorkspace(site);
  const ids: string[] = [];
  for (const n of [1, 2]) {
    ids.push(await newPiece(workspace, workspace, { title: `Piece ${n} ${workspace.username}`, body: `Text ${n}` }));
  }
  const urls = ids.map((id) => `/api/content/${id}`);
  const { caller } = workspace;
  const user = {
    ...workspace,
    ids,
    urls,
    publish: (n: number, input = {}) => caller.post<Piece>(`${urls[n - 1]}/publish`, input),
    unpublish: (n: number, input = {}) => caller.post<Piece>(`${urls[n - 1]}/unpublish`, input),
    sync: (n: number, input = {}) => caller.post<Piece>(`${urls[n - 1]}/sync`, input),
    read: async (n: number) => (await caller.get<Piece>(urls[n - 1] ?? "")).body,
    connect: (to: SampleWordPress) => caller.patch("/api/user/settings", siteSettings(to)),
    lookUp: () => caller.get<Failed>("/api/wordpress/categories"),
    moveTo: (to: SampleWordPress) => moveTo(workspace, to),
    says: (site: "same" | "other") => caller.post<{ question: null }>("/api/wordpress/test", { site }),
    known: async () =>
      (
        await query<{ place: string; is_default: boolean }>(
          "SELECT place, is_default FROM sites WHERE user_id = $1 ORDER BY created_at",
          [workspace.id],
        )
      ).map(({ place, is_default }) => [place, is_default]),
  };
  for (const n of [1, 2]) expect((await user.publish(n)).body.status).toBe("wp_published");
  // As settling leaves them.
  await query("UPDATE piece_posts SET unanswered_since = NULL WHERE content_piece_id = ANY ($1)", [ids]);
  return user;
}

/** The site makes the draft, and nothing of it is heard. */
async function loseCreation(site: SampleWordPress, publish: () => Promise<{ status: number }>): Promise<void> {
  site.faults.failAfterCreate = 1;
  site.faults.rewrite = (answer, { method, route }) =>
    method === "GET" && route === "/wp/v2/posts" ? { status: 500, body: {} } : answer;
  expect((await publish()).status).toBe(502);
  Object.assign(site.faults, noFaults());
}

const MEMBERS_ONLY = { status: 401, body: { code: "rest_login_required", message: "Sign in first.", data: {} } };

const placeOf = ({ url }: SampleWordPress) => url.replace("http://", "");
const live = (site: SampleWordPress) => site.posts().filter(({ status }) => status === "publish").length;

describe("the same site", () => {
  it.each(["plain", "pretty"] as const)("keeps its posts when its permalinks become %s", async (kind) => {
    const site = await newSite();
    site.setPermalinks(kind === "plain" ? "pretty" : "plain");
    const user = await publishedOn(site);
    site.setPermalinks(kind);
    expect((await user.publish(1)).status).toBe(200);
    expect((await user.unpublish(2)).body.status).toBe("wp_draft");
    expect([site.posts().length, await user.known()]).toEqual([2, [[placeOf(site), true]]]);
  });

  it("is asked for its index alone while it answers where it was", async () => {
    const site = await newSite();
    const user = await publishedOn(site);
    site.faults.noApiLink = 1;
    const before = site.requests.length;
    expect((await user.publish(1)).status).toBe(200);
    // The home page was not loaded: the fault is still there.
    expect(site.faults.noApiLink).toBe(1);
    expect(site.requests.slice(before).filter((request) => request === "GET /")).toHaveLength(1);
  });

  it("keeps its posts when it hides its index, and its home page has no link to the API for once", async () => {
    const site = await newSite();
    const user = await publishedOn(site);
    site.faults.noApiLink = 1;
    site.faults.rewrite = (answer, { route }) => (route === "/" ? MEMBERS_ONLY : answer);
    expect((await user.publish(1)).status).toBe(200);
    expect(site.faults.noApiLink).toBe(0);
    expect([site.posts().length, (await user.known()).length]).toEqual([2, 1]);
  });

  it("is looked for from its home page when its index names another home", async () => {
    const site = await newSite();
    const user = await publishedOn(site);
    site.faults.noApiLink = 1;
    site.faults.rewrite = (answer, { route }) =>
      route === "/" ? { ...answer, body: { ...(answer.body as object), home: "https://elsewhere.example" } } : answer;
    await user.publish(1);
    expect([site.faults.noApiLink, site.posts().length]).toEqual([0, 2]);
  });

  it("is tried once while it is down", async () => {
    const site = await newSite();
    const user = await publishedOn(site);
    const { port } = new URL(site.url);
    await site.close();
    let connections = 0;
    const dead = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(Number(port), "127.0.0.1");
    await once(dead, "listening");
    const { body } = await user.publish(1);
    await new Promise((resolve) => dead.close(resolve));
    expect([(body as unknown as Failed).type, connections]).toEqual(["CONNECTION_ERROR", 1]);
  });
});

describe("another site, as an author", () => {
  /** The author's first piece is live on one site, and the author is connected to the other one. */
  async function authorOn(other: SampleWordPress) {
    const site = await newSite();
    const { author } = site.users;
    const account = { wordpressUsername: author.username, wordpressPassword: author.applicationPassword };
    const workspace = await connectedWorkspace(site);
    const connect = (to: SampleWordPress) =>
      workspace.caller.patch("/api/user/settings", { ...siteSettings(to), ...account });
    const id = await newPiece(workspace, workspace, { title: `Mine ${workspace.username}`, body: "A text." });
    const publish = () =>
      workspace.caller.post<Piece>(`/api/content/${id}/publish`, { categoryName: "Uncategorized", site: "other" });
    await connect(site);
    const { body } = await publish();
    return { workspace, connect, publish, postId: Number(body.wpPostId), site, other };
  }

  it.each(["publish", "draft"] as const)(
    "gets its post although somebody else's %s has the same id there",
    async (status) => {
      const other = await newSite();
      const editor = await publishedOn(other);
      const author = await authorOn(other);
      expect(other.posts().map(({ id }) => id)).toContain(author.postId);
      other.edit(author.postId, { status });
      await author.connect(other);
      expect((await author.publish()).status).toBe(200);
      expect(other.posts().length).toBe(editor.ids.length + 1);
    },
  );

  it.each([
    ["", {}],
    [" and has another date", { date: "2001-02-03T04:05:06" }],
  ])("is refused a second post where a copy of its own belongs to somebody else%s", async (_, change) => {
    const author = await authorOn(await newSite());
    const copy = await copyOf(author.site);
    copy.edit(author.postId, { author: 1, ...change });
    await author.connect(copy);
    expect((await author.publish()).body).toMatchObject({ type: "WORDPRESS_FORBIDDEN" });
    expect(copy.posts().length).toBe(author.site.posts().length);
  });
});

describe("a copy of the site that the user calls another one", () => {
  it("gets no second posts, and the original stays as it is", async () => {
    const site = await newSite();
    const user = await publishedOn(site);
    const before = await user.read(1);
    const copy = await copyOf(site);
    await user.connect(copy);
    await user.caller.patch(user.urls[0] ?? "", { body: "For the copy" });
    expect((await user.publish(1, { site: "other" })).body.wpPostId).toBe(before.wpPostId);
    expect((await user.unpublish(2)).body.status).toBe("wp_draft");
    expect([copy.posts().length, live(copy)]).toEqual([2, 1]);
    expect(await user.known()).toEqual([
      [placeOf(site), false],
      [placeOf(copy), true],
    ]);
    expect([live(site), site.posts()[0]?.content]).toEqual([2, expect.not.stringContaining("For the copy")]);
    await user.connect(site);
    await user.lookUp();
    await user.moveTo(site);
    expect(await user.read(1)).toMatchObject({ wpPermalink: before.wpPermalink, wpPlace: "here" });
    expect((await user.publish(1)).body.wpPostId).toBe(before.wpPostId);
    expect([site.posts().length, site.posts()[0]?.content]).toEqual([2, expect.stringContaining("For the copy")]);
  });

  it("gets no second posts by a publish-all either", async () => {
    const site = await newSite();
    const user = await publishedOn(site);
    const copy = await copyOf(site);
    await user.connect(copy);
    const url = `/api/projects/${user.projectId}/publish-all-to-wordpress`;
    const { body } = await user.caller.post<{ results: { success: boolean }[] }>(url, { site: "other" });
    expect(body.results.map(({ success }) => success)).toEqual([true, true]);
    expect([copy.posts().length, live(copy)]).toEqual([2, 2]);
  });

  it("has posts found by their slugs where an import has given them other ids", async () => {
    const site = await newSite();
    const user = await publishedOn(site);
    const imported = await newSite(site.posts().map((post) => ({ ...post, id: post.id + 500 })));
    await user.connect(imported);
    await user.caller.patch(user.urls[0] ?? "", { body: "For the import" });
    const { wpPostId } = (await user.publish(1, { site: "other" })).body;
    expect([wpPostId, imported.posts().length]).toEqual([String(imported.posts()[0]?.id), 2]);
    expect(imported.posts()[0]?.content).toContain("For the import");
  });
});

describe("a site at a place that is new", () => {
  /** A copy of the site that the user's posts are on. */
  async function uncertain() {
    const site = await newSite();
    const user = await publishedOn(site);
    const other = await copyOf(site);
    await user.connect(other);
    return { site, user, other };
  }

  it("is not written to before the user has said which it is", async () => {
    const { site, user, other } = await uncertain();
    const question = `Is ${placeOf(other)} the same site as ${placeOf(site)} at a new address, or another site?`;
    const before = other.requests.length;
    for (const verb of [user.publish, user.unpublish, user.sync]) {
      const { status, body } = await verb(1);
      expect([status, body.type, body.error]).toEqual([409, "SITE_UNCERTAIN", question]);
    }
    const all = await user.caller.post<Failed>(`/api/projects/${user.projectId}/publish-all-to-wordpress`);
    expect([all.status, all.body.type]).toEqual([409, "SITE_UNCERTAIN"]);
    expect(other.requests.slice(before).filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect((await user.lookUp()).status).toBe(200);
    expect((await user.read(1)).wpPlace).toBe("unknown");
    const check = await user.caller.post<{ question: string | null }>("/api/wordpress/test");
    expect([check.body.question, await user.known()]).toEqual([question, [[placeOf(site), true]]]);
  });

  it("is settled by an answer to the connection test, and the links of the same site lead there", async () => {
    const { user, other } = await uncertain();
    expect((await user.says("same")).body.question).toBeNull();
    const { wpPermalink, wpPlace, status } = await user.read(1);
    expect([wpPlace, status, wpPermalink?.startsWith(`${other.url}/`)]).toEqual(["here", "wp_published", true]);
    expect(await user.known()).toEqual([[placeOf(other), true]]);
  });

  it("is asked by the call that starts a job, and by a job that meets a third site, whose retry takes the answer", async () => {
    const { user, other } = await uncertain();
    const url = `/api/projects/${user.projectId}/publishing-jobs`;
    const unasked = await user.caller.post(url, { verb: "publish_all" });
    expect([unasked.status, unasked.body.type]).toEqual([409, "SITE_UNCERTAIN"]);
    const { jobId } = (await user.caller.post<{ jobId: string }>(url, { verb: "publish_all", site: "same" })).body;
    expect(await user.known()).toEqual([[placeOf(other), true]]);
    const third = await copyOf(other);
    await user.connect(third);
    const before = third.requests.length;
    const { publishForRun } = await import("@/lib/features/publishing/steps");
    expect((await publishForRun(jobId)).next).toBe("end");
    const job = async () => (await user.caller.get<PublishingJobOut>(`/api/publishing-jobs/${jobId}`)).body;
    expect(await job()).toMatchObject({
      status: "failed",
      failedItems: 2,
      errorType: "SITE_UNCERTAIN",
      error: expect.stringContaining("the same site as"),
    });
    expect(third.requests.slice(before).filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect((await user.caller.post(`/api/publishing-jobs/${jobId}/retry`)).body.type).toBe("SITE_UNCERTAIN");
    expect((await user.caller.post(`/api/publishing-jobs/${jobId}/retry`, { site: "same" })).status).toBe(200);
    expect((await publishForRun(jobId)).next).toBe("end");
    expect(await job()).toMatchObject({ status: "completed", completedItems: 2, errorType: null });
    expect([third.posts().length, (await user.known()).length]).toEqual([2, 1]);
  });

  it.each([
    ["same", 1],
    ["other", 2],
  ] as const)("is the %s site when the user says so, and nothing is created twice either way", async (site, count) => {
    const { user, other } = await uncertain();
    expect((await user.publish(1, { site })).body.status).toBe("wp_published");
    // Said once: the next call knows.
    expect((await user.publish(2)).body.status).toBe("wp_published");
    expect([other.posts().length, (await user.known()).length]).toEqual([2, count]);
  });

  it("is the project's when the user says so there, and no other project's", async () => {
    const { site, user, other } = await uncertain();
    const projectId = await newProject(user);
    const id = await newPiece(user, { projectId, topicId: await newTopic(user, projectId) }, { body: "A text." });
    await user.connect(site);
    expect((await user.caller.post(`/api/content/${id}/publish`)).status).toBe(200);
    await user.connect(other);
    expect((await user.publish(1, { site: "other" })).body.status).toBe("wp_published");
    const before = structuredClone(other.posts());
    const refused = await user.caller.post<Failed>(`/api/content/${id}/publish`);
    const sentence = `${placeOf(site)} is not connected. Enter its address and password in Settings, or move the project to another site.`;
    expect([refused.status, refused.body.type, refused.body.error]).toEqual([400, "MISSING_CREDENTIALS", sentence]);
    expect(other.posts()).toEqual(before);
  });

  it("does not get a project's pieces because its address was entered for the site they are on", async () => {
    const [site, other] = [await newSite(), await newSite()];
    const user = await publishedOn(site);
    await user.moveTo(other);
    await user.moveTo(site);
    await user.connect(other);
    expect((await user.publish(1)).body.type).toBe("MISSING_CREDENTIALS");
    expect([other.posts(), (await user.read(1)).status]).toEqual([[], "wp_published"]);
  });

  it("is asked about once when the known address redirects there", async () => {
    const site = await newSite();
    const user = await publishedOn(site);
    const moved = await copyOf(site);
    site.faults.movedTo = moved.url;
    expect((await user.publish(1)).body.type).toBe("SITE_UNCERTAIN");
    expect((await user.publish(1, { site: "same" })).status).toBe(200);
    expect((await user.publish(2)).status).toBe(200);
    expect([moved.posts().length, await user.known()]).toEqual([2, [[placeOf(moved), true]]]);
  });

  it("is asked about although the known one has no more than a draft whose creation went unanswered", async () => {
    const site = await newSite();
    const { caller, id, ...place } = await connectedWorkspace(site);
    const pieceId = await newPiece({ id }, place, { title: "Unanswered", body: "A text." });
    const publish = (input = {}) => caller.post<Failed>(`/api/content/${pieceId}/publish`, input);
    await loseCreation(site, publish);
    const moved = await copyOf(site);
    await caller.patch("/api/user/settings", siteSettings(moved));
    expect((await publish()).body.type).toBe("SITE_UNCERTAIN");
    expect((await publish({ site: "same" })).status).toBe(200);
    expect(moved.posts()).toHaveLength(1);
  });

  it("is not asked about by a user who has published nothing yet", async () => {
    const [first, second] = [await newSite(), await newSite()];
    const workspace = await connectedWorkspace(first);
    await workspace.caller.get("/api/wordpress/categories");
    await workspace.caller.patch("/api/user/settings", siteSettings(second));
    const id = await newPiece(workspace, workspace, { title: "The first", body: "A text." });
    expect((await workspace.caller.post(`/api/content/${id}/publish`)).status).toBe(200);
    expect(second.posts()).toHaveLength(1);
  });
});

describe("a site that the user took for the known one", () => {
  /** Its posts have the ids of the user's, and nothing else. */
  async function takenFor(site: SampleWordPress, user: Awaited<ReturnType<typeof publishedOn>>) {
    const theirs = { title: "Theirs", content: "<p>Theirs</p>", date: "2001-02-03T04:05:06" };
    const other = await newSite(
      site.posts().map((post) => {
        const { id } = post;
        return { ...post, ...theirs, slug: `theirs-${id}`, guid: `https://theirs.example/?p=${id}` };
      }),
    );
    await user.connect(other);
    await user.says("same");
    return other;
  }

  it.each([
    ["publish", {}],
    ["publish", { force: true }],
    ["unpublish", {}],
    ["sync", {}],
  ] as const)(
    "keeps the posts that have our ids: %s with %j, and gets the piece by the next publish",
    async (verb, input) => {
      const site = await newSite();
      const user = await publishedOn(site);
      const other = await takenFor(site, user);
      const before = structuredClone(other.posts());
      await user[verb](1, input);
      expect(other.posts()).toEqual(before);
      expect(await user.read(1)).toMatchObject({ status: "unpublished", wpPostId: null, wpPermalink: null });
      expect((await user.publish(1)).body.status).toBe("wp_published");
      expect([other.posts().slice(0, 2), other.posts().length]).toEqual([before, 3]);
    },
  );

  it.each([
    ["", 0],
    [", nor its creation", 1],
  ])("keeps the post with the id of one whose text was never answered%s", async (_, failAfterCreate) => {
    const site = await newSite();
    const user = await publishedOn(site);
    const url = `/api/content/${await newPiece(user, user, { title: "Unanswered", body: "A text." })}`;
    const publish = () => user.caller.post<Failed>(`${url}/publish`);
    if (failAfterCreate) await loseCreation(site, publish);
    site.faults.failAfterUpdate = 1;
    expect((await publish()).status).toBe(502);
    const other = await takenFor(site, user);
    const before = structuredClone(other.posts());
    expect((await publish()).body.type).toBe("REMOTE_GONE");
    expect(other.posts()).toEqual(before);
  });
});

describe("a post with another guid than its original", () => {
  /** As a tool for moving writes it. */
  function rewriteGuids(site: SampleWordPress): number {
    for (const { id } of site.posts()) site.edit(id, { guid: `${site.url}/?p=${id}` });
    return site.posts()[0]?.id ?? 0;
  }

  it("is the piece's after its site has moved, also where it was edited and renamed", async () => {
    const site = await newSite();
    const user = await publishedOn(site);
    const moved = await copyOf(site);
    const id = rewriteGuids(moved);
    moved.edit(id, { slug: "renamed", content: "<p>Edited there</p>" });
    await user.connect(moved);
    await user.says("same");
    expect((await user.publish(1)).body.type).toBe("REMOTE_CHANGED");
    expect((await user.publish(1, { force: true })).body.wpPostId).toBe(String(id));
    expect(moved.posts()).toHaveLength(2);
  });

  it("is the piece's on a copy once it was found there, however it is edited then", async () => {
    const site = await newSite();
    const user = await publishedOn(site);
    const copy = await copyOf(site);
    const id = rewriteGuids(copy);
    await user.connect(copy);
    expect((await user.sync(1, { site: "other" })).body.status).toBe("wp_published");
    copy.edit(id, { slug: "renamed", content: "<p>Edited there</p>", date: "2001-02-03T04:05:06" });
    expect((await user.publish(1)).body.type).toBe("REMOTE_CHANGED");
  });
});

describe("two sites that have nothing in common", () => {
  it("have posts and statuses of their own, and the first still has its post on the way back", async () => {
    const [first, second] = [await newSite(), await newSite()];
    const user = await publishedOn(first);
    const before = await user.read(1);
    await user.moveTo(second);
    expect(await user.read(1)).toMatchObject({ status: "unpublished", wpPlace: "elsewhere", wpPostId: null });
    // A status that is the user's own.
    await user.caller.patch(user.urls[1] ?? "", { status: "review" });
    await user.publish(1);
    await user.unpublish(1);
    expect((await user.read(1)).status).toBe("wp_draft");
    await user.moveTo(first);
    const back = { wpPostId: before.wpPostId, wpPermalink: before.wpPermalink, wpPlace: "here" };
    expect(await user.read(1)).toMatchObject({ ...back, status: "wp_published" });
    // Live here, whatever was set meanwhile.
    expect((await user.read(2)).status).toBe("wp_published");
    expect((await user.publish(1)).body.wpPostId).toBe(before.wpPostId);
    expect([first.posts().length, second.posts().length]).toEqual([2, 1]);
  });

  it("keep a publish that ends after the project has moved with its own", async () => {
    const [first, second] = [await newSite(), await newSite()];
    const user = await publishedOn(first);
    await user.caller.patch(user.urls[0] ?? "", { body: "Changed" });
    first.faults.answerAfter = ({ method, route }) => {
      if (method !== "POST" || !route.startsWith("/wp/v2/posts/")) return undefined;
      first.faults.answerAfter = null;
      return user.moveTo(second).then(() => undefined);
    };
    expect((await user.publish(1)).status).toBe(200);
    Object.assign(first.faults, noFaults());
    expect(await user.read(1)).toMatchObject({ status: "unpublished", wpPlace: "elsewhere", wpPermalink: null });
    expect(first.posts()[0]?.content).toContain("Changed");
  });
});

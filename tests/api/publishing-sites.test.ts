import { once } from "node:events";
import { createServer } from "node:net";
import type { PublishingJobOut } from "@/lib/features/publishing/schema";
import { query } from "@/tests/support/db";
import { newPiece } from "@/tests/support/factories";
import { connectedWorkspace, type Failed, type Piece, siteSettings } from "@/tests/support/publishing-workspace";
import { recordEvents } from "@/tests/support/sent-events";
import { noFaults } from "@/tests/support/wordpress/faults";
import { type SampleWordPress, startSampleWordPress } from "@/tests/support/wordpress-site";

// Which site is it? By what it says of itself and by the posts it has, not by how its address is written.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
recordEvents();

const sites: SampleWordPress[] = [];

async function newSite(): Promise<SampleWordPress> {
  const site = await startSampleWordPress();
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
  const person = {
    ...workspace,
    ids,
    urls,
    publish: (n: number, input = {}) => caller.post<Piece>(`${urls[n - 1]}/publish`, input),
    unpublish: (n: number, input = {}) => caller.post<Piece>(`${urls[n - 1]}/unpublish`, input),
    sync: (n: number, input = {}) => caller.post<Piece>(`${urls[n - 1]}/sync`, input),
    read: async (n: number) => (await caller.get<Piece>(urls[n - 1] ?? "")).body,
    connect: (to: SampleWordPress) => caller.patch("/api/user/settings", siteSettings(to)),
    lookUp: () => caller.get<Failed>("/api/wordpress/categories"),
    known: async () =>
      (
        await query<{ place: string; is_default: boolean }>(
          "SELECT place, is_default FROM sites WHERE user_id = $1 ORDER BY created_at",
          [workspace.id],
        )
      ).map(({ place, is_default }) => [place, is_default]),
  };
  for (const n of [1, 2]) expect((await person.publish(n)).body.status).toBe("wp_published");
  return person;
}

const MEMBERS_ONLY = { status: 401, body: { code: "rest_login_required", message: "Sign in first.", data: {} } };

const placeOf = ({ url }: SampleWordPress) => url.replace("http://", "");
const live = (site: SampleWordPress) => site.posts().filter(({ status }) => status === "publish").length;

describe("the same site", () => {
  it.each(["plain", "pretty"] as const)("keeps its posts when its permalinks become %s", async (kind) => {
    const site = await newSite();
    site.setPermalinks(kind === "plain" ? "pretty" : "plain");
    const person = await publishedOn(site);
    site.setPermalinks(kind);
    expect((await person.publish(1)).status).toBe(200);
    expect((await person.unpublish(2)).body.status).toBe("wp_draft");
    expect([site.posts().length, await person.known()]).toEqual([2, [[placeOf(site), true]]]);
  });

  it("is asked for its index alone while it answers where it was", async () => {
    const site = await newSite();
    const person = await publishedOn(site);
    site.faults.noApiLink = 1;
    const before = site.requests.length;
    expect((await person.publish(1)).status).toBe(200);
    // The home page was not loaded: the fault is still there.
    expect(site.faults.noApiLink).toBe(1);
    expect(site.requests.slice(before).filter((request) => request === "GET /")).toHaveLength(1);
  });

  it("keeps its posts when it hides its index, and its home page has no link to the API for once", async () => {
    const site = await newSite();
    const person = await publishedOn(site);
    site.faults.noApiLink = 1;
    site.faults.rewrite = (answer, { route }) => (route === "/" ? MEMBERS_ONLY : answer);
    expect((await person.publish(1)).status).toBe(200);
    expect(site.faults.noApiLink).toBe(0);
    expect([site.posts().length, (await person.known()).length]).toEqual([2, 1]);
  });

  it("is looked for from its home page when its index names another home", async () => {
    const site = await newSite();
    const person = await publishedOn(site);
    site.faults.noApiLink = 1;
    site.faults.rewrite = (answer, { route }) =>
      route === "/" ? { ...answer, body: { ...(answer.body as object), home: "https://elsewhere.example" } } : answer;
    await person.publish(1);
    expect([site.faults.noApiLink, site.posts().length]).toEqual([0, 2]);
  });

  it("is tried once while it is down", async () => {
    const site = await newSite();
    const person = await publishedOn(site);
    const { port } = new URL(site.url);
    await site.close();
    let connections = 0;
    const dead = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(Number(port), "127.0.0.1");
    await once(dead, "listening");
    const { body } = await person.publish(1);
    await new Promise((resolve) => dead.close(resolve));
    expect([(body as unknown as Failed).type, connections]).toEqual(["CONNECTION_ERROR", 1]);
  });

  it("is found at its new address when the old one redirects there", async () => {
    const site = await newSite();
    const person = await publishedOn(site);
    const moved = await copyOf(site);
    site.faults.movedTo = moved.url;
    await person.connect(moved);
    expect((await person.publish(1)).status).toBe(200);
    expect((await person.unpublish(2)).body.status).toBe("wp_draft");
    expect([moved.posts().length, await person.known()]).toEqual([2, [[placeOf(moved), true]]]);
  });

  it("is found at its new address when nothing is left at the old one, and its links lead there", async () => {
    const site = await newSite();
    const person = await publishedOn(site);
    const moved = await copyOf(site);
    await site.close();
    await person.connect(moved);
    await person.lookUp();
    const { wpPermalink, wpPlace, status } = await person.read(1);
    expect([wpPlace, status, wpPermalink?.startsWith(`${moved.url}/`)]).toEqual(["here", "wp_published", true]);
    await person.publish(1);
    expect([moved.posts().length, await person.known()]).toEqual([2, [[placeOf(moved), true]]]);
  });
});

it("is the same site at its new address although it has no more than a draft whose creation went unanswered", async () => {
  const site = await newSite();
  const { caller, id, ...place } = await connectedWorkspace(site);
  const pieceId = await newPiece({ id }, place, { title: "Unanswered", body: "A text." });
  site.faults.failAfterCreate = 1;
  site.faults.rewrite = (answer, { method, route }) =>
    method === "GET" && route === "/wp/v2/posts" ? { status: 500, body: {} } : answer;
  expect((await caller.post(`/api/content/${pieceId}/publish`)).status).toBe(502);
  Object.assign(site.faults, noFaults());
  const moved = await copyOf(site);
  site.faults.movedTo = moved.url;
  await caller.patch("/api/user/settings", siteSettings(moved));
  expect((await caller.post(`/api/content/${pieceId}/publish`)).status).toBe(200);
  expect(moved.posts()).toHaveLength(1);
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

describe("a copy of the site", () => {
  it("is another site while the original still has its posts; nothing is created on it, and the original stays", async () => {
    const site = await newSite();
    const person = await publishedOn(site);
    const before = await person.read(1);
    const copy = await copyOf(site);
    await person.connect(copy);
    await person.caller.patch(person.urls[0] ?? "", { body: "For the copy" });
    expect((await person.publish(1)).body.wpPostId).toBe(before.wpPostId);
    expect([copy.posts().length, live(copy)]).toEqual([2, 2]);
    expect(await person.known()).toEqual([
      [placeOf(site), false],
      [placeOf(copy), true],
    ]);
    expect(site.posts()[0]?.content).not.toContain("For the copy");
    await person.connect(site);
    await person.lookUp();
    expect(await person.read(1)).toMatchObject({ wpPermalink: before.wpPermalink, wpPlace: "here" });
    expect((await person.publish(1)).body.wpPostId).toBe(before.wpPostId);
    expect([site.posts().length, site.posts()[0]?.content]).toEqual([2, expect.stringContaining("For the copy")]);
  });

  it("has a piece's post found although it was not among those compared", async () => {
    const site = await newSite();
    const person = await publishedOn(site);
    const copy = await copyOf(site);
    await person.connect(copy);
    await person.lookUp();
    // As if the first look had compared other posts.
    await query(`DELETE FROM piece_posts w USING sites s WHERE s.id = w.site_id AND s.user_id = $1 AND s.is_default`, [
      person.id,
    ]);
    expect((await person.unpublish(1)).body.status).toBe("wp_draft");
    expect((await person.publish(2)).body.status).toBe("wp_published");
    expect(copy.posts()).toHaveLength(2);
  });
});

describe("a site that may be one or the other", () => {
  /** Its old address answers with errors only. */
  async function uncertain() {
    const site = await newSite();
    const person = await publishedOn(site);
    const other = await copyOf(site);
    site.faults.maintenance = true;
    await person.connect(other);
    return { site, person, other };
  }

  it("is not written to before the person has said which", async () => {
    const { site, person, other } = await uncertain();
    const before = other.requests.length;
    for (const verb of [person.publish, person.unpublish, person.sync]) {
      const { status, body } = await verb(1);
      expect([status, body.type, body.error]).toEqual([
        409,
        "SITE_UNCERTAIN",
        expect.stringContaining(`${placeOf(other)} has the posts of ${placeOf(site)}`),
      ]);
    }
    const all = await person.caller.post<Failed>(`/api/projects/${person.projectId}/publish-all-to-wordpress`);
    expect([all.status, all.body.type]).toEqual([409, "SITE_UNCERTAIN"]);
    expect(other.requests.slice(before).filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect((await person.lookUp()).status).toBe(200);
    expect((await person.read(1)).wpPlace).toBe("unknown");
    const check = await person.caller.post<{ question: string | null }>("/api/wordpress/test");
    expect(check.body.question).toContain("Is it the same site at a new address");
  });

  it("is asked about when the old address has other posts under the same ids", async () => {
    const site = await newSite();
    const person = await publishedOn(site);
    const other = await copyOf(site);
    for (const { id } of site.posts()) site.edit(id, { date: "2001-02-03T04:05:06" });
    await person.connect(other);
    expect((await person.publish(1)).body.type).toBe("SITE_UNCERTAIN");
  });

  it("fails the connection test while its posts cannot be read", async () => {
    const { person, other } = await uncertain();
    other.faults.rewrite = (answer, { route }) => (route === "/wp/v2/posts" ? { status: 500, body: {} } : answer);
    expect((await person.caller.post<Failed>("/api/wordpress/test")).body.type).toBe("CONNECTION_ERROR");
  });

  it("is settled by an answer to the connection test", async () => {
    const { person, other } = await uncertain();
    const check = await person.caller.post<{ question: string | null }>("/api/wordpress/test", { site: "same" });
    expect(check.body.question).toBeNull();
    expect((await person.publish(1)).body.status).toBe("wp_published");
    expect([other.posts().length, (await person.known()).length]).toEqual([2, 1]);
  });

  it("fails a job without writing, and its retry takes the answer", async () => {
    const { person, other } = await uncertain();
    const before = other.requests.length;
    const url = `/api/projects/${person.projectId}/publishing-jobs`;
    const { jobId } = (await person.caller.post<{ jobId: string }>(url, { verb: "update_all" })).body;
    const { publishSlice } = await import("@/lib/features/publishing/steps");
    expect((await publishSlice(jobId)).next).toBe("end");
    const job = async () => (await person.caller.get<PublishingJobOut>(`/api/publishing-jobs/${jobId}`)).body;
    expect(await job()).toMatchObject({
      status: "failed",
      failedItems: 2,
      errorType: "SITE_UNCERTAIN",
      error: expect.stringContaining("Is it the same site at a new address"),
    });
    expect(other.requests.slice(before).filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect((await person.caller.post(`/api/publishing-jobs/${jobId}/retry`, { site: "same" })).status).toBe(200);
    expect((await publishSlice(jobId)).next).toBe("end");
    expect(await job()).toMatchObject({ status: "completed", completedItems: 2, errorType: null });
    expect([other.posts().length, (await person.known()).length]).toEqual([2, 1]);
  });

  it.each([
    ["same", 1],
    ["other", 2],
  ] as const)(
    "is the %s site when the person says so, and nothing is created twice either way",
    async (site, count) => {
      const { person, other } = await uncertain();
      expect((await person.publish(1, { site })).body.status).toBe("wp_published");
      // Said once: the next call knows.
      expect((await person.publish(2)).body.status).toBe("wp_published");
      expect([other.posts().length, (await person.known()).length]).toEqual([2, count]);
    },
  );
});

describe("two sites that have nothing in common", () => {
  it("have posts and statuses of their own, and the first still has its post on the way back", async () => {
    const [first, second] = [await newSite(), await newSite()];
    const person = await publishedOn(first);
    const before = await person.read(1);
    await person.connect(second);
    await person.lookUp();
    expect(await person.read(1)).toMatchObject({ status: "unpublished", wpPlace: "elsewhere", wpPostId: null });
    // A status that is the person's own.
    await person.caller.patch(person.urls[1] ?? "", { status: "review" });
    await person.publish(1);
    await person.unpublish(1);
    expect((await person.read(1)).status).toBe("wp_draft");
    await person.connect(first);
    await person.lookUp();
    const back = { wpPostId: before.wpPostId, wpPermalink: before.wpPermalink, wpPlace: "here" };
    expect(await person.read(1)).toMatchObject({ ...back, status: "wp_published" });
    // Live here, whatever was set meanwhile.
    expect((await person.read(2)).status).toBe("wp_published");
    expect((await person.publish(1)).body.wpPostId).toBe(before.wpPostId);
    expect([first.posts().length, second.posts().length]).toEqual([2, 1]);
  });

  it("are not taken for one because their ids are the same", async () => {
    const [first, second] = [await newSite(), await newSite()];
    await publishedOn(second);
    const person = await publishedOn(first);
    await first.close();
    await person.connect(second);
    await person.publish(1);
    expect([second.posts().length, (await person.known()).length]).toEqual([3, 2]);
  });

  it("keep a publish that ends after the person has changed sites with its own", async () => {
    const [first, second] = [await newSite(), await newSite()];
    const person = await publishedOn(first);
    await person.caller.patch(person.urls[0] ?? "", { body: "Changed" });
    first.faults.answerAfter = ({ method, route }) => {
      if (method !== "POST" || !route.startsWith("/wp/v2/posts/")) return undefined;
      first.faults.answerAfter = null;
      return person.connect(second).then(() => person.lookUp().then(() => undefined));
    };
    expect((await person.publish(1)).status).toBe(200);
    Object.assign(first.faults, noFaults());
    expect(await person.read(1)).toMatchObject({ status: "unpublished", wpPlace: "elsewhere", wpPermalink: null });
    expect(first.posts()[0]?.content).toContain("Changed");
  });
});

import { noFaults } from "@/scripts/samples/wordpress/faults";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece } from "@/tests/support/factories";
import { connectedWorkspace, type Piece, workspaceWithPost, writesOf } from "@/tests/support/publishing-workspace";

// A cache before the site that looks neither at a read's parameters nor at its headers.

let site: SampleWordPress;

beforeAll(async () => {
  await (await startBlog()).close();
  let now = Date.now();
  // The site's dates have whole seconds: each write has one of its own.
  const clock = () => {
    now += 1_000;
    return new Date(now);
  };
  site = await startSampleWordPress({ clock });
});
afterAll(() => site.close());
afterEach(() => {
  Object.assign(site.faults, noFaults());
});

/** Answers the reads of posts as the site would have answered now; the first so many of each, or all of them. */
function keepAnswers(times = Number.POSITIVE_INFINITY): void {
  const then = structuredClone(site.posts());
  const left = new Map<string, number>();
  site.faults.rewrite = (answer, { method, route }) => {
    if (method !== "GET" || !route.startsWith("/wp/v2/posts")) return answer;
    const uses = left.get(route) ?? times;
    left.set(route, uses - 1);
    return uses > 0 ? { ...answer, body: asThen(answer.body, then) } : answer;
  };
}

type Shown = { id: number; modified_gmt: string; title: { raw: string }; content: { raw: string }; status: string };

function asThen(body: unknown, then: ReturnType<SampleWordPress["posts"]>): unknown {
  if (Array.isArray(body)) return body.map((each) => asThen(each, then));
  const shown = body as Shown;
  const post = then.find(({ id }) => id === shown.id);
  if (!post) return body;
  const { modified: modified_gmt, title, content, status } = post;
  return { ...shown, modified_gmt, title: { raw: title }, content: { raw: content }, status };
}

const FROM_A_CACHE = {
  type: "CONNECTION_ERROR",
  detail: expect.stringMatching(/^Your site answers from a cache.*Exclude \/wp-json\/ from the cache or purge it/),
};

async function withCachedPost() {
  const workspace = await workspaceWithPost(site);
  await workspace.publish();
  const change = (body: string) => workspace.caller.patch(workspace.url, { body });
  const cache = async (times?: number) => {
    keepAnswers(times);
    await change("The first update.");
    expect((await workspace.publish()).status).toBe(200);
    await change("The second update.");
  };
  return { ...workspace, change, cache };
}

describe("a post whose answer is older than our last write", () => {
  it.each([{}, { force: true }])("is neither written nor called changed (%j)", async (input) => {
    const workspace = await withCachedPost();
    await workspace.cache();
    const before = await workspace.read();
    expect(
      await writesOf(site, async () => {
        expect((await workspace.publish(input)).body).toMatchObject(FROM_A_CACHE);
      }),
    ).toEqual([]);
    expect(await workspace.read()).toEqual(before);
    expect(workspace.post()).toEqual([expect.objectContaining({ content: expect.stringContaining("first update") })]);
  });

  it("leaves its piece as it is when it is synced or unpublished", async () => {
    const workspace = await withCachedPost();
    await workspace.caller.post(`${workspace.url}/unpublish`);
    keepAnswers();
    await workspace.publish();
    const before = await workspace.read();
    expect(before.status).toBe("wp_published");
    for (const verb of ["sync", "unpublish"]) {
      expect((await workspace.caller.post<Piece>(`${workspace.url}/${verb}`)).body).toMatchObject(FROM_A_CACHE);
    }
    expect([await workspace.read(), workspace.post()[0]?.status]).toEqual([before, "publish"]);
  });

  it("is read once more, and then written", async () => {
    const workspace = await withCachedPost();
    await workspace.cache(2);
    expect((await workspace.publish()).body.status).toBe("wp_published");
    expect(workspace.post()).toEqual([expect.objectContaining({ content: expect.stringContaining("second update") })]);
  });

  it("is taken as it is a quarter of an hour later: the site may have been restored from a backup", async () => {
    const workspace = await withCachedPost();
    await workspace.cache();
    await query("UPDATE piece_posts SET last_synced_at = last_synced_at - interval '16 minutes'");
    const sync = async () => (await workspace.caller.post(`${workspace.url}/sync`)).status;
    expect([await sync(), await sync()]).toEqual([200, 200]);
    expect((await workspace.publish()).body.status).toBe("wp_published");
  });
});

it("holds up those of many pieces that a list from a cache has, and publishes the others", async () => {
  const workspace = await connectedWorkspace(site);
  const add = (title: string) =>
    newPiece(workspace, workspace, { title: `${title} ${workspace.username}`, body: "Text." });
  const known = [await add("One"), await add("Two")];
  const url = `/api/projects/${workspace.projectId}/publish-all-to-wordpress`;
  await workspace.caller.post(url);
  const change = (body: string) =>
    Promise.all(known.map((id) => workspace.caller.patch(`/api/content/${id}`, { body })));
  keepAnswers();
  await change("The first update.");
  await workspace.caller.post(url);
  await change("The second update.");
  const added = await add("Three");
  const { body } = await workspace.caller.post<{ results: { contentId: string; success: boolean }[] }>(url);
  expect(body.results.sort((one, other) => Number(one.success) - Number(other.success))).toEqual([
    ...known.map(() => expect.objectContaining({ success: false, ...FROM_A_CACHE })),
    expect.objectContaining({ contentId: added, success: true }),
  ]);
});

it("takes a post for gone that was removed by hand just after it was written", async () => {
  const workspace = await withCachedPost();
  site.remove(workspace.post()[0]?.id ?? 0);
  expect((await workspace.publish()).body.type).toBe("REMOTE_GONE");
});

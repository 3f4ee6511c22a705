import type { PublishAllOut } from "@/lib/features/publishing/schema";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece, newTopic } from "@/tests/support/factories";
import { connectedWorkspace, type Failed, type Piece } from "@/tests/support/publishing-workspace";
import { noFaults } from "@/tests/support/wordpress/faults";
import type { SampleWordPress } from "@/tests/support/wordpress-site";

let site: SampleWordPress;

beforeAll(async () => {
  site = await startBlog();
});
afterAll(() => site.close());
afterEach(() => {
  Object.assign(site.faults, noFaults());
});

/** Publish-all with a fake clock. */
async function publishAllAs({ id, projectId }: Awaited<ReturnType<typeof connectedWorkspace>>) {
  const [{ publishAll }, { actorFromSignIn }] = await Promise.all([
    import("@/lib/features/publishing/writes/project"),
    import("@/lib/auth/actor"),
  ]);
  const actor = actorFromSignIn(id, { requestId: "test", address: "test" });
  return { run: (now: () => number) => publishAll(actor, projectId, {}, { now }) };
}

describe("publishing a project", () => {
  it("publishes every publishable piece once, with a category per topic, and continues after failures", async () => {
    const workspace = await connectedWorkspace(site);
    const second = await newTopic(workspace, workspace.projectId, "Hardening off");
    await newPiece(workspace, workspace); // Title only.
    for (let n = 0; n < 6; n++)
      await newPiece(workspace, workspace, { title: `All ${workspace.username} ${n}`, body: `Text ${n}` });
    await newPiece(
      workspace,
      { projectId: workspace.projectId, topicId: second },
      { title: `All ${workspace.username} 6`, body: "Text 6" },
    );
    const url = `/api/projects/${workspace.projectId}/publish-all-to-wordpress`;
    const mine = () => site.posts().filter((post) => JSON.stringify(post).includes(`All ${workspace.username}`));
    site.faults.failAfterUpdate = 1;
    const first = await workspace.caller.post<PublishAllOut>(url);
    expect(first.body.totalProcessed).toBe(7);
    expect(first.body.results.filter(({ success }) => !success)).toHaveLength(1);
    const again = await workspace.caller.post<PublishAllOut>(url);
    expect(again.body.results.every(({ success }) => success)).toBe(true);
    expect(again.body.results.filter(({ unchanged }) => unchanged)).toHaveLength(6);
    expect(mine()).toHaveLength(7);
    const categories = (await workspace.caller.get<{ name: string }[]>("/api/wordpress/categories")).body.map(
      ({ name }) => name,
    );
    expect(categories.filter((name) => name === "Hardening off")).toHaveLength(1);
  });

  it("keeps the specified sentence and the detail for a piece when the site fails", async () => {
    const workspace = await connectedWorkspace(site);
    const id = await newPiece(workspace, workspace, { title: `Cut off ${workspace.username}`, body: "Text" });
    const { run } = await publishAllAs(workspace);
    // The site is found, then goes into maintenance.
    let requests = 0;
    const { results } = await run(() => {
      if (requests++ === 1) site.faults.maintenance = true;
      return 0;
    });
    const sentence = "Could not connect to WordPress site. Please check your site URL and ensure it is accessible.";
    const detail = "The site is in maintenance mode: try again in a few minutes.";
    expect(results).toEqual([
      expect.objectContaining({ success: false, type: "CONNECTION_ERROR", error: sentence, detail }),
    ]);
    const piece = (await workspace.caller.get<Piece>(`/api/content/${id}`)).body;
    expect(piece).toMatchObject({ status: "wp_failed", publishError: `${sentence} ${detail}` });
  });

  it("reports pieces it had no time for, and continues with them in the next call", async () => {
    const workspace = await connectedWorkspace(site);
    for (let n = 0; n < 6; n++)
      await newPiece(workspace, workspace, { title: `Late ${workspace.username} ${n}`, body: "Text" });
    const { run } = await publishAllAs(workspace);
    const posts = () => site.posts().filter(({ title }) => title.startsWith(`Late ${workspace.username}`));
    // The clock is read for the deadline and before each piece: four are in time, the last by a millisecond.
    const times = [0, 0, 0, 0, 239_999, 240_000, 240_000];
    const first = await run(() => times.shift() ?? Number.NaN);
    expect(first.totalProcessed).toBe(4);
    expect(first.results.map(({ success, type }) => type ?? success)).toEqual([
      ...Array(4).fill(true),
      ...Array(2).fill("TIME_BUDGET"),
    ]);
    expect(first.results[5]).toMatchObject({
      success: false,
      error: "There was no time left for this piece. Publish all again to continue.",
    });
    expect(
      posts()
        .map(({ title }) => title.slice(-1))
        .sort(),
    ).toEqual(["0", "1", "2", "3"]);
    const again = await run(() => 0);
    expect([again.totalProcessed, again.results.map(({ success }) => success)]).toEqual([6, Array(6).fill(true)]);
    expect(again.results.map(({ unchanged = false }) => unchanged)).toEqual([true, true, true, true, false, false]);
    expect(posts()).toHaveLength(6);
  });

  it("publishes four at once, and creates a shared category once", async () => {
    const workspace = await connectedWorkspace(site);
    for (let n = 0; n < 6; n++)
      await newPiece(workspace, workspace, { title: `Wide ${workspace.username} ${n}`, body: "Text" });
    let reached = 0;
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const four = new Promise<void>((resolve) => {
      site.faults.answerAfter = ({ method, route }) => {
        if (method !== "POST" || route !== "/wp/v2/posts") return undefined;
        if (++reached === 4) resolve();
        return opened;
      };
    });
    const before = site.requests.length;
    const { run } = await publishAllAs(workspace);
    const running = run(() => 0);
    await four;
    // A fifth piece would have its lease by now, even if it still waited for the site.
    expect(await query("SELECT 1 FROM leases WHERE kind = 'publishing' AND user_id = $1", [workspace.id])).toHaveLength(
      4,
    );
    open();
    expect((await running).results.map(({ success }) => success)).toEqual(Array(6).fill(true));
    const creations = site.requests.slice(before).filter((request) => request === "POST /wp/v2/categories");
    expect(creations).toHaveLength(1);
  });

  it("tries a failed category again for the next piece", async () => {
    const workspace = await connectedWorkspace(site);
    for (let n = 0; n < 6; n++)
      await newPiece(workspace, workspace, { title: `Retry ${workspace.username} ${n}`, body: "Text" });
    let isFirst = true;
    site.faults.rewrite = (answer, { method, route }) => {
      if (!isFirst || method !== "POST" || route !== "/wp/v2/categories") return answer;
      isFirst = false;
      return { status: 500, body: {} };
    };
    const { run } = await publishAllAs(workspace);
    const results = (await run(() => 0)).results.map(({ success }) => success);
    expect(results).toEqual(expect.arrayContaining([true, false]));
    expect(results[5]).toBe(true);
  });

  it("does nothing without publishable pieces", async () => {
    const workspace = await connectedWorkspace(site);
    const answer = await workspace.caller.post<Failed>(`/api/projects/${workspace.projectId}/publish-all-to-wordpress`);
    expect(answer.body.type).toBe("NOTHING_TO_DO");
  });
});

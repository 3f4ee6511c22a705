import type { PublishAllOut } from "@/lib/features/publishing/schema";

import { startBlog, suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece, newTopic } from "@/tests/support/factories";
import { connectedWorkspace, type Failed, type Piece } from "@/tests/support/publishing-workspace";

const site = suiteBlog();

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
    // The first batch that gives drafts their texts: it reports a fatal error for the third.
    let failed = false;
    site.faults.rewrite = (answer, { route }) => {
      const { responses } = answer.body as { responses: { status: number }[] };
      if (failed || route !== "/batch/v1" || responses[2]?.status !== 200) return answer;
      failed = true;
      return { ...answer, body: { responses: responses.with(2, { ...responses[2], status: 500 }) } };
    };
    const first = await workspace.caller.post<PublishAllOut>(url);
    expect(first.body.totalProcessed).toBe(7);
    expect(first.body.results.filter(({ success }) => !success)).toHaveLength(1);
    const again = await workspace.caller.post<PublishAllOut>(url);
    expect(again.body.results.every(({ success }) => success)).toBe(true);
    expect(again.body.results.filter(({ unchanged }) => unchanged)).toHaveLength(6);
    expect(again.body).not.toHaveProperty("jobId");
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
    // The site is read, then goes into maintenance.
    site.faults.answerAfter = ({ route }) => {
      site.faults.maintenance = route === "/wp/v2/categories";
      return undefined;
    };
    const { results } = await run(() => 0);
    const sentence = "Could not connect to WordPress site. Please check your site URL and ensure it is accessible.";
    const detail = "The site is in maintenance mode: try again in a few minutes.";
    expect(results).toEqual([
      expect.objectContaining({ success: false, type: "CONNECTION_ERROR", error: sentence, detail }),
    ]);
    const piece = (await workspace.caller.get<Piece>(`/api/content/${id}`)).body;
    expect(piece).toMatchObject({ status: "wp_failed", publishError: `${sentence} ${detail}` });
  });

  it("reports pieces it had no time for, and goes on with them in the background", async () => {
    // How fast this one is, is not known yet: it gets batches of five at first.
    const unknown = await startBlog();
    const workspace = await connectedWorkspace(unknown);
    const count = 150;
    for (let n = 0; n < count; n++)
      await newPiece(workspace, workspace, { title: `Late ${workspace.username} ${n}`, body: "Text" });
    const { run } = await publishAllAs(workspace);
    const posts = () => unknown.posts().filter(({ title }) => title.startsWith(`Late ${workspace.username}`));
    // The time is up when the first post is live: what is on its way then is finished, and nothing else begins.
    const first = await run(() => (posts().some(({ status }) => status === "publish") ? 240_000 : 0));
    expect(first.jobId).toEqual(expect.any(String));
    const types = first.results.map(({ success, type }) => type ?? success);
    expect(new Set(types)).toEqual(new Set([true, "TIME_BUDGET"]));
    const done = types.filter((type) => type === true).length;
    expect(first.totalProcessed).toBe(done);
    expect(first.results.find(({ success }) => !success)).toMatchObject({
      error: "There was no time left for this piece. It is published in the background.",
    });
    expect(posts().map(({ status }) => status)).toEqual(Array(done).fill("publish"));
    const { publishForRun } = await import("@/lib/features/publishing/steps");
    expect(await publishForRun(first.jobId ?? "")).toEqual({ next: "end", as: "completed" });
    expect(posts()).toHaveLength(count);
    const again = await run(() => 0);
    expect([again.totalProcessed, again.results.every(({ unchanged }) => unchanged)]).toEqual([count, true]);
    await unknown.close();
  });

  it("reads pieces as long as they may be a few at a time", async () => {
    const workspace = await connectedWorkspace(site);
    const count = 10;
    const body = "Words. ".repeat(70_000);
    for (let n = 0; n < count; n++)
      await newPiece(workspace, workspace, { title: `Long ${workspace.username} ${n}`, body });
    const { run } = await publishAllAs(workspace);
    const first = site.requests.length;
    expect((await run(() => 0)).results.map(({ type, success }) => type ?? success)).toEqual(Array(count).fill(true));
    // Each is written by itself.
    expect(site.requests.slice(first).filter((request) => request === "POST /batch/v1")).toEqual([]);
    const before = site.requests.length;
    const again = await run(() => 0);
    expect(again.results.every(({ unchanged }) => unchanged)).toBe(true);
    // Eight of them are nearly four megabytes.
    expect(site.requests.slice(before).filter((request) => request === "GET /wp/v2/posts")).toHaveLength(2);
  });

  it("goes on with the same job when it is called again before that has ended", async () => {
    const workspace = await connectedWorkspace(site);
    for (let n = 0; n < 3; n++)
      await newPiece(workspace, workspace, { title: `Again ${workspace.username} ${n}`, body: "Text" });
    const { run } = await publishAllAs(workspace);
    const times = [0, 240_000];
    const first = await run(() => times.shift() ?? 240_000);
    expect([first.totalProcessed, first.results.every(({ type }) => type === "TIME_BUDGET")]).toEqual([0, true]);
    const again = await run(() => 0);
    expect([again.totalProcessed, again.jobId]).toEqual([3, undefined]);
    const jobs = await query("SELECT id, status FROM processing_jobs WHERE project_id = $1", [workspace.projectId]);
    expect(jobs).toEqual([{ id: first.jobId, status: "completed" }]);
  });

  it("creates a shared category once", async () => {
    const workspace = await connectedWorkspace(site);
    const topicId = await newTopic(workspace, workspace.projectId, `Wide ${workspace.username}`);
    for (let n = 0; n < 6; n++)
      await newPiece(workspace, { ...workspace, topicId }, { title: `Wide ${workspace.username} ${n}`, body: "Text" });
    const before = site.requests.length;
    const { run } = await publishAllAs(workspace);
    expect((await run(() => 0)).results.map(({ success }) => success)).toEqual(Array(6).fill(true));
    const creations = site.requests.slice(before).filter((request) => request === "POST /wp/v2/categories");
    expect(creations).toHaveLength(1);
  });

  it("asks whether the site takes batches before it needs to know", async () => {
    const workspace = await connectedWorkspace(site);
    for (let n = 0; n < 2; n++)
      await newPiece(workspace, workspace, { title: `Ahead ${workspace.username} ${n}`, body: "Text" });
    // From now on the site is known.
    await workspace.caller.get("/api/wordpress/categories");
    const before = site.requests.length;
    // A plugin keeps the index from visitors.
    const hidden = { status: 401, body: { code: "rest_login_required", message: "Sign in first.", data: {} } };
    let isFirst = true;
    site.faults.rewrite = (answer, { route }) => {
      if (route !== "/" || !isFirst) return answer;
      isFirst = false;
      return hidden;
    };
    const { run } = await publishAllAs(workspace);
    await run(() => 0).finally(() => {
      site.faults.rewrite = null;
    });
    const asked = site.requests.slice(before).filter((request) => ["GET /", "GET /wp/v2/categories"].includes(request));
    expect(asked.slice(0, 3)).toEqual(["GET /", "GET /", "GET /wp/v2/categories"]);
  });

  it("finds a category whose creation went unanswered", async () => {
    const workspace = await connectedWorkspace(site);
    const topicId = await newTopic(workspace, workspace.projectId, `Lost ${workspace.username}`);
    const place = { projectId: workspace.projectId, topicId };
    for (let n = 0; n < 3; n++) await newPiece(workspace, place, { title: `Retry ${n}`, body: "Text" });
    let isFirst = true;
    site.faults.rewrite = (answer, { method, route }) => {
      if (!isFirst || method !== "POST" || route !== "/wp/v2/categories") return answer;
      isFirst = false;
      return { status: 500, body: {} };
    };
    const { run } = await publishAllAs(workspace);
    expect((await run(() => 0)).results.map(({ success }) => success)).toEqual([true, true, true]);
    const names = (await workspace.caller.get<{ name: string }[]>("/api/wordpress/categories")).body;
    expect(names.filter(({ name }) => name === `Lost ${workspace.username}`)).toHaveLength(1);
  });

  it("does nothing without publishable pieces", async () => {
    const workspace = await connectedWorkspace(site);
    const answer = await workspace.caller.post<Failed>(`/api/projects/${workspace.projectId}/publish-all-to-wordpress`);
    expect(answer.body.type).toBe("NOTHING_TO_DO");
  });
});

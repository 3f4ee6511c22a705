import type { PublishAllOut } from "@/lib/features/publishing/schema";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece, newTopic } from "@/tests/support/factories";
import { connectedDesk, type Failed, type Piece } from "@/tests/support/publishing-desk";
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

/** Publish-all with a clock of the test's own. */
async function publishAllAs({ id, projectId }: Awaited<ReturnType<typeof connectedDesk>>) {
  const [{ publishAll }, { actorOfSignIn }] = await Promise.all([
    import("@/lib/features/publishing/writes/project"),
    import("@/lib/auth/actor"),
  ]);
  const actor = actorOfSignIn(id, { requestId: "test", address: "test" });
  return { run: (now: () => number) => publishAll(actor, projectId, { now }) };
}

describe("publishing a project", () => {
  it("publishes every publishable piece once, a category a topic, and goes on past failures", async () => {
    const desk = await connectedDesk(site);
    const second = await newTopic(desk, desk.projectId, "Hardening off");
    await newPiece(desk, desk); // a title only
    for (let n = 0; n < 6; n++) await newPiece(desk, desk, { title: `All ${desk.username} ${n}`, body: `Text ${n}` });
    await newPiece(
      desk,
      { projectId: desk.projectId, topicId: second },
      { title: `All ${desk.username} 6`, body: "Text 6" },
    );
    const url = `/api/projects/${desk.projectId}/publish-all-to-wordpress`;
    const mine = () => site.posts().filter((post) => JSON.stringify(post).includes(`All ${desk.username}`));
    site.faults.failAfterUpdate = 1;
    const first = await desk.caller.post<PublishAllOut>(url);
    expect(first.body.totalProcessed).toBe(7);
    expect(first.body.results.filter(({ success }) => !success)).toHaveLength(1);
    const again = await desk.caller.post<PublishAllOut>(url);
    expect(again.body.results.every(({ success }) => success)).toBe(true);
    expect(again.body.results.filter(({ unchanged }) => unchanged)).toHaveLength(6);
    expect(mine()).toHaveLength(7);
    const categories = (await desk.caller.get<{ name: string }[]>("/api/wordpress/categories")).body.map(
      ({ name }) => name,
    );
    expect(categories.filter((name) => name === "Hardening off")).toHaveLength(1);
  });

  it("keeps the specified sentence of a piece the site did not answer for, and the detail beside it", async () => {
    const desk = await connectedDesk(site);
    const id = await newPiece(desk, desk, { title: `Cut off ${desk.username}`, body: "Text" });
    const { run } = await publishAllAs(desk);
    // The site is found, then goes into maintenance.
    let asked = 0;
    const { results } = await run(() => {
      if (asked++ === 1) site.faults.maintenance = true;
      return 0;
    });
    const sentence = "Could not connect to WordPress site. Please check your site URL and ensure it is accessible.";
    const detail = "The site is in maintenance mode: try again in a few minutes.";
    expect(results).toEqual([
      expect.objectContaining({ success: false, type: "CONNECTION_ERROR", error: sentence, detail }),
    ]);
    const piece = (await desk.caller.get<Piece>(`/api/content/${id}`)).body;
    expect(piece).toMatchObject({ status: "wp_failed", publishError: `${sentence} ${detail}` });
  });

  it("reports what there was no time for, and goes on with it when it is called again", async () => {
    const desk = await connectedDesk(site);
    for (let n = 0; n < 6; n++) await newPiece(desk, desk, { title: `Late ${desk.username} ${n}`, body: "Text" });
    const { run } = await publishAllAs(desk);
    const posts = () => site.posts().filter(({ title }) => title.startsWith(`Late ${desk.username}`));
    // Asked once for the deadline, then once before each piece: four are in time, the last of them by a millisecond.
    const times = [0, 0, 0, 0, 239_999, 240_000, 240_000];
    const first = await run(() => times.shift() ?? Number.NaN);
    expect(first.totalProcessed).toBe(4);
    expect(first.results.map(({ success, type }) => type ?? success)).toEqual([
      ...Array(4).fill(true),
      ...Array(2).fill("TIME_BUDGET"),
    ]);
    expect(first.results[5]).toMatchObject({
      success: false,
      error: "There was no time left for this piece. Publish all again to go on.",
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

  it("publishes four at once, and asks for a category they share once", async () => {
    const desk = await connectedDesk(site);
    for (let n = 0; n < 6; n++) await newPiece(desk, desk, { title: `Wide ${desk.username} ${n}`, body: "Text" });
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
    const { run } = await publishAllAs(desk);
    const running = run(() => 0);
    await four;
    // A fifth piece would be held by now, though it may still wait for its turn on the site.
    expect(await query("SELECT 1 FROM leases WHERE kind = 'publishing' AND user_id = $1", [desk.id])).toHaveLength(4);
    open();
    expect((await running).results.map(({ success }) => success)).toEqual(Array(6).fill(true));
    const asked = site.requests.slice(before).filter((request) => request === "POST /wp/v2/categories");
    expect(asked).toHaveLength(1);
  });

  it("asks again for a category that could not be had, for the next piece", async () => {
    const desk = await connectedDesk(site);
    for (let n = 0; n < 6; n++) await newPiece(desk, desk, { title: `Retry ${desk.username} ${n}`, body: "Text" });
    let isFirst = true;
    site.faults.rewrite = (answer, { method, route }) => {
      if (!isFirst || method !== "POST" || route !== "/wp/v2/categories") return answer;
      isFirst = false;
      return { status: 500, body: {} };
    };
    const { run } = await publishAllAs(desk);
    const results = (await run(() => 0)).results.map(({ success }) => success);
    expect(results).toEqual(expect.arrayContaining([true, false]));
    expect(results[5]).toBe(true);
  });

  it("has nothing to do without publishable pieces", async () => {
    const desk = await connectedDesk(site);
    const answer = await desk.caller.post<Failed>(`/api/projects/${desk.projectId}/publish-all-to-wordpress`);
    expect(answer.body.type).toBe("NOTHING_TO_DO");
  });
});

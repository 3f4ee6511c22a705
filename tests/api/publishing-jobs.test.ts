import { noFaults } from "@/scripts/samples/wordpress/faults";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { projectToPublish, putItems, work } from "@/tests/support/publishing-project";
import { UPDATE } from "@/tests/support/publishing-workspace";
import { recordEvents } from "@/tests/support/sent-events";

// Many pieces as one job: started over the API, worked on in slices as the engine's run does.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
const events = recordEvents();

const site = suiteBlog();
let steps: typeof import("@/lib/features/publishing/steps");

beforeAll(async () => {
  steps = await import("@/lib/features/publishing/steps");
});

const newProject = (pieces: number) => projectToPublish(site, pieces);

const answers = (workspace: Awaited<ReturnType<typeof newProject>>, id: string) =>
  workspace.results(id).then((results) => results.map(({ status, type }) => [status, type ?? null]));

describe("a publishing job", () => {
  it("publishes everything once, and tells of each piece", async () => {
    const workspace = await newProject(7);
    const started = await workspace.start("publish_all");
    expect([started.status, started.body]).toEqual([
      202,
      { jobId: expect.any(String), joined: false, message: "Publishing 7 pieces." },
    ]);
    const { jobId } = started.body;
    expect(events.sent()).toEqual([`publishing/job.queued ${jobId}`]);
    expect(await workspace.latest()).toMatchObject({ id: jobId, status: "pending", totalItems: 7, completedItems: 0 });
    expect(await work(jobId)).toBe("end");
    expect((await workspace.job(jobId)).body).toMatchObject({
      status: "completed",
      verb: "publish_all",
      completedItems: 7,
      unchangedItems: 0,
      liveItems: 7,
      failedItems: 0,
      completedAt: expect.any(String),
    });
    const results = await workspace.results(jobId);
    expect(results.map(({ contentId }) => contentId)).toEqual(workspace.ids);
    expect(results[0]).toMatchObject({
      status: "completed",
      unchanged: false,
      wpPermalink: expect.stringContaining("job-"),
    });
    expect(workspace.posts().map(({ status }) => status)).toEqual(Array(7).fill("publish"));
    expect(site.requests.filter((request) => request === "POST /batch/v1").length).toBeGreaterThanOrEqual(2);
    // A second job has nothing to write.
    const again = (await workspace.start("publish_all")).body.jobId;
    await work(again);
    expect((await workspace.job(again)).body).toMatchObject({ completedItems: 7, unchangedItems: 7 });
    expect(workspace.posts()).toHaveLength(7);
  });

  it("leaves out the pieces of the project that are excepted", async () => {
    const workspace = await newProject(3);
    const [first = "", ...others] = workspace.ids;
    const { jobId, message } = (await workspace.publishAllExcept([first])).body;
    expect(message).toBe("Publishing 2 pieces.");
    await work(jobId);
    expect((await workspace.results(jobId)).map(({ contentId }) => contentId)).toEqual(others);
    expect(workspace.posts()).toHaveLength(2);
    expect((await workspace.publishAllExcept(workspace.ids)).body.type).toBe("NOTHING_TO_DO");
  });

  it("counts what the site keeps for review as not live, and tells why the first failed piece did", async () => {
    const workspace = await newProject(3);
    site.faults.rewrite = (answer) =>
      JSON.parse(JSON.stringify(answer).replaceAll('"status":"publish"', '"status":"pending"'));
    const { jobId } = (await workspace.start("publish_all")).body;
    await work(jobId);
    const counts = { totalItems: 3, completedItems: 3, liveItems: 0, firstFailure: null };
    expect((await workspace.job(jobId)).body).toMatchObject(counts);
    const pieces = await query("SELECT status::text FROM content_pieces WHERE id = ANY($1)", [workspace.ids]);
    expect(pieces).toEqual(Array(3).fill({ status: "wp_draft" }));
    Object.assign(site.faults, noFaults(), { tooLarge: true });
    const other = await newProject(2);
    const refused = (await other.start("publish_all")).body.jobId;
    await work(refused);
    const [first] = await other.results(refused);
    const firstFailure = [first?.error, first?.detail].filter(Boolean).join(" ");
    expect(firstFailure).not.toBe("");
    expect((await other.job(refused)).body).toMatchObject({ failedItems: 2, liveItems: 0, firstFailure });
  });

  it("asks the site once for a hundred unchanged pieces", async () => {
    const workspace = await newProject(100);
    await work((await workspace.start("publish_all")).body.jobId);
    const { jobId } = (await workspace.start("publish_all")).body;
    const before = site.requests.length;
    await work(jobId);
    const asked = site.requests.slice(before).filter((request) => request.includes("/wp/v2/posts"));
    expect(asked).toEqual(["GET /wp/v2/posts"]);
  });

  it("publishes selected pieces under their topics, and leaves the others", async () => {
    const workspace = await newProject(4);
    const chosen = workspace.ids.slice(1, 3);
    const { body } = await workspace.start("publish_selected", chosen);
    await work(body.jobId);
    expect(await workspace.statuses()).toEqual(["draft", "wp_published", "wp_published", "draft"]);
  });

  it("updates only what is live and newer here, and publishes nothing new", async () => {
    const workspace = await newProject(3);
    await work((await workspace.start("publish_selected", workspace.ids.slice(0, 2))).body.jobId);
    const nothing = await workspace.start("update_all");
    expect([nothing.status, nothing.body.type]).toEqual([400, "NOTHING_TO_DO"]);
    for (const id of [workspace.ids[0], workspace.ids[2]])
      await workspace.caller.patch(`/api/content/${id}`, { body: "Another text" });
    const { jobId } = (await workspace.start("update_all")).body;
    await work(jobId);
    expect((await workspace.job(jobId)).body).toMatchObject({ totalItems: 1, completedItems: 1, unchangedItems: 0 });
    expect((await workspace.start("update_all")).body.type).toBe("NOTHING_TO_DO");
    expect(workspace.posts()).toHaveLength(2);
    expect(workspace.posts()[0]?.content).toContain("Another text");
  });

  it("leaves a post that was edited on the site, and names the button that overwrites it", async () => {
    const workspace = await newProject(1);
    await work((await workspace.start("publish_all")).body.jobId);
    site.edit(Number(workspace.posts()[0]?.id), { content: "<p>Edited on the site</p>" });
    await workspace.caller.patch(`/api/content/${workspace.ids[0]}`, { body: "Another text" });
    const { jobId } = (await workspace.start("update_all")).body;
    await work(jobId);
    const [result] = await workspace.results(jobId);
    expect(result).toMatchObject({ type: "REMOTE_CHANGED", error: expect.stringContaining("Use Update on its row") });
    expect(workspace.posts()[0]?.content).toContain("Edited on the site");
  });

  it("leaves out live pieces that have lost their text when it updates what is live", async () => {
    const workspace = await newProject(2);
    await work((await workspace.start("publish_all")).body.jobId);
    await workspace.caller.patch(`/api/content/${workspace.ids[0]}`, { body: "" });
    await workspace.caller.patch(`/api/content/${workspace.ids[1]}`, { body: "Another text" });
    const { jobId } = (await workspace.start("update_all")).body;
    expect((await workspace.results(jobId)).map(({ contentId }) => contentId)).toEqual([workspace.ids[1]]);
  });

  it("unpublishes selected pieces; one that is not on the site fails alone", async () => {
    const workspace = await newProject(3);
    await work((await workspace.start("publish_selected", workspace.ids.slice(0, 2))).body.jobId);
    const { jobId } = (await workspace.start("unpublish_selected", workspace.ids)).body;
    await work(jobId);
    expect(await answers(workspace, jobId)).toEqual([
      ["completed", null],
      ["completed", null],
      ["failed", "NOT_ON_SITE"],
    ]);
    expect(workspace.posts().map(({ status }) => status)).toEqual(["draft", "draft"]);
    expect(await workspace.statuses()).toEqual(["wp_draft", "wp_draft", "draft"]);
  });

  it("is cancelled: what waits ends, and nothing more is written", async () => {
    const workspace = await newProject(3);
    const { jobId } = (await workspace.start("publish_all")).body;
    const cancelled = await workspace.cancel(jobId);
    expect(cancelled.body).toMatchObject({
      status: "cancelled",
      cancelledItems: 3,
      cancelRequestedAt: expect.any(String),
    });
    expect(await work(jobId)).toBe("end");
    expect(workspace.posts()).toEqual([]);
    expect((await workspace.cancel(jobId)).body).toEqual(cancelled.body);
  });

  it("finishes what is under way when it is cancelled, and then ends as cancelled", async () => {
    const workspace = await newProject(250);
    const { jobId } = (await workspace.start("publish_all")).body;
    let cancelling: Promise<void> | undefined;
    site.faults.answerAfter = ({ route }) => {
      if (route !== "/batch/v1") return undefined;
      cancelling ??= workspace.cancel(jobId).then(() => undefined);
      return cancelling;
    };
    await work(jobId);
    await cancelling;
    const job = (await workspace.job(jobId)).body;
    expect(job.status).toBe("cancelled");
    expect(job.completedItems + job.cancelledItems).toBe(250);
    expect(job.completedItems).toBeGreaterThan(0);
    // Two batches of drafts at a time are made while those before get their texts.
    expect(job.completedItems).toBeLessThanOrEqual(200);
    expect(workspace.posts()).toHaveLength(job.completedItems);
  });

  it("retries what has failed, and only that", async () => {
    const workspace = await newProject(3);
    site.faults.rewrite = (answer, { route }) =>
      route === "/batch/v1" || UPDATE.test(`POST ${route}`) ? { status: 500, body: {} } : answer;
    const { jobId } = (await workspace.start("publish_all")).body;
    await work(jobId);
    Object.assign(site.faults, noFaults());
    const failed = (await workspace.job(jobId)).body;
    expect(failed).toMatchObject({ status: "failed", failedItems: 3 });
    expect((await workspace.results(jobId, "?status=failed"))[0]).toMatchObject({
      status: "failed",
      error: expect.stringContaining("site"),
    });
    expect((await workspace.retry(jobId)).body).toMatchObject({ status: "processing", failedItems: 0 });
    await work(jobId);
    expect((await workspace.job(jobId)).body).toMatchObject({ status: "completed", completedItems: 3 });
    expect(workspace.posts()).toHaveLength(3);
    const nothing = await workspace.retry(jobId);
    expect([nothing.status, nothing.body.type]).toEqual([400, "NOTHING_TO_DO"]);
  });

  it("reports a fault of ours for its piece alone, and publishes the others", async () => {
    const workspace = await newProject(3);
    await query("CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'A fault'; END $$");
    await query(
      `CREATE TRIGGER fails BEFORE INSERT OR UPDATE ON piece_posts FOR EACH ROW
       WHEN (NEW.content_piece_id = '${workspace.ids[1]}') EXECUTE FUNCTION fail()`,
    );
    const { jobId } = (await workspace.start("publish_all")).body;
    try {
      await work(jobId);
    } finally {
      await query("DROP FUNCTION fail CASCADE");
    }
    expect(await answers(workspace, jobId)).toEqual([
      ["completed", null],
      ["failed", "INTERNAL"],
      ["completed", null],
    ]);
    expect(workspace.posts().map(({ status }) => status)).toEqual(["publish", "publish"]);
  });

  it("is not made, nor tried again, while the site cannot be reached, and says so at once", async () => {
    const workspace = await newProject(1);
    const { jobId } = (await workspace.start("publish_all")).body;
    await putItems(jobId, { status: "failed" });
    await query("UPDATE processing_jobs SET status = 'failed', completed_at = now() WHERE id = $1", [jobId]);
    site.faults.down = true;
    for (const answer of [await workspace.start("publish_all"), await workspace.retry(jobId)]) {
      expect([answer.status, answer.body]).toEqual([502, expect.objectContaining({ type: "CONNECTION_ERROR" })]);
    }
    const jobs = await query("SELECT 1 FROM processing_jobs WHERE project_id = $1", [workspace.projectId]);
    expect(jobs).toHaveLength(1);
  });

  it("waits for a site that is down, and gives up after some tries", async () => {
    const workspace = await newProject(2);
    const { jobId } = (await workspace.start("publish_all")).body;
    site.faults.down = true;
    const waits: number[] = [];
    for (let look = 0; look < 10; look++) {
      const outcome = await steps.publishForRun(jobId);
      if (outcome.next !== "wait") break;
      waits.push(outcome.waitSeconds);
      await query("UPDATE processing_jobs SET not_before = NULL WHERE id = $1", [jobId]);
    }
    expect(waits).toEqual([5, 15, 60, 300, 600]);
    expect((await workspace.job(jobId)).body).toMatchObject({
      status: "failed",
      failedItems: 2,
      errorType: "CONNECTION_ERROR",
    });
    expect(await answers(workspace, jobId)).toEqual(Array(2).fill(["failed", "CONNECTION_ERROR"]));
  });

  it("that nobody works on is handed to the engine again", async () => {
    const workspace = await newProject(1);
    const { jobId } = (await workspace.start("publish_all")).body;
    await query(
      "UPDATE processing_jobs SET completed_at = now(), status = 'cancelled' WHERE id <> $1 AND completed_at IS NULL",
      [jobId],
    );
    expect(await steps.resumePublishing()).toBe(0);
    await query("UPDATE processing_jobs SET created_at = now() - interval '5 minutes' WHERE id = $1", [jobId]);
    events.batches.length = 0;
    expect(await steps.resumePublishing()).toBe(1);
    expect(events.sent()).toEqual([`publishing/job.queued ${jobId}`]);
    await work(jobId);
    expect(await steps.resumePublishing()).toBe(0);
  });
});

it("is started although the engine is away", async () => {
  const workspace = await newProject(1);
  events.away();
  const { status, body } = await workspace.start("publish_all");
  expect([status, (await workspace.job(body.jobId)).body.status]).toEqual([202, "pending"]);
});

describe("publish-all", () => {
  it("answers with a piece whose last attempt died, and publishes it when it is called again", async () => {
    const workspace = await newProject(2);
    const { jobId } = (await workspace.start("publish_all")).body;
    await query("UPDATE processing_jobs SET status = 'processing' WHERE id = $1", [jobId]);
    await putItems(jobId, { status: "processing", retry_count: 3 }, "position = 0");
    const { status, body } = await workspace.publishAll();
    expect([status, body.results.map(({ success, error }) => [success, error])]).toEqual([
      200,
      [
        [false, "The work stopped before it was done. Try again."],
        [true, undefined],
      ],
    ]);
    expect((await workspace.publishAll()).body.results.every(({ success }) => success)).toBe(true);
    expect(workspace.posts()).toHaveLength(2);
  });

  it("is one job however often it is called at once", async () => {
    const workspace = await newProject(6);
    const all = await Promise.all([1, 2, 3].map(() => workspace.publishAll()));
    expect(all.map(({ status, body }) => [status, body.totalProcessed])).toEqual(Array(3).fill([200, 6]));
    expect(workspace.posts()).toHaveLength(6);
  });
});

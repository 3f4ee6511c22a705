import { randomUUID } from "node:crypto";
import type { PublishAllOut, PublishingJobOut, PublishingResultOut } from "@/lib/features/publishing/schema";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece } from "@/tests/support/factories";
import { connectedWorkspace, type Failed, UPDATE } from "@/tests/support/publishing-workspace";
import { recordEvents } from "@/tests/support/sent-events";
import { noFaults } from "@/tests/support/wordpress/faults";
import type { SampleWordPress } from "@/tests/support/wordpress-site";

// Many pieces as one job: started over the API, worked on in slices as the engine's run does.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
const events = recordEvents();

let site: SampleWordPress;
let steps: typeof import("@/lib/features/publishing/steps");

beforeAll(async () => {
  site = await startBlog();
  steps = await import("@/lib/features/publishing/steps");
});
afterAll(() => site.close());
afterEach(() => {
  Object.assign(site.faults, noFaults());
});

type Started = { jobId: string; joined: boolean; message: string };

async function newProject(pieces: number) {
  const workspace = await connectedWorkspace(site);
  const ids: string[] = [];
  for (let n = 0; n < pieces; n++) {
    ids.push(await newPiece(workspace, workspace, { title: `Job ${workspace.username} ${n}`, body: `Text ${n}` }));
  }
  const { caller, projectId } = workspace;
  const url = `/api/projects/${projectId}`;
  return {
    ...workspace,
    ids,
    start: (verb: string, contentIds?: string[]) =>
      caller.post<Started & Failed>(`${url}/publishing-jobs`, { verb, ...(contentIds ? { contentIds } : {}) }),
    publishAll: () => caller.post<PublishAllOut & Failed>(`${url}/publish-all-to-wordpress`),
    latest: async () => (await caller.get<{ job: PublishingJobOut | null }>(`${url}/publishing-jobs`)).body.job,
    job: (id: string) => caller.get<PublishingJobOut & Failed>(`/api/publishing-jobs/${id}`),
    results: async (id: string, filter = "") =>
      (await caller.get<PublishingResultOut[]>(`/api/publishing-jobs/${id}/results${filter}`)).body,
    cancel: (id: string) => caller.post<PublishingJobOut & Failed>(`/api/publishing-jobs/${id}/cancel`),
    retry: (id: string) => caller.post<PublishingJobOut & Failed>(`/api/publishing-jobs/${id}/retry`),
    posts: () => site.posts().filter(({ title }) => title.includes(workspace.username)),
    statuses: async () =>
      (
        await query<{ status: string }>("SELECT status FROM content_pieces WHERE project_id = $1 ORDER BY title", [
          projectId,
        ])
      ).map(({ status }) => status),
  };
}

/** As the engine's run does; waits are not waited for. */
async function work(jobId: string): Promise<string> {
  for (let slice = 0; slice < 20; slice++) {
    const outcome = await steps.publishSlice(jobId);
    if (outcome.next !== "continue") return outcome.next;
  }
  throw new Error("The job does not end.");
}

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

  it("updates what is live, and publishes nothing new", async () => {
    const workspace = await newProject(3);
    await work((await workspace.start("publish_selected", workspace.ids.slice(0, 2))).body.jobId);
    await workspace.caller.patch(`/api/content/${workspace.ids[0]}`, { body: "Another text" });
    const { jobId } = (await workspace.start("update_all")).body;
    await work(jobId);
    expect((await workspace.job(jobId)).body).toMatchObject({ totalItems: 2, completedItems: 2, unchangedItems: 1 });
    expect(workspace.posts()).toHaveLength(2);
    expect(workspace.posts()[0]?.content).toContain("Another text");
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

  it("is joined while it runs, by pieces that it does not have yet", async () => {
    const workspace = await newProject(3);
    const first = await workspace.start("publish_selected", workspace.ids.slice(0, 2));
    const second = await workspace.start("publish_selected", workspace.ids.slice(1));
    expect(second.body).toMatchObject({ jobId: first.body.jobId, joined: true });
    await work(first.body.jobId);
    expect((await workspace.results(first.body.jobId)).map(({ contentId }) => contentId)).toEqual(workspace.ids);
    expect((await workspace.start("publish_selected", workspace.ids)).body.jobId).not.toBe(first.body.jobId);
  });

  it("is not joined by a call that wants something else, which names it", async () => {
    const workspace = await newProject(2);
    const { jobId } = (await workspace.start("publish_all")).body;
    const refused = await workspace.start("unpublish_selected", workspace.ids);
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ type: "ALREADY_RUNNING", jobId })]);
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
    let cancelling: Promise<unknown> | undefined;
    site.faults.answerAfter = ({ route }) => {
      if (route === "/batch/v1") cancelling ??= workspace.cancel(jobId);
      return undefined;
    };
    await work(jobId);
    await cancelling;
    const job = (await workspace.job(jobId)).body;
    expect(job.status).toBe("cancelled");
    expect(job.completedItems + job.cancelledItems).toBe(250);
    expect(job.completedItems).toBeGreaterThan(0);
    expect(job.cancelledItems).toBeGreaterThan(0);
    expect(workspace.posts()).toHaveLength(job.completedItems);
  });

  it("ends as cancelled when a slice had left pieces that it did not come to", async () => {
    const workspace = await newProject(3);
    const { jobId } = (await workspace.start("publish_all")).body;
    await query("UPDATE publishing_items SET status = 'processing' WHERE job_id = $1", [jobId]);
    await workspace.cancel(jobId);
    expect(await steps.publishSlice(jobId)).toEqual({ next: "end" });
    expect((await workspace.job(jobId)).body).toMatchObject({ status: "cancelled", cancelledItems: 3 });
    expect(workspace.posts()).toEqual([]);
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
    expect((await workspace.retry(jobId)).body).toMatchObject({ status: "pending", failedItems: 0 });
    await work(jobId);
    expect((await workspace.job(jobId)).body).toMatchObject({ status: "completed", completedItems: 3 });
    expect(workspace.posts()).toHaveLength(3);
    const nothing = await workspace.retry(jobId);
    expect([nothing.status, nothing.body.type]).toEqual([400, "NOTHING_TO_DO"]);
  });

  it("goes on after its process died, and publishes nothing twice", async () => {
    const workspace = await newProject(5);
    const { jobId } = (await workspace.start("publish_all")).body;
    await query("UPDATE publishing_jobs SET status = 'processing' WHERE id = $1", [jobId]);
    await query("UPDATE publishing_items SET status = 'processing' WHERE job_id = $1 AND position < 3", [jobId]);
    await work(jobId);
    expect((await workspace.job(jobId)).body).toMatchObject({ status: "completed", completedItems: 5 });
    expect(workspace.posts()).toHaveLength(5);
  });

  it("lets one slice work at a time", async () => {
    const workspace = await newProject(6);
    const { jobId } = (await workspace.start("publish_all")).body;
    const outcomes = await Promise.all([1, 2, 3].map(() => steps.publishSlice(jobId)));
    expect(outcomes.map(({ next }) => next).sort()).toEqual(["end", "wait", "wait"]);
    expect(workspace.posts()).toHaveLength(6);
  });

  it("waits for a site that is down, and gives up after some tries", async () => {
    const workspace = await newProject(2);
    const { jobId } = (await workspace.start("publish_all")).body;
    site.faults.down = true;
    const waits: number[] = [];
    for (let look = 0; look < 10; look++) {
      const outcome = await steps.publishSlice(jobId);
      if (outcome.next !== "wait") break;
      waits.push(outcome.waitSeconds);
      await query("UPDATE publishing_jobs SET not_before = NULL WHERE id = $1", [jobId]);
    }
    expect(waits).toEqual([5, 15, 60, 300, 600]);
    expect((await workspace.job(jobId)).body).toMatchObject({
      status: "failed",
      failedItems: 2,
      errorType: "CONNECTION_ERROR",
    });
    expect(await answers(workspace, jobId)).toEqual(Array(2).fill(["failed", "CONNECTION_ERROR"]));
  });

  it("goes on when a site that was down is back", async () => {
    const workspace = await newProject(2);
    const { jobId } = (await workspace.start("publish_all")).body;
    site.faults.down = true;
    expect((await steps.publishSlice(jobId)).next).toBe("wait");
    site.faults.down = false;
    await query("UPDATE publishing_jobs SET not_before = NULL WHERE id = $1", [jobId]);
    expect(await work(jobId)).toBe("end");
    expect((await workspace.job(jobId)).body).toMatchObject({ status: "completed", error: null });
  });

  it("leaves the result of a piece that was deleted meanwhile", async () => {
    const workspace = await newProject(2);
    const { jobId } = (await workspace.start("publish_all")).body;
    await workspace.caller.delete(`/api/content/${workspace.ids[0]}`);
    await work(jobId);
    expect(await answers(workspace, jobId)).toEqual([
      ["failed", "NOT_FOUND"],
      ["completed", null],
    ]);
  });

  it("is gone with its project", async () => {
    const workspace = await newProject(1);
    const { jobId } = (await workspace.start("publish_all")).body;
    await workspace.caller.delete(`/api/projects/${workspace.projectId}`);
    expect((await workspace.job(jobId)).status).toBe(404);
    expect(await work(jobId)).toBe("end");
    expect(workspace.posts()).toEqual([]);
  });

  it("is its owner's alone", async () => {
    const [workspace, other] = [await newProject(1), await newProject(0)];
    const { jobId } = (await workspace.start("publish_all")).body;
    for (const call of [other.job, other.cancel, other.retry]) expect((await call(jobId)).status).toBe(404);
    expect((await other.caller.get(`/api/publishing-jobs/${jobId}/results`)).status).toBe(404);
    expect((await other.caller.get(`/api/projects/${workspace.projectId}/publishing-jobs`)).status).toBe(404);
    const foreign = await other.start("publish_selected", workspace.ids);
    expect([foreign.status, foreign.body.type]).toEqual([400, "NOTHING_TO_DO"]);
    expect((await workspace.job(jobId)).body.status).toBe("pending");
  });

  it("needs a selection for the verbs on selected pieces, and something to do for the others", async () => {
    const workspace = await newProject(0);
    const none = await workspace.start("publish_selected", []);
    expect([none.status, none.body.type]).toEqual([400, "VALIDATION_ERROR"]);
    expect(JSON.stringify(none.body)).toContain("Select at least one content piece.");
    for (const verb of ["publish_all", "update_all"]) {
      expect((await workspace.start(verb)).body.type).toBe("NOTHING_TO_DO");
    }
    expect((await workspace.start("unpublish_selected", [randomUUID()])).body.type).toBe("NOTHING_TO_DO");
    expect(await workspace.latest()).toBeNull();
  });

  it("lists its results page by page", async () => {
    const workspace = await newProject(5);
    const { jobId } = (await workspace.start("publish_all")).body;
    const first = await workspace.caller.get<PublishingResultOut[]>(`/api/publishing-jobs/${jobId}/results?limit=3`);
    expect(first.body.map(({ contentId }) => contentId)).toEqual(workspace.ids.slice(0, 3));
    const next = /<([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await workspace.caller.get<PublishingResultOut[]>(next);
    expect([second.body.map(({ contentId }) => contentId), second.headers.get("link")]).toEqual([
      workspace.ids.slice(3),
      null,
    ]);
  });

  it("stays with its results until five later ones have ended", async () => {
    const workspace = await newProject(1);
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) {
      const { jobId } = (await workspace.start("publish_all")).body;
      await workspace.cancel(jobId);
      ids.push(jobId);
    }
    const statuses = await Promise.all(ids.map(async (id) => (await workspace.job(id)).status));
    expect(statuses).toEqual([404, 200, 200, 200, 200, 200, 200]);
  });

  it("says since when the job engine has been away", async () => {
    const workspace = await newProject(1);
    const away = async () =>
      (
        await workspace.caller.get<{ engineAwaySince: string | null }>(
          `/api/projects/${workspace.projectId}/publishing-jobs`,
        )
      ).body.engineAwaySince;
    // Another test's lost event may have noted it.
    await query("UPDATE engine_state SET away_since = NULL");
    expect(await away()).toBeNull();
    await query(
      "INSERT INTO engine_state (id, away_since) VALUES (true, '2026-11-03T09:00:00Z') ON CONFLICT (id) DO UPDATE SET away_since = excluded.away_since",
    );
    try {
      expect(await away()).toBe("2026-11-03T09:00:00.000Z");
    } finally {
      await query("UPDATE engine_state SET away_since = NULL");
    }
  });

  it("that nobody works on is handed to the engine again", async () => {
    const workspace = await newProject(1);
    const { jobId } = (await workspace.start("publish_all")).body;
    await query(
      "UPDATE publishing_jobs SET completed_at = now(), status = 'cancelled' WHERE id <> $1 AND completed_at IS NULL",
      [jobId],
    );
    expect(await steps.resumePublishing()).toBe(0);
    await query("UPDATE publishing_jobs SET created_at = now() - interval '5 minutes' WHERE id = $1", [jobId]);
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
  it("joins a job that runs, and answers with all its results", async () => {
    const workspace = await newProject(4);
    const { jobId } = (await workspace.start("publish_all")).body;
    const { status, body } = await workspace.publishAll();
    expect([status, body.totalProcessed, body.jobId]).toEqual([200, 4, undefined]);
    expect(body.results.map(({ success }) => success)).toEqual(Array(4).fill(true));
    expect((await workspace.job(jobId)).body.status).toBe("completed");
    expect(workspace.posts()).toHaveLength(4);
  });

  it("is one job however often it is called at once", async () => {
    const workspace = await newProject(6);
    const all = await Promise.all([1, 2, 3].map(() => workspace.publishAll()));
    expect(all.map(({ status, body }) => [status, body.totalProcessed])).toEqual(Array(3).fill([200, 6]));
    expect(workspace.posts()).toHaveLength(6);
  });
});

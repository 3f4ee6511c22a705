import type { PublishAllOut, PublishingJobOut } from "@/lib/features/publishing/schema";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece } from "@/tests/support/factories";
import { connectedWorkspace, type Failed } from "@/tests/support/publishing-workspace";
import { recordEvents } from "@/tests/support/sent-events";
import { noFaults } from "@/tests/support/wordpress/faults";
import type { SampleWordPress } from "@/tests/support/wordpress-site";

// What calls do to a job that is under way.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
recordEvents();

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

async function newJob(pieces: number) {
  const workspace = await connectedWorkspace(site);
  const ids: string[] = [];
  for (let n = 0; n < pieces; n++) {
    ids.push(await newPiece(workspace, workspace, { title: `Call ${workspace.username} ${n}`, body: `Text ${n}` }));
  }
  const { caller, projectId } = workspace;
  const url = `/api/projects/${projectId}`;
  const start = (input: object = { verb: "publish_all" }) =>
    caller.post<{ jobId: string; message: string } & Failed>(`${url}/publishing-jobs`, input);
  const { jobId } = (await start()).body;
  return {
    ...workspace,
    ids,
    jobId,
    start,
    publishAll: () => caller.post<PublishAllOut & Failed>(`${url}/publish-all-to-wordpress`),
    cancel: () => caller.post<PublishingJobOut>(`/api/publishing-jobs/${jobId}/cancel`),
    job: async () => (await caller.get<PublishingJobOut>(`/api/publishing-jobs/${jobId}`)).body,
    posts: () => site.posts().filter(({ title }) => title.includes(workspace.username)),
  };
}

it("a job that is being cancelled is not joined, and ends", async () => {
  const job = await newJob(2);
  await query("UPDATE publishing_items SET status = 'processing' WHERE job_id = $1 AND position = 0", [job.jobId]);
  expect((await job.cancel()).body).toMatchObject({ status: "pending", cancelledItems: 1 });
  await newPiece(job, job, { title: `Call ${job.username} late`, body: "Late" });
  for (const call of [() => job.start(), job.publishAll]) {
    const { status, body } = await call();
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({
        type: "ALREADY_RUNNING",
        error: "Publishing this project is being cancelled. Wait a moment, then try again.",
        jobId: job.jobId,
      }),
    ]);
  }
  // Its run died, and the next one has nothing left to do: it does not even look at the site, which is down.
  site.faults.down = true;
  await query("UPDATE publishing_jobs SET not_before = now() + interval '5 minutes' WHERE id = $1", [job.jobId]);
  expect(await steps.publishSlice(job.jobId)).toEqual({ next: "end" });
  expect(await job.job()).toMatchObject({ status: "cancelled", totalItems: 2, cancelledItems: 2 });
  site.faults.down = false;
  expect((await job.start()).status).toBe(202);
});

it("a job that waited for its site says so no more once publish-all has reached it", async () => {
  const job = await newJob(1);
  site.faults.down = true;
  expect((await steps.publishSlice(job.jobId)).next).toBe("wait");
  expect(await job.job()).toMatchObject({ errorType: "CONNECTION_ERROR" });
  site.faults.down = false;
  const before = site.requests.length;
  // Its own run waits as long as it said.
  const { waitSeconds } = (await steps.publishSlice(job.jobId)) as { waitSeconds: number };
  expect([waitSeconds > 0 && waitSeconds <= 5, site.requests.length]).toEqual([true, before]);
  expect((await job.publishAll()).body.results).toMatchObject([{ success: true }]);
  expect(await job.job()).toMatchObject({ status: "completed", error: null, errorType: null });
});

it("a job says how many pieces it begins with, and what it does with them", async () => {
  const job = await newJob(2);
  await steps.publishSlice(job.jobId);
  const messages: string[] = [];
  for (const [verb, contentIds] of [
    ["unpublish_selected", job.ids],
    ["publish_selected", job.ids.slice(1)],
  ] as const) {
    const { body } = await job.start({ verb, contentIds });
    messages.push(body.message);
    await steps.publishSlice(body.jobId);
  }
  expect(messages).toEqual(["Unpublishing 2 pieces.", "Publishing 1 piece."]);
});

it("a job that another run works on is looked at again five seconds later", async () => {
  const { jobId } = await newJob(1);
  const outcomes = await Promise.all([1, 2].map(() => steps.publishSlice(jobId)));
  expect(outcomes).toEqual(expect.arrayContaining([{ next: "end" }, { next: "wait", waitSeconds: 5 }]));
});

it("publish-all keeps the category that a piece has, and selected pieces go under their topics", async () => {
  const job = await newJob(1);
  const categories = () => job.posts().map((post) => post.categories);
  await job.caller.post(`/api/content/${job.ids[0]}/publish`, { categoryName: `Chosen ${job.username}` });
  const chosen = categories();
  await job.caller.patch(`/api/content/${job.ids[0]}`, { body: "Edited" });
  await steps.publishSlice(job.jobId);
  expect(job.posts()[0]?.content).toContain("Edited");
  expect(categories()).toEqual(chosen);
  const { body } = await job.start({ verb: "publish_selected", contentIds: job.ids });
  await steps.publishSlice(body.jobId);
  expect(categories()).not.toEqual(chosen);
});

it("the last page of a job's results names no next one, also when it is full", async () => {
  const job = await newJob(2);
  const page = (query: string) => job.caller.get<unknown[]>(`/api/publishing-jobs/${job.jobId}/results${query}`);
  const full = await page("?limit=2");
  expect([full.body.length, full.headers.get("link")]).toEqual([2, null]);
});

import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { projectToPublish, putItems, work } from "@/tests/support/publishing-project";
import { holdResponse } from "@/tests/support/publishing-workspace";
import { recordEvents } from "@/tests/support/sent-events";

// A call joins the job that runs. What it asks for is done as it is now, also where the job had done it before.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
recordEvents();

const site = suiteBlog();

/** A job that has done its pieces, and still runs because of others. */
async function jobUnderWay(verb: "publish_all" | "publish_selected" | "unpublish_selected", pieces = 2) {
  const project = await projectToPublish(site, pieces);
  const { caller, ids } = project;
  const chosen = verb === "publish_all" ? undefined : ids;
  if (verb === "unpublish_selected") await project.publishAll();
  const { jobId } = (await project.start(verb, chosen)).body;
  await work(jobId);
  await query("UPDATE processing_jobs SET completed_at = NULL, status = 'processing' WHERE id = $1", [jobId]);
  return {
    ...project,
    jobId,
    join: async () => (await project.start(verb, chosen)).body,
    edit: (n: number, body: string) => caller.patch(`/api/content/${ids[n]}`, { body }),
    seen: async () => (await project.results(jobId)).map(({ status, unchanged }) => [status, unchanged]),
    texts: () => project.posts().map(({ content }) => content.replace(/<[^>]*>/g, "").trim()),
  };
}

const DONE = ["completed", false];
const WAITS = ["pending", false];

it("publishes a piece again that has changed since the job published it", async () => {
  const job = await jobUnderWay("publish_selected");
  await job.edit(0, "A newer text.");
  await job.caller.patch(`/api/content/${job.ids[0]}`, { title: `Newer ${job.username}` });
  expect(await job.join()).toMatchObject({ jobId: job.jobId, joined: true });
  expect(await job.seen()).toEqual([WAITS, DONE]);
  await work(job.jobId);
  expect(await job.seen()).toEqual([DONE, DONE]);
  expect(job.texts()).toEqual(["A newer text.", "Text 1"]);
  expect((await job.results(job.jobId)).map(({ title }) => title)[0]).toBe(`Newer ${job.username}`);
});

it("leaves alone what the job has published as it is now", async () => {
  const job = await jobUnderWay("publish_all");
  await job.join();
  expect(await job.seen()).toEqual([DONE, DONE]);
});

it("publishes a piece again that was unpublished meanwhile", async () => {
  const job = await jobUnderWay("publish_all");
  await job.caller.post(`/api/content/${job.ids[1]}/unpublish`);
  await job.join();
  expect(await job.seen()).toEqual([DONE, WAITS]);
});

it("says of a piece that the job has written that it was, also when the second look needs no write", async () => {
  const job = await jobUnderWay("publish_all");
  await job.caller.patch(`/api/content/${job.ids[0]}`, { outline: "What a visitor never sees." });
  await job.join();
  expect(await job.seen()).toEqual([WAITS, DONE]);
  await work(job.jobId);
  expect(await job.seen()).toEqual([DONE, DONE]);
  expect((await job.job(job.jobId)).body).toMatchObject({ completedItems: 2, unchangedItems: 0 });
});

it.each(["failed", "cancelled"])("tries again what has %s", async (status) => {
  const job = await jobUnderWay("publish_all");
  const said = { error: "No.", result: { type: "REMOTE_GONE", detail: "Why." } };
  await putItems(job.jobId, { status, ...said }, "position = 0");
  await job.join();
  const [first] = await job.results(job.jobId);
  expect(first).toMatchObject({ status: "pending", error: null, type: null, detail: null });
  await work(job.jobId);
  expect(await job.seen()).toEqual([DONE, DONE]);
});

it("unpublishes a piece again that was published meanwhile, and no other", async () => {
  const job = await jobUnderWay("unpublish_selected");
  await job.caller.post(`/api/content/${job.ids[1]}/publish`);
  await job.join();
  expect(await job.seen()).toEqual([DONE, WAITS]);
  await work(job.jobId);
  expect(job.posts().map(({ status }) => status)).toEqual(["draft", "draft"]);
});

it("publishes a piece once more, in the same call, that changed while it was on its way", async () => {
  const project = await projectToPublish(site, 1);
  const { jobId } = (await project.start("publish_all")).body;
  const held = holdResponse(site, /^POST \/wp\/v2\/posts\/\d+$/);
  const { publishForRun } = await import("@/lib/features/publishing/steps");
  const working = publishForRun(jobId);
  await held.reached;
  await project.caller.patch(`/api/content/${project.ids[0]}`, { body: "A newer text." });
  expect((await project.start("publish_all")).body).toMatchObject({ jobId, joined: true });
  expect((await project.results(jobId)).map(({ status }) => status)).toEqual(["processing"]);
  held.open();
  expect(await working).toEqual({ next: "end", as: "completed" });
  const [post] = project.posts();
  expect([project.posts().length, post?.content]).toEqual([1, expect.stringContaining("A newer text.")]);
  expect((await project.results(jobId)).map(({ status, unchanged }) => [status, unchanged])).toEqual([DONE]);
});

it("does not say what went wrong before with a piece that waits again and is cancelled", async () => {
  const project = await projectToPublish(site, 1);
  const { jobId } = (await project.start("publish_all")).body;
  const held = holdResponse(site, /^POST \/wp\/v2\/posts\/\d+$/);
  const working = work(jobId);
  await held.reached;
  site.faults.rewrite = (answer) => ({
    ...answer,
    status: 500,
    json: { code: "broken", message: "Broken.", data: {} },
  });
  await project.start("publish_all");
  await project.cancel(jobId);
  held.open();
  expect(await working).toBe("end");
  const cancelled = { status: "cancelled", error: null, type: null, detail: null };
  expect(await project.results(jobId)).toEqual([expect.objectContaining(cancelled)]);
  expect(await project.statuses()).toEqual(["wp_failed"]);
});

it("joins a job of the release before, unless that works on it", async () => {
  const project = await projectToPublish(site, 2);
  const [{ id: jobId, ...owner }] = (await query(
    `INSERT INTO publishing_jobs (user_id, project_id, verb) SELECT user_id, id, 'publish_all' FROM projects WHERE id = $1
     RETURNING id, user_id AS "userId"`,
    [project.projectId],
  )) as [{ id: string; userId: string }];
  const item = "INSERT INTO publishing_items (job_id, position, content_piece_id, title) VALUES ($1, 0, $2, 'One')";
  await query(item, [jobId, project.ids[0]]);
  await query(
    "INSERT INTO leases (kind, subject, user_id, token, until) VALUES ('bulk', $1, $2, gen_random_uuid(), now() + interval '1 minute')",
    [jobId, owner.userId],
  );
  expect(await project.start("publish_all")).toMatchObject({ status: 409, body: { type: "ALREADY_RUNNING" } });
  await query("DELETE FROM leases WHERE subject = $1", [jobId]);
  expect((await project.start("publish_all")).body).toMatchObject({ jobId, joined: true });
});

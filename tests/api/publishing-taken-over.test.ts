import { randomUUID } from "node:crypto";
import type { SampleWordPress } from "@/scripts/samples/wordpress-site";
import { startBlog } from "@/tests/support/blog";
import { holdTransaction, query } from "@/tests/support/db";
import { projectToPublish } from "@/tests/support/publishing-project";
import { recordEvents } from "@/tests/support/sent-events";

// Publishing jobs that the release before began, which keeps them in tables of their own.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
recordEvents();

let site: SampleWordPress;
let steps: typeof import("@/lib/features/publishing/steps");

beforeAll(async () => {
  site = await startBlog();
  steps = await import("@/lib/features/publishing/steps");
});
afterAll(() => site.close());

async function newFormerJob() {
  const project = await projectToPublish(site, 2);
  const [job] = await query<{ id: string; userId: string }>(
    `INSERT INTO publishing_jobs (user_id, project_id, verb) SELECT user_id, id, 'publish_all' FROM projects WHERE id = $1
     RETURNING id, user_id AS "userId"`,
    [project.projectId],
  );
  const { id = "", userId = "" } = job ?? {};
  await query(
    `INSERT INTO publishing_items (job_id, position, content_piece_id, title)
     SELECT $1, row_number() OVER (ORDER BY id) - 1, id, title FROM content_pieces WHERE project_id = $2`,
    [id, project.projectId],
  );
  return { ...project, jobId: id, userId };
}

const WAITS = { next: "wait", waitSeconds: 5 };

it("a run waits for a process of the release before that works on its job, and goes on afterwards", async () => {
  const job = await newFormerJob();
  const lease =
    "INSERT INTO leases (kind, subject, user_id, token, until) VALUES ('bulk', $1, $2, $3, now() + interval '1 minute')";
  await query(lease, [job.jobId, job.userId, randomUUID()]);
  expect(await steps.publishForRun(job.jobId)).toEqual(WAITS);
  await query("DELETE FROM leases WHERE subject = $1", [job.jobId]);
  expect(await steps.publishForRun(job.jobId)).toEqual({ next: "end", as: "completed" });
  expect((await job.job(job.jobId)).body).toMatchObject({ status: "completed", totalItems: 2, completedItems: 2 });
  expect(await query("SELECT 1 FROM publishing_jobs WHERE id = $1", [job.jobId])).toEqual([]);
});

it("a run waits while another takes its job over", async () => {
  const job = await newFormerJob();
  const other = await holdTransaction("SELECT 1 FROM publishing_jobs WHERE id = $1 FOR UPDATE", [job.jobId]);
  expect(await steps.publishForRun(job.jobId)).toEqual(WAITS);
  await other.releaseLock();
  expect(await steps.publishForRun(job.jobId)).toEqual({ next: "end", as: "completed" });
});

it("a call joins a job of the release before, unless that works on it", async () => {
  const job = await newFormerJob();
  const lease =
    "INSERT INTO leases (kind, subject, user_id, token, until) VALUES ('bulk', $1, $2, $3, now() + interval '1 minute')";
  await query(lease, [job.jobId, job.userId, randomUUID()]);
  expect(await job.start("publish_all")).toMatchObject({ status: 409, body: { type: "ALREADY_RUNNING" } });
  await query("DELETE FROM leases WHERE subject = $1", [job.jobId]);
  expect((await job.start("publish_all")).body).toMatchObject({ jobId: job.jobId, joined: true });
});

it("the sweep takes over all jobs of the release before", async () => {
  const job = await newFormerJob();
  await query(
    `INSERT INTO publishing_jobs (user_id, project_id, verb, status, completed_at)
     SELECT $1, $2, 'publish_all', 'failed', now() FROM generate_series(1, 10)`,
    [job.userId, job.projectId],
  );
  await steps.resumePublishing();
  expect(await query("SELECT 1 FROM publishing_jobs WHERE project_id = $1", [job.projectId])).toEqual([]);
  expect((await job.job(job.jobId)).body).toMatchObject({ status: "pending", totalItems: 2 });
});

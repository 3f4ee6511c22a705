import { randomUUID } from "node:crypto";
import * as timers from "node:timers/promises";
import type { PublishingResultOut } from "@/lib/features/publishing/schema";
import { suiteBlog } from "@/tests/support/blog";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import { newPiece } from "@/tests/support/factories";
import { projectToPublish, work } from "@/tests/support/publishing-project";
import { recordEvents } from "@/tests/support/sent-events";

// What calls do to jobs, and read of them.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
jest.mock("node:timers/promises", () => {
  const actual = jest.requireActual<typeof timers>("node:timers/promises");
  return { ...actual, setTimeout: jest.fn(actual.setTimeout) };
});
recordEvents();

const site = suiteBlog();
let steps: typeof import("@/lib/features/publishing/steps");

beforeAll(async () => {
  steps = await import("@/lib/features/publishing/steps");
});
afterEach(() => {
  const { setTimeout } = jest.requireActual<typeof timers>("node:timers/promises");
  jest.mocked(timers.setTimeout).mockImplementation(setTimeout);
});

const newProject = (pieces: number) => projectToPublish(site, pieces);

async function newJob(pieces: number) {
  const project = await newProject(pieces);
  const { jobId } = (await project.start("publish_all")).body;
  return { ...project, jobId, read: async () => (await project.job(jobId)).body };
}

it("a job that is being cancelled is not joined, and ends", async () => {
  const job = await newJob(2);
  await query(
    "UPDATE publishing_queue SET status = 'processing', claim_token = gen_random_uuid() WHERE job_id = $1 AND position = 0",
    [job.jobId],
  );
  expect((await job.cancel(job.jobId)).body).toMatchObject({ status: "pending", cancelledItems: 1 });
  await newPiece(job, job, { title: `Job ${job.username} late`, body: "Late" });
  for (const call of [() => job.start("publish_all"), job.publishAll]) {
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
  await query("UPDATE processing_jobs SET not_before = now() + interval '5 minutes' WHERE id = $1", [job.jobId]);
  expect(await steps.publishForRun(job.jobId)).toEqual({ next: "end", as: "cancelled" });
  expect(await job.read()).toMatchObject({ status: "cancelled", totalItems: 2, cancelledItems: 2 });
  site.faults.down = false;
  expect((await job.start("publish_all")).status).toBe(202);
});

it("a job that ends while a call joins it leaves that call a job of its own", async () => {
  const job = await newJob(1);
  // The end locks the job's item first: the call finds the job live, and waits to lock that too.
  const ending = await holdTransaction("SELECT 1 FROM publishing_queue WHERE job_id = $1 FOR UPDATE", [job.jobId]);
  const joining = job.start("publish_all");
  await waitForLock();
  await ending.also("UPDATE publishing_queue SET status = 'cancelled', completed_at = now() WHERE job_id = $1", [
    job.jobId,
  ]);
  await ending.also("UPDATE processing_jobs SET status = 'completed', completed_at = now() WHERE id = $1", [job.jobId]);
  await ending.releaseLock();
  const { status, body } = await joining;
  expect([status, body.joined, body.jobId === job.jobId]).toEqual([202, false, false]);
  expect((await job.results(body.jobId)).map((each) => each.status)).toEqual(["pending"]);
});

it("jobs are started, joined and retried thirty times a minute, through every path together", async () => {
  const job = await newJob(1);
  const doors = [
    () => job.start("publish_all"),
    job.publishAll,
    () => job.retry(job.jobId),
    () => job.start("publish_all"),
  ];
  for (const call of doors) expect((await call()).status).not.toBe(429);
  await query("UPDATE rate_limits SET hits = 30 WHERE hits = 5");
  for (const call of doors) {
    const { status, body, headers } = await call();
    expect([status, body.type]).toEqual([429, "RATE_LIMITED"]);
    expect(body.error).toMatch(
      /^Publishing was started 30 times within a minute\. What was started goes on\. Try again in \d\d? seconds?\.$/,
    );
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
  }
  expect((await job.cancel(job.jobId)).status).toBe(200);
});

it("a job that waited for its site says so no more once publish-all has reached it", async () => {
  const job = await newJob(1);
  site.faults.down = true;
  expect((await steps.publishForRun(job.jobId)).next).toBe("wait");
  expect(await job.read()).toMatchObject({ errorType: "CONNECTION_ERROR" });
  site.faults.down = false;
  const before = site.requests.length;
  // Its own run waits as long as it said.
  const { waitSeconds } = (await steps.publishForRun(job.jobId)) as { waitSeconds: number };
  expect([waitSeconds > 0 && waitSeconds <= 5, site.requests.length]).toEqual([true, before]);
  expect((await job.publishAll()).body.results).toMatchObject([{ success: true }]);
  expect(await job.read()).toMatchObject({ status: "completed", error: null, errorType: null });
});

it("a job says how many pieces it begins with, and what it does with them", async () => {
  const job = await newJob(2);
  await steps.publishForRun(job.jobId);
  const messages: string[] = [];
  for (const [verb, contentIds] of [
    ["unpublish_selected", job.ids],
    ["publish_selected", job.ids.slice(1)],
  ] as const) {
    const { body } = await job.start(verb, contentIds);
    messages.push(body.message);
    await steps.publishForRun(body.jobId);
  }
  expect(messages).toEqual(["Unpublishing 2 pieces.", "Publishing 1 piece."]);
});

it("publish-all looks once a second at a job that another run works on", async () => {
  const job = await newJob(2);
  const lease = `'bulk', '${job.jobId}'`;
  await query(
    `INSERT INTO leases (kind, subject, user_id, token, until)
     VALUES (${lease}, $1, gen_random_uuid(), now() + interval '1 minute')`,
    [job.id],
  );
  // The other run goes on while the call pauses a second time.
  const pauses: unknown[] = [];
  jest.mocked(timers.setTimeout).mockImplementation(async (milliseconds) => {
    if (milliseconds === 1_000 && pauses.push(milliseconds) === 2)
      await query(`DELETE FROM leases WHERE (kind, subject) = (${lease})`);
    return undefined as never;
  });
  const [{ publishAll }, { actorFromSignIn }] = await Promise.all([
    import("@/lib/features/publishing/writes/project"),
    import("@/lib/auth/actor"),
  ]);
  const actor = actorFromSignIn(job.id, { requestId: "test", address: "test" });
  let looks = 0;
  const answer = await publishAll(actor, job.projectId, {}, { now: () => (looks++ < 50 ? 0 : 240_000) });
  expect(pauses).toEqual([1_000, 1_000]);
  expect([answer.totalProcessed, answer.jobId]).toEqual([2, undefined]);
});

it("publish-all keeps the category that a piece has, and selected pieces go under their topics", async () => {
  const job = await newJob(1);
  const categories = () => job.posts().map((post) => post.categories);
  await job.caller.post(`/api/content/${job.ids[0]}/publish`, { categoryName: `Chosen ${job.username}` });
  const chosen = categories();
  await job.caller.patch(`/api/content/${job.ids[0]}`, { body: "Edited" });
  await steps.publishForRun(job.jobId);
  expect(job.posts()[0]?.content).toContain("Edited");
  expect(categories()).toEqual(chosen);
  const { body } = await job.start("publish_selected", job.ids);
  await steps.publishForRun(body.jobId);
  expect(categories()).not.toEqual(chosen);
});

it("no job is started with more pieces than a user may queue a day", async () => {
  const project = await newProject(2);
  const [{ consumeLimits }, { env }] = await Promise.all([import("@/lib/limits/rate-limits"), import("@/lib/env")]);
  await consumeLimits({ name: "items", subject: project.id, count: 100_000 * env.RATE_LIMIT_SCALE - 1 });
  const { status, body } = await project.start("publish_all");
  expect([status, body.type]).toEqual([429, "RATE_LIMITED"]);
  expect(await project.latest()).toBeNull();
});

it("a refused call counts none of its pieces towards that", async () => {
  const project = await newProject(2);
  const [{ consumeLimits }, { env }] = await Promise.all([import("@/lib/limits/rate-limits"), import("@/lib/env")]);
  await project.start("publish_all");
  expect((await project.start("unpublish_selected", project.ids)).body.type).toBe("ALREADY_RUNNING");
  const rest = 100_000 * env.RATE_LIMIT_SCALE - 2;
  await expect(consumeLimits({ name: "items", subject: project.id, count: rest })).resolves.toBeUndefined();
  expect((await project.start("publish_all")).body.type).toBe("RATE_LIMITED");
});

it("a job's results come by two hundred, from the first for a cursor that is none", async () => {
  const job = await newJob(1);
  await query(
    `INSERT INTO publishing_queue (job_type, job_id, user_id, position, content_piece_id, result)
     SELECT 'publishing', $1, $2, n, gen_random_uuid(), jsonb_build_object('title', 'Piece ' || n) FROM generate_series(1, 200) n`,
    [job.jobId, job.id],
  );
  const first = await job.results(job.jobId);
  expect([first.length, first.at(-1)?.title]).toEqual([200, "Piece 199"]);
  for (const cursor of ["9999999999", "x1", "1x"]) {
    expect(await job.results(job.jobId, `?cursor=${cursor}&limit=1`)).toEqual([first[0]]);
  }
});

describe("a publishing job", () => {
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
    for (const verb of ["publish_all", "update_all"] as const) {
      expect((await workspace.start(verb)).body.type).toBe("NOTHING_TO_DO");
    }
    expect((await workspace.start("unpublish_selected", [randomUUID()])).body.type).toBe("NOTHING_TO_DO");
    expect(await workspace.latest()).toBeNull();
  });

  it("lists its results page by page, and names no next one after the last, also when that is full", async () => {
    const workspace = await newProject(4);
    const { jobId } = (await workspace.start("publish_all")).body;
    const first = await workspace.caller.get<PublishingResultOut[]>(`/api/publishing-jobs/${jobId}/results?limit=2`);
    expect(first.body.map(({ contentId }) => contentId)).toEqual(workspace.ids.slice(0, 2));
    const next = /<([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await workspace.caller.get<PublishingResultOut[]>(next);
    expect([second.body.map(({ contentId }) => contentId), second.headers.get("link")]).toEqual([
      workspace.ids.slice(2),
      null,
    ]);
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
});

import { setTimeout as wait } from "node:timers/promises";

import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { projectToPublish, work } from "@/tests/support/publishing-project";
import { recordEvents } from "@/tests/support/sent-events";

// A job works on several chunks at once.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
jest.mock("@/lib/features/publishing/rules", () => ({
  ...jest.requireActual("@/lib/features/publishing/rules"),
  CHUNK_SIZE: 5,
}));

const mockRendering = { now: 0, most: 0, before: async (_markdown: string) => {} };
jest.mock("@/lib/workers/post", () => ({
  renderPostInWorker: async (_userId: string, markdown: string) => {
    mockRendering.most = Math.max(mockRendering.most, ++mockRendering.now);
    await mockRendering.before(markdown);
    mockRendering.now--;
    return `<p>${markdown}</p>`;
  },
}));

recordEvents();

const site = suiteBlog();
afterEach(() => {
  Object.assign(mockRendering, { now: 0, most: 0, before: async () => {} });
});

async function startedJob(pieces: number) {
  const project = await projectToPublish(site, pieces);
  const { jobId } = (await project.start("publish_all")).body;
  return { ...project, jobId };
}

/** Without an end of its own: a test that waits in vain fails by its time. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(10);
}

it("waits for room to render while the user's other jobs take it all", async () => {
  const { jobId, results } = await startedJob(3);
  const { AppError } = await import("@/lib/errors");
  let refusals = 4;
  mockRendering.before = async () => {
    if (refusals-- > 0) throw new AppError("SERVICE_UNAVAILABLE");
  };
  expect(await work(jobId)).toBe("end");
  expect((await results(jobId)).map(({ status, error }) => [status, error])).toEqual(
    Array(3).fill(["completed", null]),
  );
});

it("renders no more texts of all its chunks at once than a user may have waiting", async () => {
  const { jobId, posts } = await startedJob(15);
  mockRendering.before = async () => {
    await until(() => mockRendering.most >= 8);
    // More of them would come by then.
    await wait(200);
  };
  expect(await work(jobId)).toBe("end");
  expect(mockRendering.most).toBe(8);
  expect(posts()).toHaveLength(15);
});

it("asks for the category of a text while others are rendered, and for none before", async () => {
  const { jobId } = await startedJob(2);
  const categories = () => site.requests.filter((request) => request.endsWith(" /wp/v2/categories")).length;
  const before = categories();
  const seen: number[] = [];
  mockRendering.before = async (markdown) => {
    if (markdown === "Text 0") seen.push(categories() - before);
    else await until(() => categories() > before);
  };
  expect(await work(jobId)).toBe("end");
  expect(seen).toEqual([0]);
});

it("claims a second chunk while the first is unpublished", async () => {
  const project = await projectToPublish(site, 10);
  await project.publishAll();
  const { jobId } = (await project.start("unpublish_selected", project.ids)).body;
  site.faults.answerAfter = async ({ route }) => {
    while (route === "/batch/v1" && (await pendingOf(jobId)) > 0) await wait(10);
  };
  expect(await work(jobId)).toBe("end");
});

async function pendingOf(jobId: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    "SELECT count(*)::int AS count FROM publishing_queue WHERE job_id = $1 AND status = 'pending'",
    [jobId],
  );
  return row?.count ?? 0;
}

import type { PublishingJobOut } from "@/lib/features/publishing/schema";
import type { SampleWordPress } from "@/scripts/samples/wordpress-site";
import { startBlog } from "@/tests/support/blog";
import { newPiece } from "@/tests/support/factories";
import { connectedWorkspace } from "@/tests/support/publishing-workspace";
import { recordEvents } from "@/tests/support/sent-events";

// What a user sees of a job in the middle of a set, and what stops there when they cancel.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
recordEvents();

let site: SampleWordPress;

// A site whose pace is not known yet: its first batches are small.
beforeEach(async () => {
  site = await startBlog();
});
afterEach(() => site.close());

const PIECES = 300;

async function newProject() {
  const workspace = await connectedWorkspace(site);
  const ids: string[] = [];
  for (let n = 0; n < PIECES; n++)
    ids.push(await newPiece(workspace, workspace, { title: `Piece ${n}`, body: "Text" }));
  const { caller, projectId } = workspace;
  const { publishForRun } = await import("@/lib/features/publishing/steps");
  return {
    ids,
    start: async (input: { verb: string; contentIds?: string[] }) =>
      (await caller.post<{ jobId: string }>(`/api/projects/${projectId}/publishing-jobs`, input)).body.jobId,
    publishAll: () => caller.post(`/api/projects/${projectId}/publish-all-to-wordpress`),
    job: async (id: string) => (await caller.get<PublishingJobOut>(`/api/publishing-jobs/${id}`)).body,
    cancel: (id: string) => caller.post(`/api/publishing-jobs/${id}/cancel`),
    work: async (id: string) => {
      while ((await publishForRun(id)).next === "more");
    },
    live: () => site.posts().filter(({ status }) => status === "publish").length,
  };
}

/** Before the site's answer to a batch of writes reaches us. */
function atEachBatch(act: () => Promise<unknown>): void {
  site.faults.answerAfter = async ({ route }) => {
    if (route === "/batch/v1") await act();
  };
}

it("tells of pieces as they are written, not only once a whole set is", async () => {
  const project = await newProject();
  const jobId = await project.start({ verb: "publish_all" });
  const seen: number[] = [];
  atEachBatch(async () => seen.push((await project.job(jobId)).completedItems));
  await project.work(jobId);
  expect(await project.job(jobId)).toMatchObject({ status: "completed", completedItems: PIECES });
  expect(seen.filter((count) => count > 0 && count < PIECES)).not.toEqual([]);
});

it.each(["publish_all", "unpublish_selected"])("stops in the middle of a set when %s is cancelled", async (verb) => {
  const project = await newProject();
  const isUnpublish = verb === "unpublish_selected";
  if (isUnpublish) await project.publishAll();
  const jobId = await project.start({ verb, ...(isUnpublish ? { contentIds: project.ids } : {}) });
  atEachBatch(() => project.cancel(jobId));
  await project.work(jobId);
  const { status, completedItems, cancelledItems } = await project.job(jobId);
  expect(status).toBe("cancelled");
  expect(completedItems).toBeGreaterThan(0);
  expect(cancelledItems).toBe(PIECES - completedItems);
  expect(cancelledItems).toBeGreaterThan(0);
  expect(project.live()).toBe(isUnpublish ? PIECES - completedItems : completedItems);
});

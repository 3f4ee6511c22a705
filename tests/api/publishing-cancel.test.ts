import { setTimeout as sleep } from "node:timers/promises";
import type { publishPiece } from "@/lib/features/publishing/writes/publish";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { projectToPublish, work } from "@/tests/support/publishing-project";
import { recordEvents } from "@/tests/support/sent-events";

// When the workers of a job see that it is cancelled. Publishing a piece is replaced, so that the test decides when each one looks.

type PublishPiece = typeof publishPiece;

const publish = jest.fn<ReturnType<PublishPiece>, Parameters<PublishPiece>>();

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
jest.mock("@/lib/features/publishing/writes/publish", () => ({
  ...jest.requireActual("@/lib/features/publishing/writes/publish"),
  publishPiece: (...input: Parameters<PublishPiece>) => publish(...input),
}));
recordEvents();

const site = suiteBlog();

it("stops a job that is deleted while it runs", async () => {
  const { NotBegun } = await import("@/lib/features/publishing/writes/outbox");
  const workspace = await projectToPublish(site, 2);
  const { jobId } = (await workspace.start("publish_all")).body;
  publish.mockImplementation(async ({ mayBegin }) => {
    await query("DELETE FROM processing_jobs WHERE id = $1", [jobId]);
    while (await mayBegin()) await sleep(10);
    throw new NotBegun();
  });
  expect(await work(jobId)).toBe("end");
});

it("keeps every worker of a job from beginning more soon after it is cancelled", async () => {
  const { NotBegun } = await import("@/lib/features/publishing/writes/outbox");
  const workspace = await projectToPublish(site, 101);
  const { jobId } = (await workspace.start("publish_all")).body;
  publish.mockImplementation(async ({ mayBegin }, { piece }) => {
    if (piece.id === workspace.ids[0]) {
      await workspace.cancel(jobId);
      return { unchanged: false };
    }
    while (await mayBegin()) await sleep(10);
    throw new NotBegun();
  });
  await work(jobId);
  expect((await workspace.job(jobId)).body).toMatchObject({
    status: "cancelled",
    completedItems: 1,
    cancelledItems: 100,
  });
});

import { once } from "node:events";
import type { publishPieces } from "@/lib/features/publishing/writes/publish";
import { suiteBlog } from "@/tests/support/blog";
import { projectToPublish, work } from "@/tests/support/publishing-project";
import { recordEvents } from "@/tests/support/sent-events";

// When the chunks of a job learn that it is cancelled. Publishing a chunk is replaced, so that the test decides when each one looks.

type PublishPieces = typeof publishPieces;

const publishSet = jest.fn<ReturnType<PublishPieces>, Parameters<PublishPieces>>();

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
jest.mock("@/lib/features/publishing/writes/publish", () => ({
  ...jest.requireActual("@/lib/features/publishing/writes/publish"),
  publishPieces: (...input: Parameters<PublishPieces>) => publishSet(...input),
}));
recordEvents();

const site = suiteBlog();

it("keeps every set of a job from beginning more as soon as one has heard of the cancel", async () => {
  const workspace = await projectToPublish(site, 101);
  const { jobId } = (await workspace.start("publish_all")).body;
  const begun = new AbortController();
  const heard = new AbortController();
  const answers: boolean[] = [];
  publishSet.mockImplementation(async (_site, _actor, ids, _input, { mayBegin, onRead, onWritten } = {}) => {
    onRead?.();
    if (ids.length === 1) {
      answers.push(mayBegin?.() ?? false);
      begun.abort();
      await once(heard.signal, "abort");
      answers.push(mayBegin?.() ?? false);
      return new Map();
    }
    if (!begun.signal.aborted) await once(begun.signal, "abort");
    await workspace.cancel(jobId);
    await onWritten?.(new Map([[ids[0] ?? "", { ok: true, unchanged: false }]]));
    heard.abort();
    return new Map();
  });
  await work(jobId);
  expect(answers).toEqual([true, false]);
  expect((await workspace.job(jobId)).body).toMatchObject({
    status: "cancelled",
    completedItems: 1,
    cancelledItems: 100,
  });
});

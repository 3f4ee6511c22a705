import type { QueueChanges } from "@/lib/features/work/schema";
import { followQueue } from "@/tests/support/queue-stream";
import {
  outlineQueueUrl,
  type Queued,
  queueBackend,
  status,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

const backend = queueBackend();

const hasEnded = ({ jobs }: QueueChanges) => jobs.some(({ completedAt }) => completedAt !== null);

describe("following the queues", () => {
  it("sends the whole status, then what changes, as it changes", async () => {
    const workspace = await workspaceWithPieces(backend, 2);
    const stream = await followQueue(workspace.caller);
    expect(await stream.next()).toMatchObject({ whole: true, jobs: [], outlineQueue: [] });
    await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    const { now: _, whole, ...last } = await stream.until(hasEnded);
    const { now: __, ...all } = await status(workspace);
    expect(whole).toBe(false);
    expect(last).toEqual(all);
    await stream.close();
  });
});

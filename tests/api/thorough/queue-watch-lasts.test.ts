import type { JobTexts } from "@/lib/features/generation/schema";
import { query } from "@/tests/support/db";
import { followStream } from "@/tests/support/queue-stream";
import {
  contentQueueUrl,
  outlineOf,
  type Queued,
  queueBackend,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

const backend = queueBackend();

it("goes on being watched for as long as somebody does", async () => {
  backend.ai.faults.mode = { kind: "slow", wordMs: 25 };
  const { caller, ...workspace } = await workspaceWithPieces(backend, 1, outlineOf(1));
  const { body } = await caller.post<Queued>(contentQueueUrl(workspace));
  const stream = await followStream<JobTexts>(caller, `/api/queue/jobs/${body.jobId}/texts`);
  const moreWords = () => stream.until(({ texts }) => texts.some(({ parts }) => parts.some(({ text }) => text !== "")));
  await moreWords();
  // As if half a minute had passed without a word, in which the browser cannot say that it is there.
  await query("UPDATE leases SET until = now() WHERE kind = 'watching' AND subject = $1", [body.jobId]);
  await moreWords();
  await moreWords();
  await moreWords();
  await stream.close();
}, 60_000);

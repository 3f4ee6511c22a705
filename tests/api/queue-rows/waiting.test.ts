import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/prisma";
import {
  claimChunk,
  failPending,
  giveBackChunk,
  giveBackLost,
  type HeldJob,
  saveChunk,
} from "@/lib/features/work/sql/chunks";
import { giveBack } from "@/lib/features/work/sql/items";
import { cancelJob } from "@/lib/features/work/sql/jobs";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import { AT_WORK, emptyQueues, newItemOf, newJobOf, newOwner, type Owner } from "@/tests/support/queue-rows";

// Statements that have waited for a row which another one changed look at it again. PostgreSQL 18.4 crashed doing so in some.

emptyQueues();

const CHANGES = {
  "the job": "UPDATE processing_jobs SET revision = revision + 1 WHERE id = $1",
  "the items": "UPDATE processing_queue SET updated_at = now() WHERE job_id = $1",
};

/** A publishing job of three items whose claims this lease holds, one to save among them. */
async function newHeldJob(owner: Owner, status: string): Promise<HeldJob & { piece: string }> {
  const token = randomUUID();
  const [job] = await query<{ id: string; piece: string }>(
    `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, job_type, input, total_items)
       VALUES ($1, $2, 'publishing', '{}', 3) RETURNING id)
     INSERT INTO processing_queue (job_type, job_id, user_id, content_piece_id, position, status, claim_token, result)
     SELECT 'publishing', j.id, $1, gen_random_uuid(), n, $4::processing_status, CASE WHEN $4 = 'processing' THEN $3::uuid END, '{}'
     FROM j, generate_series(0, 2) n RETURNING job_id AS id, content_piece_id AS piece`,
    [owner.id, owner.projectId, token, status],
  );
  return { jobId: job?.id ?? "", type: "publishing", token, piece: job?.piece ?? "" };
}

type Act = (job: HeldJob & { piece: string }, owner: Owner) => Promise<unknown>;

const ACTS: [string, keyof typeof CHANGES, string, Act, string[]][] = [];
for (const change of ["the job", "the items"] as const) {
  const saved = ({ piece: contentId }: { piece: string }) => [{ contentId, isOk: true, error: null, result: {} }];
  ACTS.push(
    [
      "saves a result",
      change,
      "processing",
      (job) => saveChunk(job, saved(job)),
      ["completed", "processing", "processing"],
    ],
    ["gives back a chunk", change, "processing", giveBackChunk, ["pending", "pending", "pending"]],
    [
      "gives back what was lost",
      change,
      "processing",
      (job) => giveBackLost({ ...job, token: randomUUID() }, "Lost."),
      ["pending", "pending", "pending"],
    ],
    [
      "fails what is pending",
      change,
      "pending",
      (job) => failPending(job, { error: "No.", result: {} }),
      ["failed", "failed", "failed"],
    ],
    [
      "cancels",
      change,
      "pending",
      (job, owner) => cancelJob(owner.id, job.jobId),
      ["cancelled", "cancelled", "cancelled"],
    ],
  );
}
ACTS.push(["claims", "the job", "pending", (job) => claimChunk(job, 2), ["pending", "processing", "processing"]]);

it.each(ACTS)("%s after it has waited for %s", async (what, change, status, act, after) => {
  const owner = await newOwner();
  const job = await newHeldJob(owner, status);
  const other = await holdTransaction(CHANGES[change], [job.jobId]);
  const acting = act(job, owner);
  await waitForLock();
  await other.releaseLock();
  await acting;
  const items = await query<{ status: string }>("SELECT status FROM publishing_queue WHERE job_id = $1", [job.jobId]);
  expect([what, items.map((item) => item.status).sort()]).toEqual([what, after]);
});

it.each(["the job", "the items"] as const)("gives back an item after it has waited for %s", async (change) => {
  const job = await newJobOf(await newOwner());
  const item = await newItemOf(job, AT_WORK);
  const other = await holdTransaction(CHANGES[change], [job.id]);
  const giving = giveBack(prisma, { itemId: item.id, jobType: item.jobType, token: item.token }, { as: "more" });
  await waitForLock();
  await other.releaseLock();
  expect(await giving).toBe("processing");
});

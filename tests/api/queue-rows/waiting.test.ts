import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/prisma";
import { claimChunk, failPending, giveBackChunk, giveBackLost } from "@/lib/features/work/sql/chunks";
import { giveBack } from "@/lib/features/work/sql/items";
import { cancelJob } from "@/lib/features/work/sql/jobs";
import { type Chunked, CLAIMED, newChunks, PENDING, save, statuses } from "@/tests/support/chunk-rows";
import {
  AT_WORK,
  afterChange,
  type Columns,
  claimRefOf,
  emptyQueues,
  newItemOf,
  newJobOf,
  newOwner,
} from "@/tests/support/queue-rows";

// Statements that have waited for a row which another one changed look at it again. PostgreSQL 18.4 crashed doing so in some.

emptyQueues();

const JOB = "UPDATE processing_jobs SET revision = revision + 1 WHERE id = $1";
const ITEMS = "UPDATE processing_queue SET updated_at = now() WHERE job_id = $1";
const REASON = { error: "No.", result: {} };

const ACTS: [string, Columns, (chunked: Chunked) => Promise<unknown>, string][] = [
  ["saves results", CLAIMED, (chunked) => save(chunked), "completed"],
  ["gives back a chunk", CLAIMED, ({ held }) => giveBackChunk(held), "pending"],
  [
    "gives back what was lost",
    CLAIMED,
    ({ held }) => giveBackLost({ ...held, token: randomUUID() }, "Lost."),
    "pending",
  ],
  ["fails what is pending", PENDING, ({ held }) => failPending(held, REASON), "failed"],
  ["cancels", PENDING, ({ job }) => cancelJob(job.owner.id, job.id), "cancelled"],
];

describe.each([
  ["the job", JOB],
  ["the items", ITEMS],
])("a statement that has waited for %s", (_what, change) => {
  it.each(ACTS)("%s", async (_act, columns, act, status) => {
    const chunked = await newChunks([columns, columns, columns]);
    await afterChange(change, chunked.job.id, () => act(chunked));
    expect(await statuses(chunked)).toBe(`${status},${status},${status}`);
  });

  it("gives back an item", async () => {
    const item = await newItemOf(await newJobOf(await newOwner()), AT_WORK);
    expect(await afterChange(change, item.job.id, () => giveBack(prisma, claimRefOf(item), { as: "more" }))).toBe(
      "processing",
    );
  });
});

it("claims after it has waited for the job", async () => {
  const chunked = await newChunks([PENDING, PENDING]);
  await afterChange(JOB, chunked.job.id, () => claimChunk(chunked.held, 1));
  expect(await statuses(chunked)).toBe("processing,pending");
});

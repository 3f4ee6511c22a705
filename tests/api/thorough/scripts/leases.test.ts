import { randomUUID } from "node:crypto";
import { Prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { acquireReply } from "@/lib/features/assistant/sql";
import { leasablePieceSql } from "@/lib/features/content/sql/shared";
import { acquirePublishing } from "@/lib/features/publishing/sql/leases";
import { claimItem as claim, type RunRef } from "@/lib/features/work/sql/items";
import { acquire } from "@/lib/lease/lease";
import { expireLeases } from "@/scripts/leases";
import { databaseUrl, query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

let workspace: Awaited<ReturnType<typeof newWorkspace>>;
let pieceId: string;
let sessionId: string;

beforeEach(async () => {
  workspace = await newWorkspace();
  pieceId = await newPiece(workspace, workspace);
  const [session] = await query<{ id: string }>("INSERT INTO chat_sessions (user_id) VALUES ($1) RETURNING id", [
    workspace.id,
  ]);
  sessionId = session?.id ?? "";
});
afterEach(() => {
  env.BOOT_ID = undefined;
});

/** As the app's process with this boot id would. */
function as<Result>(bootId: string | undefined, work: () => Promise<Result>): Promise<Result> {
  env.BOOT_ID = bootId;
  return work();
}

async function newItem(): Promise<RunRef> {
  const itemId = randomUUID();
  const jobId = randomUUID();
  await query(
    `INSERT INTO processing_jobs (id, user_id, project_id, topic_id, job_type, status, total_items)
     VALUES ($1, $2, $3, $4, 'outline_generation', 'processing', 1)`,
    [jobId, workspace.id, workspace.projectId, workspace.topicId],
  );
  await query(
    `INSERT INTO processing_queue (id, job_type, job_id, user_id, topic_id, content_piece_id, sent_at)
     VALUES ($1, 'outline_generation', $2, $3, $4, $5, now())`,
    [itemId, jobId, workspace.id, workspace.topicId, pieceId],
  );
  return { itemId, jobType: "outline_generation", sends: 0, runId: "run" };
}

async function itemRow({ itemId }: RunRef) {
  const [row] = await query<{ status: string; retry_count: number; claim_token: string | null }>(
    "SELECT status, retry_count, claim_token FROM processing_queue WHERE id = $1",
    [itemId],
  );
  return row;
}

const HOLDS: [string, () => Promise<unknown>][] = [
  ["a piece for publishing", async () => (await acquirePublishing(workspace.id, [pieceId], randomUUID())).length > 0],
  ["a piece for direct writing", () => acquire("writing", leasablePieceSql(workspace.id, pieceId), randomUUID())],
  ["a conversation for an answer", () => acquireReply(workspace.id, sessionId, randomUUID())],
];

describe("what a process held that its launcher saw end", () => {
  it.each(HOLDS)("%s can be taken again at once", async (_what, hold) => {
    const gone = randomUUID();
    expect(await as(gone, hold)).toBeTruthy();
    expect(await as(randomUUID(), hold)).toBeFalsy();
    await expireLeases(databaseUrl(), gone, false);
    expect(await as(randomUUID(), hold)).toBeTruthy();
  });

  it.each(HOLDS)("%s stays another process's", async (_what, hold) => {
    await as(randomUUID(), hold);
    await expireLeases(databaseUrl(), randomUUID(), false);
    expect(await as(randomUUID(), hold)).toBeFalsy();
  });

  it.each(HOLDS)("%s runs out by its time where no launcher watches", async (_what, hold) => {
    await as(undefined, hold);
    await expireLeases(databaseUrl(), randomUUID(), false);
    expect(await as(undefined, hold)).toBeFalsy();
  });

  const claimItem = async (item: RunRef) => (await claim(item, () => Prisma.sql`NULL`))?.claim;

  it("costs a queue item an attempt when it was killed", async () => {
    const gone = randomUUID();
    const item = await newItem();
    await as(gone, () => claimItem(item));
    expect(await as(randomUUID(), () => claimItem(item))).toBeNull();
    await expireLeases(databaseUrl(), gone, false);
    expect(await as(randomUUID(), () => claimItem(item))).toMatchObject({ retryCount: 1 });
  });

  it("costs a queue item nothing when it was asked to end", async () => {
    const gone = randomUUID();
    const item = await newItem();
    await as(gone, () => claimItem(item));
    await expireLeases(databaseUrl(), gone, true);
    expect(await itemRow(item)).toEqual({ status: "pending", retry_count: 0, claim_token: null });
    expect(await as(randomUUID(), () => claimItem(item))).toMatchObject({ retryCount: 0 });
  });

  it.each([
    ["costs the pieces of a publishing job nothing when it was asked to end", true, ["pending", null]],
    [
      "leaves the pieces of a publishing job to its next run when it was killed",
      false,
      ["processing", expect.any(String)],
    ],
  ])("%s", async (_what, asked, [status, claim_token]) => {
    const [gone, token] = [randomUUID(), randomUUID()];
    const [job] = await query<{ id: string }>(
      `WITH job AS (INSERT INTO processing_jobs (user_id, project_id, job_type, total_items) VALUES ($1, $2, 'publishing', 1) RETURNING id)
       INSERT INTO processing_queue (job_type, job_id, user_id, content_piece_id, position, status, claim_token)
       SELECT 'publishing', id, $1, $3, 0, 'processing', $4 FROM job RETURNING job_id AS id`,
      [workspace.id, workspace.projectId, pieceId, token],
    );
    const owned = Prisma.sql`SELECT ${job?.id}, ${workspace.id}::uuid, NULL::uuid, NULL::uuid`;
    await as(gone, () => acquire("bulk", owned, token));
    await expireLeases(databaseUrl(), gone, asked);
    const [item] = await query("SELECT status, claim_token, retry_count FROM publishing_queue WHERE job_id = $1", [
      job?.id,
    ]);
    expect(item).toEqual({ status, claim_token, retry_count: 0 });
  });
});

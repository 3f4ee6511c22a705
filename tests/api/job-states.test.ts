import { randomUUID } from "node:crypto";
import pg from "pg";
import { cancelOrphans } from "@/lib/features/work/sql/jobs";
import { ITEM_MOVES, JOB_ENDS, type JobCondition, PROCESSING_STATUSES } from "@/lib/features/work/states";
import { databaseUrl, query } from "@/tests/support/db";
import { newWorkspace } from "@/tests/support/factories";

// The database holds to lib/features/work/states.ts, no matter who writes to it.

type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

async function newJob(workspace: Workspace, columns: Record<string, unknown> = {}): Promise<string> {
  const job = { job_type: "outline_generation", total_items: 1, ...columns };
  const names = Object.keys(job);
  const [row] = await query<{ id: string }>(
    `INSERT INTO processing_jobs (user_id, project_id, topic_id, ${names.join(", ")})
     VALUES ($1, $2, $3, ${names.map((_, n) => `$${n + 4}`).join(", ")}) RETURNING id`,
    [workspace.id, workspace.projectId, workspace.topicId, ...Object.values(job)],
  );
  return row?.id ?? "";
}

it("has the same statuses as the database", async () => {
  const rows = await query<{ label: string }>(
    "SELECT e.enumlabel AS label FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid WHERE t.typname = 'processing_status' ORDER BY e.enumsortorder",
  );
  expect(rows.map(({ label }) => label)).toEqual([...PROCESSING_STATUSES]);
});

it("allows an item's transitions and no others", async () => {
  const workspace = await newWorkspace();
  const jobId = await newJob(workspace);
  const client = new pg.Client({ connectionString: databaseUrl() });
  await client.connect();
  const made: string[] = [];
  for (const from of PROCESSING_STATUSES) {
    for (const to of PROCESSING_STATUSES) {
      const of = (status: string) =>
        `'${status}', ${status === "processing" ? "gen_random_uuid()" : "NULL"}, ${["pending", "processing"].includes(status) ? "NULL" : "now()"}`;
      await client.query("BEGIN");
      await client.query(
        `INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, status, claim_token, completed_at)
         VALUES ('outline_generation', $1, $2, $3, $4, ${of(from)})`,
        [jobId, workspace.id, workspace.topicId, randomUUID()],
      );
      const moved = await client
        .query(`UPDATE processing_queue SET (status, claim_token, completed_at) = ROW(${of(to)}) WHERE job_id = $1`, [
          jobId,
        ])
        .then(
          () => true,
          (error: Error) => {
            expect(error.message).toBe(`a queue item cannot go from ${from} to ${to}`);
            return false;
          },
        );
      if (moved && from !== to) made.push(`${from} > ${to}`);
      await client.query("ROLLBACK");
    }
  }
  await client.end();
  const moves = Object.values(ITEM_MOVES).flatMap(({ from, to }) => from.map((one) => `${one} > ${to}`));
  expect(made.sort()).toEqual([...new Set(moves)].sort());
});

const counts = [0, 1];
const cases = counts.flatMap((completed) =>
  counts.flatMap((failed) =>
    counts.flatMap((cancelled) => [true, false].map((requested) => ({ completed, failed, cancelled, requested }))),
  ),
);

it.each(cases)(
  "ends a job by the first condition that holds: %j",
  async ({ completed, failed, cancelled, requested }) => {
    const workspace = await newWorkspace();
    const jobId = await newJob(workspace, {
      total_items: completed + failed + cancelled + 1,
      completed_items: completed,
      failed_items: failed,
      cancelled_items: cancelled,
      cancel_requested_at: requested ? new Date() : null,
    });
    // The last item's piece is gone, so it ends as cancelled.
    await query(
      `INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id)
     VALUES ('outline_generation', $1, $2, $3, $4)`,
      [jobId, workspace.id, workspace.topicId, randomUUID()],
    );
    expect(await cancelOrphans(workspace.id)).toEqual([workspace.id]);
    const holds: Record<JobCondition, boolean> = {
      cancelRequested: requested,
      anyCancelled: true,
      anyCompleted: completed > 0,
      anyFailed: failed > 0,
    };
    const end = JOB_ENDS.find(({ when }) => when.every((condition) => holds[condition]));
    const [job] = await query(
      "SELECT status::text, cancelled_items, completed_at IS NOT NULL AS ended FROM processing_jobs WHERE id = $1",
      [jobId],
    );
    expect(job).toEqual({ status: end?.status, cancelled_items: cancelled + 1, ended: true });
  },
);

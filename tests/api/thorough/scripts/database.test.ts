import { randomUUID } from "node:crypto";
import { takeUnsent } from "@/lib/features/work/sql/sending";
import { openDatabase, releaseLostWork } from "@/scripts/database";
import { freePort } from "@/scripts/ports";
import { createDatabase, databaseUrl, query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

const quiet = () => undefined;

describe("openDatabase", () => {
  it("brings the database of the environment up to date, once", async () => {
    const database = await createDatabase("empty");
    const lines: string[] = [];
    for (const _start of [1, 2]) {
      const opened = await openDatabase({ DATABASE_URL: database.url }, "/nowhere", (line) => lines.push(line));
      expect(opened).toMatchObject({ url: database.url, embedded: undefined });
      await opened.stop();
    }
    expect(lines).toEqual([expect.stringMatching(/^✓ \d+ migrations? applied$/)]);
    await database.drop();
  });

  it("says in one sentence, without the password, that it cannot be reached", async () => {
    const url = `postgresql://planner:secret@127.0.0.1:${await freePort()}/planner`;
    const failure = await openDatabase({ DATABASE_URL: url }, "/nowhere", quiet).catch((error: Error) => error.message);
    expect(failure).toMatch(
      /^The database of DATABASE_URL \(127\.0\.0\.1:\d+\/planner\) cannot be reached: .*ECONNREFUSED/,
    );
    expect(failure).toContain("unset DATABASE_URL to use the embedded one");
    expect(failure).not.toContain("secret");
  });

  it("refuses an invalid address", async () => {
    await expect(openDatabase({ DATABASE_URL: "planner" }, "/nowhere", quiet)).rejects.toThrow("is not an address");
  });
});

describe("releaseLostWork", () => {
  it("lets what a killed process was doing be sent and claimed at once", async () => {
    const workspace = await newWorkspace();
    const pieces = await Promise.all(["One", "Two", "Three"].map((title) => newPiece(workspace, workspace, { title })));
    const jobId = randomUUID();
    await query(
      `INSERT INTO processing_jobs (id, user_id, project_id, topic_id, job_type, status, total_items, completed_items)
       VALUES ($1, $2, $3, $4, 'outline_generation', 'processing', 3, 1)`,
      [jobId, workspace.id, workspace.projectId, workspace.topicId],
    );
    const states = [
      "'processing', gen_random_uuid(), now(), NULL, NULL",
      "'pending', NULL, now(), now() + interval '1 hour', NULL",
      "'completed', NULL, now(), NULL, now()",
    ];
    for (const [index, state] of states.entries()) {
      await query(
        `INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id,
           status, claim_token, sent_at, not_before, completed_at)
         VALUES ('outline_generation', $1, $2, $3, $4, ${state})`,
        [jobId, workspace.id, workspace.topicId, pieces[index]],
      );
    }
    await query(
      `INSERT INTO leases (kind, subject, user_id, token, until)
       SELECT 'writing', content_piece_id, user_id, claim_token, now() + interval '5 minutes' FROM processing_queue
       WHERE job_id = $1 AND status = 'processing'`,
      [jobId],
    );
    expect(await takeUnsent({ userId: workspace.id }, 0, 10)).toEqual([]);
    await releaseLostWork(databaseUrl());
    expect(await takeUnsent({ userId: workspace.id }, 0, 10)).toMatchObject([{ sends: 1 }, { sends: 1 }]);
    expect(await query("SELECT 1 FROM leases WHERE user_id = $1 AND until > now()", [workspace.id])).toEqual([]);
  });
});

import { query } from "@/tests/support/db";
import { newWorkspace } from "@/tests/support/factories";

it("a piece begins as a draft that is neither title-only nor outline content", async () => {
  const { id, projectId, topicId } = await newWorkspace();
  const [piece] = await query(
    `INSERT INTO content_pieces (user_id, project_id, topic_id, title) VALUES ($1, $2, $3, 'A piece')
     RETURNING status, is_title_only, is_outline`,
    [id, projectId, topicId],
  );
  expect(piece).toEqual({ status: "draft", is_title_only: false, is_outline: false });
});

it("a job begins pending with nothing done; so does a queue entry, with three retries left", async () => {
  const { id, projectId, topicId } = await newWorkspace();
  const [piece] = await query<{ id: string }>(
    "INSERT INTO content_pieces (user_id, project_id, topic_id, title) VALUES ($1, $2, $3, 'A piece') RETURNING id",
    [id, projectId, topicId],
  );
  const [job] = await query<{ id: string }>(
    `INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items)
     VALUES ($1, $2, $3, 'outline_generation', 1) RETURNING id, status, completed_items, failed_items`,
    [id, projectId, topicId],
  );
  expect(job).toMatchObject({ status: "pending", completed_items: 0, failed_items: 0 });
  const [entry] = await query(
    `INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id)
     VALUES ('outline_generation', $1, $2, $3, $4) RETURNING status, retry_count, max_retries`,
    [job?.id, id, topicId, piece?.id],
  );
  expect(entry).toEqual({ status: "pending", retry_count: 0, max_retries: 3 });
});

it("the database accepts no other type of job", async () => {
  const { id, projectId, topicId } = await newWorkspace();
  const insert = query(
    `INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items) VALUES ($1, $2, $3, 'translation', 1)`,
    [id, projectId, topicId],
  );
  await expect(insert).rejects.toThrow(/invalid input value for enum/);
});

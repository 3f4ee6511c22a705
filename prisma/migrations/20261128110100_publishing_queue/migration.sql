-- Publishing jobs move to processing_jobs, and their items to a partition of processing_queue. What a job is about is its subject:
-- a topic or a project. What only one kind of work needs is in input and result.
ALTER TABLE "processing_jobs" ALTER COLUMN "topic_id" DROP NOT NULL,
  ADD COLUMN "subject" TEXT NOT NULL GENERATED ALWAYS AS (
    CASE WHEN "topic_id" IS NULL THEN 'project:' || "project_id"::text ELSE 'topic:' || "topic_id"::text END) STORED,
  ADD COLUMN "input" JSONB,
  ADD COLUMN "not_before" TIMESTAMPTZ(3),
  ADD COLUMN "tries" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "error" TEXT,
  ADD COLUMN "error_type" TEXT;
ALTER TABLE "processing_queue" ALTER COLUMN "topic_id" DROP NOT NULL,
  ADD COLUMN "position" INTEGER,
  ADD COLUMN "result" JSONB;

-- A key with a topic that is NULL would be checked by nobody.
CREATE UNIQUE INDEX "processing_jobs_id_job_type_user_id_key" ON "processing_jobs"("id", "job_type", "user_id");
ALTER TABLE "processing_queue" DROP CONSTRAINT "processing_queue_job_id_job_type_topic_id_user_id_fkey";
ALTER TABLE "processing_queue" ADD CONSTRAINT "processing_queue_job_id_job_type_user_id_fkey" FOREIGN KEY ("job_id", "job_type", "user_id")
  REFERENCES "processing_jobs"("id", "job_type", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
DROP INDEX "processing_jobs_id_job_type_topic_id_user_id_key";
ALTER TABLE "processing_jobs" ADD CONSTRAINT "processing_jobs_project_id_user_id_fkey" FOREIGN KEY ("project_id", "user_id")
  REFERENCES "projects"("id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "processing_jobs_project_id_created_at_id_idx" ON "processing_jobs"("project_id", "created_at" DESC, "id" DESC);
DROP INDEX "processing_jobs_one_live";
CREATE UNIQUE INDEX "processing_jobs_one_live" ON "processing_jobs"("job_type", "subject") WHERE "completed_at" IS NULL;

CREATE TABLE "publishing_queue" PARTITION OF "processing_queue" FOR VALUES IN ('publishing');
CREATE INDEX "publishing_queue_job_id_position_idx" ON "publishing_queue"("job_id", "position");

-- Those that have ended are copied. The sweep takes over the others, which processes of the release before may be working on.
INSERT INTO "processing_jobs" ("id", "user_id", "project_id", "job_type", "status", "total_items", "completed_items", "failed_items",
  "cancelled_items", "tries", "error", "error_type", "input", "cancel_requested_at", "started_at", "completed_at", "created_at", "updated_at")
SELECT j."id", j."user_id", j."project_id", 'publishing', j."status", count(i.*), count(*) FILTER (WHERE i."status" = 'completed'),
  count(*) FILTER (WHERE i."status" = 'failed'), count(*) FILTER (WHERE i."status" = 'cancelled'), j."tries", j."error", j."error_type",
  jsonb_build_object('verb', j."verb"), j."cancel_requested_at", j."started_at", j."completed_at", j."created_at", j."completed_at"
FROM "publishing_jobs" j LEFT JOIN "publishing_items" i ON i."job_id" = j."id" WHERE j."completed_at" IS NOT NULL GROUP BY j."id";
INSERT INTO "processing_queue" ("job_type", "job_id", "user_id", "content_piece_id", "position", "status", "error", "result",
  "completed_at", "created_at", "updated_at")
SELECT 'publishing', j."id", j."user_id", i."content_piece_id", i."position", i."status", i."error",
  jsonb_strip_nulls(jsonb_build_object('title', i."title", 'categoryId', i."category_id", 'type', i."error_type", 'detail', i."detail",
    'wpPostId', i."post_id", 'wpPermalink', i."permalink", 'wpPostStatus', i."site_status", 'wpPostDate', i."site_date",
    'isWritten', CASE WHEN NOT i."is_unchanged" AND (i."status" = 'completed' OR i."post_id" IS NOT NULL) THEN true END)),
  j."completed_at", j."created_at", j."completed_at"
FROM "publishing_items" i JOIN "publishing_jobs" j ON j."id" = i."job_id" WHERE j."completed_at" IS NOT NULL;

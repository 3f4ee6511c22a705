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

-- Nothing is copied here: the release before cannot show jobs of this type. The sweep of the new release takes them over.

-- Publishing many pieces is a job of its own; the documented queues keep their two types.
CREATE TYPE "publishing_verb" AS ENUM ('publish_all', 'publish_selected', 'update_all', 'unpublish_selected');

CREATE TABLE "publishing_jobs" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "verb" "publishing_verb" NOT NULL,
    "site_answer" TEXT,
    "status" "processing_status" NOT NULL DEFAULT 'pending',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "not_before" TIMESTAMPTZ(3),
    "error" TEXT,
    "error_type" TEXT,
    "cancel_requested_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "publishing_jobs_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "publishing_jobs_live" CHECK (("status" IN ('pending', 'processing')) = ("completed_at" IS NULL)),
    CONSTRAINT "publishing_jobs_site_answer" CHECK ("site_answer" IN ('same', 'other'))
);
CREATE INDEX "publishing_jobs_project_id_created_at_id_idx" ON "publishing_jobs"("project_id", "created_at" DESC, "id" DESC);
CREATE UNIQUE INDEX "publishing_jobs_one_live" ON "publishing_jobs"("project_id") WHERE "completed_at" IS NULL;
ALTER TABLE "publishing_jobs" ADD CONSTRAINT "publishing_jobs_project_id_user_id_fkey" FOREIGN KEY ("project_id", "user_id") REFERENCES "projects"("id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "publishing_items" (
    "job_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "content_piece_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "status" "processing_status" NOT NULL DEFAULT 'pending',
    "is_unchanged" BOOLEAN NOT NULL DEFAULT false,
    "error" TEXT,
    "error_type" TEXT,
    "detail" TEXT,
    "post_id" TEXT,
    "permalink" TEXT,

    CONSTRAINT "publishing_items_pkey" PRIMARY KEY ("job_id", "position")
);
CREATE UNIQUE INDEX "publishing_items_job_id_content_piece_id_key" ON "publishing_items"("job_id", "content_piece_id");
CREATE INDEX "publishing_items_waiting" ON "publishing_items"("job_id", "position") WHERE "status" IN ('pending', 'processing');
ALTER TABLE "publishing_items" ADD CONSTRAINT "publishing_items_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "publishing_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

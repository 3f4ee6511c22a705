-- What is counted of jobs that were pruned.
CREATE TABLE "work_totals" (
  "user_id" UUID NOT NULL,
  "job_type" "job_type" NOT NULL,
  "finished_jobs" INTEGER NOT NULL DEFAULT 0,
  "cancelled_jobs" INTEGER NOT NULL DEFAULT 0,
  "completed_items" INTEGER NOT NULL DEFAULT 0,
  "failed_items" INTEGER NOT NULL DEFAULT 0,
  "cancelled_items" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "work_totals_pkey" PRIMARY KEY ("user_id", "job_type"),
  CONSTRAINT "work_totals_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The category that the user has chosen for the topic of a job's piece. Null: publishing finds one.
ALTER TABLE "publishing_items" ADD COLUMN "category_id" TEXT;

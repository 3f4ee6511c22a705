-- A failure that the user has dismissed, and what asks for the user's attention.
ALTER TABLE "processing_queue" ADD COLUMN "dismissed_at" TIMESTAMPTZ(3);
CREATE INDEX "processing_queue_failed" ON "processing_queue" ("user_id") WHERE "status" = 'failed' AND "dismissed_at" IS NULL;

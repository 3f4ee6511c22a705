-- Of a call's tokens: those read from the provider's cache, and those of the model's thoughts.
ALTER TABLE "content_revisions"
  ADD COLUMN "tokens_cached" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "tokens_reasoning" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "written_sections"
  ADD COLUMN "tokens_cached" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "tokens_reasoning" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "processing_queue"
  ADD COLUMN "tokens_cached" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "tokens_reasoning" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "chat_messages"
  ADD COLUMN "tokens_cached" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "tokens_reasoning" INTEGER NOT NULL DEFAULT 0;

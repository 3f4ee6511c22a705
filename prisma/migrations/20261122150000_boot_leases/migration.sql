-- The process that took a lease, where a launcher watches it: what a process held ends with that process, not with its time.
ALTER TABLE "content_pieces" ADD COLUMN "publish_boot_id" UUID, ADD COLUMN "writing_boot_id" UUID;
ALTER TABLE "processing_queue" ADD COLUMN "boot_id" UUID;
ALTER TABLE "chat_sessions" ADD COLUMN "reply_boot_id" UUID;

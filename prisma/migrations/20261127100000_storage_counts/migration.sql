-- The app counts what it stores (lib/limits/storage-quota.ts), so the triggers that did go. Processes of the version before still
-- call take_room() and read usage_changes: prisma/next-release drops both. What those processes write meanwhile is found by the
-- next recount of the user. Nothing is exact before its first recount.

DROP TRIGGER "users_usage_begin" ON "users";
DROP TRIGGER "users_usage_forget" ON "users";
DROP TRIGGER "projects_usage" ON "projects";
DROP TRIGGER "projects_usage_gone" ON "projects";
DROP TRIGGER "buyer_personas_usage" ON "buyer_personas";
DROP TRIGGER "topics_usage" ON "topics";
DROP TRIGGER "topics_usage_gone" ON "topics";
DROP TRIGGER "keywords_usage" ON "keywords";
DROP TRIGGER "saved_instructions_usage" ON "saved_instructions";
DROP TRIGGER "content_pieces_usage" ON "content_pieces";
DROP TRIGGER "content_pieces_usage_gone" ON "content_pieces";
DROP TRIGGER "content_revisions_usage" ON "content_revisions";
DROP TRIGGER "chat_sessions_usage" ON "chat_sessions";
DROP TRIGGER "chat_sessions_usage_gone" ON "chat_sessions";
DROP TRIGGER "chat_messages_usage" ON "chat_messages";

DROP FUNCTION usage_begin(), usage_forget(), usage_of_project(), usage_of_persona(), usage_of_topic(), usage_of_keyword(),
  usage_of_saved_instruction(), usage_of_piece(), usage_of_revision(), usage_of_chat(), usage_of_message(),
  bytes_of_project(projects), usage_note(uuid, bigint);

ALTER TABLE "usage" ADD COLUMN "is_exact" BOOLEAN NOT NULL DEFAULT false;

WITH changes AS (DELETE FROM "usage_changes" RETURNING "user_id", "bytes")
UPDATE "usage" u SET "bytes" = u."bytes" + c."bytes"
FROM (SELECT "user_id", sum("bytes") AS "bytes" FROM changes GROUP BY "user_id") c WHERE c."user_id" = u."user_id";

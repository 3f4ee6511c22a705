-- Publishing and the assistant's answers are held in "leases" like everything else. What is held now stays held, and what
-- was never let go stays so. A publish that failed may have left a post behind too: from here on that is said by its lease,
-- whatever status the person gives the piece since.
INSERT INTO "leases" ("kind", "subject", "user_id", "content_piece_id", "token", "until", "boot_id")
SELECT 'publishing', "id"::text, "user_id", "id", coalesce("publish_token", gen_random_uuid()),
  coalesce("publish_lease_until", now()), "publish_boot_id"
FROM "content_pieces" WHERE "publish_token" IS NOT NULL OR "status" = 'wp_failed'
ON CONFLICT DO NOTHING;

INSERT INTO "leases" ("kind", "subject", "user_id", "chat_session_id", "token", "until", "boot_id")
SELECT 'reply', "id"::text, "user_id", "id", "reply_token", coalesce("reply_lease_until", now()), "reply_boot_id"
FROM "chat_sessions" WHERE "reply_token" IS NOT NULL
ON CONFLICT DO NOTHING;

ALTER TABLE "content_pieces" DROP COLUMN "publish_token", DROP COLUMN "publish_lease_until", DROP COLUMN "publish_boot_id";
ALTER TABLE "chat_sessions" DROP COLUMN "reply_token", DROP COLUMN "reply_lease_until", DROP COLUMN "reply_boot_id";

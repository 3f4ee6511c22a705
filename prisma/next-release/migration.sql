-- What processes of the version before still use. With it go UsageChange in prisma/schema.prisma, and the lines
-- about usage_changes in scripts/backup/catalog.ts and three tests.

-- Every process counts with lib/limits/storage-quota.ts.
DROP FUNCTION take_room(uuid, bigint, bigint, int);
DROP TABLE "usage_changes";

-- Publishing jobs are in processing_jobs and publishing_queue. With them go their models in prisma/schema.prisma,
-- lib/features/work/sql/adopted.ts with its calls, and their lines in lib/features/deletion/rules.ts and the tests.
DROP TABLE "publishing_items", "publishing_jobs";
DROP TYPE "publishing_verb";

-- They are called reserved_… now.
ALTER TABLE "projects" DROP COLUMN "promised_pieces", DROP COLUMN "promised_until";
ALTER TABLE "topics" DROP COLUMN "promised_keywords", DROP COLUMN "promised_until";

-- content_pieces_live has taken its place. With it goes its line in prisma/schema.prisma.
DROP INDEX "content_pieces_user_id_project_id_topic_id_status_idx";

-- Items are known by sent_at and sends, and their waits by provider_waits. With it go these columns and ProviderGate in
-- prisma/schema.prisma, the two assignments in lib/features/work/sql/sending.ts, those of is_try_open with isKept, giveBackKept
-- and "takeOver" in lib/features/work, and the lines about provider_gates in the tests.
DROP TABLE "provider_gates";
ALTER TABLE "processing_queue" DROP COLUMN "event_ref", DROP COLUMN "is_try_open", DROP COLUMN "is_held", DROP COLUMN "dispatch_seq",
  DROP COLUMN "dispatched_at", DROP COLUMN "waited_seconds";

-- No process of the release before runs any more.
DROP TRIGGER "processing_queue_release_before" ON "processing_queue";
DROP FUNCTION spare_from_release_before();

-- Every process writes sent_version with sent_source.
DROP TRIGGER "piece_posts_release_before" ON "piece_posts";
DROP FUNCTION forget_sent_version();

-- Sites own their addresses and passwords. With them go lib/features/sites/writes/along.ts and sealForSettings, the old seal in
-- lib/crypto/site-password.ts and in scripts/sealed-secrets.ts, and what lib/auth/sessions.ts and lib/features/account/reads.ts
-- read of a user's site comes from "sites".
DROP TRIGGER "users_site_follows" ON "users";
DROP TRIGGER "sites_default_takes_settings" ON "sites";
DROP TRIGGER "sites_release_before" ON "sites";
DROP FUNCTION users_site_follows();
DROP FUNCTION default_site_takes_settings();
DROP FUNCTION keep_connected_site();
ALTER TABLE "users" DROP COLUMN "wordpress_url", DROP COLUMN "wordpress_site", DROP COLUMN "wordpress_username",
  DROP COLUMN "wordpress_password";

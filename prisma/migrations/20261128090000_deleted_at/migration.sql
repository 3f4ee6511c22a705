-- What a user deletes is gone from this moment on; its rows follow in small steps (lib/features/deletion).
ALTER TABLE "users" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
ALTER TABLE "projects" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
ALTER TABLE "topics" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
ALTER TABLE "content_pieces" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);

-- What waits for its removal.
CREATE INDEX "users_deleted" ON "users" ("id") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "projects_deleted" ON "projects" ("id") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "topics_deleted" ON "topics" ("id") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "content_pieces_deleted" ON "content_pieces" ("id") WHERE "deleted_at" IS NOT NULL;

-- Groups of the library and caps are counted from this index alone. The next release drops the one without a condition.
CREATE INDEX "content_pieces_live" ON "content_pieces" ("user_id", "project_id", "topic_id", "status") WHERE "deleted_at" IS NULL;

-- Those of the stored bytes that wait for their removal, as of the last recount.
ALTER TABLE "usage" ADD COLUMN "removing_bytes" BIGINT NOT NULL DEFAULT 0;

-- A piece that is deleted counts as gone here before its row is.
CREATE OR REPLACE FUNCTION abandon_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO abandoned_posts (content_piece_id, site_id, user_id, unanswered_since)
  SELECT OLD.content_piece_id, s.id, s.user_id, OLD.unanswered_since FROM sites s
  WHERE s.id = OLD.site_id AND NOT EXISTS (
    SELECT 1 FROM content_pieces WHERE id = OLD.content_piece_id AND deleted_at IS NULL)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- The slug and the excerpt that the user has chosen; null leaves both to WordPress.
ALTER TABLE "content_pieces" ADD COLUMN "slug" TEXT, ADD COLUMN "excerpt" TEXT;
-- Those that the post was sent with last.
ALTER TABLE "piece_posts" ADD COLUMN "sent_fields" JSONB;

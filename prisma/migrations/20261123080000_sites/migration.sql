-- A site is recognised by what it is, however its address is written, and a piece keeps its post on each site.
CREATE TABLE "sites" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "place" TEXT NOT NULL,
    "api_root" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sites_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "sites_user_id_place_key" ON "sites"("user_id", "place");
CREATE UNIQUE INDEX "sites_default_key" ON "sites"("user_id") WHERE "is_default";
ALTER TABLE "sites" ADD CONSTRAINT "sites_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "piece_posts" (
    "content_piece_id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "post_id" TEXT,
    "unanswered_since" TIMESTAMPTZ(3),
    "unanswered_hashes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "status" "content_status" NOT NULL DEFAULT 'unpublished',
    "permalink" TEXT,
    "slug" TEXT,
    "guid" TEXT,
    "date_gmt" TEXT,
    "category_id" TEXT,
    "category_name" TEXT,
    "remote_hash" TEXT,
    "sent_hash" TEXT,
    "sent_source" TEXT,
    "renderer" INTEGER,
    "publish_error" TEXT,
    "last_synced_at" TIMESTAMPTZ(3),

    CONSTRAINT "piece_posts_pkey" PRIMARY KEY ("content_piece_id", "site_id"),
    CONSTRAINT "piece_posts_status_check" CHECK ("status" IN ('unpublished', 'wp_draft', 'wp_published', 'wp_failed'))
);
CREATE INDEX "piece_posts_site_id_idx" ON "piece_posts"("site_id");
CREATE INDEX "piece_posts_unanswered_idx" ON "piece_posts"("unanswered_since") WHERE "unanswered_since" IS NOT NULL;
ALTER TABLE "piece_posts" ADD CONSTRAINT "piece_posts_content_piece_id_fkey" FOREIGN KEY ("content_piece_id") REFERENCES "content_pieces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "piece_posts" ADD CONSTRAINT "piece_posts_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- https://www.example.com/blog/index.php?rest_route=/ and http://example.com/blog/wp-json/ are both example.com/blog.
CREATE FUNCTION pg_temp.place_of(api_root TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT regexp_replace(regexp_replace(
        CASE WHEN api_root LIKE '%rest_route=%' THEN regexp_replace(api_root, '/(index\.php)?\?.*$', '')
             ELSE regexp_replace(api_root, '/[^/]+/?$', '') END,
        '^https?://(www\.)?', ''), '/+$', '')
$$;

INSERT INTO "sites" ("user_id", "place", "api_root")
SELECT DISTINCT ON ("user_id", pg_temp.place_of("root")) "user_id", pg_temp.place_of("root"), "root"
FROM (SELECT "id" AS "user_id", "wordpress_site" AS "root", 0 AS "rank" FROM "users" WHERE "wordpress_site" IS NOT NULL
      UNION ALL SELECT "user_id", "wp_site", 1 FROM "content_pieces" WHERE "wp_site" IS NOT NULL) AS "known"
ORDER BY "user_id", pg_temp.place_of("root"), "rank";

UPDATE "sites" s SET "is_default" = true FROM "users" u
WHERE u."id" = s."user_id" AND u."wordpress_site" IS NOT NULL AND s."place" = pg_temp.place_of(u."wordpress_site");

-- Somebody who has entered another address that nobody has looked up yet: the site their pieces are on, while there is only one.
UPDATE "sites" s SET "is_default" = true FROM "users" u
WHERE u."id" = s."user_id" AND u."wordpress_site" IS NULL
  AND (SELECT count(*) FROM "sites" o WHERE o."user_id" = s."user_id") = 1;

INSERT INTO "piece_posts" ("content_piece_id", "site_id", "post_id", "unanswered_since", "unanswered_hashes", "status", "permalink",
  "category_id", "category_name", "remote_hash", "sent_hash", "sent_source", "renderer", "publish_error", "last_synced_at")
SELECT p."id", s."id", p."wp_post_id", CASE WHEN p."wp_unanswered_hash" IS NOT NULL THEN now() END,
  array_remove(ARRAY[p."wp_unanswered_hash"], NULL),
  CASE WHEN p."status" IN ('wp_draft', 'wp_published', 'wp_failed') THEN p."status" ELSE 'unpublished' END, p."wp_permalink",
  p."wp_category_id", p."wp_category_name", p."wp_remote_hash", p."wp_sent_hash", p."wp_sent_source", p."wp_renderer",
  p."publish_error", p."last_synced_at"
FROM "content_pieces" p JOIN "sites" s ON s."user_id" = p."user_id" AND s."place" = pg_temp.place_of(p."wp_site");

-- A failure without a post belongs to the site it happened on, which is the present one.
INSERT INTO "piece_posts" ("content_piece_id", "site_id", "status", "publish_error")
SELECT p."id", s."id", 'wp_failed', p."publish_error"
FROM "content_pieces" p JOIN "sites" s ON s."user_id" = p."user_id" AND s."is_default"
WHERE p."status" = 'wp_failed' AND p."wp_site" IS NULL;

-- A creation that went unanswered left its lease behind.
INSERT INTO "piece_posts" ("content_piece_id", "site_id", "unanswered_since")
SELECT p."id", s."id", now()
FROM "leases" l JOIN "content_pieces" p ON p."id" = l."content_piece_id" AND p."wp_post_id" IS NULL
JOIN "sites" s ON s."user_id" = p."user_id" AND s."is_default"
WHERE l."kind" = 'publishing'
ON CONFLICT ("content_piece_id", "site_id") DO UPDATE SET "unanswered_since" = excluded."unanswered_since";

-- A piece that is published on another site only is unpublished here, in lists and filters too.
UPDATE "content_pieces" p SET "status" = 'unpublished'
FROM "piece_posts" w JOIN "sites" s ON s."id" = w."site_id" AND NOT s."is_default"
WHERE w."content_piece_id" = p."id" AND p."status" IN ('wp_draft', 'wp_published', 'wp_failed')
  AND EXISTS (SELECT 1 FROM "sites" d WHERE d."user_id" = p."user_id" AND d."is_default");

ALTER TABLE "content_pieces" DROP COLUMN "wp_post_id", DROP COLUMN "wp_permalink", DROP COLUMN "wp_category_id",
  DROP COLUMN "wp_category_name", DROP COLUMN "wp_site", DROP COLUMN "wp_remote_hash", DROP COLUMN "wp_unanswered_hash",
  DROP COLUMN "wp_sent_hash", DROP COLUMN "wp_sent_source", DROP COLUMN "wp_renderer", DROP COLUMN "publish_error",
  DROP COLUMN "last_synced_at";
ALTER TABLE "leases" DROP COLUMN "is_taken_over";

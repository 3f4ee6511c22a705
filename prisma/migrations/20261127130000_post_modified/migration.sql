-- When the site last changed the post, by its own clock. Null until it is asked again.
ALTER TABLE "piece_posts" ADD COLUMN "modified_gmt" TEXT;

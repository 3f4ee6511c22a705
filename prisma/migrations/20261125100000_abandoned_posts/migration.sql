-- A piece that is deleted while a creation of its post is open may leave a draft on the site, which only its marker finds again.

CREATE TABLE "abandoned_posts" (
    "content_piece_id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "unanswered_since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "abandoned_posts_pkey" PRIMARY KEY ("content_piece_id", "site_id")
);
CREATE INDEX "abandoned_posts_site_id_idx" ON "abandoned_posts"("site_id");
ALTER TABLE "abandoned_posts" ADD CONSTRAINT "abandoned_posts_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- However the piece goes: by itself, or with its topic or project. With its site or its owner, nobody is left to ask.
CREATE FUNCTION abandon_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO abandoned_posts (content_piece_id, site_id, user_id, unanswered_since)
  SELECT OLD.content_piece_id, s.id, s.user_id, OLD.unanswered_since FROM sites s
  WHERE s.id = OLD.site_id AND NOT EXISTS (SELECT 1 FROM content_pieces WHERE id = OLD.content_piece_id)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "piece_posts_abandoned" AFTER DELETE ON "piece_posts" FOR EACH ROW
  WHEN (OLD.unanswered_since IS NOT NULL) EXECUTE FUNCTION abandon_post();

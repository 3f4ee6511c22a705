-- When a text was last published. Such a revision is kept for good; what was published before is not known and is kept from
-- its next publish on.
ALTER TABLE "content_revisions" ADD COLUMN "published_at" TIMESTAMPTZ(3);

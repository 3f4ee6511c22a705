-- What the site says of a post that is not live. Null until it is asked again: processes of the version before leave both alone.
ALTER TABLE "piece_posts" ADD COLUMN "site_status" TEXT, ADD COLUMN "site_date" TIMESTAMPTZ(3);

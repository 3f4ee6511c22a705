-- What the site says of a result's post that is not live. Null for results saved before.
ALTER TABLE "publishing_items" ADD COLUMN "site_status" TEXT, ADD COLUMN "site_date" TIMESTAMPTZ(3);

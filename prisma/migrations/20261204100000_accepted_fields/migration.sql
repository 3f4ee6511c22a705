-- The fields for SEO plugins that the site's latest answer has shown; null before the first.
ALTER TABLE "sites" ADD COLUMN "accepted_fields" JSONB;

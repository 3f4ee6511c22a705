-- The REST root found at wordpress_url: which pieces stand on the person's site of today. Null until the site has answered.
ALTER TABLE "users" ADD COLUMN "wordpress_site" TEXT;

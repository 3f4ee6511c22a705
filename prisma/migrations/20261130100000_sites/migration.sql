-- A site has its own address and password, and a project its site.
ALTER TABLE "sites"
  ALTER COLUMN "place" DROP NOT NULL,
  ALTER COLUMN "api_root" DROP NOT NULL,
  ADD COLUMN "name" TEXT,
  ADD COLUMN "url" TEXT,
  ADD COLUMN "username" TEXT,
  ADD COLUMN "password" TEXT,
  ADD COLUMN "version" TEXT,
  ADD COLUMN "role" TEXT,
  ADD COLUMN "last_contact_at" TIMESTAMPTZ(3);
CREATE UNIQUE INDEX "sites_id_user_id_key" ON "sites"("id", "user_id");

ALTER TABLE "projects" ADD COLUMN "site_id" UUID;
CREATE INDEX "projects_site_id_idx" ON "projects"("site_id");
ALTER TABLE "projects" ADD CONSTRAINT "projects_site_id_user_id_fkey"
  FOREIGN KEY ("site_id", "user_id") REFERENCES "sites"("id", "user_id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- The default site is the one of the settings. It has to be found again if another address was entered since.
UPDATE "sites" s SET "url" = u."wordpress_url", "username" = u."wordpress_username", "password" = u."wordpress_password",
  "api_root" = CASE WHEN u."wordpress_site" = s."api_root" THEN s."api_root" END
FROM "users" u WHERE u."id" = s."user_id" AND s."is_default";
INSERT INTO "sites" ("user_id", "url", "username", "password", "is_default")
SELECT u."id", u."wordpress_url", u."wordpress_username", u."wordpress_password", true FROM "users" u
WHERE coalesce(u."wordpress_url", u."wordpress_username", u."wordpress_password") IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM "sites" s WHERE s."user_id" = u."id" AND s."is_default");

-- A project with posts stays with the site that most of them are on.
UPDATE "projects" p SET "site_id" = most."site_id"
FROM (SELECT DISTINCT ON (c."project_id") c."project_id", w."site_id"
      FROM "piece_posts" w JOIN "content_pieces" c ON c."id" = w."content_piece_id" JOIN "sites" s ON s."id" = w."site_id"
      GROUP BY c."project_id", w."site_id"
      ORDER BY c."project_id", count(w."post_id") DESC, bool_or(s."is_default") DESC, count(*) DESC, w."site_id") most
WHERE p."id" = most."project_id";

-- Pieces were shown as they are on the default site.
UPDATE "content_pieces" p SET "status" = shown."status"
FROM (SELECT c."id", CASE
        WHEN w."status" = 'wp_published' OR (w."status" IS NOT NULL AND c."status" IN ('unpublished', 'wp_draft', 'wp_published', 'wp_failed'))
          THEN w."status"
        WHEN c."status" IN ('unpublished', 'wp_draft', 'wp_published', 'wp_failed') THEN 'unpublished' ELSE c."status" END AS "status"
      FROM "content_pieces" c
      JOIN "projects" pr ON pr."id" = c."project_id"
      JOIN "sites" s ON s."id" = pr."site_id" AND NOT s."is_default"
      LEFT JOIN "piece_posts" w ON w."content_piece_id" = c."id" AND w."site_id" = s."id") shown
WHERE p."id" = shown."id" AND p."status" IS DISTINCT FROM shown."status";

-- With its first post, a project stops following the default site, whichever release writes it.
CREATE FUNCTION keep_project_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "projects" p SET "site_id" = n."site_id"
  FROM (SELECT DISTINCT ON (c."project_id") c."project_id", i."site_id"
        FROM "inserted" i JOIN "content_pieces" c ON c."id" = i."content_piece_id" ORDER BY c."project_id") n
  WHERE p."id" = n."project_id" AND p."site_id" IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER "piece_posts_keep_project_site" AFTER INSERT ON "piece_posts"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION keep_project_site();

-- For one release: what processes of the release before write into "users" counts for the default site too. Those of this one
-- write both, and say so.
CREATE FUNCTION users_site_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('app.writes_sites', true) = 'on' THEN RETURN NULL; END IF;
  UPDATE "sites" SET "url" = NEW."wordpress_url", "username" = NEW."wordpress_username", "password" = NEW."wordpress_password",
    "api_root" = CASE WHEN "url" IS NOT DISTINCT FROM NEW."wordpress_url" THEN "api_root" END
  WHERE "user_id" = NEW."id" AND "is_default";
  IF NOT FOUND AND NEW."deleted_at" IS NULL THEN
    INSERT INTO "sites" ("user_id", "url", "username", "password", "is_default")
    VALUES (NEW."id", NEW."wordpress_url", NEW."wordpress_username", NEW."wordpress_password", true);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "users_site_follows" AFTER UPDATE OF "wordpress_url", "wordpress_username", "wordpress_password" ON "users"
  FOR EACH ROW WHEN ((NEW."wordpress_url", NEW."wordpress_username", NEW."wordpress_password")
    IS DISTINCT FROM (OLD."wordpress_url", OLD."wordpress_username", OLD."wordpress_password"))
  EXECUTE FUNCTION users_site_follows();

-- Another site becomes the default one in a process of the release before: the settings' address and password are its own now.
CREATE FUNCTION default_site_takes_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('app.writes_sites', true) = 'on' THEN RETURN NEW; END IF;
  SELECT u."wordpress_url", u."wordpress_username", u."wordpress_password" INTO NEW."url", NEW."username", NEW."password"
  FROM "users" u WHERE u."id" = NEW."user_id";
  DELETE FROM "sites" s WHERE s."user_id" = NEW."user_id" AND s."id" <> NEW."id" AND s."place" IS NULL AND s."url" = NEW."url"
    AND NOT EXISTS (SELECT 1 FROM "projects" p WHERE p."site_id" = s."id");
  UPDATE "sites" SET "url" = NULL, "username" = NULL, "password" = NULL
  WHERE "user_id" = NEW."user_id" AND "id" <> NEW."id" AND "url" = NEW."url";
  RETURN NEW;
END $$;
CREATE TRIGGER "sites_default_takes_settings" BEFORE UPDATE OF "is_default" ON "sites"
  FOR EACH ROW WHEN (NEW."is_default" AND NOT OLD."is_default") EXECUTE FUNCTION default_site_takes_settings();

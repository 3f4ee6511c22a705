-- For one release: processes of the release before delete every site without posts that is not the default one. One that is
-- connected, or that a project has, stays; with the account it goes.
CREATE FUNCTION keep_connected_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM "users" u WHERE u."id" = OLD."user_id" AND u."deleted_at" IS NULL) THEN RETURN OLD; END IF;
  IF OLD."url" IS NOT NULL AND OLD."place" IS NOT NULL THEN RETURN NULL; END IF;
  IF EXISTS (SELECT 1 FROM "projects" p WHERE p."site_id" = OLD."id") THEN RETURN NULL; END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER "sites_release_before" BEFORE DELETE ON "sites" FOR EACH ROW EXECUTE FUNCTION keep_connected_site();

-- How a project's texts are written; null leaves it to the AI.
ALTER TABLE "projects"
  ADD COLUMN "writing_tone" TEXT,
  ADD COLUMN "writing_language" TEXT,
  ADD COLUMN "writing_words" INTEGER,
  ADD COLUMN "writing_instructions" TEXT;

CREATE FUNCTION bytes_of_project(project projects) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 128 + octet_length(project.title) + coalesce(octet_length(project.description), 0)
    + coalesce(octet_length(project.writing_tone), 0) + coalesce(octet_length(project.writing_language), 0)
    + coalesce(octet_length(project.writing_instructions), 0)
$$;

CREATE OR REPLACE FUNCTION usage_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE change bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN change := -bytes_of_project(OLD); END IF;
  IF TG_OP = 'DELETE' THEN
    PERFORM 1 FROM buyer_personas WHERE project_id = OLD.id FOR UPDATE;
    PERFORM usage_note(OLD.user_id, change - (
      SELECT coalesce(sum(128 + octet_length(name) + octet_length(description) + octet_length(interests::text) + octet_length(challenges::text)), 0)
      FROM buyer_personas WHERE project_id = OLD.id)::bigint);
    RETURN OLD;
  END IF;
  PERFORM usage_note(NEW.user_id, change + bytes_of_project(NEW));
  RETURN NULL;
END $$;
DROP TRIGGER "projects_usage" ON "projects";
CREATE TRIGGER "projects_usage" AFTER INSERT OR UPDATE OF "title", "description", "writing_tone", "writing_language", "writing_instructions"
  ON "projects" FOR EACH ROW EXECUTE FUNCTION usage_of_project();

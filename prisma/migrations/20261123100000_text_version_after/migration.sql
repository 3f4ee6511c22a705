-- A table with a trigger before each updated row computes all its generated columns again with every update: two
-- milliseconds for a change of status. So text_version follows its text instead.

DROP TRIGGER "content_pieces_text_version" ON "content_pieces";

CREATE OR REPLACE FUNCTION content_text_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE content_pieces SET text_version = OLD.text_version + 1 WHERE id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "content_pieces_text_version" AFTER UPDATE OF "body", "outline" ON "content_pieces"
  FOR EACH ROW WHEN ((NEW.body, coalesce(NEW.outline, '')) IS DISTINCT FROM (OLD.body, coalesce(OLD.outline, '')))
  EXECUTE FUNCTION content_text_version();

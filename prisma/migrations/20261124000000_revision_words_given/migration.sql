-- Counting the words of an article takes more than a millisecond. A revision of a text that its piece has already is given the
-- piece's count; only another text is counted here.

ALTER TABLE "content_revisions" ALTER COLUMN "word_count" DROP EXPRESSION;

CREATE FUNCTION content_revision_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.word_count := CASE WHEN NEW.body ~ '\S'
    THEN cardinality(regexp_split_to_array(regexp_replace(NEW.body, '^\s+|\s+$', '', 'g'), '\s+')) ELSE 0 END;
  RETURN NEW;
END $$;
CREATE TRIGGER "content_revisions_words" BEFORE INSERT ON "content_revisions"
  FOR EACH ROW WHEN (NEW.word_count IS NULL) EXECUTE FUNCTION content_revision_words();

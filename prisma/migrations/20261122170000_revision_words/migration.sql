-- The words of a revision, counted as those of its piece: the list of revisions names them without reading the texts.
ALTER TABLE "content_revisions" ADD COLUMN "word_count" INTEGER NOT NULL GENERATED ALWAYS AS (CASE WHEN "body" ~ '\S' THEN cardinality(regexp_split_to_array(regexp_replace("body", '^\s+|\s+$', '', 'g'), '\s+')) ELSE 0 END) STORED;

-- Words of the body, also in scripts without spaces. The app counts them with each change, and the scheduled sweep counts those of
-- older rows; until then it is null.
ALTER TABLE "content_pieces" ADD COLUMN "length_in_words" INTEGER;

-- What the sweep has still to count.
CREATE INDEX "content_pieces_uncounted" ON "content_pieces" ("id") WHERE "length_in_words" IS NULL;

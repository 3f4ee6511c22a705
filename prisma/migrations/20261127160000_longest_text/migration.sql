-- How long the body and the outline have been in a revision's sitting, in characters. Null: not known.
ALTER TABLE "content_revisions" ADD COLUMN "longest_body" INTEGER, ADD COLUMN "longest_outline" INTEGER;

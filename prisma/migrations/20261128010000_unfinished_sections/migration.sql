-- How often the AI provider broke off in this section: 0 for one that is whole. A section that is not whole is no part of the
-- text, except where its item has failed: then the text of this version shows it, marked as unfinished.
ALTER TABLE "written_sections" ADD COLUMN "breaks" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "written_sections" ADD COLUMN "shown_in" INTEGER;

-- Places for pieces that the AI has been asked for and has not answered yet: they count towards the cap of the project, so
-- that what was paid for has its place. They run out, should the process that asked end.
ALTER TABLE "projects" ADD COLUMN "promised_pieces" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "projects" ADD COLUMN "promised_until" TIMESTAMPTZ(3);

-- Processes of the version before use the columns under their old names; prisma/next-release drops those. A reservation ends
-- within three minutes, so none is copied.

ALTER TABLE "projects" ADD COLUMN "reserved_pieces" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "reserved_until" TIMESTAMPTZ(3);
ALTER TABLE "topics" ADD COLUMN "reserved_keywords" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "reserved_until" TIMESTAMPTZ(3);

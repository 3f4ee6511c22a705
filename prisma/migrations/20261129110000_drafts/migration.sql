-- What the holder of a lease has written so far, for those who watch.
ALTER TABLE "leases" ADD COLUMN "draft" TEXT;

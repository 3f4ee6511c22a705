-- Which of the user's sites is connected: 'new', or the id of one; null: the default one. `name` is what a new one is called.
ALTER TABLE "site_connections" ADD COLUMN "target" TEXT, ADD COLUMN "name" TEXT;

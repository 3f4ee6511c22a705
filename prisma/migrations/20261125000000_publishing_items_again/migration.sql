-- A call that joins a publishing job asks for its pieces again; one that is under way waits again once it has ended.

ALTER TABLE "publishing_items" ADD COLUMN "is_asked_again" BOOLEAN NOT NULL DEFAULT false;

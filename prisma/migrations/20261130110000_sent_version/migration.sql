-- The version of the piece whose text was sent last to the site: while the piece has it, its text need not be hashed.
ALTER TABLE "piece_posts" ADD COLUMN "sent_version" INTEGER;

-- Posts that are out already: those whose pieces still have the text that was sent. The hash is sourceHash of
-- lib/features/publishing/writes/publish.ts.
UPDATE "piece_posts" w SET "sent_version" = p."version" FROM "content_pieces" p
WHERE p."id" = w."content_piece_id" AND w."sent_source" = rtrim(translate(encode(sha256(convert_to(
  '[' || to_json(w."sent_hash")::text || ',' || to_json(p."title")::text || ',' || to_json(p."body")::text || ']', 'UTF8')), 'base64'), '+/', '-_'), '=');

-- A process of the release before writes sent_source alone; the version says nothing of that text. The next release drops this.
CREATE FUNCTION forget_sent_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.sent_version := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER "piece_posts_release_before" BEFORE UPDATE OF "sent_source" ON "piece_posts" FOR EACH ROW
WHEN (NEW."sent_source" IS DISTINCT FROM OLD."sent_source" AND NEW."sent_version" = OLD."sent_version")
EXECUTE FUNCTION forget_sent_version();

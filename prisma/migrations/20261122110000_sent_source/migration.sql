-- What of a live post is the person's own: a hash of title and Markdown, bound to wp_sent_hash. And who rendered it (null: a
-- release before this one). A new renderer makes another wp_sent_hash of the same text, but not another source.
ALTER TABLE "content_pieces" ADD COLUMN "wp_sent_source" TEXT, ADD COLUMN "wp_renderer" INTEGER;

-- Posts that are out already. Their source is known where the text was not touched since they were published: either nothing
-- wrote the row since, or no revision began later than seven minutes before it (a revision takes saves for five minutes, a
-- publish at most two). Elsewhere an edit may be waiting: the next publish writes, as it did before.
-- The hash is hashOf(wpSentHash, title, body) of lib/features/publishing/writes/piece.ts.
UPDATE "content_pieces" p
SET "wp_sent_source" = rtrim(translate(encode(sha256(convert_to(
  '[' || to_json(p."wp_sent_hash")::text || ',' || to_json(p."title")::text || ',' || to_json(p."body")::text || ']', 'UTF8')), 'base64'), '+/', '-_'), '=')
FROM (SELECT "subject", max("created_at") AS "at" FROM "audit_events" WHERE "action" = 'content.published' GROUP BY "subject") published
WHERE published."subject" = p."id"::text AND p."wp_sent_hash" IS NOT NULL AND (
  p."updated_at" <= published."at" + interval '2 seconds'
  OR NOT EXISTS (SELECT 1 FROM "content_revisions" r WHERE r."content_piece_id" = p."id" AND r."version" IS NOT NULL
    AND r."created_at" > published."at" - interval '7 minutes'));

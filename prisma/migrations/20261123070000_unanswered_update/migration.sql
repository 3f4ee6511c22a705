-- What an update of a post sent, until its answer is there: a site that has it holds our text, not an edit of its own. The date
-- a post was last changed there was kept and never looked at.
ALTER TABLE "content_pieces" ADD COLUMN "wp_unanswered_hash" TEXT, DROP COLUMN "wp_modified_gmt";

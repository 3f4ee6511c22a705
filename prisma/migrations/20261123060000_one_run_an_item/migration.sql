-- One item is one run of the engine; it and direct AI calls hold the same lease on their piece; what is paid is kept with
-- the piece; a person's refused key or limit is one gate for all of that person's items.

-- Finished sections, by the outline they were written from. The piece's text begins where none is left.
CREATE TABLE "written_sections" (
  "content_piece_id" UUID NOT NULL,
  "outline_hash" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "heading" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  "model" TEXT NOT NULL,
  "prompt_version" TEXT NOT NULL,
  "tokens_in" INTEGER NOT NULL,
  "tokens_out" INTEGER NOT NULL,
  "duration_ms" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "written_sections_pkey" PRIMARY KEY ("content_piece_id", "outline_hash", "position"),
  CONSTRAINT "written_sections_content_piece_id_fkey" FOREIGN KEY ("content_piece_id") REFERENCES "content_pieces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

INSERT INTO "written_sections" ("content_piece_id", "outline_hash", "position", "heading", "text", "model", "prompt_version", "tokens_in", "tokens_out", "duration_ms")
SELECT k.piece, k.kept->>'outlineHash', s.place - 1, s.section->>'heading', s.section->>'text', coalesce(k.kept->'usage'->>'model', ''),
  coalesce(k.kept->'usage'->>'promptVersion', ''),
  CASE s.place WHEN 1 THEN coalesce((k.kept->'usage'->>'tokensIn')::int, 0) ELSE 0 END,
  CASE s.place WHEN 1 THEN coalesce((k.kept->'usage'->>'tokensOut')::int, 0) ELSE 0 END,
  CASE s.place WHEN 1 THEN coalesce((k.kept->'usage'->>'ms')::numeric::int, 0) ELSE 0 END
FROM (
  SELECT q."content_piece_id" AS piece, q."sections" AS kept FROM "processing_queue" q JOIN "content_pieces" p ON p."id" = q."content_piece_id"
  WHERE q."completed_at" IS NULL
  UNION ALL SELECT "id", "writing_progress" FROM "content_pieces") k
CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(k.kept->'sections') WHEN 'array' THEN k.kept->'sections' ELSE '[]' END)
  WITH ORDINALITY AS s (section, place)
WHERE k.kept->>'outlineHash' IS NOT NULL
ON CONFLICT DO NOTHING;

-- A person's items wait together: behind a provider's limit until it opens, behind a refused key until it is changed.
CREATE TABLE "provider_gates" (
  "user_id" UUID NOT NULL,
  "epoch" INTEGER NOT NULL DEFAULT 0,
  "level" INTEGER NOT NULL DEFAULT 0,
  "closed_until" TIMESTAMPTZ(3),
  "closed_since" TIMESTAMPTZ(3),
  "opened_at" TIMESTAMPTZ(3),
  "probe_item" UUID,
  "probe_until" TIMESTAMPTZ(3),
  "held_error" TEXT,
  "held_key" TEXT,
  CONSTRAINT "provider_gates_pkey" PRIMARY KEY ("user_id"),
  CONSTRAINT "provider_gates_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Counts up with every change of body or outline, whoever makes it: an AI text lands on the text it was made for.
ALTER TABLE "content_pieces" ADD COLUMN "text_version" INTEGER NOT NULL DEFAULT 1;

ALTER TABLE "processing_queue"
  ADD COLUMN "run_id" TEXT,
  ADD COLUMN "event_ref" TEXT,
  ADD COLUMN "is_try_open" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "is_held" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "base_text_version" INTEGER;

-- What is at work loses its run: the sweep takes it up again, with the text it began with.
UPDATE "processing_queue" q SET "base_text_version" = CASE WHEN p."version" = q."base_version" THEN 1 ELSE 0 END
FROM "content_pieces" p WHERE p."id" = q."content_piece_id" AND q."completed_at" IS NULL AND q."base_version" IS NOT NULL;

ALTER TABLE "processing_queue" DROP CONSTRAINT "processing_queue_lease";
DROP INDEX "processing_queue_leased";
ALTER TABLE "processing_queue" DROP COLUMN "lease_until", DROP COLUMN "boot_id", DROP COLUMN "base_version", DROP COLUMN "sections";
ALTER TABLE "content_pieces" DROP COLUMN "writing_token", DROP COLUMN "writing_lease_until", DROP COLUMN "writing_boot_id", DROP COLUMN "writing_progress";

-- ---------------------------------------------------------------------------
-- Below: what Prisma's schema cannot say.
-- ---------------------------------------------------------------------------

ALTER TABLE "processing_queue" ADD CONSTRAINT "processing_queue_claim" CHECK (("status" = 'processing') = ("claim_token" IS NOT NULL));
ALTER TABLE "processing_queue" ADD CONSTRAINT "processing_queue_try" CHECK (NOT "is_try_open" OR "status" = 'processing');
ALTER TABLE "processing_queue" ADD CONSTRAINT "processing_queue_held" CHECK (NOT "is_held" OR "status" = 'pending');
CREATE INDEX "processing_queue_runs" ON "processing_queue" ("run_id") WHERE "completed_at" IS NULL;
CREATE INDEX "processing_queue_at_work" ON "processing_queue" ("user_id") WHERE "status" = 'processing';

CREATE FUNCTION content_text_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.body, coalesce(NEW.outline, '')) IS DISTINCT FROM (OLD.body, coalesce(OLD.outline, '')) THEN
    NEW.text_version := OLD.text_version + 1;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "content_pieces_text_version" BEFORE UPDATE OF "body", "outline" ON "content_pieces"
  FOR EACH ROW EXECUTE FUNCTION content_text_version();

-- The moves of lib/features/jobs/states.ts, and no other; a test holds the two to each other.
CREATE FUNCTION processing_queue_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> NEW.status AND (OLD.status::text || '>' || NEW.status::text) NOT IN (
    'pending>processing', 'pending>failed', 'pending>cancelled', 'processing>pending', 'processing>completed', 'processing>failed',
    'processing>cancelled', 'failed>pending') THEN
    RAISE EXCEPTION 'a queue item cannot go from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "processing_queue_moves" BEFORE UPDATE OF "status" ON "processing_queue"
  FOR EACH ROW EXECUTE FUNCTION processing_queue_moves();

-- A claim now lasts for one call, so an item between two sections is in progress without one. Processes of the release before
-- know an item in progress without a claim as one whose worker died, and take it over.
ALTER TABLE "processing_queue" DROP CONSTRAINT "processing_queue_claim";
ALTER TABLE "processing_queue" DROP CONSTRAINT "processing_queue_try";
ALTER TABLE "processing_queue" DROP CONSTRAINT "processing_queue_held";
ALTER TABLE "processing_queue" ADD CONSTRAINT "processing_queue_claim" CHECK ("claim_token" IS NULL OR "status" = 'processing');

-- sent_at and sends take the place of dispatched_at and dispatch_seq, which are written until the next release drops them.
ALTER TABLE "processing_queue"
  ADD COLUMN "sent_at" TIMESTAMPTZ(3),
  ADD COLUMN "sends" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "claimed_at" TIMESTAMPTZ(3),
  ADD COLUMN "probed_at" TIMESTAMPTZ(3);
UPDATE "processing_queue" SET "sends" = "dispatch_seq", "sent_at" = CASE WHEN "is_held" THEN NULL ELSE "dispatched_at" END
WHERE "completed_at" IS NULL;
CREATE INDEX "processing_queue_unsent" ON "processing_queue" ("created_at", "id") WHERE "completed_at" IS NULL AND "sent_at" IS NULL;

-- What a user's items wait for together: a provider's limit, or the user. Takes the place of provider_gates.
CREATE TABLE "provider_waits" (
  "user_id" UUID NOT NULL,
  "not_before" TIMESTAMPTZ(3),
  "level" INTEGER NOT NULL DEFAULT 0,
  "limited_since" TIMESTAMPTZ(3),
  "limited_at" TIMESTAMPTZ(3),
  "limited_until" TIMESTAMPTZ(3),
  "taker_until" TIMESTAMPTZ(3),
  "held_reason" TEXT,
  "held_key" TEXT,
  "paused_at" TIMESTAMPTZ(3),
  CONSTRAINT "provider_waits_pkey" PRIMARY KEY ("user_id"),
  CONSTRAINT "provider_waits_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "provider_waits" ("user_id", "not_before", "level", "limited_since", "limited_at", "limited_until", "held_reason", "held_key")
SELECT "user_id", "closed_until", "level", CASE WHEN "closed_until" IS NOT NULL THEN "closed_since" END,
  CASE WHEN "closed_until" IS NOT NULL THEN now() END, "limited_until", "held_error", "held_key" FROM "provider_gates";

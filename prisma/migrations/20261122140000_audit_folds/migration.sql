-- What strangers can bring about at an account (a failed sign-in, a reset link asked for) is one row a day, with a count:
-- however often they try, the table stays small and other events stay in the list.
ALTER TABLE "audit_events" ADD COLUMN "times" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "audit_events" ADD COLUMN "last_at" TIMESTAMPTZ(3);
ALTER TABLE "audit_events" ADD COLUMN "day" DATE;
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_times_check" CHECK ("times" >= 1);

-- The rows written before become the same: the newest address, the first and the last moment. Under names that nobody has,
-- a row for each address.
WITH single AS (
  DELETE FROM "audit_events" WHERE "action" IN ('session.sign_in_failed', 'password.reset_requested')
  RETURNING *, ("created_at" AT TIME ZONE 'UTC')::date AS "on_day")
INSERT INTO "audit_events" ("user_id", "action", "address", "request_id", "created_at", "last_at", "day", "times")
SELECT "user_id", "action", (array_agg("address" ORDER BY "created_at" DESC))[1],
  (array_agg("request_id" ORDER BY "created_at" DESC))[1], min("created_at"), max("created_at"), "on_day", count(*)
FROM single GROUP BY "user_id", "action", "on_day", CASE WHEN "user_id" IS NULL THEN "address" END;

-- Where a repeated event finds its row.
CREATE UNIQUE INDEX "audit_events_folded" ON "audit_events" ("user_id", "action", "day")
  WHERE "day" IS NOT NULL AND "user_id" IS NOT NULL;
CREATE UNIQUE INDEX "audit_events_folded_unknown" ON "audit_events" ("address", "action", "day")
  WHERE "day" IS NOT NULL AND "user_id" IS NULL;

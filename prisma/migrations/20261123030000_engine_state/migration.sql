-- Whether the job engine can be reached, as the processes of the app last saw it: one row for all of them.
CREATE TABLE "engine_state" (
  "id" BOOLEAN PRIMARY KEY DEFAULT true CHECK ("id"),
  "away_since" TIMESTAMPTZ(3),
  "back_at" TIMESTAMPTZ(3),
  "seen_at" TIMESTAMPTZ(3)
);
INSERT INTO "engine_state" DEFAULT VALUES;

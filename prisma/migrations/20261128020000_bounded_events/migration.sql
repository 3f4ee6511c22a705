-- Where the newest events of a user are found, those about access apart, and the oldest, which go.
CREATE INDEX "audit_events_newest" ON "audit_events" (
  "user_id", ("action" LIKE 'session.%' OR "action" LIKE 'account.%' OR "action" LIKE 'password.%') DESC, "created_at" DESC, "id" DESC
) WHERE "day" IS NULL;

-- Where a job's calls find the row that counts what it has done.
CREATE INDEX "audit_events_of_jobs" ON "audit_events" ("request_id", "action") WHERE "day" IS NULL AND "address" = 'background';

-- What a person recognises a session by: what its browser calls itself, and where it signed in from.
ALTER TABLE "sessions" ADD COLUMN "user_agent" TEXT;
ALTER TABLE "sessions" ADD COLUMN "address" TEXT;
-- A character is counted as PostgreSQL counts it: by code points, as the app does.
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_agent_check" CHECK (char_length("user_agent") <= 300);

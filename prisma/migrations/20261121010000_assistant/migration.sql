-- One answer at a time in a session: whoever holds another token writes nothing.
ALTER TABLE "chat_sessions" ADD COLUMN "reply_token" UUID;
ALTER TABLE "chat_sessions" ADD COLUMN "reply_lease_until" TIMESTAMPTZ(3);

-- Who may work on something for the time being (lib/lease): one row a thing that is held, or was when its holder died.
CREATE TABLE "leases" (
  "kind" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "user_id" UUID NOT NULL,
  "content_piece_id" UUID,
  "chat_session_id" UUID,
  "token" UUID NOT NULL,
  "until" TIMESTAMPTZ(3) NOT NULL,
  "boot_id" UUID,
  "is_taken_over" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "leases_pkey" PRIMARY KEY ("kind", "subject"),
  CONSTRAINT "leases_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "leases_content_piece_id_fkey" FOREIGN KEY ("content_piece_id") REFERENCES "content_pieces"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "leases_chat_session_id_fkey" FOREIGN KEY ("chat_session_id") REFERENCES "chat_sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "leases_user_id_idx" ON "leases"("user_id");
CREATE INDEX "leases_content_piece_id_idx" ON "leases"("content_piece_id");
CREATE INDEX "leases_chat_session_id_idx" ON "leases"("chat_session_id");

-- A connection that waits for the user's approval on their site, for ten minutes.
CREATE TABLE "site_connections" (
    "id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "session_token" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "places" TEXT[] NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "site_connections_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "site_connections_user_id_idx" ON "site_connections"("user_id");
CREATE INDEX "site_connections_expires_at_idx" ON "site_connections"("expires_at");
ALTER TABLE "site_connections" ADD CONSTRAINT "site_connections_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

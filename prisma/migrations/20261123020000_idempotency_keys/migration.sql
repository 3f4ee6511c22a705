-- The Idempotency-Key of each creation and paid call, for 24 hours (lib/idempotency). A creation's row is written with what
-- it made; a paid call's stands from its beginning, without `kept` until it has ended.
CREATE TABLE "idempotency_keys" (
  "user_id" UUID NOT NULL,
  "key" TEXT NOT NULL,
  "call_hash" TEXT NOT NULL,
  "kept" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("user_id", "key"),
  CONSTRAINT "idempotency_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "idempotency_keys_key_length" CHECK (length("key") BETWEEN 1 AND 255),
  CONSTRAINT "idempotency_keys_kept_size" CHECK (octet_length("kept") <= 65536)
);
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

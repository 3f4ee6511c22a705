-- Instructions to the AI that a person keeps, to use them again. The key tells two apart regardless of case and spacing; it is
-- hashed because an index takes no text of 1,000 characters.
CREATE TABLE "saved_instructions" (
    "id" SERIAL NOT NULL,
    "user_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "text_key" TEXT NOT NULL GENERATED ALWAYS AS (md5(lower(regexp_replace("text", '\s+', ' ', 'g')))) STORED,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_instructions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "saved_instructions_text_length" CHECK (char_length("text") BETWEEN 1 AND 1000)
);

CREATE UNIQUE INDEX "saved_instructions_user_id_text_key_key" ON "saved_instructions"("user_id", "text_key");

ALTER TABLE "saved_instructions" ADD CONSTRAINT "saved_instructions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION usage_of_saved_instruction() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE change bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN change := -128 - octet_length(OLD.text); END IF;
  IF TG_OP <> 'DELETE' THEN change := change + 128 + octet_length(NEW.text); END IF;
  PERFORM usage_note(coalesce(NEW.user_id, OLD.user_id), change);
  RETURN NULL;
END $$;
CREATE TRIGGER "saved_instructions_usage" AFTER INSERT OR UPDATE OF "text" OR DELETE ON "saved_instructions" FOR EACH ROW EXECUTE FUNCTION usage_of_saved_instruction();

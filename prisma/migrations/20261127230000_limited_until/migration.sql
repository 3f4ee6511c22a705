-- The end of a provider's limit that is longer than any item waits. Items held before are asked for once more at the next start:
-- the fingerprint of what they are held for now includes the model.
ALTER TABLE "provider_gates" ADD COLUMN "limited_until" TIMESTAMPTZ(3);

-- Places for keywords that the AI has been asked for and has not answered yet, as a project keeps them for pieces
-- (promised_pieces): what was paid for has its place under the topic's cap.
ALTER TABLE "topics" ADD COLUMN "promised_keywords" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "topics" ADD COLUMN "promised_until" TIMESTAMPTZ(3);

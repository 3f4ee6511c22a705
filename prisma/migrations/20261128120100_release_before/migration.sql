-- A process of the release before takes an item in progress for lost with its worker unless its claim has the lease on the piece.
-- Between two calls there is no such lease now, and publishing has one on the job. There is nothing to count as an attempt then,
-- and nothing to take over of publishing. The next release drops this.
CREATE FUNCTION spare_from_release_before() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.job_type = 'publishing' THEN
    RETURN NULL;
  END IF;
  NEW.retry_count := OLD.retry_count;
  NEW.error := OLD.error;
  IF NEW.status = 'failed' THEN
    NEW.status := 'pending';
    NEW.completed_at := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "processing_queue_release_before" BEFORE UPDATE OF "retry_count" ON "processing_queue" FOR EACH ROW
WHEN (OLD."status" = 'processing' AND NEW."error" = 'The work stopped before it was done.'
  AND (OLD."claim_token" IS NULL OR OLD."job_type" = 'publishing'))
EXECUTE FUNCTION spare_from_release_before();

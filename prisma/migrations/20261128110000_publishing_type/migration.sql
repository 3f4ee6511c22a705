-- A value cannot be used in the transaction that adds it.
ALTER TYPE "job_type" ADD VALUE 'publishing';

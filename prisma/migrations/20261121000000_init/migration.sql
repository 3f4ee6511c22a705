-- CreateEnum
CREATE TYPE "content_status" AS ENUM ('draft', 'review', 'published', 'unpublished', 'wp_draft', 'wp_published', 'wp_failed');

-- CreateEnum
CREATE TYPE "processing_status" AS ENUM ('pending', 'processing', 'completed', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "job_type" AS ENUM ('outline_generation', 'content_generation');

-- CreateEnum
CREATE TYPE "revision_author" AS ENUM ('user', 'ai', 'import');

-- CreateEnum
CREATE TYPE "chat_role" AS ENUM ('user', 'assistant');

-- CreateEnum
CREATE TYPE "chat_message_type" AS ENUM ('chat', 'action', 'error');

-- CreateEnum
CREATE TYPE "chat_action_type" AS ENUM ('project', 'persona', 'topic', 'keyword');

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "username" TEXT NOT NULL,
    "username_key" TEXT NOT NULL GENERATED ALWAYS AS (lower("username")) STORED,
    "email" TEXT,
    "email_verified" TIMESTAMPTZ(3),
    "display_name" TEXT,
    "photo_url" TEXT,
    "firebase_uid" TEXT,
    "password" TEXT,
    "openai_api_key" TEXT,
    "openai_api_key_hint" TEXT,
    "wordpress_url" TEXT,
    "wordpress_username" TEXT,
    "wordpress_password" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "provider_account_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "session_token" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "expires" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verification_tokens" (
    "identifier" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "expires" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "verification_tokens_pkey" PRIMARY KEY ("identifier","token")
);

-- CreateTable
CREATE TABLE "password_resets" (
    "token_hash" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "expires" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "password_resets_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" SERIAL NOT NULL,
    "user_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "buyer_personas" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "age" INTEGER,
    "description" TEXT NOT NULL,
    "interests" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "challenges" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "buyer_personas_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "topics" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "category" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "topics_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "keywords" (
    "id" SERIAL NOT NULL,
    "topic_id" INTEGER NOT NULL,
    "keyword" TEXT NOT NULL,
    "keyword_key" TEXT NOT NULL GENERATED ALWAYS AS (lower(regexp_replace("keyword", '\s+', ' ', 'g'))) STORED,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "keywords_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "content_pieces" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "topic_id" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL DEFAULT '',
    "outline" TEXT,
    "status" "content_status" NOT NULL DEFAULT 'draft',
    "is_title_only" BOOLEAN NOT NULL DEFAULT false,
    "is_outline" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 1,
    "focus_keyword" TEXT,
    "angle" TEXT,
    "intent" TEXT,
    "meta_title" TEXT,
    "meta_description" TEXT,
    "wp_post_id" TEXT,
    "wp_permalink" TEXT,
    "wp_category_id" TEXT,
    "wp_category_name" TEXT,
    "wp_site" TEXT,
    "wp_modified_gmt" TEXT,
    "wp_remote_hash" TEXT,
    "wp_sent_hash" TEXT,
    "publish_error" TEXT,
    "publish_token" UUID,
    "publish_lease_until" TIMESTAMPTZ(3),
    "writing_token" UUID,
    "writing_lease_until" TIMESTAMPTZ(3),
    "writing_progress" JSONB,
    "last_synced_at" TIMESTAMPTZ(3),
    "has_body" BOOLEAN NOT NULL GENERATED ALWAYS AS ("body" ~ '\S') STORED,
    "has_outline" BOOLEAN NOT NULL GENERATED ALWAYS AS (coalesce("outline" ~ '\S', false)) STORED,
    "word_count" INTEGER NOT NULL GENERATED ALWAYS AS (CASE WHEN "body" ~ '\S' THEN cardinality(regexp_split_to_array(regexp_replace("body", '^\s+|\s+$', '', 'g'), '\s+')) ELSE 0 END) STORED,
    "search_text" TEXT NOT NULL GENERATED ALWAYS AS (lower("title" || E'\n' || "body")) STORED,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "content_pieces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "content_revisions" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "content_piece_id" UUID NOT NULL,
    "version" INTEGER,
    "author" "revision_author" NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "outline" TEXT,
    "model" TEXT,
    "prompt_version" TEXT,
    "tokens_in" INTEGER,
    "tokens_out" INTEGER,
    "duration_ms" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "content_revisions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "processing_jobs" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "topic_id" INTEGER NOT NULL,
    "job_type" "job_type" NOT NULL,
    "status" "processing_status" NOT NULL DEFAULT 'pending',
    "total_items" INTEGER NOT NULL,
    "completed_items" INTEGER NOT NULL DEFAULT 0,
    "failed_items" INTEGER NOT NULL DEFAULT 0,
    "cancelled_items" INTEGER NOT NULL DEFAULT 0,
    "cancel_requested_at" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "processing_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "processing_queue" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "job_type" "job_type" NOT NULL,
    "job_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "topic_id" INTEGER NOT NULL,
    "content_piece_id" UUID NOT NULL,
    "status" "processing_status" NOT NULL DEFAULT 'pending',
    "retry_count" INTEGER NOT NULL DEFAULT 0,
    "max_retries" INTEGER NOT NULL DEFAULT 3,
    "error" TEXT,
    "note" TEXT,
    "claim_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "not_before" TIMESTAMPTZ(3),
    "dispatch_seq" INTEGER NOT NULL DEFAULT 0,
    "dispatched_at" TIMESTAMPTZ(3),
    "waited_seconds" INTEGER NOT NULL DEFAULT 0,
    "base_version" INTEGER,
    "sections" JSONB,
    "tokens_in" INTEGER NOT NULL DEFAULT 0,
    "tokens_out" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "processing_queue_pkey" PRIMARY KEY ("id","job_type")
) PARTITION BY LIST ("job_type");

CREATE TABLE "outline_processing_queue" PARTITION OF "processing_queue" FOR VALUES IN ('outline_generation');
CREATE TABLE "content_processing_queue" PARTITION OF "processing_queue" FOR VALUES IN ('content_generation');

-- CreateTable
CREATE TABLE "chat_sessions" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "project_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "chat_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "chat_messages" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "session_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "role" "chat_role" NOT NULL,
    "type" "chat_message_type" NOT NULL DEFAULT 'chat',
    "action_type" "chat_action_type",
    "content" TEXT NOT NULL,
    "tokens_in" INTEGER NOT NULL DEFAULT 0,
    "tokens_out" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "chat_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID,
    "action" TEXT NOT NULL,
    "subject" TEXT,
    "address" TEXT,
    "request_id" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "hits" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_username_key_key" ON "users"("username_key");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "users_firebase_uid_key" ON "users"("firebase_uid");

-- CreateIndex
CREATE INDEX "accounts_user_id_idx" ON "accounts"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_provider_provider_account_id_key" ON "accounts"("provider", "provider_account_id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_session_token_key" ON "sessions"("session_token");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_expires_idx" ON "sessions"("expires");

-- CreateIndex
CREATE INDEX "password_resets_user_id_idx" ON "password_resets"("user_id");

-- CreateIndex
CREATE INDEX "projects_user_id_created_at_id_idx" ON "projects"("user_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "projects_id_user_id_key" ON "projects"("id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "buyer_personas_project_id_key" ON "buyer_personas"("project_id");

-- CreateIndex
CREATE INDEX "topics_project_id_created_at_id_idx" ON "topics"("project_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "topics_id_project_id_user_id_key" ON "topics"("id", "project_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "keywords_topic_id_keyword_key_key" ON "keywords"("topic_id", "keyword_key");

-- CreateIndex
CREATE INDEX "keywords_topic_id_created_at_id_idx" ON "keywords"("topic_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "content_pieces_user_id_created_at_id_status_idx" ON "content_pieces"("user_id", "created_at" DESC, "id" DESC, "status");

-- CreateIndex
CREATE INDEX "content_pieces_user_id_project_id_topic_id_status_idx" ON "content_pieces"("user_id", "project_id", "topic_id", "status");

-- CreateIndex
CREATE INDEX "content_pieces_project_id_created_at_id_status_idx" ON "content_pieces"("project_id", "created_at" DESC, "id" DESC, "status");

-- CreateIndex
CREATE INDEX "content_pieces_topic_id_created_at_id_status_idx" ON "content_pieces"("topic_id", "created_at" DESC, "id" DESC, "status");

-- CreateIndex
CREATE INDEX "content_revisions_content_piece_id_created_at_id_idx" ON "content_revisions"("content_piece_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "content_revisions_content_piece_id_version_key" ON "content_revisions"("content_piece_id", "version");

-- CreateIndex
CREATE INDEX "processing_jobs_user_id_created_at_id_idx" ON "processing_jobs"("user_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "processing_jobs_topic_id_idx" ON "processing_jobs"("topic_id");

-- CreateIndex
CREATE UNIQUE INDEX "processing_jobs_id_job_type_topic_id_user_id_key" ON "processing_jobs"("id", "job_type", "topic_id", "user_id");

-- CreateIndex
CREATE INDEX "processing_queue_job_id_status_idx" ON "processing_queue"("job_id", "status");

-- CreateIndex
CREATE INDEX "processing_queue_content_piece_id_idx" ON "processing_queue"("content_piece_id");

-- CreateIndex
CREATE INDEX "chat_sessions_user_id_updated_at_idx" ON "chat_sessions"("user_id", "updated_at" DESC);

-- CreateIndex
CREATE INDEX "chat_sessions_project_id_idx" ON "chat_sessions"("project_id");

-- CreateIndex
CREATE UNIQUE INDEX "chat_messages_session_id_position_key" ON "chat_messages"("session_id", "position");

-- CreateIndex
CREATE INDEX "audit_events_user_id_created_at_idx" ON "audit_events"("user_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "rate_limits_expires_at_idx" ON "rate_limits"("expires_at");

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "buyer_personas" ADD CONSTRAINT "buyer_personas_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "topics" ADD CONSTRAINT "topics_project_id_user_id_fkey" FOREIGN KEY ("project_id", "user_id") REFERENCES "projects"("id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "keywords" ADD CONSTRAINT "keywords_topic_id_fkey" FOREIGN KEY ("topic_id") REFERENCES "topics"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "content_pieces" ADD CONSTRAINT "content_pieces_topic_id_project_id_user_id_fkey" FOREIGN KEY ("topic_id", "project_id", "user_id") REFERENCES "topics"("id", "project_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "content_revisions" ADD CONSTRAINT "content_revisions_content_piece_id_fkey" FOREIGN KEY ("content_piece_id") REFERENCES "content_pieces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "processing_jobs" ADD CONSTRAINT "processing_jobs_topic_id_project_id_user_id_fkey" FOREIGN KEY ("topic_id", "project_id", "user_id") REFERENCES "topics"("id", "project_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "processing_queue" ADD CONSTRAINT "processing_queue_job_id_job_type_topic_id_user_id_fkey" FOREIGN KEY ("job_id", "job_type", "topic_id", "user_id") REFERENCES "processing_jobs"("id", "job_type", "topic_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chat_sessions" ADD CONSTRAINT "chat_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chat_sessions" ADD CONSTRAINT "chat_sessions_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What schema.prisma cannot say --------------------------------------------------------------------------------------

ALTER TABLE "users" ADD CONSTRAINT "users_email_lower" CHECK ("email" = lower("email"));
ALTER TABLE "processing_jobs" ADD CONSTRAINT "processing_jobs_counts" CHECK ("completed_items" + "failed_items" + "cancelled_items" <= "total_items");
ALTER TABLE "processing_queue" ADD CONSTRAINT "processing_queue_lease" CHECK (("status" = 'processing') = ("claim_token" IS NOT NULL AND "lease_until" IS NOT NULL));
ALTER TABLE "processing_queue" ADD CONSTRAINT "processing_queue_retries" CHECK ("retry_count" BETWEEN 0 AND "max_retries");

-- searched by strpos over one user's rows: uncompressed is five times faster to scan than compressed
ALTER TABLE "content_pieces" ALTER COLUMN "search_text" SET STORAGE EXTERNAL;

-- "Live" is said as completed_at IS NULL (the CHECKs make it mean pending or processing): a partial index on the enum itself
-- cannot be used by Prisma's queries, which compare with CAST($1::text AS enum), and that cast is not immutable.
ALTER TABLE "processing_jobs" ADD CONSTRAINT "processing_jobs_live" CHECK (("status" IN ('pending', 'processing')) = ("completed_at" IS NULL));
ALTER TABLE "processing_queue" ADD CONSTRAINT "processing_queue_live" CHECK (("status" IN ('pending', 'processing')) = ("completed_at" IS NULL));

-- one live job a topic and type, one live item a piece and type
CREATE UNIQUE INDEX "processing_jobs_one_live" ON "processing_jobs" ("topic_id", "job_type") WHERE "completed_at" IS NULL;
CREATE UNIQUE INDEX "processing_queue_one_live" ON "processing_queue" ("content_piece_id", "job_type") WHERE "completed_at" IS NULL;
-- the monitor: what is live, and the newest finished
CREATE INDEX "processing_queue_live" ON "processing_queue" ("user_id", "created_at", "id") WHERE "completed_at" IS NULL;
CREATE INDEX "processing_queue_finished" ON "processing_queue" ("user_id", "completed_at" DESC, "id" DESC) WHERE "completed_at" IS NOT NULL;
-- raw SQL only: claim takes the oldest waiting item of a user, resume the leases that ran out
CREATE INDEX "processing_queue_waiting" ON "processing_queue" ("user_id", "created_at", "id") WHERE "status" = 'pending';
CREATE INDEX "processing_queue_leased" ON "processing_queue" ("user_id", "lease_until") WHERE "status" = 'processing';

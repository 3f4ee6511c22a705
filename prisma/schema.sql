CREATE TYPE public.chat_action_type AS ENUM (
    'project',
    'persona',
    'topic',
    'keyword'
);

CREATE TYPE public.chat_message_type AS ENUM (
    'chat',
    'action',
    'error'
);

CREATE TYPE public.chat_role AS ENUM (
    'user',
    'assistant'
);

CREATE TYPE public.content_status AS ENUM (
    'draft',
    'review',
    'published',
    'unpublished',
    'wp_draft',
    'wp_published',
    'wp_failed'
);

CREATE TYPE public.job_type AS ENUM (
    'outline_generation',
    'content_generation',
    'publishing'
);

CREATE TYPE public.processing_status AS ENUM (
    'pending',
    'processing',
    'completed',
    'failed',
    'cancelled'
);

CREATE TYPE public.publishing_verb AS ENUM (
    'publish_all',
    'publish_selected',
    'update_all',
    'unpublish_selected'
);

CREATE TYPE public.revision_author AS ENUM (
    'user',
    'ai',
    'import'
);

CREATE FUNCTION public.abandon_post() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO abandoned_posts (content_piece_id, site_id, user_id, unanswered_since)
  SELECT OLD.content_piece_id, s.id, s.user_id, OLD.unanswered_since FROM sites s
  WHERE s.id = OLD.site_id AND NOT EXISTS (
    SELECT 1 FROM content_pieces WHERE id = OLD.content_piece_id AND deleted_at IS NULL)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION public.content_revision_words() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
BEGIN
  NEW.word_count := CASE WHEN NEW.body ~ '\S'
    THEN cardinality(regexp_split_to_array(regexp_replace(NEW.body, '^\s+|\s+$', '', 'g'), '\s+')) ELSE 0 END;
  RETURN NEW;
END $_$;

CREATE FUNCTION public.content_text_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE content_pieces SET text_version = OLD.text_version + 1 WHERE id = NEW.id;
  RETURN NULL;
END $$;

CREATE FUNCTION public.default_site_takes_settings() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF current_setting('app.writes_sites', true) = 'on' THEN RETURN NEW; END IF;
  SELECT u."wordpress_url", u."wordpress_username", u."wordpress_password" INTO NEW."url", NEW."username", NEW."password"
  FROM "users" u WHERE u."id" = NEW."user_id";
  DELETE FROM "sites" s WHERE s."user_id" = NEW."user_id" AND s."id" <> NEW."id" AND s."place" IS NULL AND s."url" = NEW."url"
    AND NOT EXISTS (SELECT 1 FROM "projects" p WHERE p."site_id" = s."id");
  UPDATE "sites" SET "url" = NULL, "username" = NULL, "password" = NULL
  WHERE "user_id" = NEW."user_id" AND "id" <> NEW."id" AND "url" = NEW."url";
  RETURN NEW;
END $$;

CREATE FUNCTION public.forget_sent_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.sent_version := NULL;
  RETURN NEW;
END $$;

CREATE FUNCTION public.keep_connected_site() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM "users" u WHERE u."id" = OLD."user_id" AND u."deleted_at" IS NULL) THEN RETURN OLD; END IF;
  IF OLD."url" IS NOT NULL AND OLD."place" IS NOT NULL THEN RETURN NULL; END IF;
  IF EXISTS (SELECT 1 FROM "projects" p WHERE p."site_id" = OLD."id") THEN RETURN NULL; END IF;
  RETURN OLD;
END $$;

CREATE FUNCTION public.keep_project_site() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE "projects" p SET "site_id" = n."site_id"
  FROM (SELECT DISTINCT ON (c."project_id") c."project_id", i."site_id"
        FROM "inserted" i JOIN "content_pieces" c ON c."id" = i."content_piece_id" ORDER BY c."project_id") n
  WHERE p."id" = n."project_id" AND p."site_id" IS NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION public.processing_queue_moves() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF OLD.status <> NEW.status AND (OLD.status::text || '>' || NEW.status::text) NOT IN (
    'pending>processing', 'pending>failed', 'pending>cancelled', 'processing>pending', 'processing>completed', 'processing>failed',
    'processing>cancelled', 'failed>pending') THEN
    RAISE EXCEPTION 'a queue item cannot go from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION public.spare_from_release_before() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.take_room(person uuid, need bigint, most_bytes bigint, most_saves integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
  kept usage%ROWTYPE;
  folded bigint;
BEGIN
  SELECT * INTO kept FROM usage WHERE user_id = person FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  IF kept.window_ends <= clock_timestamp() THEN
    kept.saves := 0;
    kept.window_ends := clock_timestamp() + interval '1 minute';
  END IF;
  IF kept.saves >= most_saves THEN
    RAISE EXCEPTION 'wait % s', greatest(1, ceil(extract(epoch FROM kept.window_ends - clock_timestamp()))) USING ERRCODE = 'UR002';
  END IF;
  WITH gone AS (DELETE FROM usage_changes WHERE user_id = person RETURNING bytes)
  SELECT coalesce(sum(bytes), 0) INTO folded FROM gone;
  IF kept.bytes + folded + need > most_bytes THEN
    RAISE EXCEPTION 'no room' USING ERRCODE = 'UR001';
  END IF;
  UPDATE usage SET bytes = kept.bytes + folded, saves = kept.saves + 1, window_ends = kept.window_ends WHERE user_id = person;
  RETURN true;
END $$;

CREATE FUNCTION public.users_site_follows() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF current_setting('app.writes_sites', true) = 'on' THEN RETURN NULL; END IF;
  UPDATE "sites" SET "url" = NEW."wordpress_url", "username" = NEW."wordpress_username", "password" = NEW."wordpress_password",
    "api_root" = CASE WHEN "url" IS NOT DISTINCT FROM NEW."wordpress_url" THEN "api_root" END
  WHERE "user_id" = NEW."id" AND "is_default";
  IF NOT FOUND AND NEW."deleted_at" IS NULL THEN
    INSERT INTO "sites" ("user_id", "url", "username", "password", "is_default")
    VALUES (NEW."id", NEW."wordpress_url", NEW."wordpress_username", NEW."wordpress_password", true);
  END IF;
  RETURN NULL;
END $$;

CREATE TABLE public.abandoned_posts (
    content_piece_id uuid NOT NULL,
    site_id uuid NOT NULL,
    user_id uuid NOT NULL,
    unanswered_since timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.accounts (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    type text NOT NULL,
    provider text NOT NULL,
    provider_account_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE public.audit_events (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid,
    action text NOT NULL,
    subject text,
    address text,
    request_id text,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    times integer DEFAULT 1 NOT NULL,
    last_at timestamp(3) with time zone,
    day date,
    CONSTRAINT audit_events_times_check CHECK ((times >= 1))
);

CREATE TABLE public.buyer_personas (
    id integer NOT NULL,
    project_id integer NOT NULL,
    name text NOT NULL,
    age integer,
    description text NOT NULL,
    interests text[] DEFAULT ARRAY[]::text[],
    challenges text[] DEFAULT ARRAY[]::text[],
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE SEQUENCE public.buyer_personas_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.buyer_personas_id_seq OWNED BY public.buyer_personas.id;

CREATE TABLE public.chat_messages (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    session_id uuid NOT NULL,
    "position" integer NOT NULL,
    role public.chat_role NOT NULL,
    type public.chat_message_type DEFAULT 'chat'::public.chat_message_type NOT NULL,
    action_type public.chat_action_type,
    content text NOT NULL,
    tokens_in integer DEFAULT 0 NOT NULL,
    tokens_out integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    tokens_cached integer DEFAULT 0 NOT NULL,
    tokens_reasoning integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.chat_sessions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    project_id integer,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE public.content_pieces (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    project_id integer NOT NULL,
    topic_id integer NOT NULL,
    title text NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    outline text,
    status public.content_status DEFAULT 'draft'::public.content_status NOT NULL,
    is_title_only boolean DEFAULT false NOT NULL,
    is_outline boolean DEFAULT false NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    focus_keyword text,
    angle text,
    intent text,
    meta_title text,
    meta_description text,
    has_body boolean GENERATED ALWAYS AS ((body ~ '\S'::text)) STORED NOT NULL,
    has_outline boolean GENERATED ALWAYS AS (COALESCE((outline ~ '\S'::text), false)) STORED NOT NULL,
    word_count integer GENERATED ALWAYS AS (
CASE
    WHEN (body ~ '\S'::text) THEN cardinality(regexp_split_to_array(regexp_replace(body, '^\s+|\s+$'::text, ''::text, 'g'::text), '\s+'::text))
    ELSE 0
END) STORED NOT NULL,
    search_text text GENERATED ALWAYS AS (lower(((title || '
'::text) || body))) STORED NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    text_version integer DEFAULT 1 NOT NULL,
    length_in_words integer,
    deleted_at timestamp(3) with time zone,
    slug text,
    excerpt text
);
ALTER TABLE ONLY public.content_pieces ALTER COLUMN search_text SET STORAGE EXTERNAL;

CREATE TABLE public.processing_queue (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    job_type public.job_type NOT NULL,
    job_id uuid NOT NULL,
    user_id uuid NOT NULL,
    topic_id integer,
    content_piece_id uuid NOT NULL,
    status public.processing_status DEFAULT 'pending'::public.processing_status NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    max_retries integer DEFAULT 3 NOT NULL,
    error text,
    note text,
    claim_token uuid,
    not_before timestamp(3) with time zone,
    dispatch_seq integer DEFAULT 0 NOT NULL,
    dispatched_at timestamp(3) with time zone,
    waited_seconds integer DEFAULT 0 NOT NULL,
    tokens_in integer DEFAULT 0 NOT NULL,
    tokens_out integer DEFAULT 0 NOT NULL,
    started_at timestamp(3) with time zone,
    completed_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    run_id text,
    event_ref text,
    is_try_open boolean DEFAULT false NOT NULL,
    is_held boolean DEFAULT false NOT NULL,
    base_text_version integer,
    tokens_cached integer DEFAULT 0 NOT NULL,
    tokens_reasoning integer DEFAULT 0 NOT NULL,
    sent_at timestamp(3) with time zone,
    sends integer DEFAULT 0 NOT NULL,
    claimed_at timestamp(3) with time zone,
    probed_at timestamp(3) with time zone,
    "position" integer,
    result jsonb,
    dismissed_at timestamp(3) with time zone,
    CONSTRAINT processing_queue_claim CHECK (((claim_token IS NULL) OR (status = 'processing'::public.processing_status))),
    CONSTRAINT processing_queue_live CHECK (((status = ANY (ARRAY['pending'::public.processing_status, 'processing'::public.processing_status])) = (completed_at IS NULL))),
    CONSTRAINT processing_queue_retries CHECK (((retry_count >= 0) AND (retry_count <= max_retries)))
)
PARTITION BY LIST (job_type);

CREATE TABLE public.content_processing_queue (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    job_type public.job_type NOT NULL,
    job_id uuid NOT NULL,
    user_id uuid NOT NULL,
    topic_id integer,
    content_piece_id uuid NOT NULL,
    status public.processing_status DEFAULT 'pending'::public.processing_status NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    max_retries integer DEFAULT 3 NOT NULL,
    error text,
    note text,
    claim_token uuid,
    not_before timestamp(3) with time zone,
    dispatch_seq integer DEFAULT 0 NOT NULL,
    dispatched_at timestamp(3) with time zone,
    waited_seconds integer DEFAULT 0 NOT NULL,
    tokens_in integer DEFAULT 0 NOT NULL,
    tokens_out integer DEFAULT 0 NOT NULL,
    started_at timestamp(3) with time zone,
    completed_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    run_id text,
    event_ref text,
    is_try_open boolean DEFAULT false NOT NULL,
    is_held boolean DEFAULT false NOT NULL,
    base_text_version integer,
    tokens_cached integer DEFAULT 0 NOT NULL,
    tokens_reasoning integer DEFAULT 0 NOT NULL,
    sent_at timestamp(3) with time zone,
    sends integer DEFAULT 0 NOT NULL,
    claimed_at timestamp(3) with time zone,
    probed_at timestamp(3) with time zone,
    "position" integer,
    result jsonb,
    dismissed_at timestamp(3) with time zone,
    CONSTRAINT processing_queue_claim CHECK (((claim_token IS NULL) OR (status = 'processing'::public.processing_status))),
    CONSTRAINT processing_queue_live CHECK (((status = ANY (ARRAY['pending'::public.processing_status, 'processing'::public.processing_status])) = (completed_at IS NULL))),
    CONSTRAINT processing_queue_retries CHECK (((retry_count >= 0) AND (retry_count <= max_retries)))
);

CREATE TABLE public.content_revisions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    content_piece_id uuid NOT NULL,
    version integer,
    author public.revision_author NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    outline text,
    model text,
    prompt_version text,
    tokens_in integer,
    tokens_out integer,
    duration_ms integer,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    word_count integer NOT NULL,
    published_at timestamp(3) with time zone,
    longest_body integer,
    longest_outline integer,
    tokens_cached integer DEFAULT 0 NOT NULL,
    tokens_reasoning integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.engine_state (
    id boolean DEFAULT true NOT NULL,
    away_since timestamp(3) with time zone,
    back_at timestamp(3) with time zone,
    seen_at timestamp(3) with time zone,
    CONSTRAINT engine_state_id_check CHECK (id)
);

CREATE TABLE public.idempotency_keys (
    user_id uuid NOT NULL,
    key text NOT NULL,
    call_hash text NOT NULL,
    kept text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT idempotency_keys_kept_size CHECK ((octet_length(kept) <= 65536)),
    CONSTRAINT idempotency_keys_key_length CHECK (((length(key) >= 1) AND (length(key) <= 255)))
);

CREATE TABLE public.keywords (
    id integer NOT NULL,
    topic_id integer NOT NULL,
    keyword text NOT NULL,
    keyword_key text GENERATED ALWAYS AS (lower(regexp_replace(keyword, '\s+'::text, ' '::text, 'g'::text))) STORED NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE SEQUENCE public.keywords_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.keywords_id_seq OWNED BY public.keywords.id;

CREATE TABLE public.leases (
    kind text NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL,
    content_piece_id uuid,
    chat_session_id uuid,
    token uuid NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    boot_id uuid,
    draft text
);

CREATE TABLE public.outline_processing_queue (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    job_type public.job_type NOT NULL,
    job_id uuid NOT NULL,
    user_id uuid NOT NULL,
    topic_id integer,
    content_piece_id uuid NOT NULL,
    status public.processing_status DEFAULT 'pending'::public.processing_status NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    max_retries integer DEFAULT 3 NOT NULL,
    error text,
    note text,
    claim_token uuid,
    not_before timestamp(3) with time zone,
    dispatch_seq integer DEFAULT 0 NOT NULL,
    dispatched_at timestamp(3) with time zone,
    waited_seconds integer DEFAULT 0 NOT NULL,
    tokens_in integer DEFAULT 0 NOT NULL,
    tokens_out integer DEFAULT 0 NOT NULL,
    started_at timestamp(3) with time zone,
    completed_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    run_id text,
    event_ref text,
    is_try_open boolean DEFAULT false NOT NULL,
    is_held boolean DEFAULT false NOT NULL,
    base_text_version integer,
    tokens_cached integer DEFAULT 0 NOT NULL,
    tokens_reasoning integer DEFAULT 0 NOT NULL,
    sent_at timestamp(3) with time zone,
    sends integer DEFAULT 0 NOT NULL,
    claimed_at timestamp(3) with time zone,
    probed_at timestamp(3) with time zone,
    "position" integer,
    result jsonb,
    dismissed_at timestamp(3) with time zone,
    CONSTRAINT processing_queue_claim CHECK (((claim_token IS NULL) OR (status = 'processing'::public.processing_status))),
    CONSTRAINT processing_queue_live CHECK (((status = ANY (ARRAY['pending'::public.processing_status, 'processing'::public.processing_status])) = (completed_at IS NULL))),
    CONSTRAINT processing_queue_retries CHECK (((retry_count >= 0) AND (retry_count <= max_retries)))
);

CREATE TABLE public.password_resets (
    token_hash text NOT NULL,
    user_id uuid NOT NULL,
    expires timestamp(3) with time zone NOT NULL,
    used_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE public.piece_posts (
    content_piece_id uuid NOT NULL,
    site_id uuid NOT NULL,
    post_id text,
    unanswered_since timestamp(3) with time zone,
    unanswered_hashes text[] DEFAULT ARRAY[]::text[],
    status public.content_status DEFAULT 'unpublished'::public.content_status NOT NULL,
    permalink text,
    slug text,
    guid text,
    date_gmt text,
    category_id text,
    category_name text,
    remote_hash text,
    sent_hash text,
    sent_source text,
    renderer integer,
    publish_error text,
    last_synced_at timestamp(3) with time zone,
    site_status text,
    site_date timestamp(3) with time zone,
    modified_gmt text,
    sent_version integer,
    sent_fields jsonb,
    CONSTRAINT piece_posts_status_check CHECK ((status = ANY (ARRAY['unpublished'::public.content_status, 'wp_draft'::public.content_status, 'wp_published'::public.content_status, 'wp_failed'::public.content_status])))
);

CREATE TABLE public.processing_jobs (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    project_id integer NOT NULL,
    topic_id integer,
    job_type public.job_type NOT NULL,
    status public.processing_status DEFAULT 'pending'::public.processing_status NOT NULL,
    total_items integer NOT NULL,
    completed_items integer DEFAULT 0 NOT NULL,
    failed_items integer DEFAULT 0 NOT NULL,
    cancelled_items integer DEFAULT 0 NOT NULL,
    cancel_requested_at timestamp(3) with time zone,
    revision integer DEFAULT 0 NOT NULL,
    started_at timestamp(3) with time zone,
    completed_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    subject text GENERATED ALWAYS AS (
CASE
    WHEN (topic_id IS NULL) THEN ('project:'::text || (project_id)::text)
    ELSE ('topic:'::text || (topic_id)::text)
END) STORED NOT NULL,
    input jsonb,
    not_before timestamp(3) with time zone,
    tries integer DEFAULT 0 NOT NULL,
    error text,
    error_type text,
    CONSTRAINT processing_jobs_counts CHECK ((((completed_items + failed_items) + cancelled_items) <= total_items)),
    CONSTRAINT processing_jobs_live CHECK (((status = ANY (ARRAY['pending'::public.processing_status, 'processing'::public.processing_status])) = (completed_at IS NULL)))
);

CREATE TABLE public.projects (
    id integer NOT NULL,
    user_id uuid NOT NULL,
    title text NOT NULL,
    description text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    promised_pieces integer DEFAULT 0 NOT NULL,
    promised_until timestamp(3) with time zone,
    writing_tone text,
    writing_language text,
    writing_words integer,
    writing_instructions text,
    reserved_pieces integer DEFAULT 0 NOT NULL,
    reserved_until timestamp(3) with time zone,
    deleted_at timestamp(3) with time zone,
    site_id uuid
);

CREATE SEQUENCE public.projects_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.projects_id_seq OWNED BY public.projects.id;

CREATE TABLE public.provider_gates (
    user_id uuid NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    level integer DEFAULT 0 NOT NULL,
    closed_until timestamp(3) with time zone,
    closed_since timestamp(3) with time zone,
    opened_at timestamp(3) with time zone,
    probe_item uuid,
    probe_until timestamp(3) with time zone,
    held_error text,
    held_key text,
    limited_until timestamp(3) with time zone
);

CREATE TABLE public.provider_waits (
    user_id uuid NOT NULL,
    not_before timestamp(3) with time zone,
    level integer DEFAULT 0 NOT NULL,
    limited_since timestamp(3) with time zone,
    limited_at timestamp(3) with time zone,
    limited_until timestamp(3) with time zone,
    taker_until timestamp(3) with time zone,
    held_reason text,
    held_key text,
    paused_at timestamp(3) with time zone
);

CREATE TABLE public.publishing_items (
    job_id uuid NOT NULL,
    "position" integer NOT NULL,
    content_piece_id uuid NOT NULL,
    title text NOT NULL,
    status public.processing_status DEFAULT 'pending'::public.processing_status NOT NULL,
    is_unchanged boolean DEFAULT false NOT NULL,
    error text,
    error_type text,
    detail text,
    post_id text,
    permalink text,
    is_asked_again boolean DEFAULT false NOT NULL,
    site_status text,
    site_date timestamp(3) with time zone,
    category_id text
);

CREATE TABLE public.publishing_jobs (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    project_id integer NOT NULL,
    verb public.publishing_verb NOT NULL,
    site_answer text,
    status public.processing_status DEFAULT 'pending'::public.processing_status NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    not_before timestamp(3) with time zone,
    error text,
    error_type text,
    cancel_requested_at timestamp(3) with time zone,
    started_at timestamp(3) with time zone,
    completed_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT publishing_jobs_live CHECK (((status = ANY (ARRAY['pending'::public.processing_status, 'processing'::public.processing_status])) = (completed_at IS NULL))),
    CONSTRAINT publishing_jobs_site_answer CHECK ((site_answer = ANY (ARRAY['same'::text, 'other'::text])))
);

CREATE TABLE public.publishing_queue (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    job_type public.job_type NOT NULL,
    job_id uuid NOT NULL,
    user_id uuid NOT NULL,
    topic_id integer,
    content_piece_id uuid NOT NULL,
    status public.processing_status DEFAULT 'pending'::public.processing_status NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    max_retries integer DEFAULT 3 NOT NULL,
    error text,
    note text,
    claim_token uuid,
    not_before timestamp(3) with time zone,
    dispatch_seq integer DEFAULT 0 NOT NULL,
    dispatched_at timestamp(3) with time zone,
    waited_seconds integer DEFAULT 0 NOT NULL,
    tokens_in integer DEFAULT 0 NOT NULL,
    tokens_out integer DEFAULT 0 NOT NULL,
    started_at timestamp(3) with time zone,
    completed_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    run_id text,
    event_ref text,
    is_try_open boolean DEFAULT false NOT NULL,
    is_held boolean DEFAULT false NOT NULL,
    base_text_version integer,
    tokens_cached integer DEFAULT 0 NOT NULL,
    tokens_reasoning integer DEFAULT 0 NOT NULL,
    sent_at timestamp(3) with time zone,
    sends integer DEFAULT 0 NOT NULL,
    claimed_at timestamp(3) with time zone,
    probed_at timestamp(3) with time zone,
    "position" integer,
    result jsonb,
    dismissed_at timestamp(3) with time zone,
    CONSTRAINT processing_queue_claim CHECK (((claim_token IS NULL) OR (status = 'processing'::public.processing_status))),
    CONSTRAINT processing_queue_live CHECK (((status = ANY (ARRAY['pending'::public.processing_status, 'processing'::public.processing_status])) = (completed_at IS NULL))),
    CONSTRAINT processing_queue_retries CHECK (((retry_count >= 0) AND (retry_count <= max_retries)))
);

CREATE TABLE public.rate_limits (
    key text NOT NULL,
    hits integer NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.saved_instructions (
    id integer NOT NULL,
    user_id uuid NOT NULL,
    text text NOT NULL,
    text_key text GENERATED ALWAYS AS (md5(lower(regexp_replace(text, '\s+'::text, ' '::text, 'g'::text)))) STORED NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT saved_instructions_text_length CHECK (((char_length(text) >= 1) AND (char_length(text) <= 1000)))
);

CREATE SEQUENCE public.saved_instructions_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.saved_instructions_id_seq OWNED BY public.saved_instructions.id;

CREATE TABLE public.sessions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    session_token text NOT NULL,
    user_id uuid NOT NULL,
    expires timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    user_agent text,
    address text,
    CONSTRAINT sessions_user_agent_check CHECK ((char_length(user_agent) <= 300))
);

CREATE TABLE public.site_connections (
    id text NOT NULL,
    user_id uuid NOT NULL,
    session_token text NOT NULL,
    url text NOT NULL,
    places text[] NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    target text,
    name text
);

CREATE TABLE public.sites (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    place text,
    api_root text,
    is_default boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    name text,
    url text,
    username text,
    password text,
    version text,
    role text,
    last_contact_at timestamp(3) with time zone,
    accepted_fields jsonb
);

CREATE TABLE public.topics (
    id integer NOT NULL,
    project_id integer NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    category text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    promised_keywords integer DEFAULT 0 NOT NULL,
    promised_until timestamp(3) with time zone,
    reserved_keywords integer DEFAULT 0 NOT NULL,
    reserved_until timestamp(3) with time zone,
    deleted_at timestamp(3) with time zone
);

CREATE SEQUENCE public.topics_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.topics_id_seq OWNED BY public.topics.id;

CREATE TABLE public.usage (
    user_id uuid NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    saves integer DEFAULT 0 NOT NULL,
    window_ends timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    is_exact boolean DEFAULT false NOT NULL,
    removing_bytes bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.usage_changes (
    id bigint NOT NULL,
    user_id uuid NOT NULL,
    bytes bigint NOT NULL
);

CREATE SEQUENCE public.usage_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.usage_changes_id_seq OWNED BY public.usage_changes.id;

CREATE TABLE public.users (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    username text NOT NULL,
    username_key text GENERATED ALWAYS AS (lower(username)) STORED NOT NULL,
    email text,
    email_verified timestamp(3) with time zone,
    display_name text,
    photo_url text,
    firebase_uid text,
    password text,
    openai_api_key text,
    openai_api_key_hint text,
    wordpress_url text,
    wordpress_username text,
    wordpress_password text,
    disabled_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    wordpress_site text,
    deleted_at timestamp(3) with time zone,
    CONSTRAINT users_email_lower CHECK ((email = lower(email)))
);

CREATE TABLE public.verification_tokens (
    identifier text NOT NULL,
    token text NOT NULL,
    expires timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.work_totals (
    user_id uuid NOT NULL,
    job_type public.job_type NOT NULL,
    finished_jobs integer DEFAULT 0 NOT NULL,
    cancelled_jobs integer DEFAULT 0 NOT NULL,
    completed_items integer DEFAULT 0 NOT NULL,
    failed_items integer DEFAULT 0 NOT NULL,
    cancelled_items integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.written_sections (
    content_piece_id uuid NOT NULL,
    outline_hash text NOT NULL,
    "position" integer NOT NULL,
    heading text NOT NULL,
    text text NOT NULL,
    model text NOT NULL,
    prompt_version text NOT NULL,
    tokens_in integer NOT NULL,
    tokens_out integer NOT NULL,
    duration_ms integer NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    tokens_cached integer DEFAULT 0 NOT NULL,
    tokens_reasoning integer DEFAULT 0 NOT NULL,
    breaks integer DEFAULT 0 NOT NULL,
    shown_in integer
);

ALTER TABLE ONLY public.processing_queue ATTACH PARTITION public.content_processing_queue FOR VALUES IN ('content_generation');

ALTER TABLE ONLY public.processing_queue ATTACH PARTITION public.outline_processing_queue FOR VALUES IN ('outline_generation');

ALTER TABLE ONLY public.processing_queue ATTACH PARTITION public.publishing_queue FOR VALUES IN ('publishing');

ALTER TABLE ONLY public.buyer_personas ALTER COLUMN id SET DEFAULT nextval('public.buyer_personas_id_seq'::regclass);

ALTER TABLE ONLY public.keywords ALTER COLUMN id SET DEFAULT nextval('public.keywords_id_seq'::regclass);

ALTER TABLE ONLY public.projects ALTER COLUMN id SET DEFAULT nextval('public.projects_id_seq'::regclass);

ALTER TABLE ONLY public.saved_instructions ALTER COLUMN id SET DEFAULT nextval('public.saved_instructions_id_seq'::regclass);

ALTER TABLE ONLY public.topics ALTER COLUMN id SET DEFAULT nextval('public.topics_id_seq'::regclass);

ALTER TABLE ONLY public.usage_changes ALTER COLUMN id SET DEFAULT nextval('public.usage_changes_id_seq'::regclass);

ALTER TABLE ONLY public.abandoned_posts
    ADD CONSTRAINT abandoned_posts_pkey PRIMARY KEY (content_piece_id, site_id);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.buyer_personas
    ADD CONSTRAINT buyer_personas_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.chat_messages
    ADD CONSTRAINT chat_messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.chat_sessions
    ADD CONSTRAINT chat_sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.content_pieces
    ADD CONSTRAINT content_pieces_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.processing_queue
    ADD CONSTRAINT processing_queue_pkey PRIMARY KEY (id, job_type);

ALTER TABLE ONLY public.content_processing_queue
    ADD CONSTRAINT content_processing_queue_pkey PRIMARY KEY (id, job_type);

ALTER TABLE ONLY public.content_revisions
    ADD CONSTRAINT content_revisions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.engine_state
    ADD CONSTRAINT engine_state_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key);

ALTER TABLE ONLY public.keywords
    ADD CONSTRAINT keywords_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (kind, subject);

ALTER TABLE ONLY public.outline_processing_queue
    ADD CONSTRAINT outline_processing_queue_pkey PRIMARY KEY (id, job_type);

ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.piece_posts
    ADD CONSTRAINT piece_posts_pkey PRIMARY KEY (content_piece_id, site_id);

ALTER TABLE ONLY public.processing_jobs
    ADD CONSTRAINT processing_jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.provider_gates
    ADD CONSTRAINT provider_gates_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.provider_waits
    ADD CONSTRAINT provider_waits_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.publishing_items
    ADD CONSTRAINT publishing_items_pkey PRIMARY KEY (job_id, "position");

ALTER TABLE ONLY public.publishing_jobs
    ADD CONSTRAINT publishing_jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.publishing_queue
    ADD CONSTRAINT publishing_queue_pkey PRIMARY KEY (id, job_type);

ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.saved_instructions
    ADD CONSTRAINT saved_instructions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.site_connections
    ADD CONSTRAINT site_connections_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sites
    ADD CONSTRAINT sites_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.topics
    ADD CONSTRAINT topics_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.usage_changes
    ADD CONSTRAINT usage_changes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.usage
    ADD CONSTRAINT usage_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.verification_tokens
    ADD CONSTRAINT verification_tokens_pkey PRIMARY KEY (identifier, token);

ALTER TABLE ONLY public.work_totals
    ADD CONSTRAINT work_totals_pkey PRIMARY KEY (user_id, job_type);

ALTER TABLE ONLY public.written_sections
    ADD CONSTRAINT written_sections_pkey PRIMARY KEY (content_piece_id, outline_hash, "position");

CREATE INDEX abandoned_posts_site_id_idx ON public.abandoned_posts USING btree (site_id);

CREATE UNIQUE INDEX accounts_provider_provider_account_id_key ON public.accounts USING btree (provider, provider_account_id);

CREATE INDEX accounts_user_id_idx ON public.accounts USING btree (user_id);

CREATE UNIQUE INDEX audit_events_folded ON public.audit_events USING btree (user_id, action, day) WHERE ((day IS NOT NULL) AND (user_id IS NOT NULL));

CREATE UNIQUE INDEX audit_events_folded_unknown ON public.audit_events USING btree (address, action, day) WHERE ((day IS NOT NULL) AND (user_id IS NULL));

CREATE INDEX audit_events_newest ON public.audit_events USING btree (user_id, (((action ~~ 'session.%'::text) OR (action ~~ 'account.%'::text) OR (action ~~ 'password.%'::text))) DESC, created_at DESC, id DESC) WHERE (day IS NULL);

CREATE INDEX audit_events_of_jobs ON public.audit_events USING btree (request_id, action) WHERE ((day IS NULL) AND (address = 'background'::text));

CREATE INDEX audit_events_user_id_created_at_idx ON public.audit_events USING btree (user_id, created_at DESC);

CREATE UNIQUE INDEX buyer_personas_project_id_key ON public.buyer_personas USING btree (project_id);

CREATE UNIQUE INDEX chat_messages_session_id_position_key ON public.chat_messages USING btree (session_id, "position");

CREATE INDEX chat_sessions_project_id_idx ON public.chat_sessions USING btree (project_id);

CREATE INDEX chat_sessions_user_id_updated_at_idx ON public.chat_sessions USING btree (user_id, updated_at DESC);

CREATE INDEX content_pieces_deleted ON public.content_pieces USING btree (id) WHERE (deleted_at IS NOT NULL);

CREATE INDEX content_pieces_live ON public.content_pieces USING btree (user_id, project_id, topic_id, status) WHERE (deleted_at IS NULL);

CREATE INDEX content_pieces_project_id_created_at_id_status_idx ON public.content_pieces USING btree (project_id, created_at DESC, id DESC, status);

CREATE INDEX content_pieces_topic_id_created_at_id_status_idx ON public.content_pieces USING btree (topic_id, created_at DESC, id DESC, status);

CREATE INDEX content_pieces_uncounted ON public.content_pieces USING btree (id) WHERE (length_in_words IS NULL);

CREATE INDEX content_pieces_user_id_created_at_id_status_idx ON public.content_pieces USING btree (user_id, created_at DESC, id DESC, status);

CREATE INDEX content_pieces_user_id_project_id_topic_id_status_idx ON public.content_pieces USING btree (user_id, project_id, topic_id, status);

CREATE INDEX processing_queue_content_piece_id_idx ON ONLY public.processing_queue USING btree (content_piece_id);

CREATE INDEX content_processing_queue_content_piece_id_idx ON public.content_processing_queue USING btree (content_piece_id);

CREATE UNIQUE INDEX processing_queue_one_live ON ONLY public.processing_queue USING btree (content_piece_id, job_type) WHERE (completed_at IS NULL);

CREATE UNIQUE INDEX content_processing_queue_content_piece_id_job_type_idx ON public.content_processing_queue USING btree (content_piece_id, job_type) WHERE (completed_at IS NULL);

CREATE INDEX processing_queue_unsent ON ONLY public.processing_queue USING btree (created_at, id) WHERE ((completed_at IS NULL) AND (sent_at IS NULL));

CREATE INDEX content_processing_queue_created_at_id_idx ON public.content_processing_queue USING btree (created_at, id) WHERE ((completed_at IS NULL) AND (sent_at IS NULL));

CREATE INDEX processing_queue_job_id_status_idx ON ONLY public.processing_queue USING btree (job_id, status);

CREATE INDEX content_processing_queue_job_id_status_idx ON public.content_processing_queue USING btree (job_id, status);

CREATE INDEX processing_queue_runs ON ONLY public.processing_queue USING btree (run_id) WHERE (completed_at IS NULL);

CREATE INDEX content_processing_queue_run_id_idx ON public.content_processing_queue USING btree (run_id) WHERE (completed_at IS NULL);

CREATE INDEX processing_queue_finished ON ONLY public.processing_queue USING btree (user_id, completed_at DESC, id DESC) WHERE (completed_at IS NOT NULL);

CREATE INDEX content_processing_queue_user_id_completed_at_id_idx ON public.content_processing_queue USING btree (user_id, completed_at DESC, id DESC) WHERE (completed_at IS NOT NULL);

CREATE INDEX processing_queue_live ON ONLY public.processing_queue USING btree (user_id, created_at, id) WHERE (completed_at IS NULL);

CREATE INDEX content_processing_queue_user_id_created_at_id_idx ON public.content_processing_queue USING btree (user_id, created_at, id) WHERE (completed_at IS NULL);

CREATE INDEX processing_queue_waiting ON ONLY public.processing_queue USING btree (user_id, created_at, id) WHERE (status = 'pending'::public.processing_status);

CREATE INDEX content_processing_queue_user_id_created_at_id_idx1 ON public.content_processing_queue USING btree (user_id, created_at, id) WHERE (status = 'pending'::public.processing_status);

CREATE INDEX processing_queue_at_work ON ONLY public.processing_queue USING btree (user_id) WHERE (status = 'processing'::public.processing_status);

CREATE INDEX content_processing_queue_user_id_idx ON public.content_processing_queue USING btree (user_id) WHERE (status = 'processing'::public.processing_status);

CREATE INDEX processing_queue_failed ON ONLY public.processing_queue USING btree (user_id) WHERE ((status = 'failed'::public.processing_status) AND (dismissed_at IS NULL));

CREATE INDEX content_processing_queue_user_id_idx1 ON public.content_processing_queue USING btree (user_id) WHERE ((status = 'failed'::public.processing_status) AND (dismissed_at IS NULL));

CREATE INDEX content_revisions_content_piece_id_created_at_id_idx ON public.content_revisions USING btree (content_piece_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX content_revisions_content_piece_id_version_key ON public.content_revisions USING btree (content_piece_id, version);

CREATE INDEX idempotency_keys_created_at_idx ON public.idempotency_keys USING btree (created_at);

CREATE INDEX keywords_topic_id_created_at_id_idx ON public.keywords USING btree (topic_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX keywords_topic_id_keyword_key_key ON public.keywords USING btree (topic_id, keyword_key);

CREATE INDEX leases_chat_session_id_idx ON public.leases USING btree (chat_session_id);

CREATE INDEX leases_content_piece_id_idx ON public.leases USING btree (content_piece_id);

CREATE INDEX leases_user_id_idx ON public.leases USING btree (user_id);

CREATE INDEX outline_processing_queue_content_piece_id_idx ON public.outline_processing_queue USING btree (content_piece_id);

CREATE UNIQUE INDEX outline_processing_queue_content_piece_id_job_type_idx ON public.outline_processing_queue USING btree (content_piece_id, job_type) WHERE (completed_at IS NULL);

CREATE INDEX outline_processing_queue_created_at_id_idx ON public.outline_processing_queue USING btree (created_at, id) WHERE ((completed_at IS NULL) AND (sent_at IS NULL));

CREATE INDEX outline_processing_queue_job_id_status_idx ON public.outline_processing_queue USING btree (job_id, status);

CREATE INDEX outline_processing_queue_run_id_idx ON public.outline_processing_queue USING btree (run_id) WHERE (completed_at IS NULL);

CREATE INDEX outline_processing_queue_user_id_completed_at_id_idx ON public.outline_processing_queue USING btree (user_id, completed_at DESC, id DESC) WHERE (completed_at IS NOT NULL);

CREATE INDEX outline_processing_queue_user_id_created_at_id_idx ON public.outline_processing_queue USING btree (user_id, created_at, id) WHERE (completed_at IS NULL);

CREATE INDEX outline_processing_queue_user_id_created_at_id_idx1 ON public.outline_processing_queue USING btree (user_id, created_at, id) WHERE (status = 'pending'::public.processing_status);

CREATE INDEX outline_processing_queue_user_id_idx ON public.outline_processing_queue USING btree (user_id) WHERE (status = 'processing'::public.processing_status);

CREATE INDEX outline_processing_queue_user_id_idx1 ON public.outline_processing_queue USING btree (user_id) WHERE ((status = 'failed'::public.processing_status) AND (dismissed_at IS NULL));

CREATE INDEX password_resets_user_id_idx ON public.password_resets USING btree (user_id);

CREATE INDEX piece_posts_site_id_idx ON public.piece_posts USING btree (site_id);

CREATE INDEX piece_posts_unanswered_idx ON public.piece_posts USING btree (unanswered_since) WHERE (unanswered_since IS NOT NULL);

CREATE UNIQUE INDEX processing_jobs_id_job_type_user_id_key ON public.processing_jobs USING btree (id, job_type, user_id);

CREATE UNIQUE INDEX processing_jobs_one_live ON public.processing_jobs USING btree (job_type, subject) WHERE (completed_at IS NULL);

CREATE INDEX processing_jobs_project_id_created_at_id_idx ON public.processing_jobs USING btree (project_id, created_at DESC, id DESC);

CREATE INDEX processing_jobs_topic_id_idx ON public.processing_jobs USING btree (topic_id);

CREATE INDEX processing_jobs_user_id_created_at_id_idx ON public.processing_jobs USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX projects_deleted ON public.projects USING btree (id) WHERE (deleted_at IS NOT NULL);

CREATE UNIQUE INDEX projects_id_user_id_key ON public.projects USING btree (id, user_id);

CREATE INDEX projects_site_id_idx ON public.projects USING btree (site_id);

CREATE INDEX projects_user_id_created_at_id_idx ON public.projects USING btree (user_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX publishing_items_job_id_content_piece_id_key ON public.publishing_items USING btree (job_id, content_piece_id);

CREATE INDEX publishing_items_waiting ON public.publishing_items USING btree (job_id, "position") WHERE (status = ANY (ARRAY['pending'::public.processing_status, 'processing'::public.processing_status]));

CREATE UNIQUE INDEX publishing_jobs_one_live ON public.publishing_jobs USING btree (project_id) WHERE (completed_at IS NULL);

CREATE INDEX publishing_jobs_project_id_created_at_id_idx ON public.publishing_jobs USING btree (project_id, created_at DESC, id DESC);

CREATE INDEX publishing_queue_content_piece_id_idx ON public.publishing_queue USING btree (content_piece_id);

CREATE UNIQUE INDEX publishing_queue_content_piece_id_job_type_idx ON public.publishing_queue USING btree (content_piece_id, job_type) WHERE (completed_at IS NULL);

CREATE INDEX publishing_queue_created_at_id_idx ON public.publishing_queue USING btree (created_at, id) WHERE ((completed_at IS NULL) AND (sent_at IS NULL));

CREATE INDEX publishing_queue_job_id_position_idx ON public.publishing_queue USING btree (job_id, "position");

CREATE INDEX publishing_queue_job_id_status_idx ON public.publishing_queue USING btree (job_id, status);

CREATE INDEX publishing_queue_run_id_idx ON public.publishing_queue USING btree (run_id) WHERE (completed_at IS NULL);

CREATE INDEX publishing_queue_user_id_completed_at_id_idx ON public.publishing_queue USING btree (user_id, completed_at DESC, id DESC) WHERE (completed_at IS NOT NULL);

CREATE INDEX publishing_queue_user_id_created_at_id_idx ON public.publishing_queue USING btree (user_id, created_at, id) WHERE (completed_at IS NULL);

CREATE INDEX publishing_queue_user_id_created_at_id_idx1 ON public.publishing_queue USING btree (user_id, created_at, id) WHERE (status = 'pending'::public.processing_status);

CREATE INDEX publishing_queue_user_id_idx ON public.publishing_queue USING btree (user_id) WHERE (status = 'processing'::public.processing_status);

CREATE INDEX publishing_queue_user_id_idx1 ON public.publishing_queue USING btree (user_id) WHERE ((status = 'failed'::public.processing_status) AND (dismissed_at IS NULL));

CREATE INDEX rate_limits_expires_at_idx ON public.rate_limits USING btree (expires_at);

CREATE UNIQUE INDEX saved_instructions_user_id_text_key_key ON public.saved_instructions USING btree (user_id, text_key);

CREATE INDEX sessions_expires_idx ON public.sessions USING btree (expires);

CREATE UNIQUE INDEX sessions_session_token_key ON public.sessions USING btree (session_token);

CREATE INDEX sessions_user_id_idx ON public.sessions USING btree (user_id);

CREATE INDEX site_connections_expires_at_idx ON public.site_connections USING btree (expires_at);

CREATE INDEX site_connections_user_id_idx ON public.site_connections USING btree (user_id);

CREATE UNIQUE INDEX sites_default_key ON public.sites USING btree (user_id) WHERE is_default;

CREATE UNIQUE INDEX sites_id_user_id_key ON public.sites USING btree (id, user_id);

CREATE UNIQUE INDEX sites_user_id_place_key ON public.sites USING btree (user_id, place);

CREATE INDEX topics_deleted ON public.topics USING btree (id) WHERE (deleted_at IS NOT NULL);

CREATE UNIQUE INDEX topics_id_project_id_user_id_key ON public.topics USING btree (id, project_id, user_id);

CREATE INDEX topics_project_id_created_at_id_idx ON public.topics USING btree (project_id, created_at DESC, id DESC);

CREATE INDEX usage_changes_user_id_idx ON public.usage_changes USING btree (user_id);

CREATE INDEX users_deleted ON public.users USING btree (id) WHERE (deleted_at IS NOT NULL);

CREATE UNIQUE INDEX users_email_key ON public.users USING btree (email);

CREATE UNIQUE INDEX users_firebase_uid_key ON public.users USING btree (firebase_uid);

CREATE UNIQUE INDEX users_username_key_key ON public.users USING btree (username_key);

ALTER INDEX public.processing_queue_content_piece_id_idx ATTACH PARTITION public.content_processing_queue_content_piece_id_idx;

ALTER INDEX public.processing_queue_one_live ATTACH PARTITION public.content_processing_queue_content_piece_id_job_type_idx;

ALTER INDEX public.processing_queue_unsent ATTACH PARTITION public.content_processing_queue_created_at_id_idx;

ALTER INDEX public.processing_queue_job_id_status_idx ATTACH PARTITION public.content_processing_queue_job_id_status_idx;

ALTER INDEX public.processing_queue_pkey ATTACH PARTITION public.content_processing_queue_pkey;

ALTER INDEX public.processing_queue_runs ATTACH PARTITION public.content_processing_queue_run_id_idx;

ALTER INDEX public.processing_queue_finished ATTACH PARTITION public.content_processing_queue_user_id_completed_at_id_idx;

ALTER INDEX public.processing_queue_live ATTACH PARTITION public.content_processing_queue_user_id_created_at_id_idx;

ALTER INDEX public.processing_queue_waiting ATTACH PARTITION public.content_processing_queue_user_id_created_at_id_idx1;

ALTER INDEX public.processing_queue_at_work ATTACH PARTITION public.content_processing_queue_user_id_idx;

ALTER INDEX public.processing_queue_failed ATTACH PARTITION public.content_processing_queue_user_id_idx1;

ALTER INDEX public.processing_queue_content_piece_id_idx ATTACH PARTITION public.outline_processing_queue_content_piece_id_idx;

ALTER INDEX public.processing_queue_one_live ATTACH PARTITION public.outline_processing_queue_content_piece_id_job_type_idx;

ALTER INDEX public.processing_queue_unsent ATTACH PARTITION public.outline_processing_queue_created_at_id_idx;

ALTER INDEX public.processing_queue_job_id_status_idx ATTACH PARTITION public.outline_processing_queue_job_id_status_idx;

ALTER INDEX public.processing_queue_pkey ATTACH PARTITION public.outline_processing_queue_pkey;

ALTER INDEX public.processing_queue_runs ATTACH PARTITION public.outline_processing_queue_run_id_idx;

ALTER INDEX public.processing_queue_finished ATTACH PARTITION public.outline_processing_queue_user_id_completed_at_id_idx;

ALTER INDEX public.processing_queue_live ATTACH PARTITION public.outline_processing_queue_user_id_created_at_id_idx;

ALTER INDEX public.processing_queue_waiting ATTACH PARTITION public.outline_processing_queue_user_id_created_at_id_idx1;

ALTER INDEX public.processing_queue_at_work ATTACH PARTITION public.outline_processing_queue_user_id_idx;

ALTER INDEX public.processing_queue_failed ATTACH PARTITION public.outline_processing_queue_user_id_idx1;

ALTER INDEX public.processing_queue_content_piece_id_idx ATTACH PARTITION public.publishing_queue_content_piece_id_idx;

ALTER INDEX public.processing_queue_one_live ATTACH PARTITION public.publishing_queue_content_piece_id_job_type_idx;

ALTER INDEX public.processing_queue_unsent ATTACH PARTITION public.publishing_queue_created_at_id_idx;

ALTER INDEX public.processing_queue_job_id_status_idx ATTACH PARTITION public.publishing_queue_job_id_status_idx;

ALTER INDEX public.processing_queue_pkey ATTACH PARTITION public.publishing_queue_pkey;

ALTER INDEX public.processing_queue_runs ATTACH PARTITION public.publishing_queue_run_id_idx;

ALTER INDEX public.processing_queue_finished ATTACH PARTITION public.publishing_queue_user_id_completed_at_id_idx;

ALTER INDEX public.processing_queue_live ATTACH PARTITION public.publishing_queue_user_id_created_at_id_idx;

ALTER INDEX public.processing_queue_waiting ATTACH PARTITION public.publishing_queue_user_id_created_at_id_idx1;

ALTER INDEX public.processing_queue_at_work ATTACH PARTITION public.publishing_queue_user_id_idx;

ALTER INDEX public.processing_queue_failed ATTACH PARTITION public.publishing_queue_user_id_idx1;

CREATE TRIGGER content_pieces_text_version AFTER UPDATE OF body, outline ON public.content_pieces FOR EACH ROW WHEN (((new.body IS DISTINCT FROM old.body) OR (COALESCE(new.outline, ''::text) IS DISTINCT FROM COALESCE(old.outline, ''::text)))) EXECUTE FUNCTION public.content_text_version();

CREATE TRIGGER content_revisions_words BEFORE INSERT ON public.content_revisions FOR EACH ROW WHEN ((new.word_count IS NULL)) EXECUTE FUNCTION public.content_revision_words();

CREATE TRIGGER piece_posts_abandoned AFTER DELETE ON public.piece_posts FOR EACH ROW WHEN ((old.unanswered_since IS NOT NULL)) EXECUTE FUNCTION public.abandon_post();

CREATE TRIGGER piece_posts_keep_project_site AFTER INSERT ON public.piece_posts REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.keep_project_site();

CREATE TRIGGER piece_posts_release_before BEFORE UPDATE OF sent_source ON public.piece_posts FOR EACH ROW WHEN (((new.sent_source IS DISTINCT FROM old.sent_source) AND (new.sent_version = old.sent_version))) EXECUTE FUNCTION public.forget_sent_version();

CREATE TRIGGER processing_queue_moves BEFORE UPDATE OF status ON public.processing_queue FOR EACH ROW EXECUTE FUNCTION public.processing_queue_moves();

CREATE TRIGGER processing_queue_release_before BEFORE UPDATE OF retry_count ON public.processing_queue FOR EACH ROW WHEN (((old.status = 'processing'::public.processing_status) AND (new.error = 'The work stopped before it was done.'::text) AND ((old.claim_token IS NULL) OR (old.job_type = 'publishing'::public.job_type)))) EXECUTE FUNCTION public.spare_from_release_before();

CREATE TRIGGER sites_default_takes_settings BEFORE UPDATE OF is_default ON public.sites FOR EACH ROW WHEN ((new.is_default AND (NOT old.is_default))) EXECUTE FUNCTION public.default_site_takes_settings();

CREATE TRIGGER sites_release_before BEFORE DELETE ON public.sites FOR EACH ROW EXECUTE FUNCTION public.keep_connected_site();

CREATE TRIGGER users_site_follows AFTER UPDATE OF wordpress_url, wordpress_username, wordpress_password ON public.users FOR EACH ROW WHEN ((((new.wordpress_url IS DISTINCT FROM old.wordpress_url) OR (new.wordpress_username IS DISTINCT FROM old.wordpress_username)) OR (new.wordpress_password IS DISTINCT FROM old.wordpress_password))) EXECUTE FUNCTION public.users_site_follows();

ALTER TABLE ONLY public.abandoned_posts
    ADD CONSTRAINT abandoned_posts_site_id_fkey FOREIGN KEY (site_id) REFERENCES public.sites(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.buyer_personas
    ADD CONSTRAINT buyer_personas_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.chat_messages
    ADD CONSTRAINT chat_messages_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.chat_sessions(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.chat_sessions
    ADD CONSTRAINT chat_sessions_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE ONLY public.chat_sessions
    ADD CONSTRAINT chat_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.content_pieces
    ADD CONSTRAINT content_pieces_topic_id_project_id_user_id_fkey FOREIGN KEY (topic_id, project_id, user_id) REFERENCES public.topics(id, project_id, user_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.content_revisions
    ADD CONSTRAINT content_revisions_content_piece_id_fkey FOREIGN KEY (content_piece_id) REFERENCES public.content_pieces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.keywords
    ADD CONSTRAINT keywords_topic_id_fkey FOREIGN KEY (topic_id) REFERENCES public.topics(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_chat_session_id_fkey FOREIGN KEY (chat_session_id) REFERENCES public.chat_sessions(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_content_piece_id_fkey FOREIGN KEY (content_piece_id) REFERENCES public.content_pieces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.piece_posts
    ADD CONSTRAINT piece_posts_content_piece_id_fkey FOREIGN KEY (content_piece_id) REFERENCES public.content_pieces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.piece_posts
    ADD CONSTRAINT piece_posts_site_id_fkey FOREIGN KEY (site_id) REFERENCES public.sites(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.processing_jobs
    ADD CONSTRAINT processing_jobs_project_id_user_id_fkey FOREIGN KEY (project_id, user_id) REFERENCES public.projects(id, user_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.processing_jobs
    ADD CONSTRAINT processing_jobs_topic_id_project_id_user_id_fkey FOREIGN KEY (topic_id, project_id, user_id) REFERENCES public.topics(id, project_id, user_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE public.processing_queue
    ADD CONSTRAINT processing_queue_job_id_job_type_user_id_fkey FOREIGN KEY (job_id, job_type, user_id) REFERENCES public.processing_jobs(id, job_type, user_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_site_id_user_id_fkey FOREIGN KEY (site_id, user_id) REFERENCES public.sites(id, user_id) ON UPDATE CASCADE;

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.provider_gates
    ADD CONSTRAINT provider_gates_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.provider_waits
    ADD CONSTRAINT provider_waits_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.publishing_items
    ADD CONSTRAINT publishing_items_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.publishing_jobs(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.publishing_jobs
    ADD CONSTRAINT publishing_jobs_project_id_user_id_fkey FOREIGN KEY (project_id, user_id) REFERENCES public.projects(id, user_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.saved_instructions
    ADD CONSTRAINT saved_instructions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.site_connections
    ADD CONSTRAINT site_connections_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.sites
    ADD CONSTRAINT sites_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.topics
    ADD CONSTRAINT topics_project_id_user_id_fkey FOREIGN KEY (project_id, user_id) REFERENCES public.projects(id, user_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.usage
    ADD CONSTRAINT usage_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.work_totals
    ADD CONSTRAINT work_totals_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.written_sections
    ADD CONSTRAINT written_sections_content_piece_id_fkey FOREIGN KEY (content_piece_id) REFERENCES public.content_pieces(id) ON UPDATE CASCADE ON DELETE CASCADE;

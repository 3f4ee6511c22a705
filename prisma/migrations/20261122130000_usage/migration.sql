-- What a person stores, in bytes, and how often they save. Triggers count, so that every statement that writes or deletes a
-- text is counted with it, cascades included. They append to usage_changes and lock nothing; take_room() folds the changes
-- into the person's row, which is always the last lock of a transaction.
--
-- A row counts 128 bytes besides its texts. octet_length() reads the length of a large text without fetching it.

CREATE TABLE "usage" (
    "user_id" UUID NOT NULL,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "saves" INTEGER NOT NULL DEFAULT 0,
    "window_ends" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "usage_pkey" PRIMARY KEY ("user_id")
);

CREATE TABLE "usage_changes" (
    "id" BIGSERIAL NOT NULL,
    "user_id" UUID NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "usage_changes_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "usage_changes_user_id_idx" ON "usage_changes"("user_id");

ALTER TABLE "usage" ADD CONSTRAINT "usage_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- ---------------------------------------------------------------------------
-- Below: what Prisma's schema cannot say.
-- ---------------------------------------------------------------------------

CREATE FUNCTION usage_begin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage (user_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER "users_usage_begin" AFTER INSERT ON "users" FOR EACH ROW EXECUTE FUNCTION usage_begin();

-- At the commit, after the cascades, which wait for whoever is still writing: nothing is left behind. No foreign key does
-- this: its check would lock the user's row with every save.
CREATE FUNCTION usage_forget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM usage_changes WHERE user_id = OLD.id;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "users_usage_forget" AFTER DELETE ON "users" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION usage_forget();

CREATE FUNCTION usage_note(person uuid, change bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF change <> 0 AND person IS NOT NULL THEN
    INSERT INTO usage_changes (user_id, bytes) VALUES (person, change);
  END IF;
END $$;

-- Rows that know their person. Their deletion counts what hangs from them: by then the children's own triggers find no
-- parent. A parent is locked before its BEFORE DELETE trigger runs, so that no child comes in after the count.

CREATE FUNCTION usage_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE change bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN change := -128 - octet_length(OLD.title) - coalesce(octet_length(OLD.description), 0); END IF;
  IF TG_OP = 'DELETE' THEN
    PERFORM 1 FROM buyer_personas WHERE project_id = OLD.id FOR UPDATE;
    PERFORM usage_note(OLD.user_id, change - (
      SELECT coalesce(sum(128 + octet_length(name) + octet_length(description) + octet_length(interests::text) + octet_length(challenges::text)), 0)
      FROM buyer_personas WHERE project_id = OLD.id)::bigint);
    RETURN OLD;
  END IF;
  PERFORM usage_note(NEW.user_id, change + 128 + octet_length(NEW.title) + coalesce(octet_length(NEW.description), 0));
  RETURN NULL;
END $$;
CREATE TRIGGER "projects_usage" AFTER INSERT OR UPDATE OF "title", "description" ON "projects" FOR EACH ROW EXECUTE FUNCTION usage_of_project();
CREATE TRIGGER "projects_usage_gone" BEFORE DELETE ON "projects" FOR EACH ROW EXECUTE FUNCTION usage_of_project();

CREATE FUNCTION usage_of_topic() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE change bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    change := -128 - octet_length(OLD.name) - octet_length(OLD.description) - coalesce(octet_length(OLD.category), 0);
  END IF;
  IF TG_OP = 'DELETE' THEN
    PERFORM 1 FROM keywords WHERE topic_id = OLD.id FOR UPDATE;
    PERFORM usage_note(OLD.user_id, change - (
      SELECT coalesce(sum(128 + octet_length(keyword)), 0) FROM keywords WHERE topic_id = OLD.id)::bigint);
    RETURN OLD;
  END IF;
  PERFORM usage_note(NEW.user_id,
    change + 128 + octet_length(NEW.name) + octet_length(NEW.description) + coalesce(octet_length(NEW.category), 0));
  RETURN NULL;
END $$;
CREATE TRIGGER "topics_usage" AFTER INSERT OR UPDATE OF "name", "description", "category" ON "topics" FOR EACH ROW EXECUTE FUNCTION usage_of_topic();
CREATE TRIGGER "topics_usage_gone" BEFORE DELETE ON "topics" FOR EACH ROW EXECUTE FUNCTION usage_of_topic();

CREATE FUNCTION usage_of_piece() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE change bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    change := -128 - octet_length(OLD.title) - octet_length(OLD.body) - coalesce(octet_length(OLD.outline), 0)
      - coalesce(octet_length(OLD.focus_keyword), 0) - coalesce(octet_length(OLD.angle), 0) - coalesce(octet_length(OLD.intent), 0)
      - coalesce(octet_length(OLD.meta_title), 0) - coalesce(octet_length(OLD.meta_description), 0);
  END IF;
  IF TG_OP = 'DELETE' THEN
    PERFORM usage_note(OLD.user_id, change - (
      SELECT coalesce(sum(128 + octet_length(title) + octet_length(body) + coalesce(octet_length(outline), 0)), 0)
      FROM content_revisions WHERE content_piece_id = OLD.id)::bigint);
    RETURN OLD;
  END IF;
  PERFORM usage_note(NEW.user_id,
    change + 128 + octet_length(NEW.title) + octet_length(NEW.body) + coalesce(octet_length(NEW.outline), 0)
      + coalesce(octet_length(NEW.focus_keyword), 0) + coalesce(octet_length(NEW.angle), 0) + coalesce(octet_length(NEW.intent), 0)
      + coalesce(octet_length(NEW.meta_title), 0) + coalesce(octet_length(NEW.meta_description), 0));
  RETURN NULL;
END $$;
CREATE TRIGGER "content_pieces_usage"
  AFTER INSERT OR UPDATE OF "title", "body", "outline", "focus_keyword", "angle", "intent", "meta_title", "meta_description"
  ON "content_pieces" FOR EACH ROW EXECUTE FUNCTION usage_of_piece();
CREATE TRIGGER "content_pieces_usage_gone" BEFORE DELETE ON "content_pieces" FOR EACH ROW EXECUTE FUNCTION usage_of_piece();

CREATE FUNCTION usage_of_chat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM usage_note(NEW.user_id, 128);
    RETURN NULL;
  END IF;
  PERFORM 1 FROM chat_messages WHERE session_id = OLD.id FOR UPDATE;
  PERFORM usage_note(OLD.user_id, -128 - (
    SELECT coalesce(sum(128 + octet_length(content)), 0) FROM chat_messages WHERE session_id = OLD.id)::bigint);
  RETURN OLD;
END $$;
CREATE TRIGGER "chat_sessions_usage" AFTER INSERT ON "chat_sessions" FOR EACH ROW EXECUTE FUNCTION usage_of_chat();
CREATE TRIGGER "chat_sessions_usage_gone" BEFORE DELETE ON "chat_sessions" FOR EACH ROW EXECUTE FUNCTION usage_of_chat();

-- Rows that know their parent alone. In a cascade the parent is gone and has counted them.

CREATE FUNCTION usage_of_persona() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE change bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    change := -128 - octet_length(OLD.name) - octet_length(OLD.description) - octet_length(OLD.interests::text) - octet_length(OLD.challenges::text);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    change := change + 128 + octet_length(NEW.name) + octet_length(NEW.description) + octet_length(NEW.interests::text) + octet_length(NEW.challenges::text);
  END IF;
  PERFORM usage_note((SELECT user_id FROM projects WHERE id = coalesce(NEW.project_id, OLD.project_id)), change);
  RETURN NULL;
END $$;
CREATE TRIGGER "buyer_personas_usage" AFTER INSERT OR UPDATE OR DELETE ON "buyer_personas" FOR EACH ROW EXECUTE FUNCTION usage_of_persona();

CREATE FUNCTION usage_of_keyword() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE change bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN change := -128 - octet_length(OLD.keyword); END IF;
  IF TG_OP <> 'DELETE' THEN change := change + 128 + octet_length(NEW.keyword); END IF;
  PERFORM usage_note((SELECT user_id FROM topics WHERE id = coalesce(NEW.topic_id, OLD.topic_id)), change);
  RETURN NULL;
END $$;
CREATE TRIGGER "keywords_usage" AFTER INSERT OR UPDATE OR DELETE ON "keywords" FOR EACH ROW EXECUTE FUNCTION usage_of_keyword();

CREATE FUNCTION usage_of_revision() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE change bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    change := -128 - octet_length(OLD.title) - octet_length(OLD.body) - coalesce(octet_length(OLD.outline), 0);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    change := change + 128 + octet_length(NEW.title) + octet_length(NEW.body) + coalesce(octet_length(NEW.outline), 0);
  END IF;
  PERFORM usage_note((SELECT user_id FROM content_pieces WHERE id = coalesce(NEW.content_piece_id, OLD.content_piece_id)), change);
  RETURN NULL;
END $$;
CREATE TRIGGER "content_revisions_usage" AFTER INSERT OR UPDATE OR DELETE ON "content_revisions" FOR EACH ROW EXECUTE FUNCTION usage_of_revision();

CREATE FUNCTION usage_of_message() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE change bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN change := -128 - octet_length(OLD.content); END IF;
  IF TG_OP <> 'DELETE' THEN change := change + 128 + octet_length(NEW.content); END IF;
  PERFORM usage_note((SELECT user_id FROM chat_sessions WHERE id = coalesce(NEW.session_id, OLD.session_id)), change);
  RETURN NULL;
END $$;
CREATE TRIGGER "chat_messages_usage" AFTER INSERT OR UPDATE OR DELETE ON "chat_messages" FOR EACH ROW EXECUTE FUNCTION usage_of_message();

-- Counts one save of a person and asks for room for what it adds at most, `need` bytes. Refuses with SQLSTATE UR001 (no room)
-- or UR002 (too many saves: 'wait 37 s'), and then counts nothing. The person's other saves wait for
-- this one's commit, and what it reads after that wait is new, since each statement of a volatile function has a snapshot of
-- its own: no two fit into the same room.
CREATE FUNCTION take_room(person uuid, need bigint, most_bytes bigint, most_saves int) RETURNS boolean LANGUAGE plpgsql AS $$
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

-- What there is already.
INSERT INTO usage (user_id, bytes)
SELECT u.id, coalesce(sum(counted.bytes), 0) FROM users u LEFT JOIN (
  SELECT user_id, 128 + octet_length(title) + coalesce(octet_length(description), 0) AS bytes FROM projects
  UNION ALL
  SELECT p.user_id, 128 + octet_length(b.name) + octet_length(b.description) + octet_length(b.interests::text) + octet_length(b.challenges::text)
  FROM buyer_personas b JOIN projects p ON p.id = b.project_id
  UNION ALL
  SELECT user_id, 128 + octet_length(name) + octet_length(description) + coalesce(octet_length(category), 0) FROM topics
  UNION ALL
  SELECT t.user_id, 128 + octet_length(k.keyword) FROM keywords k JOIN topics t ON t.id = k.topic_id
  UNION ALL
  SELECT user_id, 128 + octet_length(title) + octet_length(body) + coalesce(octet_length(outline), 0)
    + coalesce(octet_length(focus_keyword), 0) + coalesce(octet_length(angle), 0) + coalesce(octet_length(intent), 0)
    + coalesce(octet_length(meta_title), 0) + coalesce(octet_length(meta_description), 0) FROM content_pieces
  UNION ALL
  SELECT p.user_id, 128 + octet_length(r.title) + octet_length(r.body) + coalesce(octet_length(r.outline), 0)
  FROM content_revisions r JOIN content_pieces p ON p.id = r.content_piece_id
  UNION ALL
  SELECT user_id, 128 FROM chat_sessions
  UNION ALL
  SELECT s.user_id, 128 + octet_length(m.content) FROM chat_messages m JOIN chat_sessions s ON s.id = m.session_id
) counted ON counted.user_id = u.id
GROUP BY u.id;

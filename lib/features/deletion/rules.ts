/** Rows of a table that go before what they belong to. */
export type Part = {
  table: string;
  /** The column that refers to what is deleted, or to rows of `via` that do. */
  key: string;
  via?: { table: string; key: string };
  /** The columns that may hold much. */
  texts?: string[];
  /** The rows stay, and the column becomes null. */
  stays?: true;
};

/** What can be deleted, from the bottom up, each with its parts. `below` are things too, and go first. */
export type Thing = {
  table: string;
  /** The type of its ids. */
  ids: "int" | "uuid";
  /** The column that says whose it is. */
  owner: string;
  texts?: string[];
  parts: Part[];
  below?: { table: string; key: string };
};

export const THINGS: Thing[] = [
  {
    table: "content_pieces",
    ids: "uuid",
    owner: "user_id",
    texts: ["body", "outline", "search_text"],
    parts: [
      { table: "content_revisions", key: "content_piece_id", texts: ["body", "outline"] },
      { table: "written_sections", key: "content_piece_id", texts: ["text"] },
      { table: "piece_posts", key: "content_piece_id" },
      { table: "leases", key: "content_piece_id" },
    ],
  },
  {
    table: "topics",
    ids: "int",
    owner: "user_id",
    below: { table: "content_pieces", key: "topic_id" },
    parts: [
      { table: "outline_processing_queue", key: "job_id", via: { table: "processing_jobs", key: "topic_id" } },
      { table: "content_processing_queue", key: "job_id", via: { table: "processing_jobs", key: "topic_id" } },
      { table: "processing_jobs", key: "topic_id" },
      { table: "keywords", key: "topic_id" },
    ],
  },
  {
    table: "projects",
    ids: "int",
    owner: "user_id",
    below: { table: "topics", key: "project_id" },
    parts: [
      { table: "publishing_queue", key: "job_id", via: { table: "processing_jobs", key: "project_id" } },
      { table: "processing_jobs", key: "project_id" },
      { table: "publishing_items", key: "job_id", via: { table: "publishing_jobs", key: "project_id" } },
      { table: "publishing_jobs", key: "project_id" },
      { table: "buyer_personas", key: "project_id" },
      { table: "chat_sessions", key: "project_id", stays: true },
    ],
  },
  {
    table: "users",
    ids: "uuid",
    owner: "id",
    below: { table: "projects", key: "user_id" },
    parts: [
      { table: "abandoned_posts", key: "site_id", via: { table: "sites", key: "user_id" } },
      { table: "sites", key: "user_id" },
      {
        table: "chat_messages",
        key: "session_id",
        via: { table: "chat_sessions", key: "user_id" },
        texts: ["content"],
      },
      { table: "leases", key: "user_id" },
      { table: "chat_sessions", key: "user_id" },
      { table: "saved_instructions", key: "user_id" },
      { table: "idempotency_keys", key: "user_id", texts: ["kept"] },
      { table: "audit_events", key: "user_id" },
      { table: "provider_gates", key: "user_id" },
      { table: "provider_waits", key: "user_id" },
      { table: "work_totals", key: "user_id" },
      { table: "usage", key: "user_id" },
      { table: "accounts", key: "user_id" },
      { table: "sessions", key: "user_id" },
      { table: "password_resets", key: "user_id" },
      { table: "site_connections", key: "user_id" },
    ],
  },
];

/** What one statement removes at most: others wait for its locks and its work. */
export type StepLimits = { rows: number; bytes: number };
export const STEP_LIMITS: StepLimits = { rows: 1_000, bytes: 20 * 1024 * 1024 };

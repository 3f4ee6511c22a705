type Counted = {
  texts: string[];
  /** The table whose row knows the user, and the column that refers to it; null where the row itself does. */
  parent: { table: string; key: string } | null;
  /** Its rows, and those that refer to them, stay for a while after their deletion. */
  isDeletable?: true;
};

/** The tables whose rows count towards a user's storage, with the columns that hold texts. */
export const COUNTED_TEXTS: Record<string, Counted> = {
  projects: {
    texts: ["title", "description", "writing_tone", "writing_language", "writing_instructions"],
    parent: null,
    isDeletable: true,
  },
  buyer_personas: {
    texts: ["name", "description", "interests", "challenges"],
    parent: { table: "projects", key: "project_id" },
  },
  topics: { texts: ["name", "description", "category"], parent: null, isDeletable: true },
  keywords: { texts: ["keyword"], parent: { table: "topics", key: "topic_id" } },
  saved_instructions: { texts: ["text"], parent: null },
  content_pieces: {
    texts: [
      "title",
      "body",
      "outline",
      "focus_keyword",
      "angle",
      "intent",
      "meta_title",
      "meta_description",
      "slug",
      "excerpt",
    ],
    parent: null,
    isDeletable: true,
  },
  content_revisions: {
    texts: ["title", "body", "outline"],
    parent: { table: "content_pieces", key: "content_piece_id" },
  },
  chat_sessions: { texts: [], parent: null },
  chat_messages: { texts: ["content"], parent: { table: "chat_sessions", key: "session_id" } },
};

/** What a row counts besides its texts. */
export const ROW_BYTES = 128;

/** SQL value: the bytes of a row. octet_length() reads the length of a large text without fetching it. */
export function bytesOfRow(row: string, { texts }: Counted): string {
  return [ROW_BYTES, ...texts.map((text) => `coalesce(octet_length(${row}.${text}::text), 0)`)].join(" + ");
}

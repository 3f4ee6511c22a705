/** A fault somebody made by hand once: the text as it stands in the file, once only, and what becomes of it. */
export type ByHand = { file: string; text: string; replacement: string; fault: string };

/** Each went unseen by the tests of its day; `npm run mutants -- --by-hand` holds the tests to them. */
export const BY_HAND: ByHand[] = [
  {
    file: "lib/features/jobs/sql/items.ts",
    text: `NOT EXISTS (SELECT 1 FROM leases l WHERE l.kind = 'writing' AND l.subject = q.content_piece_id::text
          AND l.token = q.claim_token AND l.until > now())`,
    replacement: "true",
    fault: "The sweep frees items whose lease still runs.",
  },
  {
    file: "lib/features/jobs/sql/items.ts",
    text: `WHERE \${isHolders(held)} FOR UPDATE OF q, l`,
    replacement: `WHERE \${isItem(held)} AND q.status = 'processing' FOR UPDATE OF q, l`,
    fault: "An item is finished by a token that no longer holds it.",
  },
  {
    file: "lib/features/jobs/sql/items.ts",
    text: `base_text_version = coalesce(q.base_text_version, \${base}::int), updated_at = now()
    WHERE \${isHolders(held)}`,
    replacement: `base_text_version = coalesce(q.base_text_version, \${base}::int), updated_at = now()
    WHERE \${isItem(held)} AND q.status = 'processing'`,
    fault: "A call is settled by a token that no longer holds the item.",
  },
  {
    file: "lib/features/jobs/sql/items.ts",
    text: `base_text_version = coalesce(q.base_text_version, \${base}::int)`,
    replacement: `base_text_version = \${base}::int`,
    fault: "A later section moves the version that the text was begun from.",
  },
  {
    file: "lib/features/content/sql.ts",
    text: "FROM old WHERE current",
    replacement: "FROM old WHERE false",
    fault: "The text that AI replaces gets no revision.",
  },
  {
    file: "lib/features/publishing/writes/holding.ts",
    text: "mayExist: taken.abandoned",
    replacement: "mayExist: false",
    fault: "After an abandoned publish a post is created without a look for the first one.",
  },
  {
    file: "lib/features/publishing/writes/holding.ts",
    text: "await (held.mayExist ? expire(lease) : release(lease));",
    replacement: "await release(lease);",
    fault: "A post that may exist is forgotten by the next sync, or by a change of the status.",
  },
  {
    file: "lib/features/publishing/sql.ts",
    text: "if (!(await fence(db, lease))) return false;",
    replacement: "",
    fault: "A publish that was taken over writes its record over the other one's.",
  },
];

/** A fault somebody made by hand once: the text as it stands in the file, once only, and what becomes of it. */
export type ByHand = { file: string; text: string; replacement: string; fault: string };

/**
 * Each went unseen by the tests of its day, or is a line that one of the mended races rests on. `npm run mutants -- --by-hand`
 * holds the tests to them.
 */
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
  {
    file: "lib/features/jobs/sql/jobs.ts",
    text: `\${todo(jobType)} FOR KEY SHARE),`,
    replacement: `\${todo(jobType)}),`,
    fault: "A piece that is deleted while its topic is queued leaves an item that nobody ends.",
  },
  {
    file: "lib/features/jobs/writes/recover.ts",
    text: "await cancelOrphans(userId);",
    replacement: "",
    fault: "Items whose pieces are gone wait for ever.",
  },
  {
    file: "lib/features/jobs/sql/jobs.ts",
    text: `NOT EXISTS (SELECT 1 FROM processing_queue q WHERE q.content_piece_id = \${Prisma.raw(\`"\${piece}".id\`)} AND q.completed_at IS NULL)`,
    replacement: "true",
    fault: "A piece that waits in a queue is written directly, and paid for twice.",
  },
  {
    file: "lib/features/generation/writes/planning.ts",
    text: `throw new AppError("ALREADY_RUNNING", { message: BUSY[what] });`,
    replacement: "",
    fault: "Two tabs pay for the same ideas.",
  },
  {
    file: "lib/features/generation/steps/text.ts",
    text: "if (position !== index - 1) return nextSection(found);",
    replacement: "",
    fault: "A section that is kept already is paid for again.",
  },
  {
    file: "lib/features/generation/steps/text.ts",
    text: "const baseTextVersion = at.item.baseTextVersion ?? piece.textVersion;",
    replacement: "const baseTextVersion = piece.textVersion;",
    fault: "A text lands on an edit that was made while it was written.",
  },
  {
    file: "lib/features/generation/steps/text.ts",
    text: "await spendSections(db, piece.id);",
    replacement: "",
    fault: "Sections that were set aside land later, unpaid and called generated.",
  },
  {
    file: "lib/features/content/sql/patch.ts",
    text: `AND r.published_at IS NULL AND NOT \${losesHalf}`,
    replacement: "AND r.published_at IS NULL",
    fault: "A text that is emptied within a sitting is in no revision.",
  },
  {
    file: "lib/features/jobs/sql/items.ts",
    text: `retry_count = q.retry_count + (h.again AND \${kind}::text = 'retry')::int,`,
    replacement: "retry_count = q.retry_count,",
    fault: "Paid tries are bounded by the engine alone.",
  },
  {
    file: "lib/features/jobs/sql/gate.ts",
    text: "opened_at = now(), level = level / 2",
    replacement: "opened_at = now(), level = 0",
    fault: "One answer makes a provider's limits forgotten.",
  },
  {
    file: "lib/features/jobs/sql/gate.ts",
    text: "AND (g.probe_until IS NULL OR g.probe_until <= now() OR g.probe_item = q.id)",
    replacement: "",
    fault: "All items ask a provider that limits them, not one.",
  },
  {
    file: "lib/features/jobs/reads.ts",
    text: "coalesce(sum((SELECT hashtextextended(t.name, t.id) FROM topics t WHERE t.id = j.topic_id)), 0),",
    replacement: "0,",
    fault: "A renamed topic keeps its old name in the monitor.",
  },
  {
    file: "lib/features/jobs/writes/jobs.ts",
    text: "if (job.completedAt !== null && job.failedItems > 0) await openaiKeyOf(actor);",
    replacement: "",
    fault: "Failed items are tried again without a key, and all fail.",
  },
];

/** A mutant written by hand. `text` must occur exactly once in the file. */
export type ByHand = { file: string; text: string; replacement: string; fault: string };

/** Bugs that tests once missed, and lines that a fixed race depends on. Run by `npm run mutants -- --by-hand`. */
export const BY_HAND: ByHand[] = [
  {
    file: "lib/features/jobs/sql/items.ts",
    text: `AND NOT \${heldBySql("writing", pieceId, Prisma.sql\`q.claim_token\`)}`,
    replacement: "",
    fault: "The sweep frees items whose lease still runs.",
  },
  {
    file: "lib/features/jobs/sql/items.ts",
    text: `WHERE \${holdsClaim(ref)} FOR UPDATE\`);`,
    replacement: `WHERE \${isItem(ref)} AND q.status = 'processing' FOR UPDATE\`);`,
    fault: "An item is finished by a token that no longer holds it.",
  },
  {
    file: "lib/features/jobs/sql/shared.ts",
    text: `WHERE \${holdsClaim(ref)}`,
    replacement: `WHERE q.id = \${ref.itemId}::uuid AND q.status = 'processing'`,
    fault: "A call is settled by a token that no longer holds the item.",
  },
  {
    file: "lib/features/jobs/sql/shared.ts",
    text: `base_text_version = coalesce(q.base_text_version, \${base}::int)`,
    replacement: `base_text_version = \${base}::int`,
    fault: "A later section changes the base version of the text.",
  },
  {
    file: "lib/features/content/sql/shared.ts",
    text: "FROM old WHERE current",
    replacement: "FROM old WHERE false",
    fault: "A text that the AI replaces gets no revision.",
  },
  {
    file: "lib/features/publishing/states.ts",
    text: `if (here?.unansweredSince) return "unanswered";`,
    replacement: "",
    fault: "After an unanswered creation, a second post is created without looking for the first.",
  },
  {
    file: "lib/features/publishing/writes/lease.ts",
    text: "return unansweredSince ? {} : { unansweredSince: null, unansweredHashes: [] };",
    replacement: "return { unansweredSince: null, unansweredHashes: [] };",
    fault: "The answer to a later write forgets an earlier one that may still arrive.",
  },
  {
    file: "lib/features/publishing/sql/leases.ts",
    text: "storable.filter(({ id }) => held.has(id)),",
    replacement: "storable,",
    fault: "A publish that lost its lease overwrites the record of the new holder.",
  },
  {
    file: "lib/features/publishing/sql/jobs.ts",
    text: "if (job?.isCancelled) {",
    replacement: "if (job?.isCancelled && false) {",
    fault: "A cancelled job whose run died never ends.",
  },
  {
    file: "lib/features/publishing/writes/job.ts",
    text: "if (live.isCancelled || live.verb !== verb) {",
    replacement: "if (live.verb !== verb) {",
    fault: "Pieces are added to a job that is being cancelled, and are cancelled with it.",
  },
  {
    file: "lib/features/jobs/sql/jobs.ts",
    text: `JOB_FIELDS[jobType])} FOR KEY SHARE),`,
    replacement: `JOB_FIELDS[jobType])}),`,
    fault: "A piece that is deleted while its topic is queued leaves an item that nobody ends.",
  },
  {
    file: "lib/features/jobs/writes/recover.ts",
    text: "await cancelOrphans(userId);",
    replacement: "",
    fault: "Items whose pieces are gone wait forever.",
  },
  {
    file: "lib/features/jobs/sql/shared.ts",
    text: `NOT EXISTS (SELECT 1 FROM processing_queue q WHERE q.content_piece_id = \${pieceId} AND q.completed_at IS NULL)`,
    replacement: "true",
    fault: "A queued piece is also written directly, and paid for twice.",
  },
  {
    file: "lib/features/generation/writes/planning.ts",
    text: `throw new AppError("ALREADY_RUNNING", { message: BUSY[what] });`,
    replacement: "",
    fault: "Two tabs pay for the same ideas.",
  },
  {
    file: "lib/features/generation/steps/text.ts",
    text: "if (position !== index - 1) return nextStep(context);",
    replacement: "",
    fault: "A saved section is paid for again.",
  },
  {
    file: "lib/features/generation/steps/text.ts",
    text: "const baseTextVersion = claim.item.baseTextVersion ?? piece.textVersion;",
    replacement: "const baseTextVersion = piece.textVersion;",
    fault: "An AI text overwrites an edit made meanwhile.",
  },
  {
    file: "lib/features/generation/steps/text.ts",
    text: "await deleteSections(db, piece.id);",
    replacement: "",
    fault: "Sections that were set aside are reused later, unpaid and marked as generated.",
  },
  {
    file: "lib/features/content/sql/patch.ts",
    text: `AND r.published_at IS NULL AND NOT \${losesHalf}`,
    replacement: "AND r.published_at IS NULL",
    fault: "A text that is emptied within an edit session is in no revision.",
  },
  {
    file: "lib/features/jobs/sql/items.ts",
    text: `retry_count = q.retry_count + (h.again AND \${kind}::text = 'retry')::int,`,
    replacement: "retry_count = q.retry_count,",
    fault: "Only the engine limits paid attempts.",
  },
  {
    file: "lib/features/jobs/sql/gate.ts",
    text: "opened_at = now(), level = level / 2",
    replacement: "opened_at = now(), level = 0",
    fault: "A single response resets the back-off.",
  },
  {
    file: "lib/features/jobs/sql/gate.ts",
    text: "AND (g.probe_until IS NULL OR g.probe_until <= now() OR g.probe_item = q.id)",
    replacement: "",
    fault: "All items probe a rate-limited provider instead of one.",
  },
  {
    file: "lib/features/jobs/sql/status.ts",
    text: `coalesce(sum(hashtextextended(\${topicNameSql(Prisma.sql\`j.topic_id\`)}, j.topic_id)), 0),`,
    replacement: "0,",
    fault: "The monitor shows a renamed topic's old name.",
  },
  {
    file: "lib/features/jobs/writes/jobs.ts",
    text: "if (job.completedAt !== null && job.failedItems > 0) await openaiKeyOf(actor);",
    replacement: "",
    fault: "Failed items are retried without a key, and all fail.",
  },
];

/** A change that no test can see: the line as it is and as it becomes, white space aside, and why nothing comes of it. */
export type Equivalent = { file: string; from: string; to: string; reason: string };

export const EQUIVALENT: Equivalent[] = [
  {
    file: "lib/features/content/reads.ts",
    from: "const rows = await selectSummaries(actor.userId, query, cursorOf(query), limit + 1, signal);",
    to: "const rows = await selectSummaries(actor.userId, query, cursorOf(query), limit + 2, signal);",
    reason: "One row beyond the limit says that there is another page; a second one is cut off with it.",
  },
  {
    file: "lib/features/content/reads.ts",
    from: "const rows = await selectRevisions(actor.userId, id, cursorOf(query), limit + 1);",
    to: "const rows = await selectRevisions(actor.userId, id, cursorOf(query), limit + 2);",
    reason: "One row beyond the limit says that there is another page; a second one is cut off with it.",
  },
  {
    file: "lib/features/content/rules.ts",
    from: 'return [...body.slice(0, 2 * EXCERPT_MAX)].slice(0, EXCERPT_MAX).join("");',
    to: 'return [...body.slice(0, 3 * EXCERPT_MAX)].slice(0, EXCERPT_MAX).join("");',
    reason: "No character takes more than two places; a longer cut is only slower.",
  },
  {
    file: "lib/features/content/writes.ts",
    from: "const count = await db.contentPiece.count({ where: { projectId, userId: actor.userId } });",
    to: "const count = await db.contentPiece.count({ where: { projectId } });",
    reason: "A foreign key gives the pieces of a project its owner.",
  },
  {
    file: "lib/features/content/reads.ts",
    from: "const rows = await prisma.contentPiece.findMany({ where: { id: { in: ids }, userId } });",
    to: "const rows = await prisma.contentPiece.findMany({ where: { userId } });",
    reason: "The rows are picked by the same ids afterwards; it only reads more.",
  },
  {
    file: "lib/features/content/reads.ts",
    from: "const rows = await prisma.contentPiece.findMany({ where: { id: { in: ids }, userId } });",
    to: "const rows = await prisma.contentPiece.findMany({ where: { id: { in: ids } } });",
    reason: "The statement before made these rows for this person.",
  },
  {
    file: "lib/features/generation/reads.ts",
    from: "where: { topicId: piece.topicId, userId: actor.userId, id: { not: id } },",
    to: "where: { topicId: piece.topicId, id: { not: id } },",
    reason: "A foreign key gives the pieces of a topic its owner.",
  },
  {
    file: "lib/features/generation/writes/ideas.ts",
    from: "if (missing > 0) await giveBackPieces(actor, projectId, missing);",
    to: "if (missing >= 0) await giveBackPieces(actor, projectId, missing);",
    reason: "Giving back none changes no row.",
  },
  {
    file: "lib/features/generation/writes/section.ts",
    from: "wordBudget: wordBudgets(planned, TARGET_WORDS)[index] ?? TARGET_WORDS,",
    to: "wordBudget: (wordBudgets(planned, TARGET_WORDS)[index]),",
    reason: "Each planned section has a budget; only the compiler does not know.",
  },
  {
    file: "lib/features/publishing/reads.ts",
    from: "where: { projectId, userId: actor.userId, hasBody: true, isTitleOnly: false },",
    to: "where: { projectId, hasBody: true, isTitleOnly: false },",
    reason:
      "A foreign key gives the pieces of a project its owner, and the project was looked for as the person's own.",
  },
  {
    file: "lib/features/publishing/client.ts",
    from: "const [, bulk, runProject] = mutationKey ?? [];",
    to: "const [, bulk, runProject] = (mutationKey);",
    reason: "The filter beside it finds mutations with this key alone.",
  },
  {
    file: "lib/features/publishing/client.ts",
    from: "const error = new ApiError(0, first.error, true, first.type, {}, { detail: first.detail });",
    to: "const error = new ApiError(1, first.error, true, first.type, {}, { detail: first.detail });",
    reason: "A notification shows no status; 0 and 1 are none that anything looks for.",
  },
  {
    file: "lib/features/content/sql/patch.ts",
    from: `AND r.author = 'user' AND r.created_at > n.moment - \${SITTING_ENDS_AFTER}::interval`,
    to: `AND r.author = 'user' AND r.created_at >= n.moment - \${SITTING_ENDS_AFTER}::interval`,
    reason: "The moment is the clock's: no test can save at that very millisecond.",
  },
  {
    file: "lib/features/content/sql/revisions.ts",
    from: "row_number() OVER (PARTITION BY is_kept, version IS NULL, date_trunc('day', created_at, 'UTC')",
    to: "row_number() OVER (PARTITION BY is_kept, version IS NOT NULL, date_trunc('day', created_at, 'UTC')",
    reason: "Rows are divided in the same two, whichever of them is called true.",
  },
  {
    file: "lib/features/content/sql/revisions.ts",
    from: "row_number() OVER (PARTITION BY is_kept, version IS NULL, date_trunc('month', created_at, 'UTC')",
    to: "row_number() OVER (PARTITION BY is_kept, version IS NOT NULL, date_trunc('month', created_at, 'UTC')",
    reason: "Rows are divided in the same two, whichever of them is called true.",
  },
  {
    file: "lib/features/content/sql/revisions.ts",
    from: `WHERE r.content_piece_id = p.id AND r.version > \${version}::int), now())`,
    to: `WHERE r.content_piece_id = p.id AND r.version >= \${version}::int), now())`,
    reason: "Where there is a row of this version, the one that was made for it is not inserted.",
  },
  {
    file: "lib/features/jobs/sql/gate.ts",
    from: `WHERE q.user_id = \${userId}::uuid AND q.completed_at IS NULL AND q.is_held RETURNING q.job_id),`,
    to: `WHERE q.user_id = \${userId}::uuid AND q.is_held RETURNING q.job_id),`,
    reason: "A check of the table holds waiting items alone; it is said for the partial index.",
  },
  {
    file: "lib/features/jobs/sql/status.ts",
    from: `(SELECT * FROM processing_queue WHERE \${mine} AND completed_at IS NOT NULL AND status = 'cancelled'`,
    to: `(SELECT * FROM processing_queue WHERE \${mine} AND status = 'cancelled'`,
    reason: "A check of the table gives a cancelled item its end; it is said for the partial index.",
  },
  {
    file: "lib/features/jobs/sql/waiting.ts",
    from: "WHERE b.user_id = q.user_id AND b.status = 'processing' AND l.subject = b.content_piece_id::text AND l.until > now())))",
    to: "WHERE b.user_id = q.user_id AND l.subject = b.content_piece_id::text AND l.until > now())))",
    reason: "A check of the table gives a token to items at work alone; it is said for the partial index.",
  },
  {
    file: "lib/features/jobs/sql/jobs.ts",
    from: `WHERE q.job_id = \${jobId}::uuid AND p.user_id = \${userId}::uuid FOR KEY SHARE OF p),`,
    to: `WHERE q.job_id = \${jobId}::uuid FOR KEY SHARE OF p),`,
    reason: "The job's owner is looked at below, and its pieces are its owner's; at most it locks more.",
  },
  {
    file: "lib/features/jobs/writes/jobs.ts",
    from: "where: { topicId, jobType, userId: actor.userId, completedAt: null },",
    to: "where: { topicId, jobType, completedAt: null },",
    reason: "A foreign key gives the jobs of a topic its owner.",
  },
  {
    file: "lib/features/jobs/writes/gate.ts",
    from: 'if (gate?.heldError) return putBack(held, { kind: "hold", error: gate.heldError, delaySeconds: 0 });',
    to: 'if (gate?.heldError) return putBack(held, { kind: "hold", error: gate.heldError, delaySeconds: 1 });',
    reason: "What is held waits for the person: its delay is never read.",
  },
  {
    file: "lib/features/jobs/writes/gate.ts",
    from: "return putBack(held, { kind, error: failure.message, delaySeconds: 0 });",
    to: "return putBack(held, { kind, error: failure.message, delaySeconds: 1 });",
    reason: "What is held waits for the person: its delay is never read.",
  },
  {
    file: "lib/features/jobs/writes/run.ts",
    from: "for (let look = 0; look < 2; look++) {",
    to: "for (let look = 0; look <= 2; look++) {",
    reason: "The second look finds an end, unless somebody comes between; a third one is only patience.",
  },
  {
    file: "lib/features/jobs/writes/run.ts",
    from: "for (let look = 0; look < 2; look++) {",
    to: "for (let look = 0; look < 3; look++) {",
    reason: "The second look finds an end, unless somebody comes between; a third one is only patience.",
  },
];

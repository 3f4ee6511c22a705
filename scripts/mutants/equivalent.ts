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
];

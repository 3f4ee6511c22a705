import pg from "pg";

/**
 * The SQL statements that the product sends while `work` runs, in order, from its pool down to the driver: BEGIN and
 * COMMIT count too, and what Prisma splits into several is several. The tests' own look at the database does not count.
 */
export async function countStatements(work: () => Promise<unknown>): Promise<{ count: number; statements: string[] }> {
  const statements: string[] = [];
  const listener = (text: string) => statements.push(text);
  listeners.add(listener);
  try {
    await work();
  } finally {
    listeners.delete(listener);
  }
  return { count: statements.length, statements };
}

const listeners = new Set<(text: string) => void>();

type Query = (this: pg.Client, ...args: unknown[]) => unknown;
const query = pg.Client.prototype.query as unknown as Query;

function listeningQuery(this: pg.Client, ...args: unknown[]): unknown {
  // A pool's client has a way back into it; those of tests/support/db.ts have none.
  if ("release" in this) for (const listener of listeners) listener(textOf(args[0]));
  return query.apply(this, args);
}

Object.assign(pg.Client.prototype, { query: listeningQuery });

function textOf(asked: unknown): string {
  return (typeof asked === "string" ? asked : String((asked as { text?: unknown }).text)).replace(/\s+/g, " ").trim();
}

import pg from "pg";

/**
 * The SQL statements the app sends during `work`, in order, as seen by the driver: including BEGIN and COMMIT, and each
 * statement that Prisma splits off. The tests' own statements do not count.
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
  // Pooled clients have `release`; those of tests/support/db.ts do not.
  if ("release" in this) for (const listener of listeners) listener(textOf(args[0]));
  return query.apply(this, args);
}

Object.assign(pg.Client.prototype, { query: listeningQuery });

function textOf(asked: unknown): string {
  return (typeof asked === "string" ? asked : String((asked as { text?: unknown }).text)).replace(/\s+/g, " ").trim();
}

/** Was this a unique index saying no? (Prisma's code, and Postgres' own from a raw statement.) */
export function isUniqueViolation(error: unknown): boolean {
  return codesOf(error).some((code) => code === "P2002" || code === "23505");
}

/** Was the row it belongs to gone? Another call deleted it between our look and our write. */
export function isParentGone(error: unknown): boolean {
  return codesOf(error).some((code) => code === "P2003" || code === "23503");
}

/** Every error code along the chain that a driver, its adapter and Prisma wrap around each other. */
export function codesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== "object" || error === null || depth > 5) return [];
  const { code, originalCode, kind, cause, meta, driverAdapterError } = error as Record<string, unknown>;
  const own = [code, originalCode, kind].filter((value): value is string => typeof value === "string");
  return [...own, ...[cause, meta, driverAdapterError].flatMap((inner) => codesOf(inner, depth + 1))];
}

/** Two transactions waited for each other and Postgres ended this one; nothing of it was done. */
function isDeadlock(error: unknown): boolean {
  return codesOf(error).some((code) => code === "40P01" || code === "P2034");
}

/** Runs a transaction again that lost a deadlock, three times in all. */
export async function againAfterDeadlock<T>(transaction: () => Promise<T>, attempts = 3): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (attempts <= 1 || !isDeadlock(error)) throw error;
    return againAfterDeadlock(transaction, attempts - 1);
  }
}

/** Waits, in milliseconds, for a database that is away for a moment: a restart takes seconds. */
const OUTAGE_WAITS = [200, 800, 2_000, 4_000, 8_000];

/**
 * Does it again while the database does not answer, for some fifteen seconds: for what must not be lost because it was paid
 * for. `work` may run twice. Other failures throw at once.
 */
export async function againAfterOutage<T>(work: () => Promise<T>, waits = OUTAGE_WAITS): Promise<T> {
  const [wait, ...rest] = waits;
  try {
    return await work();
  } catch (error) {
    if (wait === undefined || !isDatabaseAway(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, wait));
    return againAfterOutage(work, rest);
  }
}

/**
 * Refused, reset, silent, full or just going down: it may be back in a moment. Prisma's codes, those of its adapter (all
 * that a raw statement tells), the system's and PostgreSQL's own.
 */
const AWAY = new Set([
  ...["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2037"],
  ...["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"],
  ...["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EPIPE", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"],
  ...["57P01", "57P02", "57P03", "57014", "53300", "08006", "08001"],
]);
const AWAY_WORDS =
  /connection (terminated|timeout|closed)|timeout exceeded when trying to connect|server has closed|is not queryable/i;

export function isDatabaseAway(error: unknown): boolean {
  return codesOf(error).some((code) => AWAY.has(code)) || (error instanceof Error && AWAY_WORDS.test(error.message));
}

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

/** A unique index refused the row: Prisma's code, or Postgres' own from a raw statement. */
export function isUniqueViolation(error: unknown): boolean {
  return errorCodes(error).some((code) => code === "P2002" || code === "23505");
}

/** The parent row is gone: another call deleted it between our read and our write. */
export function isForeignKeyViolation(error: unknown): boolean {
  return errorCodes(error).some((code) => code === "P2003" || code === "23503");
}

/** Every error code in the chain that driver, adapter and Prisma wrap around each other. */
export function errorCodes(error: unknown, depth = 0): string[] {
  if (typeof error !== "object" || error === null || depth > 5) return [];
  const { code, originalCode, kind, cause, meta, driverAdapterError } = error as Record<string, unknown>;
  const own = [code, originalCode, kind].filter((value): value is string => typeof value === "string");
  return [...own, ...[cause, meta, driverAdapterError].flatMap((inner) => errorCodes(inner, depth + 1))];
}

/** Codes of Prisma, of its adapter (all that a raw statement shows), of the system and of PostgreSQL. */
const UNAVAILABLE_CODES = new Set([
  ...["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2037"],
  ...["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"],
  ...["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EPIPE", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"],
  ...["57P01", "57P02", "57P03", "57014", "55P03", "53300", "08006", "08001"],
]);
const UNAVAILABLE_MESSAGE =
  /connection (terminated|timeout|closed)|timeout exceeded when trying to connect|server has closed|is not queryable/i;

/** Did the database refuse, reset or stay silent, or is it full or shutting down? It may be back in a moment. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (errorCodes(error).some((code) => UNAVAILABLE_CODES.has(code))) return true;
  return error instanceof Error && UNAVAILABLE_MESSAGE.test(error.message);
}

/** A page of a list and where the next one begins; null at the end. */
export type Page<T> = { items: T[]; nextCursor: string | null };

export type Cursor = { createdAt: Date; id: string };

/** Rows a documented list answers when no limit was asked for. */
export const UNLIMITED_ROWS = 1000;

/** `rows` were fetched with one more than `limit`: that one says there is a next page. */
export function pageOf<T extends { id: string | number; createdAt: Date }>(rows: T[], limit: number): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(last) : null };
}

function encodeCursor({ createdAt, id }: { createdAt: Date; id: string | number }): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString("base64url");
}

/** Undefined for a cursor that is not ours: the list then begins at the top. */
export function decodeCursor(cursor: string | undefined): Cursor | undefined {
  if (!cursor) return undefined;
  const [time, id] = Buffer.from(cursor, "base64url").toString("utf8").split(" ");
  const createdAt = new Date(time ?? "");
  // Postgres and JavaScript do not agree on years outside of these; no row of ours has one.
  const isDate = createdAt.getUTCFullYear() > 0 && createdAt.getUTCFullYear() < 10_000;
  return id && isDate ? { createdAt, id } : undefined;
}

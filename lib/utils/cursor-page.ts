/** `nextCursor` is null on the last page. */
export type CursorPage<T> = { items: T[]; nextCursor: string | null };

export type Cursor = { createdAt: Date; id: string };

/** For lists without a `limit`. */
export const MAX_ROWS = 1000;

/** `rows` holds one more than `limit` when there is a next page. */
export function cursorPage<T extends { id: string | number; createdAt: Date }>(
  rows: T[],
  limit: number,
): CursorPage<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(last) : null };
}

function encodeCursor({ createdAt, id }: { createdAt: Date; id: string | number }): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString("base64url");
}

/** Undefined for an invalid cursor: the list then starts at the top. */
export function decodeCursor(cursor: string | undefined): Cursor | undefined {
  if (!cursor) return undefined;
  const [time, id] = Buffer.from(cursor, "base64url").toString("utf8").split(" ");
  const createdAt = new Date(time ?? "");
  // Postgres and JavaScript disagree on years beyond these.
  const isDate = createdAt.getUTCFullYear() > 0 && createdAt.getUTCFullYear() < 10_000;
  return id && isDate ? { createdAt, id } : undefined;
}

/** `nextCursor` is null on the last page. */
export type CursorPage<T> = { items: T[]; nextCursor: string | null };

export type Cursor<Id = string> = { createdAt: Date; id: Id };

/** The rows of a list of pieces without a `limit`. */
export const MAX_ROWS = 1000;

/**
 * The first `limit` rows, and fewer once their JSON is longer than `maxBytes`, but at least one. `rows` holds at least
 * one more when there is a next page. `cursorOf` names a row, so that the next page begins after it.
 */
export function cursorPage<T>(
  rows: T[],
  {
    limit = Number.POSITIVE_INFINITY,
    maxBytes,
    cursorOf,
  }: { limit?: number | undefined; maxBytes: number; cursorOf: (row: T) => string },
): CursorPage<T> {
  const items = rows.slice(0, Math.min(limit, countWithin(rows, maxBytes)));
  const last = items.at(-1);
  return { items, nextCursor: last !== undefined && rows.length > items.length ? cursorOf(last) : null };
}

/** How many rows have at most this much JSON; at least one. */
function countWithin(rows: unknown[], maxBytes: number): number {
  let bytes = 0;
  const first = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
    return index > 0 && bytes > maxBytes;
  });
  return first === -1 ? rows.length : first;
}

/** The cursor of lists that come newest first. */
export function newestCursor({ createdAt, id }: { createdAt: Date; id: string | number }): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString("base64url");
}

/** Returns undefined for an invalid cursor: the list then starts at the top. `parseId` does so for an invalid id. */
export function decodeCursor<Id>(
  cursor: string | undefined,
  parseId: (id: string) => Id | undefined,
): Cursor<Id> | undefined {
  if (!cursor) return undefined;
  const [time, rawId] = Buffer.from(cursor, "base64url").toString("utf8").split(" ");
  const createdAt = new Date(time ?? "");
  const id = parseId(rawId ?? "");
  // Postgres and JavaScript disagree on years beyond these.
  const isDate = createdAt.getUTCFullYear() > 0 && createdAt.getUTCFullYear() < 10_000;
  return id !== undefined && isDate ? { createdAt, id } : undefined;
}

/** Reads the cursor of a list whose cursor is a position; undefined for an invalid one. */
export function parsePosition(cursor: string | undefined): number | undefined {
  return /^\d{1,9}$/.test(cursor ?? "") ? Number(cursor) : undefined;
}

/** Every row of a list, page after page. */
export async function* everyRow<T>(read: (cursor: string | undefined) => Promise<CursorPage<T>>): AsyncGenerator<T> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: CursorPage<T> = await read(cursor);
    yield* page.items;
    cursor = page.nextCursor;
  }
}

/** The largest integer id (Postgres `integer`). */
export const MAX_ID = 2_147_483_647;

/** The integer id that a part of an address names; undefined when it names none. */
export function idOf(value: unknown): number | undefined {
  if (typeof value !== "string" || !/^[1-9]\d{0,9}$/.test(value)) return undefined;
  const id = Number(value);
  return id <= MAX_ID ? id : undefined;
}

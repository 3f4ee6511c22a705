/** The largest integer id (Postgres `integer`). */
export const MAX_ID = 2_147_483_647;

/** An integer id as an address has it, read as a number: so `007` is 7. The zeros are bounded too. */
export const INT_ID = /^0{0,20}[1-9]\d{0,9}$/;

/** The integer id that a part of an address names; undefined when it names none. */
export function idOf(value: unknown): number | undefined {
  if (typeof value !== "string" || !INT_ID.test(value)) return undefined;
  const id = Number(value);
  return id <= MAX_ID ? id : undefined;
}

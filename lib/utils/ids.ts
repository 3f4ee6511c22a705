/** The largest Postgres `integer`. */
export const MAX_ID = 2_147_483_647;

/** An integer id in a URL; leading zeros are allowed but bounded, so `007` is 7. */
const INT_ID = /^0{0,20}[1-9]\d{0,9}$/;

export function parseIntId(value: unknown): number | undefined {
  if (typeof value !== "string" || !INT_ID.test(value)) return undefined;
  const id = Number(value);
  return id <= MAX_ID ? id : undefined;
}

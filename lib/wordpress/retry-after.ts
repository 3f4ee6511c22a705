import type { SafeResponse } from "@/lib/net/safe-fetch";

/** How many milliseconds a busy site asks to wait, in seconds or as a date. Null if it does not say. */
export function waitOf({ status, headers }: Pick<SafeResponse, "status" | "headers">, now: number): number | null {
  if (status !== 429 && status !== 503) return null;
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,6}$/.test(value)) return Number(value) * 1_000;
  const date = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** `Wed, 21 Oct 2026 07:28:00 GMT` */
const HTTP_DATE = /^[a-z]{3}, \d\d [a-z]{3} \d{4} \d\d:\d\d:\d\d GMT$/i;

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Milliseconds from `now` for the SDK's "1h30m", "500ms" or ISO date; 0 for a past date. Throws on anything else. */
export function delayUntil(text: string, now: number): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g)];
  if (parts.length > 0 && parts.map((part) => part[0]).join("") === text) {
    return parts.reduce((sum, part) => sum + Number(part[1]) * UNIT_MS[part[2] as keyof typeof UNIT_MS], 0);
  }
  const date = Date.parse(text);
  if (Number.isNaN(date)) throw new Error(`"${text}" is neither a duration nor a date.`);
  return Math.max(0, date - now);
}

/** Milliseconds of a Retry-After header, in seconds or as a date; undefined for anything else. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (!header) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

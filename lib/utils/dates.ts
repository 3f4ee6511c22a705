const LONG = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
const MEDIUM = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** "November 21, 2026"; the same on the server and in the browser. */
export function longDate(iso: string): string {
  return LONG.format(new Date(iso));
}

/** "Nov 21, 2026", or "N/A" when there is none. */
export function mediumDate(iso: string | null | undefined): string {
  return iso ? MEDIUM.format(new Date(iso)) : "N/A";
}

/** "Nov 21, 2026, 4:05 PM" in UTC. */
export function dateTime(iso: string): string {
  return TIME.format(new Date(iso));
}

/**
 * A person's own clock: their time zone, and 12 or 24 hours as where they live; the words stay English like those around
 * them. Only the browser knows it.
 */
export function clockOf(locale?: string, timeZone?: string) {
  const { hourCycle } = new Intl.DateTimeFormat(locale, { timeStyle: "short" }).resolvedOptions();
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-US", { hourCycle, timeZone, ...options });
  const time = format({ timeStyle: "short" });
  const day = format({ month: "long", day: "numeric" });
  const year = format({ year: "numeric" });
  const date = format({ dateStyle: "long" });
  const moment = format({ dateStyle: "long", timeStyle: "short" });
  const short = format({ dateStyle: "medium", timeStyle: "short" });
  return {
    /** "2:02 PM" today, "November 9" in this year, else "November 9, 2025". */
    recent(at: Date, now: Date): string {
      if (date.format(at) === date.format(now)) return time.format(at);
      return year.format(at) === year.format(now) ? day.format(at) : date.format(at);
    },
    /** "November 18, 2026 at 9:41 AM" */
    exact: (at: Date): string => moment.format(at),
    /** "Nov 18, 2026, 9:41 AM" */
    short: (at: Date): string => short.format(at),
  };
}

/**
 * Formats times in the user's time zone and 12 or 24 hours, in English like the rest of the page. Only the browser
 * knows both.
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
  const shortDate = format({ dateStyle: "medium" });
  const relative = new Intl.RelativeTimeFormat("en-US");
  return {
    /** "just now", "5 minutes ago", "3 hours ago" or "2 days ago", after a month "Nov 18, 2026". */
    ago(at: Date, now: Date): string {
      const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
      if (minutes < 1) return "just now";
      if (minutes < 60) return relative.format(-minutes, "minute");
      if (minutes < 24 * 60) return relative.format(-Math.floor(minutes / 60), "hour");
      const days = Math.floor(minutes / (24 * 60));
      return days <= 30 ? relative.format(-days, "day") : shortDate.format(at);
    },
    /** "2:02 PM" today, "November 9" in this year, else "November 9, 2025". */
    recent(at: Date, now: Date): string {
      if (date.format(at) === date.format(now)) return time.format(at);
      return year.format(at) === year.format(now) ? day.format(at) : date.format(at);
    },
    /** "November 18, 2026 at 9:41 AM" */
    exact: (at: Date): string => moment.format(at),
    /** "Nov 18, 2026, 9:41 AM" */
    short: (at: Date): string => short.format(at),
    /** "November 18, 2026" */
    date: (at: Date): string => date.format(at),
    /** "Nov 18, 2026" */
    shortDate: (at: Date): string => shortDate.format(at),
  };
}

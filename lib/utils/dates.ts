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

/** "Nov 21, 2026, 4:05 PM" in UTC, or a dash. */
export function dateTime(iso: string | null | undefined): string {
  return iso ? TIME.format(new Date(iso)) : "–";
}

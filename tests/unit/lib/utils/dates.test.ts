import { clockOf } from "@/lib/utils/dates";

const at = (iso: string) => new Date(iso);

describe("a user's own clock", () => {
  const newYork = clockOf("en-US", "America/New_York");

  it("shows the time for today, the day for this year, and otherwise the date", () => {
    const now = at("2026-11-21T19:30:00Z");
    expect(newYork.recent(at("2026-11-21T19:02:00Z"), now)).toBe("2:02 PM");
    expect(newYork.recent(at("2026-11-09T10:00:00Z"), now)).toBe("November 9");
    expect(newYork.recent(at("2025-11-21T19:02:00Z"), now)).toBe("November 21, 2025");
  });

  it("starts its days and years in the user's time zone", () => {
    const lateEvening = at("2027-01-01T04:30:00Z");
    expect(newYork.recent(at("2026-12-31T05:00:00Z"), lateEvening)).toBe("12:00 AM");
    expect(newYork.recent(at("2026-12-31T04:59:00Z"), lateEvening)).toBe("December 30");
    expect(clockOf("en-US", "UTC").recent(at("2026-12-31T05:00:00Z"), lateEvening)).toBe("December 31, 2026");
  });

  it("says how long ago something was, for a month", () => {
    const now = at("2026-11-21T19:30:00Z");
    expect(newYork.ago(at("2026-11-21T19:29:01Z"), now)).toBe("just now");
    // The server's clock may be ahead of the browser's.
    expect(newYork.ago(at("2026-11-21T19:31:00Z"), now)).toBe("just now");
    expect(newYork.ago(at("2026-11-21T19:29:00Z"), now)).toBe("1 minute ago");
    expect(newYork.ago(at("2026-11-21T18:30:01Z"), now)).toBe("59 minutes ago");
    expect(newYork.ago(at("2026-11-20T19:30:01Z"), now)).toBe("23 hours ago");
    expect(newYork.ago(at("2026-10-22T19:30:00Z"), now)).toBe("30 days ago");
    expect(newYork.ago(at("2026-10-20T19:30:00Z"), now)).toBe("Oct 20, 2026");
  });

  it("counts to 24 where the locale does", () => {
    const berlin = clockOf("de-DE", "Europe/Berlin");
    expect(berlin.recent(at("2026-11-21T13:02:00Z"), at("2026-11-21T20:00:00Z"))).toBe("14:02");
    expect(berlin.exact(at("2026-11-20T23:05:00Z"))).toBe("November 21, 2026 at 00:05");
  });

  it("shows the exact date and time", () => {
    expect(newYork.exact(at("2026-11-18T14:41:00Z"))).toBe("November 18, 2026 at 9:41 AM");
    expect(newYork.short(at("2026-11-18T14:41:00Z"))).toBe("Nov 18, 2026, 9:41 AM");
  });

  it("shows the date in the user's time zone", () => {
    expect(newYork.date(at("2026-01-05T04:59:00Z"))).toBe("January 4, 2026");
    expect(newYork.shortDate(at("2026-01-05T04:59:00Z"))).toBe("Jan 4, 2026");
    expect(clockOf("de-DE", "Pacific/Auckland").date(at("2026-01-05T11:01:00Z"))).toBe("January 6, 2026");
  });
});

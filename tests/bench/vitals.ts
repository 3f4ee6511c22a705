import type { CDPSession, Page } from "@playwright/test";

/** What the browser's observers have seen so far, in milliseconds; `cls` has no unit. */
export type Vitals = { lcp: number; cls: number; event: number; longTask: number };

/** Events and tasks since the last call of `forgetEvents`. */
type Noted = Window & { __vitals: Vitals };

/** Observes paints, shifts, events and long tasks from before the first script. */
export async function observeVitals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted: Vitals = { lcp: 0, cls: 0, event: 0, longTask: 0 };
    (window as unknown as Noted).__vitals = noted;
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) noted.lcp = entry.startTime;
    }).observe({ type: "largest-contentful-paint", buffered: true });
    // This is the plain sum, never less than the session windows that browser tools report.
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) if (!entry.hadRecentInput) noted.cls += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
    // It lasts from input to next paint; events below the lowest threshold are not reported. Pointer moves have no
    // interaction id.
    type Timing = PerformanceEntry & { interactionId: number };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Timing[]) {
        if (entry.interactionId > 0) noted.event = Math.max(noted.event, entry.duration);
      }
    }).observe({ type: "event", durationThreshold: 16, buffered: false } as PerformanceObserverInit);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) noted.longTask = Math.max(noted.longTask, entry.duration);
    }).observe({ type: "longtask", buffered: true });
  });
}

export function readVitals(page: Page): Promise<Vitals> {
  return page.evaluate(() => (window as unknown as Noted).__vitals);
}

/** Call before an interaction, to ignore what happened earlier. */
export async function forgetEvents(page: Page): Promise<void> {
  await page.evaluate(() => {
    const noted = (window as unknown as Noted).__vitals;
    noted.event = 0;
    noted.longTask = 0;
  });
}

/** The main thread's total work so far, in milliseconds; the browser reports seconds. */
export async function mainThreadTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}

export function countNodes(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll("*").length);
}

import type { Browser, Locator, Page, Request } from "@playwright/test";
import type { Bench } from "@/tests/bench/benchmark";
import { type User, watchRequests, withPage } from "@/tests/bench/chromium";
import { forgetEvents, mainThreadTime, observeVitals, readVitals } from "@/tests/bench/vitals";

/**
 * One round: `firstKey` on the screen as it opened, `key` with one more project open. A task is the longest main-thread
 * task of an interaction; `work` is all of it until the screen is idle.
 */
export type Round = Record<Figure, number>;
type Figure =
  | ("lcp" | "cls" | "work" | "html" | "rows")
  | ("firstKey" | "click" | "key" | "clickTask" | "keyTask" | "searchTask");

const SLOWER = 4;

/** Opens the library with an empty cache, presses a key in the search field, opens the next project, searches. */
export function libraryRound(browser: Browser, bench: Bench, user: User): Promise<Round> {
  return withPage(browser, bench, user, async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await session.send("Performance.enable");
    await observeVitals(page);
    const quiet = watchRequests(page);
    const requests: Request[] = [];
    page.on("requestfinished", (request) => requests.push(request));
    await page.goto("/content", { waitUntil: "load" });
    await quiet();
    const { lcp } = await readVitals(page);
    const work = await mainThreadTime(session);
    const payload = await payloadOf(requests);

    const field = page.getByRole("searchbox");
    const focus = () => field.evaluate((element: HTMLElement) => element.focus());
    await focus();
    // A space searches for nothing, so the list does not change.
    const firstKey = await interaction(page, quiet, () => page.keyboard.press("Space"));
    const closed = await nextClosed(page);
    const click = await interaction(page, quiet, () => closed.click());
    await page.evaluate(() => window.scrollTo(0, 0));
    await focus();
    await quiet();
    const found = page.waitForResponse(/\/api\/content\/groups/, { timeout: 120_000 });
    const key = await interaction(
      page,
      () => afterPaint(page),
      () => page.keyboard.press("s"),
    );
    await forgetEvents(page);
    // Stop at the first result's paint: a search that matches everything keeps loading rows.
    await found;
    await afterPaint(page);
    const { cls, longTask } = await readVitals(page);
    return {
      ...{ lcp, cls, work, ...payload, firstKey: firstKey.event, click: click.event, key: key.event },
      ...{ clickTask: click.longTask, keyTask: key.longTask, searchTask: longTask },
    };
  });
}

/** Two frames later, after the observers ran and before the debounced search starts. */
function afterPaint(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 30)))),
  );
}

/** The next collapsed project or topic; the list is virtualised, so it may need to scroll. */
export async function nextClosed(page: Page): Promise<Locator> {
  const closed = page.locator("main h3 button[aria-expanded=false]").first();
  while ((await closed.count()) === 0) {
    await page.evaluate(() => window.scrollBy(0, window.innerHeight));
    await afterPaint(page);
  }
  return closed;
}

/** Waits until the page is idle, to include everything the interaction caused. */
async function interaction(page: Page, quiet: () => Promise<void>, act: () => Promise<void>) {
  await forgetEvents(page);
  await act();
  await quiet();
  return readVitals(page);
}

/** Transferred sizes of the document and of the API responses it loads at once. */
async function payloadOf(requests: Request[]): Promise<{ html: number; rows: number }> {
  const sizes = { html: 0, rows: 0 };
  for (const request of requests) {
    const isApi = new URL(request.url()).pathname.startsWith("/api/");
    if (!isApi && !request.isNavigationRequest()) continue;
    sizes[isApi ? "rows" : "html"] += (await request.sizes()).responseBodySize;
  }
  return sizes;
}

import type { Browser, Locator, Page, Request } from "@playwright/test";
import type { Bench } from "@/tests/bench/benchmark";
import { type Person, watchRequests, withPage } from "@/tests/bench/chromium";
import { forgetEvents, mainThreadTime, observeVitals, readVitals } from "@/tests/bench/vitals";

/**
 * One round of one person. `firstKey` comes while the screen is as it opened, `key` when one more project is open; a task
 * is the longest of the main thread that an interaction sets off; `work` is all of it until the screen is quiet.
 */
export type Round = Record<Figure, number>;
type Figure =
  | ("lcp" | "cls" | "work" | "html" | "rows")
  | ("firstKey" | "click" | "key" | "clickTask" | "keyTask" | "searchTask");

const SLOWER = 4;

/** Opens the library with an empty cache, presses a key in the search field, opens the next project, searches. */
export function libraryRound(browser: Browser, bench: Bench, person: Person): Promise<Round> {
  return withPage(browser, bench, person, async (page) => {
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
    // A blank searches for nothing: the list stays as it is.
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
    // To the result's first paint: a search that hits everything then goes on loading rows for long.
    await found;
    await afterPaint(page);
    const { cls, longTask } = await readVitals(page);
    return {
      ...{ lcp, cls, work, ...payload, firstKey: firstKey.event, click: click.event, key: key.event },
      ...{ clickTask: click.longTask, keyTask: key.longTask, searchTask: longTask },
    };
  });
}

/** Two frames on, and the observers have been told: before the pause of typing is over and the search begins. */
function afterPaint(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 30)))),
  );
}

/** The next closed project or topic; a list draws only what is near the window, so one may have to scroll. */
export async function nextClosed(page: Page): Promise<Locator> {
  const closed = page.locator("main h3 button[aria-expanded=false]").first();
  while ((await closed.count()) === 0) {
    await page.evaluate(() => window.scrollBy(0, window.innerHeight));
    await afterPaint(page);
  }
  return closed;
}

/** Until the page is quiet again, so that what an interaction sets off is its doing too. */
async function interaction(page: Page, quiet: () => Promise<void>, act: () => Promise<void>) {
  await forgetEvents(page);
  await act();
  await quiet();
  return readVitals(page);
}

/** Body sizes as transferred: the page itself, and what the API answers to it at once. */
async function payloadOf(requests: Request[]): Promise<{ html: number; rows: number }> {
  const sizes = { html: 0, rows: 0 };
  for (const request of requests) {
    const isApi = new URL(request.url()).pathname.startsWith("/api/");
    if (!isApi && !request.isNavigationRequest()) continue;
    sizes[isApi ? "rows" : "html"] += (await request.sizes()).responseBodySize;
  }
  return sizes;
}

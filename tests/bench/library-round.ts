import type { Browser, Page, Request } from "@playwright/test";
import type { Bench } from "@/tests/bench/benchmark";
import { type Person, watchRequests, withPage } from "@/tests/bench/chromium";
import { forgetEvents, mainThreadTime, observeVitals, readVitals } from "@/tests/bench/vitals";

/** One round with one person. `work` is the main thread's time until the screen is quiet, `tail` the longest task after it. */
export type Round = Record<
  "lcp" | "cls" | "work" | "click" | "clickTail" | "key" | "keyTail" | "html" | "rows",
  number
>;

const SLOWER = 4;

/** Opens the library with an empty cache, then a closed project, then types one key into the search field. */
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

    const click = await interaction(page, quiet, () => closedProjects(page).first().click());
    await page.getByRole("searchbox").evaluate((field: HTMLElement) => field.focus());
    const key = await interaction(page, quiet, () => page.keyboard.press("s"));
    const { cls } = await readVitals(page);
    return {
      ...{ lcp, cls, work, ...payload },
      ...{ click: click.event, clickTail: click.longTask, key: key.event, keyTail: key.longTask },
    };
  });
}

export function closedProjects(page: Page) {
  return page.locator("main h3 button[aria-expanded=false]");
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

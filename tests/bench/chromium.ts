import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { ensureBrowser } from "@/scripts/browser";
import type { Bench } from "@/tests/bench/benchmark";

/** A user's cookies: each round starts with them and an empty cache. */
export type User = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** How long the network must be idle before a page counts as loaded, and how long to wait for that. */
const QUIET_MS = 500;
const PATIENCE_MS = 30_000;
/** A page that takes longer to respond is busy. */
const BUSY_MS = 100;

/**
 * The benchmark's browser. It is closed by the shutdown, not by Playwright, so that signals stop everything in order.
 */
export async function openChromium({ shutdown }: Bench): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await ensureBrowser("This benchmark needs"),
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  await shutdown.add(() => browser.close());
  return browser;
}

/** A fresh window with an empty cache, closed afterwards. */
export async function withPage<Result>(
  browser: Browser,
  { stack }: Bench,
  user: User | undefined,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({
    baseURL: stack.url,
    viewport: { width: 1280, height: 800 },
    storageState: user,
  });
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Calls the API from the app's own origin; throws unless it succeeds. */
export async function call<Answer>(
  context: BrowserContext,
  { stack }: Bench,
  url: string,
  data: object,
  method: "POST" | "PATCH" = "POST",
) {
  const answer = await context.request.fetch(url, { method, data, headers: { origin: stack.url } });
  if (!answer.ok()) throw new Error(`${method} ${url} answered ${answer.status()}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/**
 * Watches a page's requests from the start. The returned function waits until the network is idle and the page responds
 * at once: what is still rendering may request more.
 */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<unknown>();
  let changed = 0;
  const begin = (request: unknown) => {
    open.add(request);
    changed = performance.now();
  };
  const end = (request: unknown) => {
    open.delete(request);
    changed = performance.now();
  };
  page.on("request", begin).on("requestfinished", end).on("requestfailed", end);
  return async () => {
    const began = performance.now();
    changed = began;
    while (performance.now() - began < PATIENCE_MS && (open.size > 0 || performance.now() - changed < QUIET_MS)) {
      await page.waitForTimeout(50);
      const asked = performance.now();
      await page.evaluate(() => 0);
      if (performance.now() - asked > BUSY_MS) changed = performance.now();
    }
  };
}

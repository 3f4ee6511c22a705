import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import type Axe from "axe-core";
import type { Result, RunOptions } from "axe-core";

/** Opens a page and waits for hydration. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
}

/** Waits until React has hydrated the page: an earlier click or key would be lost. */
export async function hydrated(page: Page): Promise<void> {
  // Again after an error: the page may be on its way to another.
  await expect(async () => expect(await page.evaluate(isHydratedWhenIdle)).toBe(true)).toPass({
    intervals: [20],
    timeout: 30_000,
  });
}

/**
 * Two frames: window listeners are attached after the first paint. Idle: controls get their fibers while React still renders, and
 * text typed before it commits is replaced.
 */
async function isHydratedWhenIdle(): Promise<boolean> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await new Promise((resolve) => requestIdleCallback(resolve));
  // React knows neither the hidden fields of a form's action nor what the text editor has drawn.
  const controls = [
    ...document.querySelectorAll("main a, main button, main input:not([type=hidden]), main textarea"),
  ].filter((control) => !control.closest(".cm-editor"));
  const isHydrated = (control: Element) => Object.keys(control).some((key) => key.startsWith("__reactFiber$"));
  return controls.length > 0 && controls.every(isHydrated);
}

/** Waits for a toast or other sentence. Closes a toast that covers the expected one. */
export async function expectMessage(page: Page, text: string | RegExp): Promise<void> {
  const sentence = page.getByText(text).first();
  const inTheWay = page.locator("[data-toast-area] .toast[data-removed=false]").filter({ hasNotText: text });
  await expect(async () => {
    if (await sentence.isVisible()) return;
    const [other] = await inTheWay.all();
    // Not with the pointer, which would move the focus.
    await other?.locator("[data-close-button]").dispatchEvent("click", {}, { timeout: 500 });
    await expect(sentence).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 10_000 });
}

/** Clicks what publishes, updates or unpublishes one piece, and confirms the question that it asks. */
export async function clickAndConfirm(page: Page, clicked: Locator): Promise<void> {
  await clicked.click();
  await confirmSiteChange(page).click();
}

/** The button that confirms what a piece's button does to the user's site. */
export function confirmSiteChange(page: Page): Locator {
  return page
    .getByRole("alertdialog", { name: /^(Publish|Update|Unpublish) this piece\?$/ })
    .getByRole("button")
    .last();
}

const AXE_SOURCE = readFileSync(createRequire(path.resolve("package.json")).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Runs axe on what the page shows, with all its rules or some. It is put into a document once, not for each run, which would take
 * longer than the rules.
 */
export async function axeViolations(page: Page, runOnly?: RunOptions["runOnly"]): Promise<Result[]> {
  const isThere = await page.evaluate(() => "axe" in window);
  if (!isThere) await page.evaluate(AXE_SOURCE);
  const options: RunOptions = { resultTypes: ["violations"], ...(runOnly ? { runOnly } : {}) };
  const { violations } = await page.evaluate(
    (given) => (window as unknown as { axe: typeof Axe }).axe.run(document, given),
    options,
  );
  return violations;
}

/** No accessibility violations that axe can find (WCAG 2.1, levels A and AA). */
export async function expectAccessible(page: Page, where = page.url()): Promise<void> {
  const violations = await axeViolations(page, ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]);
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, html, failureSummary }) => `${id} at ${target.join(" ")}: ${html.slice(0, 200)} ${failureSummary}`,
    ),
  );
  expect({ where, found }).toEqual({ where, found: [] });
}

/**
 * Ends the page without a last word. A page that is closed may still send one, past the test's routes and though it was offline.
 */
export async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent("crash");
  // Nobody is left to answer.
  void session.send("Page.crash").catch(() => undefined);
  await crashed;
  // Playwright's setOffline goes to every open page, and throws at a crashed one.
  await page.close();
}

/** Calls the app's API as this browser's user. */
export async function callApi<T>(
  { request }: BrowserContext,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  data?: unknown,
): Promise<T> {
  const headers = { origin: process.env.E2E_BASE_URL ?? "" };
  // The server may close an idle connection just as it is used again; a read may be sent once more.
  const maxRetries = method === "GET" ? 2 : 0;
  const answer = await request.fetch(path, { method, headers, maxRetries, ...(data === undefined ? {} : { data }) });
  expect([method, path, answer.ok(), answer.status()]).toEqual([method, path, true, answer.status()]);
  return (answer.status() === 204 ? undefined : await answer.json()) as T;
}

import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, expect, type Page } from "@playwright/test";

/** Opens a page of the app and waits until it reacts. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await taken(page);
}

/** React has taken over all that is on the page: a click or a key before that would be lost. */
export async function taken(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      new Promise((resolve) => {
        // Two frames: listeners of the whole window come after what is drawn.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            const controls = [...document.querySelectorAll("main a, main button, main input, main textarea")];
            const isTaken = (control: Element) => Object.keys(control).some((key) => key.startsWith("__reactFiber$"));
            resolve(controls.length > 0 && controls.every(isTaken));
          }),
        );
      }),
  );
}

/** A toast, or any other sentence, that says this. A toast that stands in the way of the one waited for is closed. */
export async function expectTold(page: Page, text: string | RegExp): Promise<void> {
  const told = page.getByText(text).first();
  const inTheWay = page.locator("[data-toast-area] .toast[data-removed=false]").filter({ hasNotText: text });
  await expect(async () => {
    if (await told.isVisible()) return;
    const [other] = await inTheWay.all();
    // Without the pointer, which would take the focus along.
    await other?.locator("[data-close-button]").dispatchEvent("click", {}, { timeout: 500 });
    await expect(told).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 10_000 });
}

/** axe for a page without frames of another origin: run in the page itself, which spares a second page at every look. */
export function axeFor(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
}

/** Nothing on the page stands in the way of a screen reader, as far as axe can tell (WCAG 2.1, levels A and AA). */
export async function expectAccessible(page: Page, where = page.url()): Promise<void> {
  const { violations } = await axeFor(page).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]).analyze();
  const found = violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  expect({ where, found }).toEqual({ where, found: [] });
}

/** A call of the app's own interface, as the person of this browser. */
export async function callApi<T>(
  { request }: BrowserContext,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  data?: unknown,
): Promise<T> {
  const headers = { origin: process.env.E2E_BASE_URL ?? "" };
  const answer = await request.fetch(path, { method, headers, ...(data === undefined ? {} : { data }) });
  expect([method, path, answer.ok(), answer.status()]).toEqual([method, path, true, answer.status()]);
  return (answer.status() === 204 ? undefined : await answer.json()) as T;
}

import { expect, type Page, test } from "@playwright/test";
import { openPage } from "@/tests/support/e2e-page";
import { registerUser } from "@/tests/support/e2e-user";

type Seen = { text: string; from: number; to: number | null };

/** Records when each notification was on the page, and the most at a time. */
async function watchToasts(page: Page) {
  await page.evaluate(() => {
    const log = Object.assign(window, { seenToasts: [] as Seen[], mostToasts: 0 });
    new MutationObserver(() => {
      const cards = [...document.querySelectorAll<HTMLElement>("[data-toast-area] .toast")];
      log.mostToasts = Math.max(log.mostToasts, cards.length);
      const texts = cards.flatMap(({ dataset, textContent }) =>
        dataset.removed === "true" ? [] : [textContent ?? ""],
      );
      for (const seen of log.seenToasts) if (!texts.includes(seen.text)) seen.to ??= performance.now();
      for (const text of texts) {
        if (log.seenToasts.some((seen) => seen.text === text && seen.to === null)) continue;
        log.seenToasts.push({ text, from: performance.now(), to: null });
      }
    }).observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
  });
  return () =>
    page.evaluate(() => {
      const { seenToasts, mostToasts } = window as unknown as { seenToasts: Seen[]; mostToasts: number };
      return { seen: seenToasts, most: mostToasts };
    });
}

const toast = (page: Page, words: string) => page.locator("[data-toast-area] .toast").filter({ hasText: words });
const CREATED = "Project created successfully";
const SAVED = "Your settings have been updated successfully";

async function createProject(page: Page, title: string) {
  await page.getByRole("button", { name: "New Project" }).first().click();
  await page.getByLabel("Title", { exact: true }).fill(title);
  await page.getByRole("button", { name: "Create Project" }).click();
}

async function changeSettings(page: Page) {
  await page.getByLabel("Blogging-site username").fill(`writer.${Date.now()}`);
  await page.getByRole("button", { name: "Save Settings" }).first().click();
}

test("shows the newest outcome at once, in one place and for its full time, also on the next page", async ({
  page,
  context,
}) => {
  await registerUser(context, `toasts.${Date.now()}`);
  await openPage(page, "/");
  const read = await watchToasts(page);
  await createProject(page, "Balcony herbs");
  await expect(toast(page, CREATED)).toBeVisible();
  await page.mouse.move(400, 300);
  await page.getByRole("link", { name: "Settings" }).first().click();
  await expect(page.getByRole("heading", { name: "Profile Settings" })).toBeVisible();
  await expect(toast(page, CREATED)).toBeVisible();
  await changeSettings(page);
  await expect(toast(page, SAVED)).toBeVisible();
  await expect(toast(page, CREATED)).toHaveCount(0);
  await expect(toast(page, SAVED)).toHaveCount(0);
  const { seen, most } = await read();
  expect(most).toBe(1);
  const last = seen.at(-1);
  expect(last?.text).toContain(SAVED);
  expect((last?.to ?? 0) - (last?.from ?? 0)).toBeGreaterThan(5_900);
  expect((last?.to ?? 0) - (last?.from ?? 0)).toBeLessThan(7_000);
});

test("brings an error back that was replaced at once, waits for the pointer, and returns the focus", async ({
  page,
  context,
}) => {
  await registerUser(context, `toasts-back.${Date.now()}`);
  await openPage(page, "/settings");
  const read = await watchToasts(page);
  await page.route("**/api/user/export", (route) => route.fulfill({ status: 502, body: "<html>" }));
  await page.getByRole("button", { name: "Export everything", exact: true }).click();
  const error = toast(page, "Nothing was exported");
  await expect(error).toHaveClass(/toast-destructive/);
  await changeSettings(page);
  await expect(toast(page, SAVED)).toBeVisible();
  await expect(error).toHaveCount(0);
  await toast(page, SAVED).getByRole("button", { name: "Close" }).click();
  await expect(error).toBeVisible();
  await error.hover();
  await page.waitForTimeout(7_000);
  await expect(error).toBeVisible();
  await page.mouse.move(300, 300);
  const field = page.getByLabel("Blogging-site username");
  await field.focus();
  await page.keyboard.press("Alt+KeyT");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(error.getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(error).toHaveCount(0);
  await expect(field).toBeFocused();
  expect((await read()).most).toBe(1);
});

test("shows an outcome that arrives while another one leaves", async ({ page, context }) => {
  await registerUser(context, `toasts-leave.${Date.now()}`);
  await openPage(page, "/settings");
  await changeSettings(page);
  await expect(toast(page, SAVED)).toBeVisible();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/*", async (route) => {
    if (route.request().method() === "GET") return route.continue();
    await held;
    return route.fulfill({ status: 500, body: "<html>" });
  });
  await changeSettings(page);
  // Released by the press itself, so that the response comes within the 200 ms in which the notification leaves.
  await page.exposeFunction("answerNow", answer);
  await page.evaluate(() => {
    const close = document.querySelector<HTMLElement>("[data-toast-area] [data-close-button]");
    close?.click();
    (window as unknown as { answerNow: () => void }).answerNow();
  });
  await expect(toast(page, "Error")).toBeVisible();
  await expect(toast(page, "Error")).toHaveClass(/toast-destructive/);
});

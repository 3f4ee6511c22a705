import { expect, type Page, test } from "@playwright/test";
import { openPage } from "@/tests/support/e2e-page";
import { registerUser, userWithShowcase } from "@/tests/support/e2e-user";

// Dialogs, menus and popovers load their code after the page. Users should not notice.

const CHUNKS = "**/_next/static/chunks/**";

test.beforeEach(async ({ context, page }) => {
  await registerUser(context, `late.${Date.now()}`);
  await page.goto("/");
  // A resting pointer counts as input; there has been none so far.
  await expect(page.getByRole("button", { name: "New Project" }).first()).toBeVisible();
});

function newProject(page: Page) {
  return page.getByRole("button", { name: "New Project" }).first();
}

test("reports a dialog that cannot be loaded and opens it at the next try", async ({ page }) => {
  await page.route(CHUNKS, (route) => route.abort());
  await newProject(page).click();
  const sentence = "This part of the page could not be loaded. Check your connection, then try again.";
  await expect(page.getByText(sentence)).toBeVisible();
  await expect(newProject(page)).toHaveAttribute("aria-expanded", "false");
  await page.unroute(CHUNKS);
  await newProject(page).click();
  await expect(page.getByRole("dialog", { name: "Create New Project" })).toBeVisible();
});

test("moves the focus into a dialog and back to its button", async ({ page }) => {
  await newProject(page).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Create New Project" });
  await expect(dialog.getByLabel("Title")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(newProject(page)).toBeFocused();
});

test("opens a menu by key on its first item and returns the focus on closing", async ({ page }) => {
  const account = page.getByRole("button", { name: /^Account of/ });
  await account.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitemradio", { name: "System" })).toBeFocused();
  await expect(account).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(account).toBeFocused();
  await expect(account).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitemradio", { name: "System" })).toBeFocused();
});

test("opens a menu once its code has loaded, and again after a failed load", async ({ page }) => {
  const account = page.getByRole("button", { name: /^Account of/ });
  await page.route(CHUNKS, (route) => route.abort());
  await account.click();
  await expect(page.getByText("This part of the page could not be loaded.")).toBeVisible();
  await expect(account).toHaveAttribute("aria-expanded", "false");
  await page.unroute(CHUNKS);
  let deliver: () => void = () => undefined;
  const delivery = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  await page.route(CHUNKS, async (route) => {
    await delivery;
    await route.continue();
  });
  await account.click();
  await expect(account).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("menu")).toHaveCount(0);
  deliver();
  await expect(page.getByRole("menuitem", { name: "Logout" })).toBeVisible();
});

test("opens, uses and closes a menu by touch", async ({ browser, context }) => {
  const touch = await browser.newContext({
    baseURL: process.env.E2E_BASE_URL,
    storageState: await context.storageState(),
    viewport: { width: 390, height: 800 },
    hasTouch: true,
  });
  const page = await touch.newPage();
  await openPage(page, "/");
  await page.getByRole("button", { name: "Toggle sidebar" }).tap();
  await page.getByRole("button", { name: /^Account of/ }).tap();
  await page.getByRole("menuitemradio", { name: "Dark" }).tap();
  await expect(page.locator("html")).toHaveClass(/dark/);
  await page.getByRole("menuitemradio", { name: "Light" }).tap();
  await expect(page.locator("html")).not.toHaveClass(/dark/);
  await expect(page.getByRole("menu")).toBeVisible();
  await page.touchscreen.tap(380, 400);
  await expect(page.getByRole("menu")).toHaveCount(0);
  await touch.close();
});

test("opens and closes a menu by pointer when that is the first input", async ({ page }) => {
  await page.getByRole("button", { name: /^Account of/ }).click();
  await expect(page.getByRole("menuitem", { name: "Logout" })).toBeVisible();
  await page.mouse.click(700, 500);
  await expect(page.getByRole("menu")).toBeHidden();
});

test("keeps a menu open on its first press when the menu code is loaded already", async ({ context, page }) => {
  const { projectId } = await userWithShowcase(context, "late-menu");
  await page.goto(`/projects/${projectId}`);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await page.locator("main h3 button[aria-expanded]").first().click();
  await page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click();
  const deletes = page.getByRole("menuitem", { name: "Delete Topic" });
  await expect(deletes).toBeVisible();
  // A menu that does not stay open would close in the next frame.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await expect(deletes).toBeVisible();
});

test("shows a tooltip for pointer and keyboard", async ({ page }) => {
  const toggle = page.getByRole("button", { name: "Toggle sidebar" });
  await toggle.hover();
  await expect(page.getByRole("tooltip")).toHaveText("Toggle sidebar (Ctrl+B)");
  await expect(toggle).toHaveAccessibleDescription("Toggle sidebar (Ctrl+B)");
  // Radix tracks where the pointer goes, so it must leave in steps.
  await page.mouse.move(700, 500, { steps: 5 });
  await expect(page.getByRole("tooltip")).toBeHidden();
  await page.getByRole("link", { name: "Skip to content" }).focus();
  for (let tabs = 0; tabs < 20 && !(await toggle.evaluate((node) => node === document.activeElement)); tabs++) {
    await page.keyboard.press("Tab");
  }
  await expect(page.getByRole("tooltip")).toHaveText("Toggle sidebar (Ctrl+B)");
});

test("shows a select's value at once, opens it by key and pointer, and takes the choice", async ({ page }) => {
  await page.goto("/content");
  const status = page.getByRole("combobox", { name: "Status" });
  await expect(status).toHaveText("All Statuses");
  await status.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option", { name: "All Statuses" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option", { name: "Draft", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(status).toHaveText("Draft");
  await expect(page).toHaveURL(/status=draft/);
  await expect(status).toBeFocused();
  await status.click();
  await page.getByRole("option", { name: "All Statuses" }).click();
  await expect(status).toHaveText("All Statuses");
});

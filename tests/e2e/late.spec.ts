import { expect, type Page, test } from "@playwright/test";
import { personWithShowcase, registerPerson } from "@/tests/support/e2e-person";

// Dialogs, menus and tooltips are not loaded with the page: to whoever uses them that must make no difference.

const CHUNKS = "**/_next/static/chunks/**";

test.beforeEach(async ({ context, page }) => {
  await registerPerson(context, `late.${Date.now()}`);
  await page.goto("/");
  // Where the pointer rests counts as something the person did; until here they have done nothing.
  await expect(page.getByRole("button", { name: "New Project" }).first()).toBeVisible();
});

function newProject(page: Page) {
  return page.getByRole("button", { name: "New Project" }).first();
}

test("a dialog that cannot be loaded says so and opens at the next try", async ({ page }) => {
  await page.route(CHUNKS, (route) => route.abort());
  await newProject(page).click();
  const sentence = "This part of the page could not be loaded. Check your connection, then try again.";
  await expect(page.getByText(sentence)).toBeVisible();
  await expect(newProject(page)).toHaveAttribute("aria-expanded", "false");
  await page.unroute(CHUNKS);
  await newProject(page).click();
  await expect(page.getByRole("dialog", { name: "Create New Project" })).toBeVisible();
});

test("a dialog takes the focus and gives it back to its button", async ({ page }) => {
  await newProject(page).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Create New Project" });
  await expect(dialog.getByLabel("Title")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(newProject(page)).toBeFocused();
});

test("a menu opens by key on its first item, and gives the focus back", async ({ page }) => {
  const account = page.getByRole("button", { name: /^Account of/ });
  await account.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitemradio", { name: "System" })).toBeVisible();
  await expect(account).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(account).toBeFocused();
  await expect(account).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitemradio", { name: "System" })).toBeFocused();
});

test("a menu that is pressed first of all opens and closes by the pointer", async ({ page }) => {
  await page.getByRole("button", { name: /^Account of/ }).click();
  await expect(page.getByRole("menuitem", { name: "Logout" })).toBeVisible();
  await page.mouse.click(700, 500);
  await expect(page.getByRole("menu")).toBeHidden();
});

test("a menu that is pressed for the first time stays open when menus are loaded already", async ({
  context,
  page,
}) => {
  const { projectId } = await personWithShowcase(context, "late-menu");
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
  // It would close in the frame after it has opened.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await expect(deletes).toBeVisible();
});

test("a tooltip shows for the pointer and for the keyboard", async ({ page }) => {
  const toggle = page.getByRole("button", { name: "Toggle sidebar" });
  await toggle.hover();
  await expect(page.getByRole("tooltip")).toHaveText("Toggle sidebar (Ctrl+B)");
  await expect(toggle).toHaveAccessibleDescription("Toggle sidebar (Ctrl+B)");
  // Radix looks where the pointer goes, so it must be seen going.
  await page.mouse.move(700, 500, { steps: 5 });
  await expect(page.getByRole("tooltip")).toBeHidden();
  await page.getByRole("link", { name: "Skip to content" }).focus();
  for (let tabs = 0; tabs < 20 && !(await toggle.evaluate((node) => node === document.activeElement)); tabs++) {
    await page.keyboard.press("Tab");
  }
  await expect(page.getByRole("tooltip")).toHaveText("Toggle sidebar (Ctrl+B)");
});

test("a select shows its value at once, opens by key and by pointer, and takes a choice", async ({ page }) => {
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

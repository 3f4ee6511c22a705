import { expect, type Page, test } from "@playwright/test";
import { callApi, expectAccessible, openPage } from "@/tests/support/e2e-page";
import { userWithShowcase } from "@/tests/support/e2e-user";

const OUTLINE = "## One\nFirst.\n\n### Inside\nA point.\n\n## Two\nSecond.\n\n## Three\nThird.";
const handle = (page: Page, heading: string) =>
  page.getByRole("button", { name: new RegExp(`^Section \\d of \\d: ${heading}\\.`) });

test("arranges an outline as cards by keyboard and mouse, and saves it by itself", async ({ page, context }) => {
  const { pieces } = await userWithShowcase(context, "cards");
  const path = `/api/content/${pieces.outlined}`;
  await callApi(context, "PATCH", path, { outline: OUTLINE });
  const headings = async () =>
    (await callApi<{ outline: string }>(context, "GET", path)).outline.match(/^#+ .+$/gm)?.join(", ");
  await openPage(page, `/content/${pieces.outlined}`);
  await expect(page.getByRole("list", { name: "Sections" }).getByRole("listitem")).toHaveCount(4);
  await expectAccessible(page);

  await test.step("by keyboard: the focus goes along", async () => {
    await handle(page, "Three").focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await expect(handle(page, "Three")).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await expect.poll(headings).toBe("## One, ### Inside, ### Three, ## Two");
  });

  await test.step("by mouse", async () => {
    await handle(page, "Two").dragTo(page.getByRole("textbox", { name: "Heading of section 1 of 4" }));
    await expect.poll(headings).toBe("## Two, ## One, ### Inside, ### Three");
  });

  await test.step("the AI adds a section after one", async () => {
    await page.getByRole("button", { name: /^More for section 1 / }).click();
    await page.getByRole("menuitem", { name: "Rewrite or add with AI…" }).click();
    await page.getByText("Add a section after it", { exact: true }).click();
    await page.getByRole("button", { name: "Ask the AI" }).click();
    await page.getByRole("button", { name: "Insert" }).press("Enter");
    await expect.poll(headings).toBe("## Two, ## A sample section, ## One, ### Inside, ### Three");
  });

  await test.step("the AI drops a section", async () => {
    await page.getByRole("button", { name: "Change with AI" }).click();
    await expect(page.getByRole("dialog", { name: "Write with AI" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Ask the AI" }).click();
    await page.getByRole("button", { name: "Use this text" }).press("Enter");
    await expect.poll(headings).toBe("## Two, ## A sample section");
  });

  await test.step("that is taken back, and done again", async () => {
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(headings).toBe("## Two, ## A sample section, ## One, ### Inside, ### Three");
    await page.getByRole("button", { name: "Change with AI" }).click();
    await page.getByRole("button", { name: "Ask the AI" }).click();
    await page.getByRole("button", { name: "Use this text" }).press("Enter");
    await expect.poll(headings).toBe("## Two, ## A sample section");
  });

  await test.step("it is one key from the Markdown, and as it was left after a reload", async () => {
    await page.reload();
    await expect(page.getByRole("list", { name: "Sections" }).getByRole("listitem")).toHaveCount(2);
    await expect(handle(page, "Two")).toBeVisible();
    await page.keyboard.press("Control+/");
    const markdown = page.getByRole("textbox", { name: "Outline" });
    await expect(markdown).toHaveValue(/^## Two\nSecond\.\n\n## A sample section/);
    await page.reload();
    await expect(markdown).toHaveValue(/^## Two/);
  });
});

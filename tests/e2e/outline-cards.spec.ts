import { expect, type Page, test } from "@playwright/test";
import { callApi, expectAccessible, openPage, settled } from "@/tests/support/e2e-page";
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
  await settled(page);
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
    await page.getByRole("button", { name: "Insert" }).click();
    await expect.poll(headings).toBe("## Two, ## A sample section, ## One, ### Inside, ### Three");
  });

  await test.step("the AI drops a section", async () => {
    await page.getByRole("button", { name: "Change with AI" }).click();
    await expect(page.getByRole("dialog", { name: "Write with AI" })).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Ask the AI" }).click();
    await page.getByRole("button", { name: "Use this text" }).click();
    await expect.poll(headings).toBe("## Two, ## A sample section");
  });

  await test.step("that is taken back, and done again", async () => {
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(headings).toBe("## Two, ## A sample section, ## One, ### Inside, ### Three");
    await page.getByRole("button", { name: "Change with AI" }).click();
    await page.getByRole("button", { name: "Ask the AI" }).click();
    await page.getByRole("button", { name: "Use this text" }).click();
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

test("keeps what was typed into a card a moment before it was left, reloaded or opened in a second tab", async ({
  page,
  context,
}) => {
  const { pieces } = await userWithShowcase(context, "cards-left");
  const path = `/api/content/${pieces.outlined}`;
  // Long enough for its keys to be read at a pause.
  const outline = Array.from(
    { length: 40 },
    (_, index) => `## Part ${index + 1}\n${"What it says, ".repeat(4)}and why.`,
  ).join("\n\n");
  await callApi(context, "PATCH", path, { outline });
  await openPage(page, `/content/${pieces.outlined}`);
  const brief = (tab: Page, section: number) =>
    tab.getByRole("textbox", { name: `What section ${section} of 40 must deliver` });
  const stored = async () => (await callApi<{ outline: string }>(context, "GET", path)).outline;
  const typeAtEnd = async (section: number, text: string) => {
    await brief(page, section).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(text);
  };

  await test.step("another tab of the editor, and back", async () => {
    await typeAtEnd(1, "One. Two.");
    await page.getByRole("tab", { name: "Edit" }).click();
    await page.getByRole("tab", { name: "Outline" }).click();
    await expect(brief(page, 1)).toHaveValue(/One\. Two\.$/);
  });

  await test.step("the Markdown, by its key", async () => {
    await typeAtEnd(2, "Three.");
    await page.keyboard.press("Control+/");
    await expect(page.getByRole("textbox", { name: "Outline" })).toHaveValue(/Three\.\n\n## Part 3/);
    await page.keyboard.press("Control+/");
    await expect.poll(stored).toMatch(/Three\.\n\n## Part 3/);
  });

  await test.step("a reload right after the last key", async () => {
    await typeAtEnd(3, "Four. Five.");
    await page.reload();
    await expect.poll(stored).toMatch(/Four\. Five\.\n\n## Part 4/);
    await expect(brief(page, 3)).toHaveValue(/Four\. Five\.$/);
  });

  await test.step("a second tab that changes another card meanwhile", async () => {
    const other = await context.newPage();
    await openPage(other, `/content/${pieces.outlined}`);
    await typeAtEnd(4, "Six.");
    await brief(other, 9).fill("Of the second tab.");
    await expect.poll(stored).toMatch(/Six\.\n\n## Part 5[\s\S]*Of the second tab\./);
    await expect.poll(stored).toMatch(/One\. Two\.[\s\S]*Three\.[\s\S]*Four\. Five\./);
  });
});

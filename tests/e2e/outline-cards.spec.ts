import { expect, type Page, test } from "@playwright/test";
import { callApi, openPage } from "@/tests/support/e2e-page";
import { userWithShowcase } from "@/tests/support/e2e-user";

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

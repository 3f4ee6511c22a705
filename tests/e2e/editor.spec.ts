import { expect, type Page, test } from "@playwright/test";
import { bodyField, expectBody, expectChangeSeen, fillBody } from "@/tests/support/e2e-editor";
import { callApi, expectAccessible, expectMessage, openPage } from "@/tests/support/e2e-page";
import { e2eQuery, userWithShowcase } from "@/tests/support/e2e-user";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const tab = (page: Page, name: string) => page.getByRole("tab", { name });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

test("opens at the outline, updates the figures while typing and restores an earlier text", async ({
  page,
  context,
}) => {
  const { pieces } = await userWithShowcase(context, "editor");
  const path = `/api/content/${pieces.full}`;
  const { title, body: text } = await callApi<{ title: string; body: string }>(context, "GET", path);
  const stored = { title, body: text };
  await openPage(page, `/content/${pieces.outlined}`);

  await test.step("an outline opens on its Outline tab, and on Edit once a text was written from it", async () => {
    await expect(page.getByRole("tab")).toHaveText(["Edit", "Preview", "Outline", "SEO Assistant"]);
    await expect(tab(page, "Outline")).toHaveAttribute("aria-selected", "true");
    await button(page, "Markdown").click();
    expect((await field(page, "Outline").boundingBox())?.height).toBeGreaterThanOrEqual(600);
    await expect(button(page, "Save Outline")).toBeVisible();
    await expect(button(page, "Write Content with AI")).toBeVisible();
    await openPage(page, `/content/${pieces.full}`);
    await expect(tab(page, "Edit")).toHaveAttribute("aria-selected", "true");
    await expect(tab(page, "Outline")).toBeEnabled();
  });

  await test.step("the status of a published piece cannot be changed", async () => {
    await expect(button(page, "Unpublish from WordPress")).toBeVisible();
    await tab(page, "Edit").click();
    await expect(page.getByLabel("Status")).toBeInViewport();
    await expect(page.getByLabel("Status")).toHaveText("Published");
    await expect(page.getByLabel("Status")).toBeDisabled();
    await expectMessage(page, "Unpublish first to change the status");
    await expectMessage(page, "Content Created");
  });

  await test.step("the preview shows the rendered text", async () => {
    await tab(page, "Preview").click();
    const shown = page.getByRole("tabpanel");
    await expect(shown.getByRole("heading", { name: stored.title })).toBeVisible();
    await expect(shown.getByRole("heading", { name: "Start from the far end" })).toBeVisible();
    await expect(shown.getByRole("listitem")).toHaveCount(3);
    await expect(shown.locator("strong")).toHaveText("50 °F");
  });

  await test.step("the figures follow the text before it is saved", async () => {
    await tab(page, "Edit").click();
    expect((await bodyField(page).boundingBox())?.height).toBeGreaterThanOrEqual(400);
    await field(page, "Title").fill("Late Frost");
    const body = `A late frost and another LATE FROST. ${"🌱 ".repeat(200)}`;
    await fillBody(page, body);
    await expectChangeSeen(page);
    await tab(page, "SEO Assistant").click();
    const figures = page.getByRole("tabpanel");
    await expect(figures.locator("dl", { hasText: "Word count" }).locator("dd")).toHaveText("207");
    // Two occurrences in 207 words.
    await expect(figures.locator("dl", { hasText: "Keyword density" }).locator("dd")).toContainText("0.97%");
    await expect(figures).toContainText("› late-frost");
    // It is published: its address stays.
    await expect(
      figures.getByRole("region", { name: "Address on blog.fernandfurrow.example" }).getByRole("link"),
    ).toBeVisible();
    await expect(figures.getByText([...body].slice(0, 160).join("").trim(), { exact: true })).toBeVisible();
    await button(page, "Save Changes").click();
    await expectMessage(page, "Content has been updated successfully");
  });

  await test.step("restoring an earlier text keeps the current one in the history", async () => {
    await button(page, "Revision history").click();
    const history = page.getByRole("dialog");
    await expect(history.getByRole("listitem").filter({ hasText: stored.title })).toHaveCount(1);
    const old = history.getByRole("listitem").filter({ hasText: stored.title });
    await old.getByRole("button", { name: /^Show/ }).click();
    await expect(old.locator("ins", { hasText: "Late Frost" }).first()).toBeVisible();
    await old.getByRole("button", { name: "Side by side" }).click();
    await expect(old.getByText("Present text").last()).toBeVisible();
    await expectAccessible(page);
    await old.getByRole("tab", { name: "Text" }).click();
    await expect(old.getByRole("heading", { name: "Start from the far end" })).toBeVisible();
    await expect(old.locator("strong")).toHaveText("50 °F");
    await expectAccessible(page);
    await old.getByRole("button", { name: /^Restore/ }).click();
    await expect(history.getByRole("listitem").filter({ hasText: "Late Frost" })).not.toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(button(page, "Revision history")).toBeFocused();
    await tab(page, "Edit").click();
    await expect(field(page, "Title")).toHaveValue(stored.title);
    await expectBody(page, stored.body);
    expect(await callApi(context, "GET", path)).toMatchObject(stored);
  });
});

test.describe("a text's figures, in New York", () => {
  test.use({ timezoneId: "America/New_York", locale: "en-US" });

  test("counts words while typing and shows the save time in the user's time zone", async ({ page, context }) => {
    const { pieces } = await userWithShowcase(context, "foot");
    const path = `/api/content/${pieces.full}`;
    await e2eQuery("UPDATE content_pieces SET updated_at = '2025-11-10T03:30:00Z' WHERE id = $1", [pieces.full]);
    const errors: string[] = [];
    page.on("console", (message) => (message.type() === "error" ? errors.push(message.text()) : undefined));
    await openPage(page, `/content/${pieces.full}`);
    await tab(page, "Edit").click();
    const sheet = page.getByRole("tabpanel");
    await expect(page.locator(".editor-head").getByText(/^Last saved/)).toHaveText("Last saved November 9, 2025");

    await fillBody(page, "word ".repeat(238));
    await expect(sheet.getByText("238 words", { exact: true })).toBeVisible();
    await expect(sheet.getByText("1 min read", { exact: true })).toBeVisible();
    await bodyField(page).press("End");
    await page.keyboard.type("more");
    await expect(sheet.getByText("239 words", { exact: true })).toBeVisible();
    await expect(sheet.getByText("2 min read", { exact: true })).toBeVisible();

    await button(page, "Save Changes").click();
    await expectMessage(page, "Content has been updated successfully");
    const { updatedAt } = await callApi<{ updatedAt: string }>(context, "GET", path);
    const options = { timeStyle: "short", timeZone: "America/New_York" } as const;
    const time = new Intl.DateTimeFormat("en-US", options).format(new Date(updatedAt));
    await expect(page.locator(".editor-head").getByText(/^Saved/)).toHaveText(`Saved ${time}`);
    await button(page, "Revision history").click();
    await expect(
      page
        .getByRole("dialog")
        .getByText(/ at \d{1,2}:\d\d [AP]M · /)
        .first(),
    ).toBeVisible();
    const exact = new Intl.DateTimeFormat("en-US", { ...options, dateStyle: "long" }).format(new Date(updatedAt));
    await expect(button(page, `Restore the text of ${exact}`).first()).toBeVisible();
    // No hydration mismatch between server and browser.
    expect(errors).toEqual([]);
  });
});

import { expect, type Page, test } from "@playwright/test";
import { bodyEditor, expectBody, textOf } from "@/tests/support/e2e-editor";
import { callApi, expectAccessible, expectMessage, openPage } from "@/tests/support/e2e-page";
import { userWithShowcase } from "@/tests/support/e2e-user";

const BODY = [
  "## Before you sow",
  "Fill the tray; wait roughly a week. Keep teh window open.",
  "## After you sow",
  "Water from below.",
].join("\n\n");

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const proposal = (page: Page) => page.getByRole("region", { name: "AI proposal" });
const dialog = (page: Page) => page.getByRole("dialog", { name: "Write with AI" });

test("works on a selection, a section and what comes next, and undoes it in one step", async ({ page, context }) => {
  const { pieces } = await userWithShowcase(context, "assist");
  const path = `/api/content/${pieces.titleOnly}`;
  await callApi(context, "PATCH", path, { body: BODY });
  await openPage(page, `/content/${pieces.titleOnly}`);
  const editor = await bodyEditor(page);

  await test.step("a selection: each change is taken or left", async () => {
    await editor.locator(".cm-line", { hasText: "Fill the tray" }).click({ clickCount: 3 });
    expect(await page.evaluate(() => String(window.getSelection()))).toContain("Fill the tray");
    await page.keyboard.press("Control+j");
    // The dialog has the focus; what it works on still shows, as a selection does elsewhere.
    const selection = page.locator(".cm-selected").first();
    await expect(selection).toContainText("Fill the tray");
    await expect(selection).toHaveCSS("background-color", /\/ 0\.26\)$/);
    await dialog(page).getByText("Simpler", { exact: true }).click();
    await expectAccessible(page);
    await button(page, "Ask the AI").click();
    await expect(dialog(page)).toBeHidden();
    await expectMessage(page, "Change 1 of 2");
    await expect(editor.locator("del")).toHaveText([/;/, "roughly"]);
    await expect(editor.locator("ins")).toHaveText([/\./, "about"]);
    await expectAccessible(page);
    expect((await callApi<{ body: string }>(context, "GET", path)).body).toBe(BODY);
    await button(page, "Take").click();
    await expectMessage(page, "1 change");
    await button(page, "Leave").click();
    await expect(proposal(page)).toBeHidden();
    await expectBody(page, BODY.replace("tray; wait", "tray. wait"));
    await editor.focus();
    await page.keyboard.press("Control+z");
    await expectBody(page, BODY);
  });

  await test.step("the section at the caret is written again, with the user's words", async () => {
    await editor.locator(".cm-line", { hasText: "Water from below" }).click();
    await button(page, "Write with AI").click();
    await expect(dialog(page).getByRole("radio", { name: "Write this section again" })).toBeChecked();
    await page.getByRole("textbox", { name: /What should be different/ }).fill("Say what matters first");
    await page.keyboard.press("Enter");
    await button(page, /^Take( all)?$/)
      .last()
      .click();
    await expectBody(page, BODY.replace("Water from", "Begin with the one thing that matters here. Water from"));
  });

  await test.step("the / menu writes on at the caret, and the result is saved by itself", async () => {
    await editor.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.type("/write");
    await expect(page.getByRole("option", { name: /Write on/ })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(dialog(page).getByRole("radio", { name: "Write on" })).toBeChecked();
    await button(page, "Ask the AI").click();
    await button(page, "Take").click();
    await expectBody(page, /below\.\n\nGo on from here with one small step, and see whether it holds for a week\.$/);
    const text = await textOf(editor);
    await expect.poll(async () => (await callApi<{ body: string }>(context, "GET", path)).body).toBe(text);
  });
});

test("keeps the AI's changes while the user types, looks at the preview and changes the mode", async ({
  page,
  context,
}) => {
  const { pieces } = await userWithShowcase(context, "assist");
  const path = `/api/content/${pieces.titleOnly}`;
  await callApi(context, "PATCH", path, { body: BODY });
  await openPage(page, `/content/${pieces.titleOnly}`);
  const editor = await bodyEditor(page);
  await editor.locator(".cm-line", { hasText: "Fill the tray" }).click();
  await page.keyboard.press("Control+j");
  await dialog(page).getByText("Simpler", { exact: true }).click();
  await button(page, "Ask the AI").click();
  await expectMessage(page, "Change 1 of 2");

  await test.step("words that the user writes are saved, and no proposed ones", async () => {
    await editor.locator(".cm-line", { hasText: "Water from below" }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" Slowly.");
    await expect
      .poll(async () => (await callApi<{ body: string }>(context, "GET", path)).body)
      .toBe(BODY.replace("below.", "below. Slowly."));
    await expect(editor.locator("ins")).toHaveCount(2);
  });

  await test.step("they are there again after the preview", async () => {
    await page.getByRole("tab", { name: "Preview" }).click();
    await expect(page.getByText("Water from below. Slowly.")).toBeVisible();
    await expect(page.getByText("about a week")).toBeHidden();
    await page.getByRole("tab", { name: "Edit" }).click();
    await expect(editor.locator("ins")).toHaveCount(2);
    await expect(proposal(page).getByRole("status")).toHaveText("Change 1 of 2");
  });

  await test.step("the source shows them too, and a press goes to one", async () => {
    await button(page, "Markdown source").click();
    await editor.locator("ins", { hasText: "about" }).click();
    await expect(proposal(page).getByRole("status")).toHaveText("Change 2 of 2");
    await button(page, "Markdown source").click();
  });

  await test.step("changed words are no longer up to the AI", async () => {
    await editor.locator("del", { hasText: "roughly" }).dblclick();
    await page.keyboard.type("just");
    await expect(proposal(page).getByRole("status")).toHaveText("1 change");
    await button(page, "Take").click();
    await expectBody(page, BODY.replace("tray; wait roughly", "tray. wait just").replace("below.", "below. Slowly."));
  });
});

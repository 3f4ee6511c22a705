import { type CDPSession, expect, type Page, test } from "@playwright/test";
import { bodyEditor, expectBody, textOf } from "@/tests/support/e2e-editor";
import { callApi, openPage } from "@/tests/support/e2e-page";
import { userWithShowcase } from "@/tests/support/e2e-user";

/** Types like the browser's own input method: a composition that grows, and what is chosen in the end. */
async function compose(input: CDPSession, page: Page, steps: string[], chosen: string): Promise<void> {
  for (const text of steps) {
    await input.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await page.waitForTimeout(120);
  }
  await input.send("Input.insertText", { text: chosen });
}

test("takes what an input method composes, where marks are hidden and while the text is saved and merged", async ({
  page,
  context,
}) => {
  const { pieces } = await userWithShowcase(context, "ime");
  const path = `/api/content/${pieces.titleOnly}`;
  await callApi(context, "PATCH", path, { body: "## 雨庭\n\n土は**深い**。\n\n- 一つ\n\n終わり。" });
  await openPage(page, `/content/${pieces.titleOnly}`);
  const editor = await bodyEditor(page);
  const input = await context.newCDPSession(page);
  const stored = async () => (await callApi<{ body: string }>(context, "GET", path)).body;

  await test.step("in the middle of bold text", async () => {
    await editor.locator(".cm-strong").click();
    await page.keyboard.press("Home");
    for (let key = 0; key < 5; key += 1) await page.keyboard.press("ArrowRight");
    await compose(input, page, ["n", "に", "にh", "にほ", "にほん"], "日本");
    await expectBody(page, "## 雨庭\n\n土は**深日本い**。\n\n- 一つ\n\n終わり。");
  });

  await test.step("right behind bold text, whose marks stay in sight until it is done", async () => {
    const line = editor.locator(".cm-line", { hasText: "土は" });
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await input.send("Input.imeSetComposition", { text: "とて", selectionStart: 2, selectionEnd: 2 });
    await expect(line).toHaveText("土は**深日本い**とて。");
    await compose(input, page, ["とても"], "とても");
    await expect(line).toHaveText("土は深日本いとても。");
    await expectBody(page, "## 雨庭\n\n土は**深日本い**とても。\n\n- 一つ\n\n終わり。");
  });

  await test.step("at the start of a new item, with a slash and letters that are shortcuts elsewhere", async () => {
    await editor.locator(".cm-list").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await compose(input, page, ["b", "bi", "bi/", "bi/k"], "二つ");
    await expect(page.getByRole("listbox")).toHaveCount(0);
    await expectBody(page, "## 雨庭\n\n土は**深日本い**とても。\n\n- 一つ\n- 二つ\n\n終わり。");
  });

  await test.step("one that lasts longer than a save, while another tab changes another paragraph", async () => {
    await editor.locator(".cm-line").last().click();
    await page.keyboard.press("End");
    await page.keyboard.type("A");
    await input.send("Input.imeSetComposition", { text: "けい", selectionStart: 2, selectionEnd: 2 });
    await expect.poll(stored).toContain("A");
    const { body, version } = await callApi<{ body: string; version: number }>(context, "GET", path);
    await callApi(context, "PATCH", path, { body: body.replace("雨庭", "雨の庭"), version });
    await page.waitForTimeout(1_500);
    await compose(input, page, ["けいか", "けいかく"], "計画");
    await expect.poll(stored, { timeout: 15_000 }).toMatch(/^## 雨の庭[\s\S]*終わり。A計画$/);
    await expectBody(page, await stored());
  });

  await test.step("one that is given up", async () => {
    const before = await textOf(editor);
    await input.send("Input.imeSetComposition", { text: "すて", selectionStart: 2, selectionEnd: 2 });
    await input.send("Input.imeSetComposition", { text: "", selectionStart: 0, selectionEnd: 0 });
    await expectBody(page, before);
  });
});

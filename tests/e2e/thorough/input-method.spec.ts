import { type CDPSession, expect, type Locator, type Page, test } from "@playwright/test";
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

/** The Enter with which an input method takes a word, in most browsers and as Safari reports it. */
const ENTERS = [{ isComposing: true }, { keyCode: 229 }];

async function pressEach(field: Locator): Promise<void> {
  for (const how of ENTERS)
    await field.dispatchEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...how });
}

test("neither sends nor saves on the Enter of an input method", async ({ page, context }) => {
  const { projectId, topicId } = await userWithShowcase(context, "ime-enter");
  const writes: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== "GET" && pathname.startsWith("/api/")) writes.push(pathname);
  });

  await test.step("in the assistant's field", async () => {
    await openPage(page, "/assistant");
    const field = page.getByPlaceholder("Type your message...");
    await expect(page.getByRole("button", { name: "Send message" })).toBeEnabled();
    await field.fill("庭");
    writes.length = 0;
    await pressEach(field);
    await expect(field).toHaveValue("庭");
    expect(writes).toEqual([]);
    await field.press("Enter");
    await expect(field).toHaveValue("");
    await expect.poll(() => writes).toHaveLength(1);
  });

  await test.step("in a title that is edited in a list", async () => {
    await openPage(page, `/projects/${projectId}?topic=${topicId}`);
    await page.getByRole("button", { name: "Edit title: Bottom watering, explained" }).click();
    const field = page.getByLabel("Content title");
    await field.fill("庭仕事");
    writes.length = 0;
    await pressEach(field);
    await expect(field).toHaveValue("庭仕事");
    expect(writes).toEqual([]);
    await field.press("Enter");
    await expect(page.getByRole("link", { name: "庭仕事" })).toBeVisible();
    expect(writes).toEqual([expect.stringMatching(/^\/api\/content\//)]);
  });
});

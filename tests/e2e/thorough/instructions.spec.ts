import { expect, type Page, test } from "@playwright/test";
import { bodyEditor } from "@/tests/support/e2e-editor";
import { callApi, expectAccessible, expectMessage, openPage } from "@/tests/support/e2e-page";
import { userWithShowcase } from "@/tests/support/e2e-user";
import { expectFocusOn, focusTo } from "@/tests/support/keyboard";

const YOU = "Address the reader as “you”.";
const METRIC = "Metric units.";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const popover = (page: Page) => page.getByRole("dialog", { name: "Saved instructions" });
const opener = (page: Page) => page.getByRole("button", { name: "Saved instructions", exact: true });
const choice = (page: Page, name: string) => popover(page).getByRole("button", { name, exact: true });

async function openAssist(page: Page, pieceId: string): Promise<void> {
  await openPage(page, `/content/${pieceId}`);
  await (await bodyEditor(page)).click();
  await page.keyboard.press("Control+j");
  await expect(page.getByRole("dialog", { name: "Write with AI" })).toBeVisible();
}

test("saves an instruction while asking the AI, and uses it for a project and for one text, by keyboard alone", async ({
  page,
  context,
}) => {
  const { projectId, pieces } = await userWithShowcase(context, "instructions");
  await callApi(context, "POST", "/api/instructions", { text: METRIC });

  await test.step("what was typed for the AI is saved", async () => {
    await openAssist(page, pieces.titleOnly);
    const field = page.getByRole("textbox", { name: /What should be different/ });
    await focusTo(page, field);
    await page.keyboard.type(YOU);
    await focusTo(page, opener(page), { back: true });
    await page.keyboard.press("Enter");
    await expectFocusOn(page, choice(page, METRIC));
    await expectAccessible(page);
    await focusTo(page, button(page, "Save what I typed"));
    await page.keyboard.press("Enter");
    await expect(choice(page, YOU)).toBeVisible();
    await expect(popover(page).getByText("Saved.", { exact: true })).toBeVisible();
    // One Escape closes the list alone.
    await page.keyboard.press("Escape");
    await expect(popover(page)).toBeHidden();
    await expectFocusOn(page, opener(page));
    await expect(field).toHaveValue(YOU);
    await page.keyboard.press("Enter");
    await focusTo(page, choice(page, METRIC));
    await page.keyboard.press("Enter");
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(`${YOU} ${METRIC}`);
    await page.keyboard.press("Control+z");
    await expect(field).toHaveValue(YOU);
    await page.keyboard.press("Control+Shift+z");
    await expect(field).toHaveValue(`${YOU} ${METRIC}`);
    // Neither a tone nor a language is an instruction.
    await page.getByRole("radio", { name: "Translate" }).check({ force: true });
    await expect(opener(page)).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  });

  await test.step("a project's writing style takes it, and is saved with it", async () => {
    await openPage(page, `/projects/${projectId}`);
    await focusTo(page, button(page, /Set Writing Style|Edit writing style/), { most: 120 });
    await page.keyboard.press("Enter");
    const field = page.getByLabel("Your own instructions");
    await focusTo(page, field);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Short sentences.");
    await focusTo(page, opener(page), { back: true });
    await page.keyboard.press("Enter");
    await expectFocusOn(page, choice(page, YOU));
    await page.keyboard.press("Enter");
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(/Short sentences\.\nAddress the reader as “you”\.$/);
    await page.keyboard.press("Control+z");
    await expect(field).toHaveValue(/Short sentences\.$/);
    await page.keyboard.press("Control+Shift+z");
    await expect(field).toHaveValue(/Short sentences\.\nAddress the reader as “you”\.$/);
    await focusTo(page, button(page, "Save Writing Style"));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeHidden();
    const { writing } = await callApi<{ writing: { instructions: string } }>(
      context,
      "GET",
      `/api/projects/${projectId}`,
    );
    expect(writing.instructions).toMatch(/Short sentences\.\nAddress the reader as “you”\.$/);
  });

  await test.step("one text takes it, another is changed, and a third deleted", async () => {
    await openPage(page, `/content/${pieces.outlined}`);
    await page.getByRole("tab", { name: "Outline" }).click();
    await focusTo(page, page.locator("summary", { hasText: "Just for this text" }), { most: 120 });
    await page.keyboard.press("Enter");
    const field = page.getByLabel("Instructions", { exact: true });
    await focusTo(page, opener(page));
    await page.keyboard.press("Enter");
    await expectFocusOn(page, choice(page, YOU));
    await page.keyboard.press("Enter");
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(YOU);
    await focusTo(page, opener(page), { back: true });
    await page.keyboard.press("Enter");
    await focusTo(page, button(page, `Edit instruction: ${METRIC}`));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("textbox", { name: "Edit instruction" })).toBeFocused();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Euros.");
    await focusTo(page, popover(page).getByRole("button", { name: "Save", exact: true }));
    await page.keyboard.press("Enter");
    await expectFocusOn(page, button(page, `Edit instruction: ${METRIC} Euros.`));
    await focusTo(page, button(page, `Delete instruction: ${YOU}`), { back: true });
    await page.keyboard.press("Enter");
    await expectFocusOn(page, popover(page).getByRole("button", { name: "Cancel" }));
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expectFocusOn(page, button(page, `Delete instruction: ${YOU}`));
    await page.keyboard.press("Enter");
    await focusTo(page, popover(page).getByRole("button", { name: "Delete", exact: true }));
    await page.keyboard.press("Enter");
    await expectMessage(page, "Instruction deleted");
    await expect(choice(page, `${METRIC} Euros.`)).toBeFocused();
    const left = await callApi<{ text: string }[]>(context, "GET", "/api/instructions");
    expect(left.map(({ text }) => text)).toEqual([`${METRIC} Euros.`]);
  });
});

test("fits a phone of 320 px in a dialog: the list scrolls, and each target can be hit", async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    isMobile: true,
    colorScheme: "dark",
  });
  const page = await context.newPage();
  const { projectId } = await userWithShowcase(context, "instructions.phone");
  for (let n = 1; n <= 12; n++) {
    await callApi(context, "POST", "/api/instructions", {
      text: `${n}. ${"Say what matters first and why. ".repeat(4)}`,
    });
  }
  await openPage(page, `/projects/${projectId}`);
  await button(page, /Set Writing Style|Edit writing style/).tap();
  await opener(page).tap();
  const first = popover(page).getByRole("button", { name: /^12\. / });
  await expect(first).toBeVisible();
  await expectAccessible(page);

  const box = await popover(page).boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(320);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  for (const target of await popover(page).getByRole("button").all()) {
    const { width = 0, height = 0 } = (await target.boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  }
  // The button below the list stays in reach while the list scrolls.
  await expect(button(page, "Save what I typed")).toBeInViewport({ ratio: 1 });
  const last = popover(page).getByRole("button", { name: /^1\. / });
  await expect(last).not.toBeInViewport();
  const { x = 0, y = 0 } = (await first.boundingBox()) ?? {};
  const devtools = await context.newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: { x: number; y: number }[]) =>
    devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
  for (let swipe = 0; swipe < 8; swipe++) {
    await touch("touchStart", { x: x + 40, y: y + 150 });
    for (let by = 10; by <= 150; by += 10) await touch("touchMove", { x: x + 40, y: y + 150 - by });
    await touch("touchEnd");
  }
  await expect(last).toBeInViewport({ ratio: 1 });
  await last.tap();
  await expect(page.getByLabel("Your own instructions")).toHaveValue(/1\. Say what matters first/);
  await expect(popover(page)).toBeHidden();
  await context.close();
});

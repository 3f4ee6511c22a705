import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { bodyEditor, fillBody, textOf } from "@/tests/support/e2e-editor";
import { callApi, openPage } from "@/tests/support/e2e-page";
import { registerUser } from "@/tests/support/e2e-user";

// The sheet that a body is written on, and what opens at the caret.

const SCREENS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 360, height: 740 },
};
const LONG = Array.from({ length: 60 }, (_, n) => `Paragraph ${n + 1} tells a little more about the garden.`);

async function newPiece(context: BrowserContext): Promise<string> {
  await registerUser(context, `sheet.${crypto.randomUUID().slice(0, 8)}`);
  const project = await callApi<{ id: number }>(context, "POST", "/api/projects", { title: "Rain gardens" });
  const about = { name: "Digging", description: "How deep." };
  const topic = await callApi<{ id: number }>(context, "POST", `/api/projects/${project.id}/topics`, about);
  const at = `/api/projects/${project.id}/topics/${topic.id}/content`;
  const { id } = await callApi<{ id: string }>(context, "POST", at, { title: "How deep to dig" });
  return id;
}

/** Something else may lie over it, or it may be outside the window. */
function isOnTop(shown: Locator): Promise<boolean> {
  return shown.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
}

async function expectOnTop(shown: Locator): Promise<void> {
  await expect(shown).toBeVisible();
  await expect.poll(() => isOnTop(shown)).toBe(true);
}

async function putCaretInto(page: Page, paragraph: number): Promise<void> {
  await page.keyboard.press("ControlOrMeta+Home");
  // Each paragraph is followed by an empty line.
  for (let line = 0; line < 2 * paragraph; line++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
}

for (const [screen, viewport] of Object.entries(SCREENS)) {
  test(`takes a click anywhere on the sheet of a ${screen}`, async ({ page, context }) => {
    await page.setViewportSize(viewport);
    await openPage(page, `/content/${await newPiece(context)}`);
    const editor = await bodyEditor(page);
    const box = await editor.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(400);

    await editor.click({ position: { x: 12, y: 300 } });
    await page.keyboard.type("Dig a hand deep");
    expect(await textOf(editor)).toBe("Dig a hand deep");

    await page.keyboard.press("Home");
    await editor.click({ position: { x: 12, y: 350 } });
    await page.keyboard.type(".");
    expect(await textOf(editor)).toBe("Dig a hand deep.");

    await editor.click({ position: { x: 12, y: 12 } });
    await page.keyboard.press("Home");
    await page.keyboard.type("First: ");
    expect(await textOf(editor)).toBe("First: Dig a hand deep.");
  });

  test(`shows what opens at the caret wherever that is, on a ${screen}`, async ({ page, context }) => {
    await page.setViewportSize(viewport);
    await openPage(page, `/content/${await newPiece(context)}`);
    const editor = await bodyEditor(page);
    const texts: [lines: string[], paragraphs: number[]][] = [
      [[], [0]],
      [["One line."], [0]],
      [LONG, [0, 30, LONG.length - 1]],
    ];
    for (const [lines, paragraphs] of texts) {
      await fillBody(page, lines.join("\n\n"));
      for (const paragraph of paragraphs) {
        await putCaretInto(page, paragraph);
        await page.keyboard.type(" /");
        await expectOnTop(page.getByRole("listbox"));
        await page.keyboard.type("tab");
        await expectOnTop(page.getByRole("option", { name: "Table" }));
        await page.keyboard.press("Escape");

        await page.keyboard.press("ControlOrMeta+f");
        await expectOnTop(page.locator(".cm-search"));
        await expectOnTop(page.getByRole("textbox", { name: "Find" }));
        await page.keyboard.press("Escape");

        await editor.focus();
        await page.keyboard.press("ControlOrMeta+j");
        await expectOnTop(page.getByRole("dialog", { name: "Write with AI" }));
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toHaveCount(0);
      }
    }
  });
}

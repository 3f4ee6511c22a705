import { expect, type Locator, type Page, test } from "@playwright/test";
import { bodyEditor, openPiece } from "@/tests/support/e2e-editor";

const BODY = Array.from(
  { length: 60 },
  (_each, index) => `Paragraph ${index} asks for proof [source needed: how deep] and goes on to the end of its line.`,
).join("\n\n");

const WIDTHS = [
  [1440, 900],
  [820, 1100],
  [360, 740],
] as const;

/** Where the line that something stands at is in the window: below the toolbar, in the middle, and above the lower edge. */
const PLACES = { top: 0, middle: 0.5, bottom: 1 };

/** The words "asks for proof" of the line that is nearest to this place of the window. */
async function wordsAt(page: Page, share: number): Promise<{ x: number; y: number; top: number; bottom: number }> {
  return page.evaluate((share) => {
    const bar = document.querySelector(".editor-bar")?.getBoundingClientRect().bottom ?? 0;
    const actions = document.querySelector(".page-bar");
    const isFixed = actions !== null && getComputedStyle(actions).position === "fixed";
    const end = isFixed ? actions.getBoundingClientRect().top : window.innerHeight;
    const middle = bar + (end - bar) * share;
    const lines = [...document.querySelectorAll(".cm-line")].flatMap((line) => {
      const at = line.firstChild?.textContent?.indexOf("asks") ?? -1;
      if (at < 0 || !line.firstChild) return [];
      const range = document.createRange();
      range.setStart(line.firstChild, at);
      range.setEnd(line.firstChild, at + 4);
      const { left, top, bottom, width, height } = range.getBoundingClientRect();
      return top > bar && bottom < end ? [{ x: left + width / 2, y: top + height / 2, top, bottom }] : [];
    });
    const [nearest] = lines.toSorted((a, b) => Math.abs(a.y - middle) - Math.abs(b.y - middle));
    if (!nearest) throw new Error("No line is in sight.");
    return nearest;
  }, share);
}

/** True of each of these if a press on its centre would reach it. */
async function reached(all: Locator): Promise<boolean[]> {
  return all.evaluateAll((elements) =>
    elements.map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return hit !== null && element.contains(hit);
    }),
  );
}

async function expectReached(all: Locator, count: number): Promise<void> {
  await expect(all).toHaveCount(count);
  await expect.poll(() => reached(all)).toEqual(Array.from({ length: count }, () => true));
}

for (const [width, height] of WIDTHS) {
  test(`what floats above the text is on top and beside its words, ${width} pixels wide`, async ({ browser }) => {
    const isPhone = width < 768;
    const context = await browser.newContext({ viewport: { width, height }, isMobile: isPhone, hasTouch: isPhone });
    const page = await context.newPage();
    await openPiece(page, context, BODY);
    const editor = await bodyEditor(page);
    await page.evaluate(() => window.scrollTo(0, 700));
    for (const [place, share] of Object.entries(PLACES)) {
      await test.step(`at the ${place} of the window`, async () => {
        const words = await wordsAt(page, share);
        await page.mouse.dblclick(words.x, words.y);
        const bar = page.getByRole("toolbar", { name: "Selected text" });
        if (isPhone) {
          await page.waitForTimeout(400);
          await expect(bar).toHaveCount(0);
        } else {
          await expectReached(bar.getByRole("button"), 6);
          const box = await bar.boundingBox();
          expect(box && (box.y + box.height <= words.top || box.y >= words.bottom)).toBe(true);
          await page.keyboard.press("Escape");
          await expect(bar).toHaveCount(0);
        }
        await page.keyboard.press("End");
        await page.keyboard.type(" /");
        await expect(page.getByRole("listbox")).toBeVisible();
        await expectReached(page.getByRole("option").first(), 1);
        await page.keyboard.press("Escape");
        await page.keyboard.press("Backspace");
        await page.keyboard.press("Backspace");
        const chip = editor.locator(".cm-source-mark").filter({ visible: true });
        const lines = await chip.evaluateAll((chips, y) => {
          const distances = chips.map((each) => Math.abs(each.getBoundingClientRect().top - y));
          return distances.indexOf(Math.min(...distances));
        }, words.y);
        await chip.nth(lines).click();
        await expectReached(page.locator(".cm-source-popover input"), 1);
        await page.keyboard.press("Escape");
        await expect(page.locator(".cm-source-popover")).toHaveCount(0);
      });
    }
    await context.close();
  });
}

for (const [width, height] of WIDTHS) {
  test(`the bar of a long table covers no cell that is being edited, ${width} pixels wide`, async ({ browser }) => {
    const isPhone = width < 768;
    const context = await browser.newContext({ viewport: { width, height }, isMobile: isPhone, hasTouch: isPhone });
    const page = await context.newPage();
    const rows = Array.from({ length: 60 }, (_each, index) => `| Bean ${index} | ${index} cm |`);
    await openPiece(page, context, `Before.\n\n| Plant | Depth |\n| --- | --- |\n${rows.join("\n")}\n\nAfter.`);
    const editor = await bodyEditor(page);
    const bar = page.getByRole("toolbar", { name: "Table" });
    await editor.getByRole("cell", { name: "Bean 30", exact: true }).click();
    for (const [key, name] of [
      ["ArrowUp", "Bean 8"],
      ["ArrowDown", "Bean 50"],
    ] as const) {
      for (let step = 0; step < 60; step += 1) {
        await page.keyboard.press(key);
        const cell = page.locator(".cm-cell-open");
        if ((await cell.textContent()) === name) break;
      }
      await expect(page.locator(".cm-cell-open")).toHaveText(name);
      await expectReached(page.locator(".cm-cell-open"), 1);
      await expectReached(bar.getByRole("button"), 3);
      const [above, cell] = [await bar.boundingBox(), await page.locator(".cm-cell-open").boundingBox()];
      const isApart = above && cell && (above.y + above.height <= cell.y || cell.y + cell.height <= above.y);
      expect(isApart).toBe(true);
    }
    await context.close();
  });
}

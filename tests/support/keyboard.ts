import { expect, type Locator, type Page } from "@playwright/test";
import { confirmSiteChange } from "@/tests/support/e2e-page";

/** The focused element: its name, and how it shows. */
type Focused = { name: string; isBody: boolean; isSeen: boolean; isMarked: boolean; isCovered: boolean };

/** Presses Tab (`back`: Shift+Tab) up to `most` times until the target has the focus; on failure lists the path. */
export async function focusTo(
  page: Page,
  target: Locator,
  { most = 60, back = false }: { most?: number; back?: boolean } = {},
): Promise<void> {
  await expect(target).toBeVisible();
  const way: string[] = [];
  for (let pressed = 0; pressed <= most; pressed++) {
    const now = await target.evaluate((element) => {
      const { activeElement } = document;
      const text = activeElement?.getAttribute("aria-label") ?? activeElement?.textContent ?? "";
      return { isThere: element === activeElement, name: `${activeElement?.tagName} “${text.trim().slice(0, 40)}”` };
    });
    if (now.isThere) return expectFocusSeen(page);
    way.push(now.name);
    await page.keyboard.press(back ? "Shift+Tab" : "Tab");
  }
  throw new Error(`${most} presses did not lead to ${target}. The focus went: ${way.join(" → ")}`);
}

/** The target has the focus, visibly. */
export async function expectFocusOn(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeFocused();
  await expectFocusSeen(page);
}

/** The focused element is visible, uncovered and marked, itself or through the field around it. */
export async function expectFocusSeen(page: Page): Promise<void> {
  // Let scrolling and fading finish first.
  await expect
    .poll(async () => {
      const { name, ...found } = await focused(page);
      return found.isSeen && found.isMarked && !found.isCovered && !found.isBody ? "seen" : { name, ...found };
    })
    .toBe("seen");
}

/** Tabs to the target and presses a key. */
export async function press(
  page: Page,
  target: Locator,
  key = "Enter",
  options: { back?: boolean } = {},
): Promise<void> {
  await focusTo(page, target, options);
  await page.keyboard.press(key);
}

/** Tabs to what publishes, updates or unpublishes one piece, presses Enter, and confirms the question that it asks. */
export async function pressAndConfirm(page: Page, target: Locator, options: { back?: boolean } = {}): Promise<void> {
  await press(page, target, "Enter", options);
  await press(page, confirmSiteChange(page));
}

/** Tabs to the target and types. */
export async function write(page: Page, target: Locator, text: string): Promise<void> {
  await focusTo(page, target);
  await page.keyboard.type(text);
}

/** Opens a list with Space, moves down to the entry and picks it; the focus returns to the list's button. */
export async function choose(page: Page, list: Locator, entry: string): Promise<void> {
  await press(page, list, "Space");
  const wanted = page.getByRole("option", { name: entry });
  await expect(wanted).toBeVisible();
  for (let pressed = 0; pressed < 20; pressed++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("ArrowDown");
  }
  await expectFocusOn(page, wanted);
  await page.keyboard.press("Enter");
  await expectFocusOn(page, list);
}

function focused(page: Page): Promise<Focused> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const opacity = around(element).reduce((product, one) => product * Number(getComputedStyle(one).opacity), 1);
    const points = [
      [(left + right) / 2, (top + bottom) / 2],
      [left + 3, top + 3],
      [right - 3, bottom - 3],
    ] as const;
    const isCovered = points.every(([x, y]) => {
      const hit = document.elementFromPoint(x, y);
      return hit === null || !(element.contains(hit) || hit.contains(element));
    });
    const inWindow = bottom > 0 && right > 0 && top < window.innerHeight && left < window.innerWidth;
    const text = element.getAttribute("aria-label") ?? element.textContent ?? "";
    return {
      name: `${element.getAttribute("role") ?? element.tagName.toLowerCase()} “${text.trim().slice(0, 40)}”`,
      isBody: element === document.body,
      isSeen: inWindow && width > 1 && height > 1 && style.visibility === "visible" && opacity > 0.9,
      // List entries are marked by their background, the editor of a text by its caret, everything else by an outline;
      // compound fields have it around them.
      isMarked:
        around(element).slice(0, 5).some(hasOutline) ||
        (element.matches(".cm-focused .cm-content") && style.caretColor !== "rgba(0, 0, 0, 0)") ||
        (element.hasAttribute("data-highlighted") && style.backgroundColor !== "rgba(0, 0, 0, 0)"),
      isCovered,
    };

    function around(start: Element): Element[] {
      const found: Element[] = [];
      for (let one: Element | null = start; one && one !== document.body; one = one.parentElement) found.push(one);
      return found;
    }

    function hasOutline(one: Element): boolean {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1 && outlineColor !== "rgba(0, 0, 0, 0)";
    }
  });
}

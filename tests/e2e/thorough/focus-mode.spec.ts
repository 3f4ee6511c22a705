import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { bodyEditor, bodyField, textOf } from "@/tests/support/e2e-editor";
import { callApi, expectAccessible, openPage } from "@/tests/support/e2e-page";
import { registerUser } from "@/tests/support/e2e-user";

const SCREENS = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 360, height: 740 },
};
/** Each fits on one line of a phone. */
const LONG = Array.from({ length: 60 }, (_, n) => `Part ${n + 1} of it.`);

async function newPiece(context: BrowserContext): Promise<string> {
  await registerUser(context, `focus.${crypto.randomUUID().slice(0, 8)}`);
  const project = await callApi<{ id: number }>(context, "POST", "/api/projects", { title: "Rain gardens" });
  const about = { name: "Digging", description: "How deep." };
  const topic = await callApi<{ id: number }>(context, "POST", `/api/projects/${project.id}/topics`, about);
  const at = `/api/projects/${project.id}/topics/${topic.id}/content`;
  const body = LONG.join("\n\n");
  for (const title of ["Why to dig", "How deep to dig"]) await callApi(context, "POST", at, { title, body });
  const [piece] = await callApi<{ id: string }[]>(context, "GET", at);
  return piece?.id ?? "";
}

const focusMode = (page: Page) => page.getByRole("button", { name: "Focus mode", exact: true });
const leave = (page: Page) => page.getByRole("button", { name: "Leave focus mode" });

/** What can be seen or reached besides the sheet: what lies at any point of the window, and every control. */
async function besidesText(page: Page): Promise<{ seen: string[]; controls: string[] }> {
  return page.evaluate(() => {
    const sheet = document.querySelector(".editor-bar")?.parentElement as Element;
    const seen = new Set<string>();
    for (let y = 4; y < innerHeight; y += 8) {
      for (let x = 4; x < innerWidth; x += 8) {
        const element = document.elementFromPoint(x, y);
        // What contains the sheet is its background.
        if (element && !sheet.contains(element) && !element.contains(sheet)) seen.add(element.outerHTML.slice(0, 200));
      }
    }
    const controls = [...document.querySelectorAll<HTMLElement>("a, button, input, select, textarea")]
      .filter((control) => !control.matches(".sr-only") && control.getBoundingClientRect().width > 0)
      .map((control) => control.getAttribute("aria-label") ?? control.textContent?.trim() ?? "");
    return { seen: [...seen], controls };
  });
}

const caretNow = (page: Page) =>
  page.evaluate(() => getSelection()?.getRangeAt(0).getBoundingClientRect().top ?? Number.NaN);

/** Where the caret is in the window, once the editor has scrolled to it. */
async function caretTop(page: Page): Promise<number> {
  let top = Number.NaN;
  await expect
    .poll(async () => {
      const before = top;
      top = await caretNow(page);
      return Math.abs(top - before);
    })
    .toBeLessThan(1);
  return top;
}

/** Where a button is. Playwright's own click would scroll the page to what sticks to its top. */
async function placeOf(button: Locator): Promise<[x: number, y: number]> {
  await button.evaluate((element) =>
    element.scrollIntoView({ block: "nearest", inline: "center", behavior: "instant" }),
  );
  const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
  return [x + width / 2, y + height / 2];
}

async function putCaretInto(page: Page, paragraph: number): Promise<void> {
  await bodyField(page).focus();
  await page.keyboard.press("ControlOrMeta+Home");
  for (let line = 0; line < 2 * paragraph; line++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
}

for (const [screen, viewport] of Object.entries(SCREENS)) {
  test(`leaves the text alone on the screen of a ${screen}`, async ({ page, context }) => {
    const id = await newPiece(context);
    await page.setViewportSize(viewport);
    await openPage(page, `/content/${id}`);
    const editor = await bodyEditor(page);
    await editor.evaluate((field) => Object.assign(field, { isFirst: true }));
    await putCaretInto(page, 30);
    await page.keyboard.type(" Before.");

    await test.step("nothing else is seen, and caret and focus are where they were", async () => {
      const button = await placeOf(focusMode(page));
      const before = await caretTop(page);
      await page.mouse.click(...button);
      await expect(leave(page)).toBeVisible();
      await expect(editor).toBeFocused();
      expect(Math.abs((await caretTop(page)) - before)).toBeLessThan(2);
      const alone = { seen: [], controls: ["Leave focus mode", "Title"] };
      expect(await besidesText(page)).toEqual(alone);
      await page.keyboard.press("ControlOrMeta+Home");
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      expect(await besidesText(page)).toEqual(alone);
      await expectAccessible(page);
    });

    await test.step("Escape closes what is open, and only then leaves", async () => {
      await putCaretInto(page, 30);
      await page.keyboard.type(" /");
      await expect(page.getByRole("listbox")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("listbox")).toHaveCount(0);
      await page.keyboard.press("Backspace");
      await page.keyboard.press("Backspace");

      await page.keyboard.press("ControlOrMeta+f");
      await expect(page.locator(".cm-search")).toBeInViewport();
      await page.keyboard.press("Escape");
      await expect(page.locator(".cm-search")).toHaveCount(0);

      await page.keyboard.press("ControlOrMeta+j");
      await expect(page.getByRole("dialog", { name: "Write with AI" })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(leave(page)).toBeVisible();

      await editor.focus();
      await page.keyboard.type(" During.");
      const before = await caretTop(page);
      await page.keyboard.press("Escape");
      await expect(leave(page)).toHaveCount(0);
      await expect(focusMode(page)).toBeVisible();
      await expect(page.getByRole("tab", { name: "Preview" })).toBeAttached();
      await expect(editor).toBeFocused();
      expect(Math.abs((await caretTop(page)) - before)).toBeLessThan(2);
    });

    await test.step("the editor is still the same, with its history, and has saved", async () => {
      const stored = async () => (await callApi<{ body: string }>(context, "GET", `/api/content/${id}`)).body;
      await expect.poll(stored).toContain("Part 31 of it. Before. During.");
      expect(await editor.evaluate((field) => "isFirst" in field)).toBe(true);
      await page.keyboard.press("ControlOrMeta+z");
      await page.keyboard.press("ControlOrMeta+z");
      await page.keyboard.press("ControlOrMeta+z");
      await expect.poll(() => textOf(editor)).not.toContain("During.");
    });

    await test.step("the button leaves too, to where the page was", async () => {
      await page.keyboard.press("ControlOrMeta+Home");
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await focusMode(page).click();
      await leave(page).click();
      await expect(focusMode(page)).toBeVisible();
      await expect(editor).toBeFocused();
      expect(await page.evaluate(() => scrollY)).toBe(0);
    });
  });
}

test("says in focus mode that a text is not saved, and ends with its screen", async ({ page, context }) => {
  const id = await newPiece(context);
  await openPage(page, "/content");
  await openPage(page, `/content/${id}`);
  const editor = await bodyEditor(page);
  await editor.focus();
  await focusMode(page).click();
  await page.route("**/api/content/*", (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.fallback(),
  );
  await page.keyboard.type("Lost? ");
  await expect(page.getByRole("tabpanel").getByRole("status").filter({ hasText: "Not saved yet" })).toBeVisible();
  await page.unroute("**/api/content/*");
  await page.keyboard.type("No.");
  await expect(page.getByText("Not saved yet")).toHaveCount(0, { timeout: 20_000 });
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Content Library" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Queue Monitor" })).toBeVisible();
});

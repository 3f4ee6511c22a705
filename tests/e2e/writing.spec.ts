import { expect, type Page, test } from "@playwright/test";
import {
  bodyEditor,
  bodyField,
  expectBody,
  expectChangeSeen,
  fillBody,
  openPiece,
  paste,
  textOf,
} from "@/tests/support/e2e-editor";
import { callApi, expectAccessible, expectMessage, openPage } from "@/tests/support/e2e-page";

const tool = (page: Page, name: string) =>
  page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name, exact: true });
const tab = (page: Page, name: string) => page.getByRole("tab", { name });

const EVERYTHING = [
  "## Why water **stays**",
  "A *short* [guide](https://example.com/clay) with `code` and ~~errors~~.",
  "- Iris\n- Sedge\n  - Blue",
  "- [ ] Dig",
  "> Wait for rain.",
  "| Plant | Depth |\n| --- | ---: |\n| **Iris** | 30 cm |",
  "---",
  "Not a link: [source needed: depth].",
].join("\n\n");

test("shows the text as it will look, and its marks where the caret is", async ({ page, context }) => {
  await openPiece(page, context, EVERYTHING);
  const editor = await bodyEditor(page);

  await test.step("marks are hidden, tables and tasks are drawn", async () => {
    await expect(editor.locator(".cm-heading-2")).toHaveText("Why water stays");
    await expect(editor.locator(".cm-strong").first()).toHaveText("stays");
    await expect(editor.locator(".cm-link")).toHaveText(["guide"]);
    await expect(editor.getByRole("table").getByRole("row")).toHaveText(["PlantDepth", "Iris30 cm"]);
    await expect(editor.getByRole("checkbox", { name: "Done" })).not.toBeChecked();
    await expect(editor.getByRole("separator")).toHaveCount(1);
    await expect(editor).toContainText("Not a link: [source needed: depth].");
    await expect(editor).not.toContainText("**");
    await expectAccessible(page);
  });

  await test.step("the caret brings the marks of its place", async () => {
    await editor.locator(".cm-strong").first().click();
    await expect(editor.locator(".cm-heading-2")).toHaveText("## Why water **stays**");
    await editor.getByRole("cell", { name: "30 cm" }).click();
    await expect(editor.getByRole("textbox", { name: "Row 2, Depth" })).toBeFocused();
    await expect(editor).not.toContainText("---");
    await expect(editor.locator(".cm-heading-2")).toHaveText("Why water stays");
  });

  await test.step("nothing of it changed the text; a tick changes one character", async () => {
    await expectBody(page, EVERYTHING);
    await expect(page.getByText("Unsaved changes")).toBeHidden();
    await editor.getByRole("checkbox", { name: "Done" }).click();
    await expectBody(page, EVERYTHING.replace("[ ]", "[x]"));
    await expectChangeSeen(page);
  });

  await test.step("the source is one key away, and back", async () => {
    await editor.press("Control+/");
    await expect(tool(page, "Markdown source")).toHaveAttribute("aria-pressed", "true");
    await expect(editor).toContainText("## Why water **stays**");
    await expect(editor.getByRole("table")).toHaveCount(0);
    await editor.press("Control+/");
    await editor.press("Control+Home");
    await expect(editor.getByRole("table")).toHaveCount(1);
  });
});

test("writes with the keyboard, the toolbar and the menu", async ({ page, context }) => {
  const path = await openPiece(page, context, "");
  const editor = await bodyEditor(page);
  await editor.focus();

  await test.step("lists go on and end", async () => {
    await page.keyboard.type("- Iris\nSedge\n\nA word");
    await expectBody(page, "- Iris\n- Sedge\n\nA word");
  });

  await test.step("Ctrl+B is bold in the text, and the sidebar's elsewhere", async () => {
    await page.keyboard.press("Control+Shift+ArrowLeft");
    await page.keyboard.press("Control+b");
    await expectBody(page, "- Iris\n- Sedge\n\nA **word**");
    await expect(tool(page, "Bold")).toHaveAttribute("aria-pressed", "true");
    const shell = page.locator("[data-sidebar]");
    await expect(shell).not.toHaveAttribute("data-sidebar", "collapsed");
    await page.getByRole("textbox", { name: "Title", exact: true }).focus();
    await page.keyboard.press("Control+b");
    await expect(shell).toHaveAttribute("data-sidebar", "collapsed");
    await page.keyboard.press("Control+b");
  });

  await test.step("the toolbar is one stop, with arrows inside", async () => {
    await tool(page, "Heading").focus();
    await page.keyboard.press("End");
    await expect(tool(page, "Markdown source")).toBeFocused();
    await page.keyboard.press("Home");
    await expect(tool(page, "Write with AI")).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect(editor).toBeFocused();
    await expectBody(page, "- Iris\n- Sedge\n\n## A **word**");
  });

  await test.step("the menu inserts what its entry says", async () => {
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n\n/ta");
    const menu = page.getByRole("listbox");
    await expect(menu.getByRole("option")).toHaveText([/^Table/, /^Task list/]);
    await page.keyboard.press("Enter");
    await expectBody(page, /\| Column \| Column \|\n\| --- \| --- \|\n\| {2}\| {2}\|\n\n$/);
  });

  await test.step("undo goes on after another tab was open", async () => {
    await fillBody(page, "One two.");
    await tab(page, "Preview").click();
    await expect(page.getByRole("tabpanel")).toContainText("One two.");
    await tab(page, "Edit").click();
    await expectBody(page, "One two.");
    await bodyField(page).press("Control+z");
    await expect.poll(async () => textOf(await bodyEditor(page))).not.toBe("One two.");
    await bodyField(page).press("Control+y");
    await expectBody(page, "One two.");
  });

  await test.step("find and replace", async () => {
    await bodyField(page).press("Control+f");
    await page.getByRole("textbox", { name: "Find" }).fill("two");
    await page.getByRole("textbox", { name: "Replace" }).fill("three");
    await page.getByRole("button", { name: "Replace all" }).click();
    await expectBody(page, "One three.");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(bodyField(page)).toBeFocused();
  });

  await test.step("what is pasted from a page becomes Markdown", async () => {
    await bodyField(page).press("Control+End");
    const html = "<p> It <b>holds</b> <a href='https://example.com/'>water</a>.</p>";
    await paste(await bodyEditor(page), { "text/html": html, "text/plain": "It holds water." });
    await expectBody(page, "One three.It **holds** [water](https://example.com/).");
    await page.keyboard.press("Control+s");
    await expectMessage(page, "Content has been updated successfully");
    const { body } = await callApi<{ body: string }>(context, "GET", path);
    expect(body).toBe("One three.It **holds** [water](https://example.com/).");
  });

  await test.step("a save in the middle of a sentence leaves the space before the next word", async () => {
    await fillBody(page, "One");
    await page.keyboard.type(" two ");
    await page.keyboard.press("Control+s");
    await expect(page.getByText("Unsaved changes")).toBeHidden();
    await page.keyboard.type("three");
    await expectBody(page, "One two three");
  });
});

test("mends a missing source at its chip, with a link, a step back and without the claim", async ({
  page,
  context,
}) => {
  const marked = "Most fill in a day. Ten [source needed: gardens] of them overflow.";
  const path = await openPiece(page, context, marked);
  const editor = await bodyEditor(page);
  const chip = editor.getByRole("button", { name: "Source needed: gardens" });
  const popover = page.getByRole("dialog", { name: "Source needed: gardens" });

  await test.step("a click and a pasted link make a citation, which is saved", async () => {
    await chip.click();
    await expect(popover.getByLabel("Paste a link")).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.insertText("example.com/gardens");
    await page.keyboard.press("Enter");
    await expect(popover.getByRole("alert")).toHaveText("Paste an address that begins with https:// or http://.");
    await popover.getByLabel("Paste a link").fill("https://example.com/gardens");
    await page.keyboard.press("Enter");
    await expect(bodyField(page)).toBeFocused();
    const cited = marked.replace("[source needed: gardens]", "([source](https://example.com/gardens))");
    await expectBody(page, cited);
    await page.keyboard.press("Control+s");
    await expectMessage(page, "Content has been updated successfully");
    expect(await callApi<{ body: string }>(context, "GET", path)).toMatchObject({ body: cited });
  });

  await test.step("undo brings the mark back; the keyboard drops the claim", async () => {
    await page.keyboard.press("Control+z");
    await expectBody(page, marked);
    await page.keyboard.press("Control+.");
    await page.keyboard.press("Escape");
    await expect(popover).toBeHidden();
    await expect(bodyField(page)).toBeFocused();
    await page.keyboard.press("Control+.");
    await popover.getByRole("button", { name: "Drop the claim" }).press("Enter");
    await expectBody(page, "Most fill in a day.");
  });
});

test("takes what is typed before its scripts are there, and stays a plain field without them", async ({
  page,
  context,
}) => {
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The largest script that is asked for after the page has loaded.
  let isLate = false;
  await page.route("**/_next/static/chunks/**", async (route) => {
    if (isLate) await held;
    await route.continue().catch(() => undefined);
  });
  page.on("load", () => {
    isLate = true;
  });
  await openPiece(page, context, "Read at once.");
  const plain = bodyField(page).and(page.locator("textarea"));
  await expect(plain).toHaveValue("Read at once.");
  await plain.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" And typed");
  release?.();
  await page.keyboard.type(" through.", { delay: 40 });
  await expectBody(page, "Read at once. And typed through.");
  await expect(bodyField(page)).toBeFocused();
  await page.keyboard.type(" On.");
  await expectBody(page, "Read at once. And typed through. On.");

  await test.step("without the scripts, the plain field saves", async () => {
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expectMessage(page, "Content has been updated successfully");
    await page.unrouteAll();
    isLate = false;
    await page.route("**/_next/static/chunks/**", (route) => (isLate ? route.abort() : route.continue()));
    await openPage(page, page.url());
    await bodyField(page).fill("Plain.");
    await page.keyboard.press("Control+s");
    await expectMessage(page, "Content has been updated successfully");
    await expect(plain).toHaveValue("Plain.");
  });
});

test("saves what was typed a moment ago in a long text before it is left", async ({ page, context }) => {
  await openPiece(page, context, "A sentence of a long text. ".repeat(200));
  await (await bodyEditor(page)).focus();
  await page.keyboard.press("Control+End");
  // The first key adds white space alone, which would not count as a change.
  await page.keyboard.type("\nTyped just now.");
  await page.getByRole("link", { name: "Queue Monitor" }).evaluate((link) => (link as HTMLElement).click());
  await expect(page).toHaveURL(/queue-monitor/);
  await page.goBack();
  await expectBody(page, /Typed just now\.$/);
  await page.reload();
  await expectBody(page, /Typed just now\.$/);
});

test("keeps buttons, tabs and toolbar in sight above a long text, and the caret below them", async ({
  page,
  context,
}) => {
  await openPiece(page, context, "A paragraph of a long text.\n\n".repeat(100));
  const editor = await bodyEditor(page);
  await editor.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("PageUp");
  await page.keyboard.press("PageUp");
  for (const shown of [page.getByRole("button", { name: "Save Changes" }), tab(page, "Preview"), tool(page, "Bold")]) {
    await expect(shown).toBeInViewport({ ratio: 1 });
  }
  await expect(page.getByLabel("Status")).not.toBeInViewport();
  for (let line = 0; line < 40; line += 1) await page.keyboard.press("ArrowUp");
  const bottomOfBar = await tool(page, "Bold").evaluate((one) => one.getBoundingClientRect().bottom);
  const topOfCaret = () =>
    page.evaluate(() => {
      const { focusNode } = window.getSelection() as Selection;
      const line = focusNode instanceof Element ? focusNode : focusNode?.parentElement;
      return line?.getBoundingClientRect().top;
    });
  // The page scrolls a moment after the keys.
  await expect.poll(topOfCaret).toBeGreaterThan(bottomOfBar);
  await page.keyboard.press("Control+f");
  await expect(page.getByRole("textbox", { name: "Find" })).toBeInViewport({ ratio: 1 });
});

test("fits every width, with a long word, a wide table and a picture that does not load", async ({ page, context }) => {
  const cells = Array.from({ length: 9 }, (_, index) => `Column ${index}`).join(" | ");
  const body = [
    "word".repeat(60),
    `| ${cells} |\n|${" --- |".repeat(9)}\n| ${cells} |`,
    "![A basin](https://localhost:9/basin.png)",
    `- ${"An item that goes on for longer than a line. ".repeat(4)}`,
  ].join("\n\n");
  await openPiece(page, context, body);
  for (const width of [320, 360, 600, 768, 820, 1024, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await bodyEditor(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect({ width, overflow }).toEqual({ width, overflow: 0 });
    await tool(page, "Markdown source").scrollIntoViewIfNeeded();
    await expect(tool(page, "Markdown source")).toBeInViewport({ ratio: 1 });
  }
  await expectMessage(page, "The image “A basin” does not load");
});

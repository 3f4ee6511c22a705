import { expect, type Page, test } from "@playwright/test";
import { bodyEditor, bodyField, expectBody, openPiece, paste } from "@/tests/support/e2e-editor";
import { callApi, expectAccessible } from "@/tests/support/e2e-page";

const TABLE = "| Plant | Depth |\n| --- | ---: |\n| **Iris** | 30 cm |\n|Sedge|  a \\| b |";
const BODY = `Before.\n\n${TABLE}\n\nAfter.`;

/** The editor of the open cell. */
const cell = (page: Page, name?: string | RegExp) =>
  name === undefined
    ? page.locator(".cm-table [contenteditable=true]")
    : page.locator(".cm-table").getByRole("textbox", { name, exact: true });
const body = (from: string, to: string) => BODY.replace(from, to);

test("edits a cell in its place, and changes nothing but its words", async ({ page, context }) => {
  await openPiece(page, context, BODY);
  const editor = await bodyEditor(page);

  await test.step("a press opens the cell that it meets, and types there", async () => {
    await editor.getByRole("cell", { name: "30 cm" }).click();
    await expect(cell(page, "Row 2, Depth")).toBeFocused();
    await expect(editor).not.toContainText("---");
    await page.keyboard.press("End");
    await page.keyboard.type(" | deep");
    await expectBody(page, body("30 cm", "30 cm \\| deep"));
    await expect(cell(page)).toHaveText("30 cm | deep");
  });

  await test.step("undo takes it back, in the one history of the text", async () => {
    await page.keyboard.press("ControlOrMeta+z");
    await expectBody(page, BODY);
    await expect(cell(page)).toHaveText("30 cm");
    await page.keyboard.press("ControlOrMeta+y");
    await expectBody(page, body("30 cm", "30 cm \\| deep"));
    await page.keyboard.press("ControlOrMeta+z");
    await expectBody(page, BODY);
  });

  await test.step("Tab and Enter go from cell to cell, and add a row at the end", async () => {
    await page.keyboard.press("Tab");
    await expect(cell(page, "Row 3, Plant")).toBeFocused();
    await page.keyboard.press("Shift+Tab");
    await expect(cell(page, "Row 2, Depth")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(cell(page, "Row 3, Depth")).toBeFocused();
    await expect(cell(page)).toHaveText("a | b");
    await page.keyboard.press("Tab");
    await expect(cell(page, "Row 4, Plant")).toBeFocused();
    await page.keyboard.type("Rush ");
    await page.keyboard.type("x");
    await expectBody(page, body("a \\| b |", "a \\| b |\n| Rush x |  |"));
    await page.keyboard.press("ControlOrMeta+z");
    await page.keyboard.press("ControlOrMeta+z");
    await expectBody(page, BODY);
  });

  await test.step("bold is the toolbar's and the keys'", async () => {
    await editor.getByRole("cell", { name: "30 cm" }).dblclick({ position: { x: 60, y: 15 } });
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("ControlOrMeta+b");
    await expectBody(page, body("30 cm", "**30 cm**"));
    await page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name: "Bold" }).click();
    await expectBody(page, BODY);
    await expect(cell(page, "Row 2, Depth")).toBeFocused();
    await page.keyboard.type("40");
    await expectBody(page, body("30 cm", "40"));
    await page.getByRole("button", { name: "Heading", exact: true }).click();
    await expectBody(page, body("30 cm", "40"));
  });

  await test.step("Escape leaves the table, and what is typed there is no row", async () => {
    await page.keyboard.press("Escape");
    await expect(bodyField(page)).toBeFocused();
    await page.keyboard.type("New");
    await expectBody(page, body("30 cm", "40").replace("\n\nAfter", "\n\nNew\nAfter"));
  });
});

test("leaves the focus in a cell to what a key opens, and takes it back", async ({ page, context }) => {
  const text = `${BODY}\n\n|a|b|\n|-|-|\n|Rush [source needed: depth]|x|`;
  await openPiece(page, context, text);
  const editor = await bodyEditor(page);
  const rush = editor.getByRole("cell", { name: /^Rush/ });

  await test.step("the search", async () => {
    await editor.getByRole("cell", { name: "30 cm" }).click();
    await page.keyboard.press("ControlOrMeta+f");
    await expect(page.getByRole("textbox", { name: "Find" })).toBeFocused();
    await page.keyboard.type("Rush");
    await expectBody(page, text);
    await page.keyboard.press("Escape");
  });

  await test.step("the window of a source", async () => {
    await rush.click({ position: { x: 16, y: 16 } });
    await page.keyboard.press("End");
    await page.keyboard.press("Control+.");
    await expect(page.getByLabel("Paste a link")).toBeFocused();
    await page.keyboard.type("https://a.example/d");
    await page.keyboard.press("Enter");
    await expectBody(page, text.replace("Rush [source needed: depth]", "Rush ([source](https://a.example/d))"));
    await page.keyboard.press("ControlOrMeta+z");
    await expectBody(page, text);
  });

  await test.step("the view of the Markdown, and back", async () => {
    await editor.getByRole("cell", { name: "30 cm" }).click();
    await page.keyboard.press("ControlOrMeta+/");
    await page.keyboard.press("ControlOrMeta+/");
    await expect(cell(page, "Row 2, Depth")).toBeFocused();
  });

  await test.step("bold in a cell without spaces keeps its words", async () => {
    await rush.click({ position: { x: 16, y: 16 } });
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("ControlOrMeta+b");
    await expectBody(page, text.replace("|Rush [source needed: depth]|", "| **R**ush [source needed: depth] |"));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type("!");
    await expectBody(page, text.replace("|Rush [source needed: depth]|", "| **R!**ush [source needed: depth] |"));
  });
});

test("goes in and out by arrows, also where a table begins and ends the text", async ({ page, context }) => {
  await openPiece(page, context, TABLE);
  const editor = await bodyEditor(page);
  await editor.getByRole("cell", { name: "Iris" }).click();
  await page.keyboard.press("ArrowUp");
  await expect(cell(page, "Heading, Plant")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(bodyField(page)).toBeFocused();
  await page.keyboard.type("Above");
  await expectBody(page, `Above\n\n${TABLE}`);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(cell(page, "Heading, Plant")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  await expect(cell(page, "Heading, Depth")).toBeFocused();
  for (let row = 0; row < 3; row += 1) await page.keyboard.press("ArrowDown");
  await expect(bodyField(page)).toBeFocused();
  await page.keyboard.type("Below");
  await expectBody(page, `Above\n\n${TABLE}\n\nBelow`);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(cell(page, "Row 3, Depth")).toBeFocused();
});

const bar = (page: Page) => page.getByRole("toolbar", { name: "Table" });

async function choose(page: Page, menu: "Row" | "Column", entry: string): Promise<void> {
  await bar(page).getByRole("button", { name: menu }).click();
  await page
    .getByRole("menu", { name: menu })
    .getByRole(/^Align/.test(entry) ? "menuitemradio" : "menuitem", { name: entry })
    .click();
}

test("adds, moves and removes rows and columns, by the pointer and by keys", async ({ page, context }) => {
  await openPiece(page, context, BODY);
  const editor = await bodyEditor(page);
  await editor.getByRole("cell", { name: "30 cm" }).click();

  await test.step("the bar is above the table, over none of its words", async () => {
    const [top, table] = [await bar(page).boundingBox(), await editor.getByRole("table").boundingBox()];
    expect((top?.y ?? 0) + (top?.height ?? 0)).toBeLessThanOrEqual((table?.y ?? 0) + 1);
    await expectAccessible(page);
    await page.getByRole("textbox", { name: "Title", exact: true }).focus();
    await expect(bar(page)).toBeHidden();
    await editor.getByRole("cell", { name: "30 cm" }).click();
  });

  await test.step("each command changes what it names, and is undone at once", async () => {
    const rows = TABLE.split("\n");
    const [head = "", marks = "", iris = "", sedge = ""] = rows;
    const made: ["Row" | "Column", string, string[]][] = [
      ["Row", "Insert row above", [head, marks, "|  |  |", iris, sedge]],
      ["Row", "Insert row below", [head, marks, iris, "|  |  |", sedge]],
      ["Row", "Move row down", [head, marks, sedge, iris]],
      ["Row", "Delete row", [head, marks, sedge]],
      ["Column", "Insert column after", [`${head}  |`, `${marks} --- |`, `${iris}  |`, `${sedge}  |`]],
      [
        "Column",
        "Move column back",
        ["| Depth | Plant |", "| ---: | --- |", "| 30 cm | **Iris** |", "|  a \\| b |Sedge|"],
      ],
      ["Column", "Delete column", ["| Plant |", "| --- |", "| **Iris** |", "|Sedge|"]],
      ["Column", "Align to the center", [head, "| --- | :---: |", iris, sedge]],
    ];
    for (const [menu, entry, lines] of made) {
      await choose(page, menu, entry);
      await expectBody(page, body(TABLE, lines.join("\n")));
      await expect(cell(page)).toBeFocused();
      await page.keyboard.press("ControlOrMeta+z");
      await expectBody(page, BODY);
      await expect(cell(page, "Row 2, Depth")).toBeFocused();
    }
  });

  await test.step("the table is deleted as a whole, and comes back at once", async () => {
    await choose(page, "Row", "Delete table");
    await expectBody(page, body(TABLE, ""));
    await expect(bodyField(page)).toBeFocused();
    await page.keyboard.press("ControlOrMeta+z");
    await expectBody(page, BODY);
    await expect(cell(page, "Row 2, Depth")).toBeFocused();
  });

  await test.step("keys reach the bar and its menus", async () => {
    await page.keyboard.press("Alt+F10");
    await expect(bar(page).getByRole("button", { name: "Row" })).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: "Insert column before" })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(bar(page).getByRole("button", { name: "Column" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(cell(page, "Row 2, Depth")).toBeFocused();
  });

  await test.step("the Markdown is there until the caret leaves it", async () => {
    await bar(page).getByRole("button", { name: "Markdown" }).click();
    await expect(editor).toContainText("| --- | ---: |");
    await expect(bodyField(page)).toBeFocused();
    await page.keyboard.type("!");
    await expectBody(page, body("30 cm", "30 cm!"));
    await page.keyboard.press("ControlOrMeta+Home");
    await expect(editor.getByRole("table")).toHaveCount(1);
  });
});

test("fills cells with a range, and takes other pastes as one line", async ({ page, context }) => {
  await openPiece(page, context, BODY);
  const editor = await bodyEditor(page);
  await editor.getByRole("cell", { name: "a | b" }).click();
  await paste(cell(page), { "text/plain": '1\t2|3\n"x\ny"\t4\n' });
  const filled =
    "| Plant | Depth |  |\n| --- | ---: | --- |\n| **Iris** | 30 cm |  |\n|Sedge|  1 | 2\\|3 |\n|  | x y | 4 |";
  await expectBody(page, body(TABLE, filled));
  await expect(cell(page, "Row 4, column 3")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+z");
  await expectBody(page, BODY);

  const html = "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td><b>4</b></td></tr></table>";
  await editor.getByRole("cell", { name: "Iris" }).click();
  await paste(cell(page), { "text/html": html, "text/plain": "1\t2\n3\t4" });
  await expectBody(page, body(TABLE, "| Plant | Depth |\n| --- | ---: |\n| 1 | 2 |\n| 3 |  **4** |"));
  await page.keyboard.press("ControlOrMeta+z");
  await expectBody(page, BODY);

  await editor.getByRole("cell", { name: "Sedge" }).click();
  await page.keyboard.press("End");
  await paste(cell(page), { "text/plain": " one\ntwo | three" });
  await expectBody(page, body("|Sedge|", "| Sedgeone two \\| three |"));
});

test("takes tables as people write them, on a phone too", async ({ page, context }) => {
  const wide = Array.from({ length: 316 }, (_, column) => `c${column}`).join(" | ");
  const tables = [
    "> | In | Quote |\n> | --- | --- |\n> | a | b |",
    "a | b | c\n--- | --- | ---\n1 | 2\n1 | 2 | 3 | 4",
    "| \u05e6\u05de\u05d7 | \u05e2\u05d5\u05de\u05e7 |\n|---|---|\n| 🌱👩‍🌾 | `x \\| y` |",
    "|  |\n| --- |",
    `| ${wide} |\n|${" --- |".repeat(316)}`,
  ];
  const text = tables.join("\n\n");
  await page.setViewportSize({ width: 320, height: 640 });
  await openPiece(page, context, text);
  const editor = await bodyEditor(page);
  await expect(editor.getByRole("table")).toHaveCount(4);
  await expect(editor).toContainText("| In | Quote |");

  const first = editor.getByRole("table").first();
  await first.getByRole("row").nth(1).getByRole("cell").nth(2).click();
  await expect(cell(page, "Row 2, c")).toBeFocused();
  await page.keyboard.type("x");
  await expectBody(page, text.replace("1 | 2\n", "| 1 | 2 | x |\n"));
  const box = await bar(page).boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
  for (const button of await bar(page).getByRole("button").all()) {
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
  await page.keyboard.press("ControlOrMeta+z");
  await expectBody(page, text);

  const second = editor.getByRole("table").nth(1);
  await expect(second).toHaveAttribute("dir", "rtl");
  await second.getByRole("cell").first().click();
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await expectBody(page, text.replace("🌱👩‍🌾", "🌱"));
  await page.keyboard.press("ControlOrMeta+z");
  await page.keyboard.press("Tab");
  await expect(cell(page)).toHaveText("`x | y`");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("|");
  await expectBody(page, text.replace("`x \\| y`", "`x \\| y\\|`"));
  await page.keyboard.press("ControlOrMeta+z");

  await editor.getByRole("table").nth(2).getByRole("columnheader").click();
  await page.keyboard.type("Alone");
  await page.keyboard.press("Enter");
  await expectBody(page, text.replace("|  |\n| --- |", "| Alone |\n| --- |\n|  |"));
  await page.keyboard.press("ControlOrMeta+z");
  await page.keyboard.press("ControlOrMeta+z");
  await expectBody(page, text);
});

test("takes what an input method composes in a cell, while another tab changes the text", async ({ page, context }) => {
  const path = await openPiece(page, context, BODY);
  const editor = await bodyEditor(page);
  const input = await context.newCDPSession(page);
  await editor.getByRole("cell", { name: "30 cm" }).click();
  await page.keyboard.press("End");
  for (const text of ["n", "に", "にほ"]) {
    await input.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await page.waitForTimeout(120);
  }
  await expect(cell(page)).toHaveText("30 cmにほ");
  const stored = async () => (await callApi<{ body: string }>(context, "GET", path)).body;
  await input.send("Input.insertText", { text: "日本" });
  await expectBody(page, body("30 cm", "30 cm日本"));
  await expect.poll(stored).toContain("日本");
  const { version } = await callApi<{ version: number }>(context, "GET", path);
  await input.send("Input.imeSetComposition", { text: "け", selectionStart: 1, selectionEnd: 1 });
  await callApi(context, "PATCH", path, { body: body("30 cm", "30 cm日本").replace("Before", "Ahead"), version });
  await page.waitForTimeout(1_500);
  await input.send("Input.imeSetComposition", { text: "けい", selectionStart: 2, selectionEnd: 2 });
  await input.send("Input.insertText", { text: "計" });
  await expect.poll(stored, { timeout: 15_000 }).toBe(body("30 cm", "30 cm日本計").replace("Before", "Ahead"));
  await expectBody(page, await stored());
  await expect(cell(page)).toHaveText("30 cm日本計");
});

test("breaks no word of a column, whether its cell is open or not", async ({ page, context }) => {
  const text = "| What | Depth |\n| --- | --- |\n| A name that goes on for more than the width of a phone | 5 cm |";
  await page.setViewportSize({ width: 360, height: 640 });
  await openPiece(page, context, text);
  const heading = (await bodyEditor(page)).getByRole("columnheader", { name: "Depth" });
  const lines = () =>
    heading.evaluate((cell) => {
      const words = document.createRange();
      words.selectNodeContents(cell);
      return new Set([...words.getClientRects()].map(({ bottom }) => bottom)).size;
    });
  expect(await lines()).toBe(1);
  const { width } = (await heading.boundingBox()) ?? { width: 0 };
  await heading.click();
  await expect(cell(page)).toBeFocused();
  expect((await heading.boundingBox())?.width).toBeCloseTo(width, 0);
});

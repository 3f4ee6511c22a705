import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { bodyEditor, bodyField, expectBody, fillBody, openPiece, paste } from "@/tests/support/e2e-editor";
import { callApi, expectAccessible, expectMessage } from "@/tests/support/e2e-page";

const CLIPBOARDS = "tests/support/clipboards";

function read(file: string): string {
  return readFileSync(path.join(CLIPBOARDS, file), "utf8");
}

test("brings what each application copies as it was meant, in one step that is undone at once", async ({
  page,
  context,
}) => {
  await openPiece(page, context, "Before.");
  const editor = await bodyEditor(page);
  const files = readdirSync(CLIPBOARDS);
  for (const html of files.filter((file) => file.endsWith(".html"))) {
    const name = html.replace(/\.html$/, "");
    await test.step(name, async () => {
      await editor.focus();
      await page.keyboard.press("ControlOrMeta+End");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      const text = files.includes(`${name}.txt`) ? read(`${name}.txt`) : "The words.";
      await paste(editor, { "text/html": read(html), "text/plain": text });
      await expectBody(page, `Before.\n\n${read(`${name}.md`).trimEnd()}`);
      await page.keyboard.press("ControlOrMeta+z");
      await expectBody(page, "Before.\n\n");
      await fillBody(page, "Before.");
    });
  }
});

test("offers the plain text of a page, refuses a screenshot, and adds and changes links and pictures", async ({
  page,
  context,
}) => {
  const api = await openPiece(page, context, "");
  const editor = await bodyEditor(page);
  await editor.focus();

  await test.step("a page comes with its formatting, and one press brings its words alone", async () => {
    await paste(editor, { "text/html": "<p>Deep <b>beds</b></p>", "text/plain": "Deep beds" });
    await expectBody(page, "Deep **beds**");
    await expectMessage(page, "Pasted with its formatting");
    await page.getByRole("button", { name: "Paste as plain text" }).click();
    await expectBody(page, "Deep beds");
    await expect(bodyField(page)).toBeFocused();
  });

  await test.step("a screenshot says why it is not there", async () => {
    await editor.evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(["x"], "shot.png", { type: "image/png" }));
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
    await expectMessage(page, /Pictures cannot be kept here yet/);
    await expectBody(page, "Deep beds");
  });

  await test.step("a page that is still being read leaves its words when the Preview opens", async () => {
    await page.keyboard.press("ControlOrMeta+End");
    // Both in one moment: the page would be read before another press.
    const preview = page.getByRole("tab", { name: "Preview" });
    await preview.evaluate((tab) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/html", "<p><b>and mulch</b></p>");
      clipboardData.setData("text/plain", " and mulch");
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
      tab.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
    });
    await expect(page.getByRole("tabpanel").getByText("Deep beds and mulch")).toBeVisible();
    await page.getByRole("tab", { name: "Edit" }).click();
    await expectBody(page, "Deep beds and mulch");
    await (await bodyEditor(page)).focus();
    await page.keyboard.press("ControlOrMeta+z");
    await expectBody(page, "Deep beds");
  });

  await test.step("Ctrl+K links the word at the caret, and then changes its address", async () => {
    await page.keyboard.press("ControlOrMeta+k");
    const dialog = page.getByRole("dialog", { name: "Add link" });
    await expect(dialog.getByLabel("Text")).toHaveValue("beds");
    await expect(dialog.getByLabel("Address")).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.type("beds");
    await page.keyboard.press("Enter");
    await expect(dialog.getByText(/^This is not an address/)).toBeVisible();
    await dialog.getByLabel("Address").fill("example.com/beds");
    await page.keyboard.press("Enter");
    await expectBody(page, "Deep [beds](https://example.com/beds)");
    await expect(bodyField(page)).toBeFocused();
    await page.keyboard.press("ControlOrMeta+k");
    await expect(page.getByRole("dialog", { name: "Edit link" }).getByLabel("Text")).toHaveValue("beds");
    await page.keyboard.press("Escape");
    await expect(bodyField(page)).toBeFocused();
  });

  await test.step("the toolbar adds a picture behind it, which is saved", async () => {
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type(" ");
    await page.getByRole("button", { name: "Image" }).click();
    const dialog = page.getByRole("dialog", { name: "Add picture" });
    await dialog.getByLabel("Address").fill("https://example.com/bed.jpg");
    await dialog.getByLabel("Alternative text").fill("A bed");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    const body = "Deep [beds](https://example.com/beds) ![A bed](https://example.com/bed.jpg)";
    await expectBody(page, body);
    await page.keyboard.press("Control+s");
    await expectMessage(page, "Content has been updated successfully");
    expect(await callApi<{ body: string }>(context, "GET", api)).toMatchObject({ body });
  });
});

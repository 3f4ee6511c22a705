import { type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { callApi, openPage } from "@/tests/support/e2e-page";
import { registerUser } from "@/tests/support/e2e-user";

/** Opens a new user's piece in the editor; returns its path in the API. */
export async function openPiece(page: Page, context: BrowserContext, body: string): Promise<string> {
  await registerUser(context, `writing.${Date.now()}.${Math.floor(1_000 * Math.random())}`);
  const project = await callApi<{ id: number }>(context, "POST", "/api/projects", { title: "Rain gardens" });
  const about = { name: "Digging", description: "How deep." };
  const topic = await callApi<{ id: number }>(context, "POST", `/api/projects/${project.id}/topics`, about);
  const at = `/api/projects/${project.id}/topics/${topic.id}/content`;
  const { id } = await callApi<{ id: string }>(context, "POST", at, { title: "How deep a rain garden is", body });
  await openPage(page, `/content/${id}`);
  return `/api/content/${id}`;
}

/** The field of the body. Before its scripts have loaded it is a plain one. */
export function bodyField(page: Page): Locator {
  return page.getByRole("textbox", { name: "Body", exact: true });
}

/** The body's editor, once it has replaced the plain field. */
export async function bodyEditor(page: Page): Promise<Locator> {
  const editor = bodyField(page).and(page.locator("[contenteditable]"));
  await expect(editor).toBeVisible();
  return editor;
}

/** Replaces the body, as pasting over all of it does. */
export async function fillBody(page: Page, text: string): Promise<void> {
  const editor = await bodyEditor(page);
  await editor.focus();
  await page.keyboard.press("ControlOrMeta+a");
  if (text === "") return page.keyboard.press("Backspace");
  await paste(editor, { "text/plain": text });
}

/** Pastes into the focused editor, without the machine's clipboard. */
export function paste(editor: Locator, formats: Record<string, string>): Promise<void> {
  return editor.evaluate((field, formats) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(formats)) clipboardData.setData(type, text);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, formats);
}

/** Waits until the body is this Markdown. */
export async function expectBody(page: Page, text: string | RegExp): Promise<void> {
  const editor = await bodyEditor(page);
  const poll = expect.poll(() => textOf(editor));
  if (typeof text === "string") await poll.toBe(text);
  else await poll.toMatch(text);
}

/** The Markdown in the editor, which shows only what is on the screen. */
export function textOf(editor: Locator): Promise<string> {
  return editor.evaluate((field) => {
    // As CodeMirror's EditorView.findFromDOM does, which a page cannot call.
    const { cmTile } = field as unknown as { cmTile: { root: { view: { state: { sliceDoc(): string } } } } };
    return cmTile.root.view.state.sliceDoc();
  });
}

/** The editor knows of a change. A second later it has saved it, which a busy machine may not show in time. */
export async function expectChangeSeen(page: Page): Promise<void> {
  await expect(page.locator(".editor-head")).toContainText(/Unsaved changes|Saving…|Saved/);
}

/** Types at the end of the body. */
export async function typeAtEnd(page: Page, text: string): Promise<void> {
  await (await bodyEditor(page)).focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(text);
}

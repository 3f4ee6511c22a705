import type { EditorView } from "@codemirror/view";
import { isInCode } from "@/components/shared/markdown-editor/lists";
import { bulletsToDashes } from "@/lib/utils/block-marks";

/** What another application marks as plain text although it copies HTML for its colours. */
const EDITOR_TYPES = ["vscode-editor-data"];

/** Inserts a pasted web page or document as Markdown. Returns false if there is nothing to convert: the text is pasted then. */
export function pasteHtml(data: DataTransfer, view: EditorView): boolean {
  const html = data.getData("text/html");
  const text = data.getData("text/plain");
  if (!html || html.length > MAX_HTML || EDITOR_TYPES.some((type) => data.types.includes(type))) return false;
  void turned(html, text).then((markdown) => {
    if (!view.dom.isConnected) return;
    insert(view, bulletsToDashes(markdown));
  });
  return true;
}

/** Inserts a pasted text whose lists have another application's bullets, with marks of Markdown. Returns false for any other. */
export function pasteBullets(data: DataTransfer, view: EditorView): boolean {
  const text = data.getData("text/plain").replace(/\r\n?/g, "\n");
  const markdown =
    text.length > MAX_HTML || isInCode(view.state, view.state.selection.main.from) ? text : bulletsToDashes(text);
  if (markdown === text) return false;
  insert(view, markdown);
  return true;
}

function insert(view: EditorView, markdown: string): void {
  view.dispatch(view.state.replaceSelection(markdown), { userEvent: "input.paste", scrollIntoView: true });
}

/** A longer page would block the editor for seconds. */
const MAX_HTML = 2_000_000;

async function turned(html: string, text: string): Promise<string> {
  try {
    const { htmlToMarkdown } = await import("@/components/shared/markdown-editor/html-to-markdown");
    return htmlToMarkdown(html) || text;
  } catch {
    // The converter did not load.
    return text;
  }
}

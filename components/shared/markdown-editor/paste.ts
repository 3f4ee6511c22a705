import type { EditorView } from "@codemirror/view";

/** What another application marks as plain text although it copies HTML for its colours. */
const EDITOR_TYPES = ["vscode-editor-data"];

/** Inserts a pasted web page or document as Markdown. Returns false if there is nothing to convert: the text is pasted then. */
export function pasteHtml(data: DataTransfer, view: EditorView): boolean {
  const html = data.getData("text/html");
  const text = data.getData("text/plain");
  if (!html || html.length > MAX_HTML || EDITOR_TYPES.some((type) => data.types.includes(type))) return false;
  void turned(html, text).then((markdown) => {
    if (!view.dom.isConnected) return;
    view.dispatch(view.state.replaceSelection(markdown), { userEvent: "input.paste", scrollIntoView: true });
  });
  return true;
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

import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { openableLink } from "@/components/shared/markdown-editor/web-address";

/** Opens a link in a new window on a click with Ctrl or Cmd; a plain click puts the caret into it. */
export const openLink = EditorView.domEventHandlers({
  mousedown(event, view) {
    if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
    const at = view.posAtCoords(event);
    const address = at === null ? null : addressAt(view.state, at);
    if (!address) return false;
    event.preventDefault();
    window.open(address, "_blank", "noopener,noreferrer");
    return true;
  },
});

function addressAt(state: EditorState, at: number): string | null {
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, 1); node; node = node.parent) {
    const url = node.name === "URL" ? node : node.getChild("URL");
    if (url) return openableLink(state.sliceDoc(url.from, url.to));
  }
  return null;
}

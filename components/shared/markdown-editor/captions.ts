import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import { titleOf } from "@/components/shared/markdown-editor/link-target";
import { linkBrackets } from "@/components/shared/markdown-editor/links";

/** A picture's title, if its paragraph has nothing but pictures: in the post it is a caption, as `figuresOf` says. */
export function captionOf(state: EditorState, picture: SyntaxNode): string {
  const title = titleOf(state, picture);
  const whole = picture.parent && isLinkedPicture(state, picture.parent) ? picture.parent : picture;
  return title !== "" && whole.parent && hasOnlyPictures(state, whole.parent) ? title : "";
}

function hasOnlyPictures(state: EditorState, block: SyntaxNode): boolean {
  if (!BLOCKS.has(block.name)) return false;
  let at = block.from;
  for (let child = block.firstChild; child; child = child.nextSibling) {
    const isPicture = child.name === "Image" || MARKS.has(child.name) || isLinkedPicture(state, child);
    if (!isPicture || state.sliceDoc(at, child.from).trim() !== "") return false;
    at = child.to;
  }
  return state.sliceDoc(at, block.to).trim() === "";
}

const BLOCKS: ReadonlySet<string> = new Set(["Paragraph", "Task"]);
const MARKS: ReadonlySet<string> = new Set(["QuoteMark", "TaskMarker", "HardBreak"]);

function isLinkedPicture(state: EditorState, node: SyntaxNode): boolean {
  const brackets = node.name === "Link" ? linkBrackets(state, node) : null;
  const inside = brackets?.open.nextSibling;
  return inside?.name === "Image" && inside.from === brackets?.open.to && inside.to === brackets.close.from;
}

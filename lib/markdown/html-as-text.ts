import type { Html, Nodes, Parents, PhrasingContent, RootContent } from "mdast";
import type { Processor } from "unified";

/**
 * A remark plugin for HTML inside Markdown: tags are dropped and the text between them is kept, so that a sentence wrapped in
 * a <div> is not lost from a published post. <br> stays a line break; comments, scripts and styles go with their content.
 */
export function remarkHtmlAsText(this: Processor) {
  const parse = (markdown: string) => this.parse(markdown) as Nodes;
  return (tree: Nodes) => {
    if ("children" in tree) replaceHtml(tree, parse);
  };
}

function replaceHtml(parent: Parents, parse: (markdown: string) => Nodes): void {
  const children: Nodes[] = [];
  for (const child of parent.children) {
    if (child.type !== "html") {
      if ("children" in child) replaceHtml(child, parse);
      children.push(child);
    } else if (PHRASING_PARENTS.has(parent.type)) {
      children.push(...inlineText(child));
    } else {
      children.push(...blockText(child, parse));
    }
  }
  parent.children = children as typeof parent.children;
}

const PHRASING_PARENTS: ReadonlySet<string> = new Set([
  "paragraph",
  "heading",
  "tableCell",
  "emphasis",
  "strong",
  "delete",
  "link",
  "linkReference",
]);

/** Between two inline tags the text is a node of its own already; only the tags themselves arrive here. */
function inlineText(node: Html): PhrasingContent[] {
  return /^<br\s*\/?>$/i.test(node.value.trim()) ? [{ type: "break" }] : [];
}

/** A block's text is Markdown again, which also resolves its character references. HTML left in it is dropped for good. */
function blockText(node: Html, parse: (markdown: string) => Nodes): RootContent[] {
  const text = node.value
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replace(/<(script|style|template|iframe|object|svg)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, "")
    .replace(/<br\s*\/?>/gi, "\\\n")
    .replace(/<\/(?:p|div|li|h[1-6]|tr|section|summary|blockquote)\s*>/gi, "\n\n")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/^[ \t]+/gm, "")
    .trim();
  if (text === "") return [];
  const tree = parse(text);
  return tree.type === "root" ? tree.children.filter((child) => child.type !== "html") : [];
}

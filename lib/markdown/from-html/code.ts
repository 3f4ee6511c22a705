import type { Element, ElementContent, Parents, Root } from "hast";
import { isNoLanguage, languageNamed, languageOfClasses } from "@/lib/markdown/from-html/languages";
import {
  attribute,
  type Child,
  classesOf,
  elementsIn,
  findElement,
  hasElement,
  isBlank,
  isBlock,
} from "@/lib/markdown/from-html/tree";
import { element, text, textOf } from "@/lib/markdown/nodes";

/**
 * Makes each block of code a `pre` with one text, its lines as the page shows them, and its language if the page names it. Chat
 * pages and highlighters put a bar with the language and a button above the code; neither is text. Call it before removeButtons.
 */
export function plainCode(root: Root): void {
  readBlocks(root, []);
}

/** Pages wrap code in a few elements of their own. */
const MAX_WRAPPERS = 5;

/** `around` are the elements in which nothing but the next block may be, the innermost first. */
function readBlocks(parent: Parents, around: Element[]): void {
  for (const child of [...parent.children]) {
    if (child.type !== "element") continue;
    if (child.tagName === "table") withoutLineNumbers(child);
    if (isCode(child)) readBlock(child, around);
    else readBlocks(child, mayWrap(child) ? [child, ...around].slice(0, MAX_WRAPPERS) : []);
  }
}

function isCode({ tagName }: Element): boolean {
  return tagName === "pre" || tagName === "xmp" || tagName === "listing";
}

function mayWrap({ tagName }: Element): boolean {
  return tagName === "div" || tagName === "figure" || tagName === "span" || tagName.includes("-");
}

function readBlock(block: Element, around: Element[]): void {
  const { source, language: inside } = codeIn(block);
  const own = [source, block, ...around.slice(0, 2)];
  const bar = barAbove(block, around, own);
  const value = linesOf(source)
    .replace(/^\n/, "")
    .trimEnd()
    .replace(/\u00a0/g, " ")
    .replace(/\u200b/g, "");
  const language = languageOfClasses(own) || inside || bar.language;
  for (const wrapper of around) wrapper.children = wrapper.children.filter((node) => !bar.parts.has(node));
  block.tagName = "pre";
  block.properties = language ? { language } : {};
  block.children = value.trim() === "" ? [] : [text(value)];
}

/** The code without a bar inside the same `pre`, and the language that the bar names. */
function codeIn(block: Element): { source: Element; language: string } {
  const [code, another] = elementsIn(block, ({ tagName }) => tagName === "code");
  if (!code || another) return { source: block, language: "" };
  const language = languageOfBar([block], code, [code, block]);
  return language === undefined ? { source: block, language: "" } : { source: code, language };
}

/** What stands above the code in its wrappers, as far as that is a bar of the page and not the writer's words. */
function barAbove(block: Element, around: Element[], own: Element[]): { language: string; parts: ReadonlySet<Child> } {
  const parts = new Set<Child>();
  let language = "";
  let within: Child = block;
  for (const wrapper of around) {
    const others: Child[] = wrapper.children.filter((node) => node !== within && !isBlank(node));
    const after = wrapper.children.slice(wrapper.children.indexOf(within as ElementContent) + 1);
    const named = after.some((node) => seenWords(node).trim() !== "") ? undefined : languageOfBar(others, within, own);
    if (named === undefined) break;
    for (const node of others) parts.add(node);
    language ||= named;
    within = wrapper;
  }
  return { language, parts };
}

/** The language that a bar names, "" if it names none, undefined if these nodes are no bar. */
function languageOfBar(nodes: readonly Child[], code: Child, own: Element[]): string | undefined {
  const words = nodes.map((node) => seenWords(node, code)).join(" ");
  const label = words.trim();
  const inside = nodes.filter((node) => node.type === "element").filter((node) => node !== code);
  if (inside.some((node) => !isCode(node) && (isWriting(node) || hasElement(node, isWriting)))) return undefined;
  if (label === "" || isNoLanguage(label)) return "";
  const named = languageNamed(label);
  if (named || label.toLowerCase() === languageOfClasses(own).toLowerCase()) return named || label.toLowerCase();
  const hasButton = inside.some((node) => isButton(node) || hasElement(node, isButton));
  return hasButton && /^[\w+#-]{1,20}$/.test(label) ? label.toLowerCase() : undefined;
}

function isWriting({ tagName }: Element): boolean {
  return /^(?:p|h[1-6]|[uo]l|table|blockquote|img)$/.test(tagName);
}

function isButton(node: Element): boolean {
  return node.tagName === "button" || node.tagName === "clipboard-copy" || attribute(node, "role") === "button";
}

/** The words of a node without its buttons, and without one element. */
function seenWords(node: Child, without?: Child): string {
  if (node === without || (node.type === "element" && (isButton(node) || node.tagName === "svg"))) return "";
  if (node.type === "element") return node.children.map((child) => seenWords(child, without)).join(" ");
  return node.type === "text" ? node.value : "";
}

/** The text of code. A break and the end of a block inside it end a line. */
function linesOf(node: Child): string {
  const lines = { text: "" };
  addLines(node, lines);
  return lines.text;
}

function addLines(node: Child, lines: { text: string }): void {
  if (node.type === "text") lines.text += node.value.replace(/\r\n?/g, "\n");
  if (node.type !== "element" || isButton(node)) return;
  if (node.tagName === "br") lines.text += "\n";
  const isLine = (isBlock(node) || node.tagName === "tr") && !isCode(node);
  if (isLine && lines.text !== "" && !lines.text.endsWith("\n")) lines.text += "\n";
  const start = lines.text.length;
  for (const child of node.children) addLines(child, lines);
  // An empty line is a block with a break in it, or with nothing.
  if (isLine && (lines.text.length === start || !lines.text.endsWith("\n"))) lines.text += "\n";
}

/** Highlighters write code as a table with the numbers of its lines beside it. */
function withoutLineNumbers(table: Element): void {
  const isNumber = (cell: Element) => {
    const isNamed = classesOf(cell).some((name) => /^(?:blob-num|gutter|lineno|linenos|rouge-gutter)$/.test(name));
    return cell.tagName === "td" && isNamed && /^[\s\d]*$/.test(textOf(cell));
  };
  if (!hasElement(table, isNumber)) return;
  const rows = elementsIn(table, ({ tagName }) => tagName === "tr");
  for (const row of rows)
    row.children = row.children.filter((cell) => !(cell.type === "element" && isNumber(cell)) && !isBlank(cell));
  const inner = findElement(table, isCode);
  const lines = rows.map((row) => element("div", {}, row.children));
  Object.assign(table, inner ? { ...inner, properties: table.properties } : { tagName: "pre", children: lines });
}

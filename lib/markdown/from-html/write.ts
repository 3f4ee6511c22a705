import type { InlineCode, Nodes, Parents, Root, Table, TableRow } from "mdast";
import { gfmStrikethroughToMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemToMarkdown } from "mdast-util-gfm-task-list-item";
import { defaultHandlers, type Handle, type Info, type State, toMarkdown } from "mdast-util-to-markdown";
import { WIDE_SPACES } from "@/lib/utils/block-marks";
import { mathLength } from "@/lib/utils/formulas";

/** The tree as Markdown, with no more escapes than it needs. */
export function write(tree: Root): string {
  return toMarkdown(tree, {
    bullet: "-",
    rule: "-",
    fences: true,
    listItemIndent: "one",
    unsafe: [
      { atBreak: true, character: "-", after: WIDE_SPACE },
      { atBreak: true, character: "+", after: WIDE_SPACE },
      { atBreak: true, before: "\\d+", character: ".", after: WIDE_SPACE },
      {
        character: "<",
        after: "[^\\s<>@]{1,80}@",
        inConstruct: "phrasing",
        notInConstruct: ["autolink", "titleQuote"],
      },
    ],
    extensions: [gfmTableToMarkdown(), gfmStrikethroughToMarkdown(), gfmTaskListItemToMarkdown()],
    handlers: HANDLERS as Record<string, Handle>,
  }).trim();
}

/** Our parser takes it for a space after a mark. */
const WIDE_SPACE = `[${WIDE_SPACES}]`;

/** tidyMarks has put marks where they hold; the library's own would put references for letters beside them. */
function mark(marker: string): Handle {
  const handle = (node: Parents & Nodes, _parent: Parents | undefined, state: State, info: Info) => {
    const exit = state.enter("strong");
    const edge = marker.charAt(0);
    const words = state.containerPhrasing(node as never, { ...info, before: edge, after: edge });
    exit();
    return `${marker}${words}${marker}`;
  };
  return Object.assign(handle, { peek: () => marker.charAt(0) });
}

const HANDLERS = {
  strong: mark("**"),
  emphasis: mark("*"),
  delete: mark("~~"),
  text: (node: { value: string }, _parent: unknown, state: State, info: Info) =>
    isPlain(node.value, info) ? node.value : withoutNeedlessEscapes(state.safe(node.value, info), state),
  link: withPlainAddress("link"),
  image: withPlainAddress("image"),
  inlineCode: Object.assign(inlineCode, { peek: () => "`" }),
  // Two spaces, which need no escape: a backslash would be seen in editors.
  break: () => "  \n",
  html: Object.assign((node: { value: string }) => node.value, { peek: () => "<" }),
  // As the first line of a text, `---` could begin front matter.
  thematicBreak: (node: Nodes, parent: Parents | undefined) =>
    parent?.type === "root" && parent.children[0] === node ? "***" : "---",
  table: (node: Table, _parent: unknown, state: State, info: Info) => table(node, state, info),
  math: (node: { value: string }, parent: Parents | undefined, state: State, info: Info) =>
    displayed(node.value, !isFlow(parent), state, info),
  inlineMath: (node: { value: string }, _parent: unknown, state: State, info: Info) =>
    `$${withoutNeedlessEscapes(state.safe(node.value.replace(/\s+/g, " "), info), state)}$`,
};

/** Most texts need no escape; the library tries some forty expressions on each. */
function isPlain(value: string, { before, after }: Info): boolean {
  if (/[\\\t\r\n!#&*<=>[\]_`~|]/.test(value)) return false;
  const isAtEdge = /[\r\n]/.test(before) || /[\r\n]/.test(after);
  return !(isAtEdge && /^(?:\s|[-+:]|\d+[.)])|\s$/.test(value)) && !(before.endsWith("]") && value.startsWith("("));
}

/** The library does not know where a `_` or `&` can do no harm. What looks like an address is read as it is, outside links. */
function withoutNeedlessEscapes(markdown: string, state: State): string {
  // To the library, an emoji is a letter.
  const plain = withoutEscapes(markdown, isNeedless).replace(/(?<=[\u{10000}-\u{10ffff}])_/gu, "\\_");
  if (state.stack.includes("label")) return plain;
  return plain.replace(/https?:\/\/[^\s<]+/gi, (address) =>
    withoutEscapes(address, (character) => "*_~&".includes(character)),
  );
}

function withoutEscapes(markdown: string, isNeedless: (character: string, before: string, after: string) => boolean) {
  return markdown.replace(/\\([\s\S])/g, (escaped, character: string, at: number) => {
    const isPlain = isNeedless(character, markdown.slice(Math.max(0, at - 2), at), markdown.slice(at + 2, at + 40));
    return isPlain ? character : escaped;
  });
}

function isNeedless(character: string, before: string, after: string): boolean {
  switch (character) {
    case "_":
      return /[\p{L}\p{N}]$/u.test(before);
    case "&":
      return !/^(?:#?\w+;|$)/.test(after);
    case "~":
      return /[^~]$/.test(before) && /^[^~\\]/.test(after);
    case "*":
      return /\S[ \t]$/.test(before) && /^[ \t]\S/.test(after);
    default:
      return false;
  }
}

/** An `&` in an address seldom begins a reference, and others read the address as it is in the text. */
function withPlainAddress(type: "link" | "image"): Handle {
  const handle = defaultHandlers[type] as Handle & { peek: Handle };
  const plain: Handle = (node, parent, state, info) =>
    withoutEscapes(handle(node, parent, state, info), (character, ...beside) =>
      character === "&" ? isNeedless(character, ...beside) : false,
    );
  return Object.assign(plain, { peek: handle.peek });
}

/** In a cell, the backslash before a pipe goes whatever stands before it. */
function inlineCode(node: InlineCode, parent: Parents | undefined, state: State): string {
  const code = defaultHandlers.inlineCode(node, parent, state);
  return state.stack.includes("tableCell") ? code.replaceAll("|", "\\|") : code;
}

/** Rows without padding, which would make the longest cell's width that of its column. */
function table({ align, children }: Table, state: State, info: Info): string {
  const exit = state.enter("table");
  const [head = "", ...body] = children.map((row) => tableRow(row, state, info));
  exit();
  const marks = (align ?? []).map((at) => ({ left: ":--", center: ":-:", right: "--:", none: "---" })[at ?? "none"]);
  return [head, `| ${marks.join(" | ")} |`, ...body].join("\n");
}

function tableRow(row: TableRow, state: State, info: Info): string {
  const cells = row.children.map((cell) => {
    const exits = [state.enter("tableRow"), state.enter("tableCell"), state.enter("phrasing")];
    const words = state.containerPhrasing(cell, { ...info, before: " ", after: " " });
    for (const exit of exits.reverse()) exit();
    return words;
  });
  return `| ${cells.join(" | ")} |`;
}

function isFlow(parent: Parents | undefined): boolean {
  return parent?.type === "root" || parent?.type === "listItem" || parent?.type === "blockquote";
}

const BLOCK_MARK = /^(?:[-+*=#>|~`]|\d+[.)])/;

/** A displayed formula on lines of its own, none of which a parser would read as a block. */
function displayed(tex: string, isInWords: boolean, state: State, info: Info): string {
  const lines: string[] = [];
  for (const line of tex.split(/\s*\n\s*/)) {
    if (lines.length > 0 && (isInWords || BLOCK_MARK.test(line))) lines[lines.length - 1] += ` ${line}`;
    else lines.push(line);
  }
  const formula = isInWords ? `$$${lines.join(" ")}$$` : `$$\n${lines.join("\n")}\n$$`;
  return mathLength(formula, 0) === formula.length ? formula : state.safe(formula, info);
}

import { defineLanguageFacet, ensureSyntaxTree, Language, languageDataProp, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { Tree } from "@lezer/common";
import {
  Autolink,
  type BlockContext,
  parser as commonMark,
  GFM,
  type InlineContext,
  type Line,
  type MarkdownConfig,
  Strikethrough,
} from "@lezer/markdown";
import { delimiters } from "@/components/shared/markdown-editor/delimiters";
import { frontMatter } from "@/components/shared/markdown-editor/front-matter";
import { nestMarks } from "@/components/shared/markdown-editor/nested-marks";
import { ParserInParts } from "@/components/shared/markdown-editor/parser-in-parts";
import { readPlainMarks } from "@/components/shared/markdown-editor/plain-marks";
import { wikiLinks } from "@/components/shared/markdown-editor/wiki-links";
import { mathLength } from "@/lib/utils/formulas";

/** A paragraph above any of these limits shows plain: it would block each keystroke, or overflow the parser's stack. */
const MAX_CHARACTERS = 6_000;
const MAX_EMPHASIS_MARKS = 2_000;
const MAX_BRACKET_NESTING = 20;
/** How deep lists, their items and quotes may be in each other. */
const MAX_BLOCK_NESTING = 50;

const data = defineLanguageFacet();

/** Leaves a text that is too heavy without formatting. */
const plainWhenHeavy: MarkdownConfig = {
  parseBlock: [
    {
      name: "PlainWhenDeep",
      before: "IndentedCode",
      parse(context: BlockContext, line: Line) {
        if (context.depth <= MAX_BLOCK_NESTING) return false;
        const from = context.lineStart + line.pos;
        const to = context.lineStart + line.text.length;
        context.addElement(context.elt("Paragraph", from, to));
        context.nextLine();
        return true;
      },
    },
  ],
  parseInline: [
    {
      name: "PlainWhenHeavy",
      before: "Escape",
      parse: (context: InlineContext, _next, at) => (at === context.offset && isHeavy(context.text) ? context.end : -1),
    },
  ],
};

/** Formulas keep their characters. */
const math: MarkdownConfig = {
  parseInline: [
    {
      name: "Math",
      before: "Escape",
      parse(context: InlineContext, _next, at) {
        const length = mathLength(context.text, at - context.offset);
        return length === 0 ? -1 : at + length;
      },
    },
  ],
};

/** GFM, as the published post has it; tests/unit/components/shared/markdown-editor holds the two parsers together. */
export const markdownParser = readPlainMarks(
  nestMarks(
    commonMark.configure([
      { props: [languageDataProp.add({ Document: data })] },
      GFM,
      delimiters,
      math,
      wikiLinks,
      plainWhenHeavy,
      frontMatter,
    ]),
  ),
);

/** Blocks that a text of one line could be. */
const BLOCKS = [
  "LinkReference",
  "IndentedCode",
  "Blockquote",
  "FencedCode",
  "HorizontalRule",
  "BulletList",
  "OrderedList",
  "ATXHeading",
  "HTMLBlock",
];
const cellData = defineLanguageFacet();
const cellParser = commonMark.configure([
  { props: [languageDataProp.add({ Document: cellData })] },
  Strikethrough,
  Autolink,
  delimiters,
  math,
  wikiLinks,
  plainWhenHeavy,
  { remove: BLOCKS },
]);

/** What is within lines: the language of a cell of a table, which has no blocks. */
export const cellMarkdown = new Language(cellData, cellParser, [], "markdown-cell");

export const markdown = new Language(data, new ParserInParts(markdownParser), [], "markdown");

/** Returns the tree, parsed up to this position if that takes only a moment; otherwise the tree as it is. */
export function treeUpTo(state: EditorState, to: number): Tree {
  return ensureSyntaxTree(state, to, PARSE_MS) ?? syntaxTree(state);
}

const PARSE_MS = 100;

function isHeavy(text: string): boolean {
  if (text.length > MAX_CHARACTERS) return true;
  let marks = 0;
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === "*" || character === "_") marks += 1;
    else if (character === "[") {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === "]" && depth > 0) depth -= 1;
  }
  return marks > MAX_EMPHASIS_MARKS || deepest > MAX_BRACKET_NESTING;
}

import { syntaxTree } from "@codemirror/language";
import type { EditorState, Range } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { SyntaxNodeRef } from "@lezer/common";
import { htmlTagNames } from "html-tag-names";
import { captionOf } from "@/components/shared/markdown-editor/captions";
import { linesBetween } from "@/components/shared/markdown-editor/lines-between";
import type { LinkKind } from "@/components/shared/markdown-editor/link-target";
import { isDefined, linkBrackets } from "@/components/shared/markdown-editor/links";
import { isProposedFor } from "@/components/shared/markdown-editor/proposal";
import { chipAttributes, marksIn } from "@/components/shared/markdown-editor/source-chips";
import { shownImage } from "@/components/shared/markdown-editor/web-address";
import {
  BulletWidget,
  CheckboxWidget,
  HiddenWidget,
  ImageWidget,
  RuleWidget,
} from "@/components/shared/markdown-editor/widgets";
import { WIDE_SPACES } from "@/lib/utils/block-marks";
import { withoutSize } from "@/lib/utils/pictures";

/**
 * Shows the text as it will look, in the visible part only: marks are hidden except where the caret is. It decorates, and never
 * changes the text.
 */
export const livePreview = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }

    update(update: ViewUpdate): void {
      // Changing what is around a composition would end it.
      if (update.view.composing) this.decorations = this.decorations.map(update.changes);
      else if (isStale(update)) this.decorations = decorate(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations, eventHandlers: { compositionend: refreshLater } },
);

function isStale(update: ViewUpdate): boolean {
  const { docChanged, viewportChanged, selectionSet, focusChanged, transactions, startState, state } = update;
  if (docChanged || viewportChanged || selectionSet || focusChanged) return true;
  return transactions.length > 0 || syntaxTree(startState) !== syntaxTree(state);
}

function refreshLater(_event: Event, view: EditorView): void {
  setTimeout(() => view.dispatch({}));
}

/** The deepest level of lists and quotes with an indent of its own. */
const MAX_LEVEL = 6;

type Context = {
  state: EditorState;
  /** True if the caret or selection touches this part of the text. */
  isTouched: (from: number, to: number) => boolean;
  add: (decoration: Decoration, from: number, to: number) => void;
  /** Adds a class to the visible lines of this part. */
  addLines: (name: string, from: number, to: number) => void;
  listLevel: number;
  quoteLevel: number;
};

function decorate(view: EditorView): DecorationSet {
  const { state } = view;
  const ranges: Range<Decoration>[] = [];
  for (const visible of view.visibleRanges) {
    const context: Context = {
      state,
      isTouched: (from, to) => (view.hasFocus && touches(state, from, to)) || isProposedFor(state, from, to),
      add(decoration, from, to) {
        for (const part of partsOf(state, decoration, from, to)) ranges.push(decoration.range(part.from, part.to));
      },
      addLines(name, from, to) {
        // Each line has the direction of its own script.
        const look = name ? { class: name } : { attributes: { dir: "auto" } };
        const decoration = Decoration.line(look);
        const shown = linesBetween(state.doc, Math.max(from, visible.from), Math.min(to, visible.to));
        for (const line of shown) ranges.push(decoration.range(line.from));
      },
      listLevel: 0,
      quoteLevel: 0,
    };
    context.addLines("", visible.from, visible.to);
    syntaxTree(state).iterate({
      ...visible,
      enter: (node) => enter(node, context),
      leave: (node) => {
        if (isList(node)) context.listLevel -= 1;
        if (node.name === "Blockquote") context.quoteLevel -= 1;
      },
    });
  }
  return Decoration.set(ranges, true);
}

/** What replaces text may not replace line breaks: it is hidden line by line, and no widget is shown for several lines. */
function partsOf(
  { doc }: EditorState,
  decoration: Decoration,
  from: number,
  to: number,
): { from: number; to: number }[] {
  if (from >= to) return [];
  const isWithinLine = doc.lineAt(from).to >= to;
  if (isWithinLine || !decoration.point) return [{ from, to }];
  if (decoration !== hidden) return [];
  return [...linesBetween(doc, from, to)]
    .map((line) => ({ from: Math.max(from, line.from), to: Math.min(to, line.to) }))
    .filter((part) => part.to > part.from);
}

function touches({ selection }: EditorState, from: number, to: number): boolean {
  return selection.ranges.some((range) => range.from <= to && range.to >= from);
}

const hidden = Decoration.replace({ widget: new HiddenWidget() });
const styled = (name: string) => Decoration.mark({ class: name });

const INLINE: Record<string, { decoration: Decoration; marks: string[] }> = {
  Emphasis: { decoration: styled("cm-emphasis"), marks: ["EmphasisMark"] },
  StrongEmphasis: { decoration: styled("cm-strong"), marks: ["EmphasisMark"] },
  Strikethrough: { decoration: styled("cm-strikethrough"), marks: ["StrikethroughMark"] },
  InlineCode: { decoration: styled("cm-code"), marks: ["CodeMark"] },
};
const link = styled("cm-link");
const dim = styled("cm-mark");
/** Takes no room, so that the words of the line stay in their place. */
const beside = styled("cm-mark cm-heading-mark");
const code = styled("cm-code-mark");
const listMark = styled("cm-list-mark");
const bullet = Decoration.replace({ widget: new BulletWidget() });
const rule = Decoration.replace({ widget: new RuleWidget() });

/** Decorates one node; false leaves out its children. */
function enter(node: SyntaxNodeRef, context: Context): boolean | undefined {
  for (const mark of marksIn(context.state, node)) {
    context.add(Decoration.mark({ attributes: chipAttributes(mark) }), mark.from, mark.to);
  }
  const inline = INLINE[node.name];
  if (inline) {
    context.add(inline.decoration, node.from, node.to);
    for (const mark of inline.marks) hideChildren(node, mark, context);
    return undefined;
  }
  if (isList(node)) {
    context.listLevel += 1;
    return undefined;
  }
  return DECORATE[node.name]?.(node, context);
}

const DECORATE: Record<string, (node: SyntaxNodeRef, context: Context) => boolean | undefined> = {
  Blockquote(node, context) {
    context.quoteLevel += 1;
    context.addLines(`cm-quote cm-quote-${Math.min(context.quoteLevel, MAX_LEVEL)}`, node.from, node.to);
    return undefined;
  },
  QuoteMark(node, context) {
    const line = context.state.doc.lineAt(node.from);
    const to = afterSpace(line, node.to);
    context.add(context.isTouched(line.from, line.to) ? dim : hidden, node.from, to);
    return undefined;
  },
  ListItem(node, context) {
    decorateItem(node, context);
    return undefined;
  },
  TaskMarker(node, { state, isTouched, add }) {
    if (isTouched(node.from, node.to)) return undefined;
    const isDone = state.sliceDoc(node.from, node.to) !== "[ ]";
    add(Decoration.replace({ widget: new CheckboxWidget(isDone) }), node.from, node.to);
    return undefined;
  },
  FencedCode: linesOf("cm-code-block"),
  CodeBlock: linesOf("cm-code-block"),
  CodeMark: dimmed,
  CodeInfo: dimmed,
  HTMLTag: dimmedTag,
  Comment: dimmed,
  HTMLBlock: linesOf("cm-html"),
  FrontMatter: linesOf("cm-html", false),
  CommentBlock: linesOf("cm-html"),
  LinkReference: linesOf("cm-html", false),
  // Only a table that table/state.ts does not draw gets here.
  Table: linesOf("cm-table-source", false),
  HorizontalRule(node, context) {
    if (!context.isTouched(node.from, node.to)) context.add(rule, node.from, node.to);
    return undefined;
  },
  Link: decorateLink,
  Image: decorateImage,
  WikiLink: decorateWikiLink,
  WikiEmbed(node, { add }) {
    add(dim, node.from, node.to);
    return false;
  },
  Autolink(node, context) {
    context.add(link, node.from, node.to);
    hideChildren(node, "LinkMark", context);
    return false;
  },
  // This is a bare address; those of links are their children.
  URL(node, { add }) {
    add(link, node.from, node.to);
    return undefined;
  },
  Escape(node, { isTouched, add }) {
    if (!isTouched(node.from, node.to)) add(hidden, node.from, node.from + 1);
    return undefined;
  },
};

for (const level of [1, 2, 3, 4, 5, 6]) {
  DECORATE[`ATXHeading${level}`] = (node, context) => decorateHeading(node, level, context);
}
for (const level of [1, 2]) {
  DECORATE[`SetextHeading${level}`] = (node, context) => {
    addHeadingLines(node, level, context);
    for (const mark of node.node.getChildren("HeaderMark")) context.add(dim, mark.from, mark.to);
    return undefined;
  };
}

/** Gives a block's lines a class; `inner` false leaves out what is in them. */
function linesOf(name: string, inner?: false) {
  return (node: SyntaxNodeRef, context: Context): false | undefined => {
    context.addLines(name, node.from, node.to);
    return inner;
  };
}

function decorateHeading(node: SyntaxNodeRef, level: number, context: Context): undefined {
  addHeadingLines(node, level, context);
  const line = context.state.doc.lineAt(node.from);
  const isTouched = context.isTouched(line.from, line.to);
  const [first, last] = node.node.getChildren("HeaderMark");
  const shown = isOutermost(node) ? beside : dim;
  if (first) context.add(isTouched ? shown : hidden, first.from, afterSpaces(context.state, first.to, line.to));
  if (last) context.add(isTouched ? dim : hidden, last.from, last.to);
}

/** In the Preview, a heading below others stands further apart from what is above it. */
function addHeadingLines(node: SyntaxNodeRef, level: number, { addLines }: Context): void {
  addLines(`cm-heading cm-heading-${level}`, node.from, node.to);
  if (isOutermost(node) && node.node.prevSibling) addLines("cm-apart", node.from, node.from);
}

function isOutermost({ node }: SyntaxNodeRef): boolean {
  return node.parent?.name === "Document";
}

/** A placeholder such as `<your-key>` is no tag but a word. */
function dimmedTag(node: SyntaxNodeRef, context: Context): undefined {
  const [, name = ""] = /^<\/?([a-z][a-z\d-]*)/i.exec(context.state.sliceDoc(node.from, node.to)) ?? [];
  if (TAG_NAMES.has(name.toLowerCase())) dimmed(node, context);
}

const TAG_NAMES: ReadonlySet<string> = new Set(htmlTagNames);

function dimmed(node: SyntaxNodeRef, { add }: Context): undefined {
  // The marks of inline code are hidden with it.
  if (node.node.parent?.name !== "InlineCode") add(code, node.from, node.to);
}

/** The lines of an item are indented by its level; white space and mark are beside its text. */
function decorateItem(node: SyntaxNodeRef, context: Context): void {
  const { state, isTouched, add, listLevel } = context;
  const mark = node.node.getChild("ListMark");
  if (!mark) return;
  const isTask = node.node.getChild("Task") !== null;
  const isOrdered = node.node.parent?.name === "OrderedList";
  context.addLines(`cm-list cm-list-${Math.min(listLevel, MAX_LEVEL)}`, node.from, node.to);
  if (node.node.prevSibling?.name === "ListItem") context.addLines("cm-next-item", node.from, node.from);
  const line = state.doc.lineAt(mark.from);
  const markEnd = afterSpace(line, mark.to);
  const indent = indentBefore(state, mark.from);
  if (!isTouched(indent, mark.from - 1)) add(hidden, indent, mark.from);
  if (isOrdered || isTouched(mark.from, mark.to)) add(listMark, mark.from, markEnd);
  else add(isTask ? hidden : bullet, mark.from, markEnd);
  if (isTask && !isTouched(mark.from, mark.to)) context.addLines("cm-task", mark.from, mark.to);
  else context.addLines("cm-marked", mark.from, mark.to);
}

/** The position after the space that belongs to a mark. */
function afterSpace({ text, from }: { text: string; from: number }, markEnd: number): number {
  const next = text[markEnd - from] ?? "";
  return next !== "" && SPACES.includes(next) ? markEnd + 1 : markEnd;
}

const SPACES = ` ${WIDE_SPACES}`;

/** The start of the white space before this position, on its line and after a quote's marks. */
function indentBefore(state: EditorState, at: number): number {
  const line = state.doc.lineAt(at);
  let from = at;
  while (from > line.from && line.text[from - 1 - line.from] === " ") from -= 1;
  return from === line.from ? from : Math.min(from + 1, at);
}

function afterSpaces(state: EditorState, from: number, end: number): number {
  let at = from;
  while (at < end && SPACES.includes(state.sliceDoc(at, at + 1))) at += 1;
  return at;
}

/** `[text](url)`, `[text][label]` or `[label]`. Brackets without a definition are just brackets. */
function decorateLink(node: SyntaxNodeRef, context: Context): boolean | undefined {
  const { isTouched, add, state } = context;
  const brackets = linkBrackets(state, node.node);
  if (!brackets) return undefined;
  const { open, close } = brackets;
  if (open.to === close.from || lacksAddress(state, node, close.to)) {
    add(unfinished("link"), node.from, node.to);
    return false;
  }
  add(link, open.to, close.from);
  if (isTouched(node.from, node.to)) {
    add(dim, open.from, open.to);
    add(dim, close.from, node.to);
  } else {
    add(hidden, open.from, open.to);
    add(hidden, close.from, node.to);
  }
  decorateText(node, close.to, context);
  return false;
}

/** True for `](…)` with nothing that an address could be. */
function lacksAddress(state: EditorState, { node, to }: SyntaxNodeRef, end: number): boolean {
  const url = node.getChild("URL");
  if (url) return /^<?(?:https?:\/*)?>?$/i.test(state.sliceDoc(url.from, url.to));
  return state.sliceDoc(end, end + 1) === "(" && state.sliceDoc(end + 1, to - 1).trim() === "";
}

/** Marks what readers would get as nothing, as it is typed. */
function unfinished(kind: LinkKind): Decoration {
  return Decoration.mark({ class: "cm-unfinished", attributes: { title: UNFINISHED[kind] } });
}

const UNFINISHED = {
  link: "This link needs text and an address. Add them with Ctrl+K.",
  picture: "This picture needs an address. Add it with the Image button.",
};

/** Decorates what is inside a link's text. Its target has no decoration of its own. */
function decorateText(node: SyntaxNodeRef, end: number, context: Context): void {
  for (let child = node.node.firstChild; child && child.from < end; child = child.nextSibling) {
    if (child.name === "LinkMark") continue;
    child.cursor().iterate((inner) => enter(inner, context));
  }
}

/** Its words are text, or a link if the text defines what is between the brackets. */
function decorateWikiLink(node: SyntaxNodeRef, context: Context): false {
  const { from, to } = node;
  if (isDefined(context.state, context.state.sliceDoc(from + 2, to - 2))) context.add(link, from + 1, to - 1);
  else hideChildren(node, "LinkMark", context);
  return false;
}

function decorateImage(node: SyntaxNodeRef, { state, isTouched, add }: Context): boolean {
  const address = node.node.getChild("URL");
  const shown = address ? shownImage(state.sliceDoc(address.from, address.to)) : null;
  const close = node.node.getChildren("LinkMark")[1];
  if (close && lacksAddress(state, node, close.to)) {
    add(unfinished("picture"), node.from, node.to);
    return false;
  }
  // What is only proposed loads nothing.
  if (!close || !shown || state.readOnly || isTouched(node.from, node.to)) {
    add(dim, node.from, node.to);
    return false;
  }
  const alt = withoutSize(state.sliceDoc(node.from + 2, close.from));
  add(Decoration.replace({ widget: new ImageWidget(shown, alt, captionOf(state, node.node)) }), node.from, node.to);
  return false;
}

function hideChildren(node: SyntaxNodeRef, name: string, { isTouched, add }: Context): void {
  const decoration = isTouched(node.from, node.to) ? dim : hidden;
  for (const child of node.node.getChildren(name)) add(decoration, child.from, child.to);
}

function isList({ name }: SyntaxNodeRef): boolean {
  return name === "BulletList" || name === "OrderedList";
}

import { EditorView } from "@codemirror/view";

const LEVELS = [1, 2, 3, 4, 5, 6];
const LIST_INDENT = 1.6;
const QUOTE_INDENT = 1.25;

/** How the text looks: as in the preview, with the page's own colours. */
export const theme = EditorView.theme({
  // The text takes all of its field, so that a click below its last line is a click into it.
  "&": { color: "var(--paper-foreground)", backgroundColor: "transparent", minHeight: "inherit" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflow: "visible", minHeight: "inherit" },
  ".cm-content": {
    minWidth: "0",
    minHeight: "inherit",
    padding: "0 0 var(--paper-end)",
    caretColor: "var(--ring)",
    overflowWrap: "anywhere",
  },
  ".cm-line": { padding: "0" },
  ".cm-placeholder": { color: "var(--muted-foreground)" },
  // It looks like the selection itself, which shows only with the focus.
  ".cm-selected": {
    backgroundColor: "color-mix(in oklch, var(--ring) 26%, transparent)",
  },
  // Out of the flow, they are no place to break the line, as between a word and its comma.
  ".cm-hidden, .cm-hidden + .cm-widgetBuffer, .cm-widgetBuffer:has(+ .cm-hidden)": { position: "absolute" },
  ".cm-heading": { fontWeight: "var(--font-weight-medium)", letterSpacing: "-0.01em" },
  ".cm-heading-1, .cm-heading-2": { fontSize: "var(--text-xl)", lineHeight: "var(--text-xl--line-height)" },
  ".cm-heading-3": { fontSize: "var(--text-lg)", lineHeight: "var(--text-lg--line-height)" },
  // On phones the piece's title has the size that is a heading's on wide screens.
  "@media (max-width: 767.98px)": {
    ".cm-heading-1, .cm-heading-2": { fontSize: "var(--text-lg)", lineHeight: "var(--text-lg--line-height)" },
    ".cm-heading-3": { fontSize: "inherit", lineHeight: "inherit" },
  },
  ".cm-strong": { fontWeight: "var(--font-weight-medium)" },
  ".cm-emphasis": { fontStyle: "italic" },
  ".cm-strikethrough": { textDecoration: "line-through" },
  ".cm-link": { color: "var(--link)", textDecoration: "underline", textUnderlineOffset: "3px" },
  ".cm-mark, .cm-code-mark": { color: "var(--muted-foreground)", fontWeight: "var(--font-weight-normal)" },
  ".cm-code": {
    fontFamily: "var(--default-mono-font-family)",
    fontSize: "var(--text-base)",
    backgroundColor: "var(--muted)",
    borderRadius: "4px",
    padding: "0 4px",
  },
  ".cm-code-block, .cm-html, .cm-table-source": {
    fontFamily: "var(--default-mono-font-family)",
    fontSize: "var(--text-base)",
  },
  ".cm-code-block": { backgroundColor: "var(--muted)", padding: "0 16px" },
  ".cm-html": { color: "var(--muted-foreground)" },
  ".cm-quote": { borderInlineStart: "2px solid var(--border-strong)", fontStyle: "italic" },
  ...Object.fromEntries(
    LEVELS.map((level) => [`.cm-quote-${level}`, { paddingInlineStart: `${level * QUOTE_INDENT}em` }]),
  ),
  ...Object.fromEntries(
    LEVELS.map((level) => [`.cm-list-${level}`, { paddingInlineStart: `${level * LIST_INDENT}em` }]),
  ),
  ...Object.fromEntries(
    LEVELS.map((level) => [
      `.cm-quote.cm-list-${level}`,
      { paddingInlineStart: `${QUOTE_INDENT + level * LIST_INDENT}em` },
    ]),
  ),
  ".cm-marked": { textIndent: `-${LIST_INDENT}em` },
  ".cm-list-mark": {
    display: "inline-block",
    minWidth: `${LIST_INDENT}em`,
    textIndent: "0",
    color: "var(--muted-foreground)",
    whiteSpace: "pre",
  },
  ".cm-bullet::before": {
    content: "''",
    display: "inline-block",
    width: "5px",
    height: "5px",
    borderRadius: "50%",
    backgroundColor: "var(--paper-foreground)",
    verticalAlign: "middle",
    marginInlineStart: "0.35em",
  },
  ".cm-task": { textIndent: `-${LIST_INDENT}em` },
  ".cm-checkbox": {
    width: "16px",
    height: "16px",
    margin: "0",
    marginInlineEnd: `calc(${LIST_INDENT}em - 16px - 0.25em)`,
    verticalAlign: "-2px",
    accentColor: "var(--primary)",
    cursor: "pointer",
  },
  ".cm-rule": {
    display: "inline-block",
    width: "100%",
    borderTop: "1px solid var(--border-strong)",
    verticalAlign: "middle",
  },
  ".cm-image img": { display: "inline-block", maxWidth: "100%", borderRadius: "8px", verticalAlign: "bottom" },
  ".cm-image-missing": { color: "var(--muted-foreground)", fontStyle: "italic" },
  ".cm-table": { overflowX: "auto", padding: "8px 0", cursor: "text" },
  ".cm-table table": {
    borderCollapse: "collapse",
    fontSize: "var(--text-md)",
    lineHeight: "var(--text-md--line-height)",
  },
  ".cm-table th, .cm-table td": {
    border: "1px solid var(--border)",
    padding: "6px 12px",
    textAlign: "start",
    minWidth: "3em",
  },
  ".cm-table th": { fontWeight: "var(--font-weight-medium)" },
  ".cm-table .cm-center": { textAlign: "center" },
  ".cm-table .cm-end": { textAlign: "end" },
  // The source view.
  "&.cm-source .cm-content": {
    fontFamily: "var(--default-mono-font-family)",
    fontSize: "var(--text-base)",
    lineHeight: "24px",
  },
  // Focus mode: everything but the paragraph of the caret.
  "&.cm-focus-mode .cm-line:not(.cm-current), &.cm-focus-mode .cm-table": { color: "var(--muted-foreground)" },
  "&.cm-focus-mode .cm-line:not(.cm-current) .cm-bullet::before": { backgroundColor: "var(--muted-foreground)" },
  // Find and replace, and the menu.
  ".cm-panels": {
    backgroundColor: "var(--popover)",
    color: "var(--popover-foreground)",
    fontFamily: "var(--font-geist), sans-serif",
    fontSize: "var(--text-sm)",
    zIndex: "3",
  },
  // They stick below what else sticks to the top.
  ".cm-panels-top": {
    top: "calc(var(--editor-under) + var(--editor-toolbar)) !important",
    borderBottom: "0",
    marginBottom: "16px",
  },
  ".cm-panel.cm-search": {
    border: "1px solid var(--border)",
    borderRadius: "8px",
    padding: "8px 40px 8px 12px",
    display: "flex",
    flexWrap: "wrap",
    gap: "6px",
    alignItems: "center",
  },
  ".cm-panel.cm-search br": { flexBasis: "100%", height: "0" },
  ".cm-panel.cm-search [name=close]": {
    position: "absolute",
    top: "6px",
    right: "8px",
    width: "28px",
    height: "28px",
    fontSize: "20px",
    cursor: "pointer",
    color: "inherit",
  },
  ".cm-textfield": {
    minWidth: "0",
    flex: "1 1 140px",
    maxWidth: "220px",
    border: "1px solid var(--input)",
    borderRadius: "6px",
    backgroundColor: "var(--background)",
    color: "inherit",
    height: "32px",
    padding: "0 8px",
    fontSize: "var(--text-sm)",
    margin: "0",
  },
  ".cm-button": {
    border: "1px solid var(--border-strong)",
    borderRadius: "6px",
    background: "var(--card)",
    color: "inherit",
    height: "32px",
    padding: "0 10px",
    fontSize: "var(--text-sm)",
    margin: "0",
    cursor: "pointer",
  },
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: "4px", fontSize: "var(--text-sm)" },
  ".cm-textfield:focus-visible, .cm-button:focus-visible, .cm-panel.cm-search [name=close]:focus-visible": {
    outline: "2px solid var(--ring)",
    outlineOffset: "2px",
  },
  ".cm-searchMatch": { backgroundColor: "color-mix(in oklab, var(--warning) 28%, transparent)" },
  ".cm-searchMatch-selected": { backgroundColor: "color-mix(in oklab, var(--warning) 55%, transparent)" },
  ".cm-tooltip": {
    border: "0",
    borderRadius: "8px",
    backgroundColor: "var(--popover)",
    color: "var(--popover-foreground)",
    boxShadow: "var(--shadow-float)",
    fontFamily: "var(--font-geist), sans-serif",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "inherit",
    maxHeight: "20em",
    padding: "4px",
    minWidth: "220px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li.cm-menu-option": {
    display: "flex",
    justifyContent: "space-between",
    gap: "24px",
    borderRadius: "6px",
    padding: "6px 8px",
    fontSize: "var(--text-base)",
    lineHeight: "20px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--accent-foreground)",
  },
  ".cm-completionDetail": { color: "var(--muted-foreground)", fontStyle: "normal", margin: "0" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "var(--font-weight-medium)" },
});

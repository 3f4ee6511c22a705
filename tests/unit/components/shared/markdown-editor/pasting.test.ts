/** @jest-environment jsdom */
import { undo } from "@codemirror/commands";
import { waitFor } from "@testing-library/react";
import type { EditorOptions } from "@/components/shared/markdown-editor/create-editor";
import type { Pasted } from "@/components/shared/markdown-editor/paste";
import { fittingChange } from "@/components/shared/markdown-editor/paste-fit";
import { editorAt, marked, press } from "@/tests/support/markdown-editor";
import { previewWorkers, resetPreviewWorkers } from "@/tests/support/pretended-workers";

// What the editor does with what is pasted; lib/markdown/from-html.ts says what becomes of a page.

beforeEach(resetPreviewWorkers);

type Formats = Record<string, string>;

/** jsdom has no clipboard events with data. */
function paste(editor: ReturnType<typeof editorAt>, formats: Formats, files: { type: string }[] = []): boolean {
  const event = new Event("paste", { bubbles: true, cancelable: true });
  const clipboardData = { types: Object.keys(formats), getData: (type: string) => formats[type] ?? "", files };
  editor.view.contentDOM.dispatchEvent(Object.assign(event, { clipboardData }));
  return event.defaultPrevented;
}

function open(text: string, options: Partial<EditorOptions> = {}) {
  const said: Pasted[] = [];
  const editor = editorAt(text, { onPasted: (pasted) => said.push(pasted), ...options });
  return { editor, said, shows: (expected: string) => waitFor(() => expect(marked(editor)).toBe(expected)) };
}

const TABLE = "| a | b |\n| --- | --- |\n";

const BOLD = { "text/plain": "bold", "text/html": "<b>bold</b>" };
const type = ({ view }: ReturnType<typeof editorAt>, text: string) => view.dispatch(view.state.replaceSelection(text));

it("links the selection to a pasted address", () => {
  const { editor } = open("see |the guide| here");
  paste(editor, { "text/plain": "https://example.com/a_(b)\n" });
  expect(marked(editor)).toBe("see [the guide](https://example.com/a_%28b%29)| here");
});

it("pastes an address as it is where nothing is selected", () => {
  const { editor } = open("see |");
  paste(editor, { "text/plain": "https://example.com" });
  expect(marked(editor)).toBe("see https://example.com|");
});

it("pastes a page as Markdown in place of the selection, in one step of undo, and offers its plain text", async () => {
  const { editor, said, shows } = open("a |word| here");
  expect(paste(editor, BOLD)).toBe(true);
  await shows("a **bold**| here");
  expect(said).toEqual([expect.objectContaining({ as: "converted", pictures: { temporary: 0, lost: 0 } })]);
  undo(editor.view);
  expect(editor.text()).toBe("a word here");
});

it("puts a page where it was pasted, before what is typed meanwhile, and leaves the caret there", async () => {
  const { editor, shows } = open("one | three");
  paste(editor, BOLD);
  type(editor, "typed");
  expect(marked(editor)).toBe("one typed| three");
  await shows("one **bold**typed| three");
});

it("puts two pages in the order in which they were pasted", async () => {
  const { editor, shows } = open("|");
  paste(editor, BOLD);
  paste(editor, { "text/plain": "x", "text/html": "<b>next</b>" });
  await shows("**bold****next**|");
});

it("puts the plain text in the place of a page, in one step of undo, unless the user has changed it", async () => {
  const { editor, said, shows } = open("a | here");
  paste(editor, BOLD);
  await shows("a **bold**| here");
  type(editor, "er");
  expect(said[0]?.asText?.()).toBe(true);
  expect(editor.text()).toBe("a bolder here");
  undo(editor.view);
  expect(editor.text()).toBe("a **bold**er here");
  paste(editor, BOLD);
  await waitFor(() => expect(said).toHaveLength(2));
  editor.view.dispatch({ changes: { from: editor.text().lastIndexOf("old"), insert: "!" } });
  const text = editor.text();
  expect([said[1]?.asText?.(), said[0]?.asText?.()]).toEqual([false, false]);
  expect(editor.text()).toBe(text);
});

it.each(["Ctrl+Shift+V", "Meta+Shift+V"])("pastes the plain text by %s, and the page the next time", async (keys) => {
  const { editor, shows } = open("|");
  const formats = { "text/plain": "• a\r\n• b", "text/html": "<b>a</b>" };
  press(editor, keys);
  paste(editor, formats);
  expect(marked(editor)).toBe("• a\n• b|");
  press(editor, "Ctrl+V");
  paste(editor, formats);
  await shows("• a\n• b**a**|");
});

it("pastes the plain text where the page only wraps Markdown, and says nothing of it", async () => {
  const { editor, said, shows } = open("|");
  paste(editor, { "text/plain": "# One\r\n\r\n- *two*", "text/html": "<p># One</p><p>- *two*</p>" });
  await shows("# One\n\n- *two*|");
  expect(said).toEqual([]);
});

it.each(["crash", "not there", "forbidden"] as const)(
  "pastes the plain text, and says so, when the worker is %s",
  async (behaviour) => {
    previewWorkers.behaviour = behaviour;
    const { editor, said, shows } = open("|");
    paste(editor, BOLD);
    await shows("bold|");
    expect(said).toEqual([{ as: "plain", pictures: { temporary: 0, lost: 0 } }]);
  },
);

it("takes the place of what is selected in a cell without spaces around its words", async () => {
  const { editor, said } = open("");
  type(editor, `${TABLE}|Sedge|`);
  const from = editor.text().indexOf("Sedge");
  editor.view.dispatch({ selection: { anchor: from, head: from + 5 } });
  paste(editor, {}, [{ type: "image/png" }]);
  expect(editor.text()).toBe(`${TABLE}|Sedge|`);
  paste(editor, BOLD);
  await waitFor(() => expect(said).toHaveLength(2));
  expect(editor.text()).toBe(`${TABLE}| **bold** |`);
});

it.each([
  [
    "a page with a table among its words",
    "Intro\na\tb\nc\td\nOutro",
    "<p>Intro</p><table><tr><td>a<td>b<tr><td>c<td>d</table><p>Outro</p>",
    "Intro",
  ],
  ["a mail that a table lays out", "One\n\nTwo", "<table><tr><td><p>One</p><p>Two</p></td></tr></table>", "One Two"],
  ["words with a tab", "1.\tFirst", undefined, "1.\tFirst"],
])("puts %s into one cell", async (_what, text, html, start) => {
  const { editor } = open("");
  type(editor, `${TABLE}| c | d |\n| e | f |`);
  editor.view.dispatch({ selection: { anchor: editor.text().indexOf("c ") } });
  paste(editor, { "text/plain": text, ...(html ? { "text/html": html } : {}) });
  await waitFor(() => expect(editor.text()).toContain(`| ${start}`));
  expect(editor.text()).toMatch(/c \| d \|\n\| e \| f \|$/);
});

it("fills cells with a column of a spreadsheet, and with lines that have as many tabs", async () => {
  const { editor } = open("");
  type(editor, `${TABLE}| c | d |\n| e | f |`);
  const at = (words: string) => editor.view.dispatch({ selection: { anchor: editor.text().indexOf(words) } });
  at("c ");
  paste(editor, { "text/plain": "1\n2\n", "text/html": "<table><tr><td>1</td></tr><tr><td>2</td></tr></table>" });
  await waitFor(() => expect(editor.text()).toBe(`${TABLE}| 1 | d |\n| 2 | f |`));
  at("1 ");
  paste(editor, { "text/plain": "3\t4\n5\t6\n" });
  expect(editor.text()).toBe(`${TABLE}| 3 | 4 |\n| 5 | 6 |`);
});

it("keeps the plain text on one line where the worker fails in a row of a table", async () => {
  previewWorkers.behaviour = "crash";
  const { editor } = open("");
  type(editor, `${TABLE}| c | d`);
  paste(editor, { "text/plain": "e\n\nf | g", "text/html": "<p>e</p><p>f | g</p>" });
  await waitFor(() => expect(editor.text()).toBe(`${TABLE}| c | de f \\| g |`));
});

it("leaves the plain text of what is still coming when the editor closes", async () => {
  const onChange = jest.fn();
  const { editor, said } = open("one |two| three", { onChange });
  paste(editor, BOLD);
  paste(editor, { "text/plain": "!", "text/html": "<b>!</b>" });
  expect(onChange).not.toHaveBeenCalled();
  expect(editor.close().sliceDoc()).toBe("one bold! three");
  await waitFor(() => expect([previewWorkers.started, previewWorkers.live.size]).toEqual([2, 0]));
  expect(editor.text()).toBe("one bold! three");
  expect(onChange).toHaveBeenCalledTimes(1);
  expect(said).toEqual([]);
});

it("inserts nothing that would make the text too long, and then types as before", async () => {
  const onTooLong = jest.fn();
  const { editor, said } = open("12345678|", { maxLength: 10, onTooLong });
  paste(editor, BOLD);
  await waitFor(() => expect(onTooLong).toHaveBeenCalled());
  expect(marked(editor)).toBe("12345678|");
  expect(editor.view.dom.querySelector(".cm-pasting")).toBeNull();
  expect(said).toEqual([]);
});

it("says of a screenshot that pictures cannot be kept, and pastes the words that come with a picture", () => {
  const { editor, said } = open("|");
  const picture = { type: "image/png" };
  expect(paste(editor, {}, [picture])).toBe(true);
  expect(said).toEqual([{ as: "nothing", pictures: { temporary: 0, lost: 1 } }]);
  paste(editor, { "text/plain": "A range" }, [picture]);
  expect(marked(editor)).toBe("A range|");
});

it("pastes what a code editor copies as plain text", () => {
  const { editor } = open("|");
  const html = "<div style='color:red'>a = **b**</div>";
  paste(editor, { "text/plain": "a = **b**", "text/html": html, "vscode-editor-data": "{}" });
  expect(marked(editor)).toBe("a = **b**|");
});

it("pastes the plain text of a page into code", () => {
  const { editor } = open("```\n|\n```");
  paste(editor, { "text/plain": "<b>", "text/html": "<b>x</b>" });
  expect(marked(editor)).toBe("```\n<b>|\n```");
});

it("pastes other applications' bullets as marks of Markdown", () => {
  const { editor } = open("|");
  paste(editor, { "text/plain": "Plants:\r\n• Iris\r\n◦\u00a0Blue\r\n\r\n· Sedge" });
  expect(marked(editor)).toBe("Plants:\n- Iris\n- Blue\n\n- Sedge|");
});

it.each([
  ["single bullets", "|", "• Iris\nand more", "• Iris\nand more|"],
  ["bullets of fenced code", "|", "```\n• a\n• b\n```", "```\n• a\n• b\n```|"],
  ["bullets, into code,", "```\n|\n```", "• a\n• b", "```\n• a\n• b|\n```"],
])("pastes %s as they are", (_what, before, text, after) => {
  const { editor } = open(before);
  paste(editor, { "text/plain": text });
  expect(marked(editor)).toBe(after);
});

it.each([
  ["goes on in a quote", "> a ¦", "b\n\nc", "> a b\n>\n> c"],
  ["goes on in an item", "- a ¦", "b\n\nc", "- a b\n\n  c"],
  ["goes on in an item in a quote", "> 1. a ¦", "b\n\nc", "> 1. a b\n>\n>    c"],
  ["takes the place of an empty item", "  - ¦", "- b\n- c", "  - b\n  - c"],
  ["takes the place of an empty task", "- [ ] ¦", "- [x] b", "- [x] b"],
  ["gives a block a line of its own", "see ¦this", "## b", "see \n\n## b\n\nthis"],
  ["goes on in a heading", "# a ¦", "**b**", "# a **b**"],
  ["gives what follows a page its own line", "¦this", "a\n\nb", "a\n\nb\n\nthis"],
  ["stays on the line of a table's row", `${TABLE}| c | ¦ |`, "d\n\n- e | f", `${TABLE}| c | d - e \\| f |`],
  ["stays on the line of a row without a last pipe", `${TABLE}c | ¦d`, "e\n\nf", `${TABLE}c | e fd`],
  ["stays on the line at the end of such a row", `${TABLE}c | d¦`, "\n\nf", `${TABLE}c | df`],
  ["stands below a table", `${TABLE}| c | d |\n\n¦`, "- e", `${TABLE}| c | d |\n\n- e`],
])("Markdown %s", (_what, at, markdown, expected) => {
  const [before = "", after = ""] = at.split("¦");
  const { editor } = open("");
  type(editor, before + after);
  const place = { from: before.length, to: before.length };
  const { from, to, insert } = fittingChange(editor.view.state, place, markdown);
  expect(editor.text().slice(0, from) + insert + editor.text().slice(to)).toBe(expected);
});

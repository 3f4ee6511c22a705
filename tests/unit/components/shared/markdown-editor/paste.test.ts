/** @jest-environment jsdom */
import { htmlToMarkdown } from "@/components/shared/markdown-editor/html-to-markdown";
import { editorAt, marked } from "@/tests/support/markdown-editor";

const DOCS = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1f2e"><h2 dir="ltr" style="line-height:1.38"><span style="font-size:16pt;font-weight:400;">Why water stays</span></h2><p dir="ltr"><span style="font-weight:400;font-style:normal;">Clay </span><span style="font-weight:700;font-style:normal;">holds</span><span style="font-weight:400;font-style:italic;"> water</span><span style="font-weight:400">. See </span><a href="https://example.com/clay" style="text-decoration:none;"><span style="text-decoration:underline;">the guide</span></a><span>.</span></p><ul><li dir="ltr"><p dir="ltr"><span>Iris</span></p></li><ul><li dir="ltr"><p dir="ltr"><span>Blue</span></p></li></ul><li dir="ltr"><p dir="ltr"><span style="text-decoration:line-through">Sedge</span></p></li></ul><br /><div dir="ltr"><table><colgroup><col /><col /></colgroup><tbody><tr><td><p><span>Plant</span></p></td><td><p><span>Depth</span></p></td></tr><tr><td><p><span>Iris</span></p></td><td><p><span>30 | 40 cm</span></p></td></tr></tbody></table></div></b>`;

const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm} --></style><!--[if gte mso 9]><xml></xml><![endif]--></head><body lang=EN-US><!--StartFragment--><h1>Rain gardens<o:p></o:p></h1><p class=MsoNormal>Dig <b>30 cm</b> and <i>wait</i>.<o:p></o:p></p><p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>Iris</p><p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><![if !supportLists]><span><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span></span><![endif]>Blue</p><p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><![if !supportLists]><span><span style='mso-list:Ignore'>·<span>&nbsp; </span></span></span><![endif]>Sedge</p><p class=MsoNormal>Then:</p><p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp; </span></span><![endif]>Plant</p><p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>2.<span>&nbsp;&nbsp; </span></span><![endif]>Water</p><!--EndFragment--></body></html>`;

const PAGE = `<html><body><!--StartFragment--><h3>Planting</h3><p>Use <code>npm</code> &amp; <strong>care</strong>, 2 * 3 and snake_case.</p><script>alert(1)</script><blockquote><p>Wait.</p></blockquote><ol start="3"><li>Three</li><li>Four</li></ol><pre><code class="language-js">let a = 1;\n</code></pre><p><img src="https://example.com/a(1).png" alt="An iris"><img src="data:image/png;base64,AAAA"><a href="javascript:alert(1)">no</a> <a href="/local">here</a></p><hr><p>End</p><!--EndFragment--></body></html>`;

it("turns a Google document into Markdown", () => {
  expect(htmlToMarkdown(DOCS)).toBe(
    [
      "## Why water stays",
      "",
      "Clay **holds** *water*. See [the guide](https://example.com/clay).",
      "",
      "- Iris",
      "  - Blue",
      "- ~~Sedge~~",
      "",
      "| Plant | Depth |",
      "| --- | --- |",
      "| Iris | 30 \\| 40 cm |",
    ].join("\n"),
  );
});

it("turns a Word document into Markdown, with the lists that Word writes as paragraphs", () => {
  expect(htmlToMarkdown(WORD)).toBe(
    [
      "# Rain gardens",
      "",
      "Dig **30 cm** and *wait*.",
      "",
      "- Iris",
      "  - Blue",
      "- Sedge",
      "",
      "Then:",
      "",
      "1. Plant",
      "2. Water",
    ].join("\n"),
  );
});

it("turns a web page into Markdown, without scripts, pictures of no address and links that lead nowhere", () => {
  expect(htmlToMarkdown(PAGE)).toBe(
    [
      "### Planting",
      "",
      "Use `npm` & **care**, 2 \\* 3 and snake\\_case.",
      "",
      "> Wait.",
      "",
      "3. Three",
      "4. Four",
      "",
      "```js",
      "let a = 1;",
      "```",
      "",
      "![An iris](https://example.com/a%281%29.png)no here",
      "",
      "---",
      "",
      "End",
    ].join("\n"),
  );
});

/** jsdom has no clipboard events with data. */
function paste(editor: ReturnType<typeof editorAt>, formats: Record<string, string>): boolean {
  const event = new Event("paste", { bubbles: true, cancelable: true });
  const clipboardData = { types: Object.keys(formats), getData: (type: string) => formats[type] ?? "", files: [] };
  editor.view.contentDOM.dispatchEvent(Object.assign(event, { clipboardData }));
  return event.defaultPrevented;
}

it("links the selection to a pasted address", () => {
  const editor = editorAt("see |the guide| here");
  paste(editor, { "text/plain": "https://example.com/a_(b)\n" });
  expect(marked(editor)).toBe("see [the guide](https://example.com/a_%28b%29)| here");
});

it("pastes an address as it is where nothing is selected", () => {
  const editor = editorAt("see |");
  paste(editor, { "text/plain": "https://example.com" });
  expect(marked(editor)).toBe("see https://example.com|");
});

it("pastes HTML as Markdown in place of the selection, in one step of undo", async () => {
  const editor = editorAt("a |word| here");
  expect(paste(editor, { "text/plain": "bold", "text/html": "<b>bold</b>" })).toBe(true);
  await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => setTimeout(resolve));
  expect(marked(editor)).toBe("a **bold**| here");
});

it("pastes what a code editor copies as plain text", () => {
  const editor = editorAt("|");
  paste(editor, {
    "text/plain": "a = **b**",
    "text/html": "<div style='color:red'>a = **b**</div>",
    "vscode-editor-data": "{}",
  });
  expect(marked(editor)).toBe("a = **b**|");
});

it("pastes other applications' bullets as marks of Markdown", () => {
  const editor = editorAt("|");
  paste(editor, { "text/plain": "Plants:\r\n• Iris\r\n◦\u00a0Blue\r\n\r\n· Sedge" });
  expect(marked(editor)).toBe("Plants:\n- Iris\n- Blue\n\n- Sedge|");
});

it.each([
  ["single bullets", "|", "• Iris\nand more", "• Iris\nand more|"],
  ["bullets of fenced code", "|", "```\n• a\n• b\n```", "```\n• a\n• b\n```|"],
  ["bullets, into code,", "```\n|\n```", "• a\n• b", "```\n• a\n• b|\n```"],
])("pastes %s as they are", (_what, before, text, after) => {
  const editor = editorAt(before);
  paste(editor, { "text/plain": text });
  expect(marked(editor)).toBe(after);
});

it("pastes the bullets of a web page's paragraphs as a list", async () => {
  const editor = editorAt("|");
  paste(editor, { "text/plain": "", "text/html": "<p>Plants:</p><p>• Iris</p><p>•&nbsp;Sedge<br>· Reed</p>" });
  await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => setTimeout(resolve));
  expect(marked(editor)).toMatch(/^Plants:\n\n- Iris\n\n- Sedge *\n- Reed\|$/);
});

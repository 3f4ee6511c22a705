import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { fromHtml } from "@/lib/markdown/from-html";
import { textOf } from "@/lib/markdown/nodes";
import { markdownToHast } from "@/lib/markdown/render";
import { willNotLast } from "@/lib/markdown/temporary-pictures";
import { renderPost } from "@/lib/wordpress/blocks";
import { cpuTime } from "@/tests/support/cpu-time";

const CLIPBOARDS = join(process.cwd(), "tests/support/clipboards");

function markdownOf(html: string, text = ""): string {
  return fromHtml(html, text).markdown;
}

/** The words that the product shows of a Markdown text, without spaces. */
function shownWords(markdown: string): string {
  return letters(markdownToHast(markdown).children.map(textOf).join(""));
}

function letters(text: string): string {
  return text.replace(/\s+/g, "");
}

const names = readdirSync(CLIPBOARDS).flatMap((name) => (name.endsWith(".html") ? name.slice(0, -5) : []));

it.each(names)("reads the clipboard of %s", (name) => {
  const file = (ending: string) => readFileSync(join(CLIPBOARDS, `${name}.${ending}`), "utf8");
  const text = existsSync(join(CLIPBOARDS, `${name}.txt`)) ? file("txt") : "";
  expect(`${markdownOf(file("html"), text)}\n`).toBe(file("md"));
});

it("reads a web page, without scripts, pictures of no address and links that lead nowhere", () => {
  const page = `<html><body><!--StartFragment--><h3>Planting</h3><p>Use <code>npm</code> &amp; <strong>care</strong>, 2 * 3 and snake_case.</p><script>alert(1)</script><blockquote><p>Wait.</p></blockquote><ol start="3"><li>Three</li><li>Four</li></ol><pre><code class="language-js">let a = 1;\n</code></pre><p><img src="https://example.com/a(1).png" alt="An iris"><img src="data:image/png;base64,AAAA"><a href="javascript:alert(1)">no</a> <a href="/local">here</a></p><hr><p>End</p><!--EndFragment--></body></html>`;
  expect(markdownOf(page)).toBe(
    [
      "### Planting",
      "",
      "Use `npm` & **care**, 2 * 3 and snake_case.",
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

describe("a source of Markdown in HTML", () => {
  const LINES = ["# Title", "- a", "- [ ] b"];
  const TEXT = LINES.join("\r\n");

  it.each([
    ["paragraphs", LINES.map((line) => `<p>${line}</p>`).join("")],
    [
      "lines of an editor",
      `<meta charset="utf-8"><div>${LINES.map((line) => `<div><span>${line}</span></div>`).join("")}</div>`,
    ],
    ["breaks", LINES.join("<br>")],
    ["a file in a browser", `<pre style="white-space: pre-wrap">${LINES.join("\n")}</pre>`],
    ["the wrapper of Google Docs, by its name", `<b id="docs-internal-guid-1">${LINES.join("<br>")}</b>`],
    ["the wrapper of Google Docs, by its weight", `<b style="font-weight:normal">${LINES.join("<br>")}</b>`],
  ])("is the plain text in %s", (_where, html) => {
    expect(fromHtml(html, TEXT)).toMatchObject({ isText: true, markdown: LINES.join("\n") });
  });

  it.each([
    ["a fence", "```\nnpm install\n```"],
    ["a table", "| a | b |\n|---|---|\n| 1 | 2 |"],
    ["numbers and quotes", "1. a\n> b"],
    [
      "a link that is its address",
      "- see https://example.com/\n- b",
      `<a href="https://example.com/">https://example.com/</a>`,
    ],
  ])("may be %s", (_what, text, link = "") => {
    const lines = text
      .split("\n")
      .map((line) => `<div>${line.replace("https://example.com/", link).replace(/^>/, "&gt;")}</div>`);
    expect(fromHtml(lines.join(""), text).isText).toBe(true);
  });

  it.each([
    ["one mark", "<p># a</p><p>b</p>", "# a\nb"],
    ["other words", "<p>Hello</p>", TEXT],
    ["a link on words", `<p># a <a href="https://example.com">b</a></p><p># c</p>`, "# a b\n# c"],
    ["a heading", "<h1># a</h1><p># b</p>", "# a\n# b"],
    ["bold words", "<p># a <b>b</b></p><p># c</p>", "# a b\n# c"],
    ["code with a language", `<pre class="language-sh"># a\n# b</pre>`, "# a\n# b"],
    ["code", "<pre><code># a\n# b</code></pre>", "# a\n# b"],
    ["a page with code", "<p>Do</p><pre># a\n# b</pre>", "Do\n# a\n# b"],
  ])("is not what HTML with %s has", (_what, html, text) => {
    expect(fromHtml(html, text).isText).toBe(false);
  });

  it("reads the HTML where the plain text says something else", () => {
    expect(markdownOf("<p><b>Buy</b> water</p>", "# Sell\n- air\n- sand")).toBe("**Buy** water");
  });
});

describe("code", () => {
  it.each([
    [
      "GitHub's shell",
      `<div class="highlight highlight-source-shell"><pre>npm install\n\ncd <span>a</span></pre></div>`,
      "```shell\nnpm install\n\ncd a\n```",
    ],
    ["GitHub's HTML", `<div class="highlight highlight-text-html-basic"><pre>&lt;b></pre></div>`, "```html\n<b>\n```"],
    ["breaks", "<pre><code>a<br>b<br>  c</code></pre>", "```\na\nb\n  c\n```"],
    ["a class", `<pre><code class="language-js hljs">let a;\n</code></pre>`, "```js\nlet a;\n```"],
    ["an attribute", `<pre data-language="ruby">a</pre>`, "```ruby\na\n```"],
    ["a short attribute", `<pre data-lang="ruby">a</pre>`, "```ruby\na\n```"],
    [
      "a bar of a language that we do not know",
      `<div><div><span>foolang</span><p-bar><button>Copy</button></p-bar></div><pre>a</pre></div>`,
      "```foolang\na\n```",
    ],
    ["a short class", `<pre class="lang-py"><code>a</code></pre>`, "```py\na\n```"],
    ["lines in blocks", "<pre><div>a</div><div><br></div><div>  b</div></pre>", "```\na\n\n  b\n```"],
    ["lines in codes", "<pre><code>a</code>\n<code>b</code></pre>", "```\na\nb\n```"],
    ["a line that is a language's name", "<pre><code>a</code>\n<code>go</code></pre>", "```\na\ngo\n```"],
    ["a fence", "<pre>```\na\n```</pre>", "````\n```\na\n```\n````"],
    ["no-break spaces", "<pre>a&nbsp;b</pre>", "```\na b\n```"],
  ])("with %s keeps its lines", (_what, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });

  it.each([
    [
      "in the same pre",
      `<pre><div><div>python</div><div><button>Copy code</button></div><div><code class="language-python">a = 1</code></div></div></pre>`,
    ],
    [
      "before the pre",
      `<div><div><button aria-label="Copy"><svg></svg></button></div><div>python</div><div><pre><code class="language-python">a = 1</code></pre></div></div>`,
    ],
    [
      "that alone names the language",
      `<code-block><div><div><span>Python</span><div><button>Copy</button></div></div><div><pre><code>a = 1</code></pre></div></div></code-block>`,
    ],
    ["without a button", `<div><span>Python</span><pre>a = 1</pre></div>`],
  ])("loses a page's bar %s", (_where, html) => {
    expect(markdownOf(`<p>x</p>${html}`)).toBe("x\n\n```python\na = 1\n```");
  });

  it.each([
    ["a sentence", "<div><div>For example:</div><pre>ls</pre></div>", "For example:\n\n```\nls\n```"],
    ["a paragraph", "<div><p>Bash</p><pre>ls</pre></div>", "Bash\n\n```\nls\n```"],
    ["a file's name", "<div><div>a.py <button>Copy</button></div><pre>ls</pre></div>", "a.py\n\n```\nls\n```"],
  ])("keeps the writer's words above it: %s", (_what, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });

  it("loses the numbers of its lines", () => {
    const row = (number: number, line: string) =>
      `<tr><td class="blob-num">${number}</td><td class="blob-code">${line}</td></tr>`;
    expect(markdownOf(`<table>${row(1, "a {")}${row(2, "  b")}${row(3, "}")}</table>`)).toBe("```\na {\n  b\n}\n```");
  });
});

describe("lists", () => {
  it.each([
    ["one paragraph each", "<ul><li><p>a</p></li><li><p>b</p></li></ul>", "- a\n- b"],
    ["two paragraphs", "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n\n- c"],
    [
      "code with blank lines",
      "<ol><li>a<pre>x\n\ny</pre></li><li>b</li></ol>",
      "1. a\n   ```\n   x\n\n   y\n   ```\n2. b",
    ],
    [
      "GitHub's boxes",
      `<ul><li class="task-list-item"><input type="checkbox" checked disabled> a</li><li><p><input type=checkbox> b</p></li></ul>`,
      "- [x] a\n- [ ] b",
    ],
    [
      "Notion's boxes",
      `<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>a</span></li><li><div class="checkbox checkbox-off"></div> <span>b</span></li></ul>`,
      "- [x] a\n- [ ] b",
    ],
    ["Notion's marks", "<ul><li>[x] a</li><li>[ ] b</li></ul>", "- [x] a\n- [ ] b"],
    ["lists beside items", "<ul><li>a</li><ol><li>b</li></ol></ul>", "- a\n  1. b"],
  ])("keep %s", (_what, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });
});

describe("tables", () => {
  it.each([
    [
      "alignment",
      `<tr><th align=left>a</th><th style="text-align: center">b</th><th>c</th></tr><tr><td>1</td><td>2</td><td align=right>3</td></tr>`,
      "| a | b | c |\n| :-- | :-: | --: |\n| 1 | 2 | 3 |",
    ],
    [
      "cells over columns",
      "<tr><td>a</td><td>b</td><td>c</td></tr><tr><td colspan=2>1</td><td>2</td></tr>",
      "| a | b | c |\n| --- | --- | --- |\n| 1 |  | 2 |",
    ],
    [
      "cells over rows",
      "<tr><td>a</td><td>b</td></tr><tr><td rowspan=2>1</td><td>2</td></tr><tr><td>3</td></tr>",
      "| a | b |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |",
    ],
    [
      "lists in cells",
      "<tr><td>a</td><td>b</td></tr><tr><td><ul><li>x</li><li>y</li></ul></td><td><p>1</p><p>2</p></td></tr>",
      "| a | b |\n| --- | --- |\n| x<br>y | 1<br>2 |",
    ],
    ["pipes", "<tr><td>a|b</td><td><code>c|d</code></td></tr>", "| a\\|b | `c\\|d` |\n| --- | --- |"],
    ["a caption", "<caption>Rain</caption><tr><td>a</td><td>b</td></tr>", "Rain\n\n| a | b |\n| --- | --- |"],
  ])("keep %s", (_what, rows, markdown) => {
    expect(markdownOf(`<table>${rows}</table>`)).toBe(markdown);
  });

  it("lose columns and rows that are empty to the end", () => {
    expect(markdownOf("<table><tr><td>a</td><td>b</td><td></td></tr><tr><td></td><td></td></tr></table>")).toBe(
      "| a | b |\n| --- | --- |",
    );
  });

  it.each([
    ["one column", "<table><tr><td>a</td></tr><tr><td><p>b</p></td></tr></table>"],
    ["a table in it", "<table><tr><td><table><tr><td>a</td></tr></table></td><td>b</td></tr></table>"],
  ])("with %s lay out a page", (_what, html) => {
    expect(markdownOf(html)).toBe("a\n\nb");
  });
});

describe("pictures and links", () => {
  it.each([
    '![a](https://a.example/i.png "Say \\"*C*\\" & <b>")',
    '[![a](https://a.example/i.png "C")](https://b.example)',
    '![a](https://a.example/i.png "C")\n\n![b](https://a.example/j.png)',
    '> ![a](https://a.example/i.png "بوابة 🌱")',
  ])("reads back the captions of a post: %p", (markdown) => {
    expect(markdownOf(renderPost(markdown))).toBe(markdown);
  });

  const image = '<img src="https://a.example/i.png" title="IMG_1.png">';
  it.each([
    ["with a link", `<figure>${image}<figcaption>C <a href="https://b.example">d</a></figcaption></figure>`, "C [d]"],
    ["of several pictures", `<figure>${image}${image}<figcaption>C d</figcaption></figure>`, "\n\nC d"],
    ["of a picture with words", `<figure><p>b ${image}</p><figcaption>C d</figcaption></figure>`, "\n\nC d"],
    ["of a lost picture", '<figure><img src="data:,"><figcaption>C d</figcaption></figure>', "C d"],
    [
      "in a cell",
      `<table><tr><td>b</td><td><figure>${image}<figcaption>C d</figcaption></figure></td></tr></table>`,
      "C d |",
    ],
  ])("keeps the words of a caption %s, and takes no title for one", (_what, html, words) => {
    expect(markdownOf(html)).toContain(words);
    expect(markdownOf(html)).not.toContain('"');
  });

  it.each(["data:image/png;base64,AA", "file:///C:/a.png", "blob:https://a.b/c"])("counts %s as lost", (address) => {
    expect(fromHtml(`<p>a <img src="${address}"></p>`, "")).toEqual({
      markdown: "a",
      isText: false,
      pictures: { temporary: 0, lost: 1 },
    });
  });

  it.each([
    ["https://lh7-rt.googleusercontent.com/docsz/a?key=b", true],
    ["https://files.oaiusercontent.com/a", true],
    ["https://a.s3.amazonaws.com/b?X-Amz-Expires=60", true],
    ["https://a.s3.amazonaws.com/b?X-Amz-Signature=60", true],
    ["https://a.b/c?Expires=1&Signature=2", true],
    ["https://a.blob.core.windows.net/c?se=1&sig=2", true],
    ["https://cdn.discordapp.com/attachments/a.png?ex=1", true],
    ["https://cdn.discordapp.com/emojis/a.png", false],
    ["https://lh3.googleusercontent.com/a/b", false],
    ["https://a.b/c?signature=2", false],
    ["https://example.com/oaiusercontent.com/a.png", false],
    ["not an address", false],
  ])("knows whether %s will not last", (address, expected) => {
    expect(willNotLast(address)).toBe(expected);
  });

  it("keeps a picture whose address will not last, and counts it", () => {
    const address = "https://a.b/c?Expires=1&Signature=2";
    expect(fromHtml(`<img alt="x" src="${address.replace("&", "&amp;")}">`, "")).toMatchObject({
      markdown: `![x](${address})`,
      pictures: { temporary: 1, lost: 0 },
    });
  });

  it("takes the address of a picture that the page loads later", () => {
    const picture = '<img alt="x" src="data:image/gif;base64,R0" data-src="https://a.b/c.jpg">';
    expect(fromHtml(picture, "")).toMatchObject({ markdown: "![x](https://a.b/c.jpg)", pictures: { lost: 0 } });
  });

  it.each([
    ["https://a.b/c_(d)", "[x](https://a.b/c_%28d%29)"],
    ["mailto:a@b.c", "[x](mailto:a@b.c)"],
    ["tel:+491", "[x](tel:+491)"],
    ["javascript:alert(1)", "x"],
    ["file:///a", "x"],
    ["/local", "x"],
    ["#part", "x"],
  ])("reads a link to %s", (address, markdown) => {
    expect(markdownOf(`<a href="${address}">x</a>`)).toBe(markdown);
  });
});

describe("formulas", () => {
  const katex = (tex: string) =>
    `<span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">${tex}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x</span></span>`;

  it("are there once, as TeX", () => {
    expect(markdownOf(`<p>So ${katex("x_{1}^2")} is</p>`)).toBe("So $x_{1}^2$ is");
  });

  it.each([
    ["a chat's attribute", '<span class="math-inline" data-math="x_1">x1</span>'],
    ["the alternative of MathML", '<math alttext="x_1"><mi>x</mi><mn>1</mn></math>'],
  ])("are read from %s", (_where, html) => {
    expect(markdownOf(`<p>So ${html} is</p>`)).toBe("So $x_1$ is");
  });

  it("are on lines of their own where the page displays them, and keep their characters", () => {
    const markdown = markdownOf(`<p>a <span class="katex-display">${katex("a &amp;= \\{b\\} \\\\\n= c")}</span> d</p>`);
    expect(markdown).toBe("a\n\n$$\na &= \\{b\\} \\\\ = c\n$$\n\nd");
    expect(shownWords(markdown)).toBe("a$$a&=\\{b\\}\\\\=c$$d");
  });

  it("show their characters within a line", () => {
    expect(shownWords(markdownOf(`<p>${katex("\\{a*b*c\\}")}</p>`))).toBe("$\\{a*b*c\\}$");
  });
});

it("reads halves of characters", () => {
  expect(markdownOf("<p>a\ud83d</p>")).toBe("a\ufffd");
});

it("leaves nothing of what is not to be read", () => {
  const unseen = "script style template iframe svg noscript button select"
    .split(" ")
    .map((name) => `<${name}>x</${name}>`);
  expect(
    markdownOf(
      `<p onclick="x()">a<!-- x --></p>${unseen.join("")}<p hidden>x</p><i aria-hidden="true">x</i><p style="display: none">x</p>`,
    ),
  ).toBe("a");
});

it("keeps the button that is an accordion's heading", () => {
  expect(markdownOf("<h3><button>Why?</button></h3><p>So.</p>")).toBe("### Why?\n\nSo.");
});

describe("words and marks", () => {
  it.each([
    ["<p>snake_case, 2 * 3, 10~20, AT&amp;T, a &lt; b</p>", "snake_case, 2 * 3, 10~20, AT&T, a < b"],
    ["<p># a *b* _c_ `d` [e](f) &amp;amp; &lt;b></p>", "\\# a \\*b\\* \\_c_ \\`d\\` \\[e]\\(f) \\&amp; \\<b>"],
    ["<p>a<b> b </b>c</p>", "a **b** c"],
    ["<p><b>a</b><b>b</b></p>", "**ab**"],
    ["<p><b>Note:</b>a</p>", "**Note**:a"],
    ["<p><b>太字。</b>次</p>", "**太字。**次"],
    ["<p>10<sup>2</sup> H<sub>2</sub>O</p>", "10<sup>2</sup> H<sub>2</sub>O"],
    ["<p>a<br>b<br><br>c</p>", "a  \nb\n\nc"],
    ["<div>a</div><div>b</div>", "a\n\nb"],
    ["<h1><b>a</b></h1>", "# a"],
    ["<b><h2>a</h2><p>b</p></b>", "## a\n\nb"],
    ["<hr><p>a: b</p><hr>", "***\n\na: b\n\n---"],
    ["<p>see https://a.b/c_d?e=1&amp;f=_g</p>", "see https://a.b/c_d?e=1&f=_g"],
  ])("of %s", (html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });
});

/** Pages of what Markdown may misread, each with the words that it shows. */
type Page = { html: string; words: string };

function pages(): fc.Arbitrary<Page> {
  const characters = fc.constantFrom(
    ..."ab漢。 *_~`[]()!#+-=|<>&\\$:.,\"'{}^%@👍",
    "1. ",
    "amp;",
    "<b>",
    "---",
    "```",
    "\u00a0",
    " http://a.b/c_d?x=1&y=~z ",
  );
  const text = fc.array(characters, { minLength: 1, maxLength: 6 }).map((made) => {
    const words = made.join("");
    return { html: words.replace(/&/g, "&amp;").replace(/</g, "&lt;"), words };
  });
  const all = (made: Page[], between = ""): Page => ({
    html: made.map(({ html }) => html).join(""),
    words: made.map(({ words }) => words).join(between),
  });
  const marked = fc.tuple(
    fc.constantFrom("b", "i", "s", "code", "a href='https://a.b/'", "span", "sup"),
    fc.array(text, { minLength: 1, maxLength: 3 }),
    text,
  );
  const line = fc
    .array(
      fc.oneof(
        text,
        marked.map(([tag, inside, more]) => {
          const { html, words } = all(inside);
          return { html: `<${tag}>${html}<i>${more.html}</i></${tag.split(" ")[0]}>`, words: words + more.words };
        }),
        fc.constant({ html: "<br>", words: " " }),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((made) => all(made));
  const wrapped = (before: string, after: string) => (made: Page) => ({
    ...made,
    html: `${before}${made.html}${after}`,
  });
  const block = fc.oneof(
    line.map(wrapped("<p>", "</p>")),
    line.map(wrapped("<h2>", "</h2>")),
    text.map(wrapped("<pre>", "</pre>")),
    line.map(wrapped("<blockquote>", "</blockquote>")),
    fc
      .array(line.map(wrapped("<li>", "</li>")), { minLength: 1, maxLength: 3 })
      .map((made) => wrapped("<ul>", "</ul>")(all(made))),
    fc
      .array(line.map(wrapped("<li><p>", "</p><p>x</p></li>")), { minLength: 1, maxLength: 3 })
      .map((made) => wrapped("<ol>", "</ol>")({ ...all(made), words: made.map(({ words }) => `${words}x`).join("") })),
    fc
      .array(
        fc.tuple(line, line).map((cells) => wrapped("<tr>", "</tr>")(all(cells.map(wrapped("<td>", "</td>"))))),
        { minLength: 1, maxLength: 3 },
      )
      .map((made) => wrapped("<table>", "</table>")(all(made))),
  );
  return fc.array(block, { minLength: 1, maxLength: 4 }).map((made) => all(made));
}

it("shows the words of the page, whatever they look like", () => {
  fc.assert(
    fc.property(pages(), ({ html, words }) => {
      expect(shownWords(markdownOf(html))).toBe(letters(words));
    }),
    { numRuns: 400, seed: 7 },
  );
});

describe("a hostile page takes time in proportion to its length", () => {
  const cells = (rows: number, columns: number, cell: string) =>
    `<table dir="rtl">${`<tr>${`<td>${cell}</td>`.repeat(columns)}</tr>`.repeat(rows)}</table>`;
  it.each([
    ["10,000 cells", cells(1_000, 10, "שלום 😀")],
    ["316 columns", cells(32, 316, "12,5")],
    ["blocks 200 deep", `${"<div>".repeat(200)}a`],
    ["lists 200 deep", "<ul><li>a".repeat(200)],
    ["cells over everything", `<table>${"<tr><td colspan=1000 rowspan=65534>a".repeat(2_000)}`],
    ["marks of nothing", "<b> </b>".repeat(10_000)],
    ["marks of words", "<b>a<i>b</i></b> ".repeat(4_000)],
    ["marks without an end", "<b>a<i>".repeat(100)],
    ["breaks", "<br>".repeat(20_000)],
    ["code", "<div>a<pre>b</pre></div>".repeat(4_000)],
    ["spaces", `a${" \u00a0".repeat(50_000)}b`],
    ["underscores", "_a".repeat(50_000)],
    ["brackets", "[<".repeat(50_000)],
  ])("%s", (_what, html) => {
    expect(cpuTime(() => markdownOf(html))).toBeLessThan(3_000);
  });

  it("throws where elements are nested too deep", () => {
    expect(() => markdownOf("<div>".repeat(50_000))).toThrow(RangeError);
  });
});

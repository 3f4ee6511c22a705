import { toHtml } from "hast-util-to-html";
import { parseTokens } from "@/lib/markdown/parser";
import { markdownToHast } from "@/lib/markdown/render";
import { cpuTime } from "@/tests/support/cpu-time";
import { markdownToHtml } from "@/tests/support/markdown";

describe("Markdown as HTML", () => {
  it.each([
    ["# Title\n\ntext", "<h1>Title</h1>\n<p>text</p>"],
    ["**重要提示：**请注意。", "<p><strong>重要提示：</strong>请注意。</p>"],
    ["**Markdown（マークダウン）**は軽量です。", "<p><strong>Markdown（マークダウン）</strong>は軽量です。</p>"],
    ["含**「重点」**内容，**「次」**内容", "<p>含<strong>「重点」</strong>内容，<strong>「次」</strong>内容</p>"],
    ["연령은 10~20대, 가격은 30~40만", "<p>연령은 10~20대, 가격은 30~40만</p>"],
    ["~5-10% and ~20%, H~2~O", "<p>~5-10% and ~20%, H~2~O</p>"],
    ["[Why](#why-it-matters)\n\n## Why it *matters*?", '<h2 id="why-it-matters">Why it <em>matters</em>?</h2>'],
    ["[b](#a-1)\n\n# A\n\n# A", '<h1>A</h1>\n<h1 id="a-1">A</h1>'],
    ["[x](#own)\n\n## Title {#own}", '<h2 id="own">Title</h2>'],
    ["[x](#comparación)\n\n## Title {#comparación}", '<h2 id="comparación">Title</h2>'],
    ["[x](#привет)\n\n## Привет", '<h2 id="привет">Привет</h2>'],
    ["## Nobody links here\n\n## Nor here {#here}", "<h2>Nobody links here</h2>\n<h2>Nor here</h2>"],
    ["So \\(a_1 + b_1\\) and $$x_1 * y_1 * z$$ stay", "<p>So \\(a_1 + b_1\\) and $$x_1 * y_1 * z$$ stay</p>"],
    ["\\(c\\) is *no* formula, nor is $$", "<p>(c) is <em>no</em> formula, nor is $$</p>"],
    ["> [!NOTE]\n> Water *well*.", "<p><strong>Note</strong> Water <em>well</em>.</p>"],
    ["> [!tip]- Folded", "<p><strong>Tip</strong> Folded</p>"],
    ["> [!NOTE] is a word here: [x](y)", '<p><strong>Note</strong> is a word here: <a href="y">x</a></p>'],
    ["[!NOTE] outside a quote", "<p>[!NOTE] outside a quote</p>"],
    ["**bold** _it_ ~~del~~ `code`", "<p><strong>bold</strong> <em>it</em> <del>del</del> <code>code</code></p>"],
    ["[x](https://a.example/?a=1&b=2)", '<p><a href="https://a.example/?a=1&#x26;b=2">x</a></p>'],
    ["www.example.com", '<p><a href="http://www.example.com">www.example.com</a></p>'],
    ["![alt](https://a.example/i.png)", '<p><img src="https://a.example/i.png" alt="alt"></p>'],
    ["one  \ntwo", "<p>one<br>\ntwo</p>"],
    ["✅ Fast\n✅ Cheap", "<p>✅ Fast<br>\n✅ Cheap</p>"],
    ["- a\n  b\n\n> c\n> d", "<li>a<br>\nb</li>\n</ul>\n<blockquote>\n<p>c<br>\nd</p>"],
    ["One\nheading\n===", "<h1>One\nheading</h1>"],
    ['x ![a\nb](https://a.example/i.png "c\nd")', 'alt="a b" title="c d"'],
    ['[x](https://a.example "c\nd")', 'title="c d"'],
    ["東京は日本の\n**首都**です。\n京都は古都。", "<p>東京は日本の<strong>首都</strong>です。<br>\n京都は古都。</p>"],
    ["床前明月光\n疑是地上霜", "<p>床前明月光<br>\n疑是地上霜</p>"],
    ["床前明月光，\n疑是地上霜。", "<p>床前明月光，<br>\n疑是地上霜。</p>"],
    ["3. c\n4. d", '<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>'],
    ["```js\na < b\n```", '<pre><code class="language-js">a &#x3C; b\n</code></pre>'],
    ["| a |\n| :-: |\n| 1 |", '<th align="center">a</th>'],
    ["- [x] done", '<input type="checkbox" checked disabled> done'],
    ["> quote", "<blockquote>\n<p>quote</p>\n</blockquote>"],
  ])("renders %p", (markdown, html) => {
    expect(markdownToHtml(markdown)).toContain(html);
  });

  const figure = (caption: string, alt = "a") =>
    `<figure><img src="https://a.example/i.png" alt="${alt}">${caption && `<figcaption>${caption}</figcaption>`}</figure>`;

  it.each([
    ['![a](https://a.example/i.png "C")', figure("C")],
    ["![a](https://a.example/i.png 'c\nd ')", figure("c d")],
    ['![a](https://a.example/i.png "*C* \\"q\\" <b> &amp;amp; 🌱")', figure('*C* "q" &#x3C;b> &#x26;amp; 🌱')],
    [`![a](https://a.example/i.png "${"c".repeat(5_000)}")`, figure("c".repeat(5_000))],
    ['![a][b]\n\n[b]: https://a.example/i.png "C"', figure("C")],
    [
      '[![a](https://a.example/i.png "C")](https://b.example "T")',
      '<figure><a href="https://b.example" title="T"><img src="https://a.example/i.png" alt="a"></a><figcaption>C</figcaption></figure>',
    ],
    [
      '![a](https://a.example/i.png "C")\n![b](https://a.example/i.png) ![c](https://a.example/i.png "D")',
      `${figure("C")}\n${figure("", "b")}\n${figure("D", "c")}`,
    ],
    ['> ![a](https://a.example/i.png "C")', `<blockquote>\n${figure("C")}\n</blockquote>`],
    ['- ![a](https://a.example/i.png "C")', `<ul>\n<li>\n${figure("C")}\n</li>\n</ul>`],
    ['1. b\n\n   ![a](https://a.example/i.png "C")', `<ol>\n<li>\n<p>b</p>\n${figure("C")}\n</li>\n</ol>`],
  ])("makes a caption of the title of a picture that stands alone: %p", (markdown, html) => {
    expect(markdownToHtml(markdown)).toBe(html);
  });

  it("puts the box of a task before the picture that is all of it", () => {
    const html = markdownToHtml('- [x] ![a](https://a.example/i.png "C")');
    expect(html).toContain(`<input type="checkbox" checked disabled>\n \n${figure("C")}`);
  });

  it.each([
    ['b ![a](https://a.example/i.png "T")', "<p>b "],
    ['[![a](https://a.example/i.png "T") b](https://b.example)', '<p><a href="https://b.example">'],
    ['*![a](https://a.example/i.png "T")*', "<p><em>"],
    ['# ![a](https://a.example/i.png "T")', "<h1>"],
    ['| b |\n| - |\n| ![a](https://a.example/i.png "T") |', "<td>"],
    [
      '<a href="https://b.example"><img src="https://a.example/i.png" alt="a" title="T"></a>',
      '<p><a href="https://b.example">',
    ],
  ])("leaves a title where the picture does not stand alone, or is a tag: %p", (markdown, before) => {
    expect(markdownToHtml(markdown)).toContain(`${before}<img src="https://a.example/i.png" alt="a" title="T">`);
  });

  it.each(["", " "])("makes no caption of the title %j", (title) => {
    expect(markdownToHtml(`![a](https://a.example/i.png "${title}")`)).not.toContain("fig");
  });

  it.each([
    ["• one\n• two", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>"],
    ["Intro:\n• one\n◦ two\n", "<p>Intro:</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>"],
    ["> ‣\u00a0one\n> ▪\u00a0two", "<blockquote>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n</blockquote>"],
    ["• one\n  ◦ more\n● two", "<ul>\n<li>one\n<ul>\n<li>more</li>\n</ul>\n</li>\n<li>two</li>\n</ul>"],
    ["• one", "<p>• one</p>"],
    ["• one\n\ntext\n· two", "<p>• one</p>\n<p>text<br>\n· two</p>"],
    ["> • one\n\n• two", "<blockquote>\n<p>• one</p>\n</blockquote>\n<p>• two</p>"],
    ["- • one\n- • two", "<ul>\n<li>• one</li>\n<li>• two</li>\n</ul>"],
    ["> • one\n• two", "<blockquote>\n<p>• one<br>\n• two</p>\n</blockquote>"],
    ["- • one\n• two", "<ul>\n<li>• one<br>\n• two</li>\n</ul>"],
    ["•one\n•two", "<p>•one<br>\n•two</p>"],
    ["```\n• one\n• two\n-\u00a0three\n```", "<pre><code>• one\n• two\n-\u00a0three\n</code></pre>"],
    ["    • one\n    • two", "<pre><code>• one\n• two\n</code></pre>"],
  ])("makes a list of lines with other applications' bullets, and of no single one: %p", (markdown, html) => {
    expect(markdownToHtml(markdown)).toBe(html);
  });

  it.each([
    ["##\u00a0Title", "<h2>Title</h2>"],
    ["-\u00a0one\n-\u202ftwo", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>"],
    ["1.\u3000一\n2.\u3000二", "<ol>\n<li>一</li>\n<li>二</li>\n</ol>"],
    [">\u00a0-\u00a0one", "<blockquote>\n<ul>\n<li>one</li>\n</ul>\n</blockquote>"],
    ["In\n2024.\u00a0May", "<p>In<br>\n2024.\u00a0May</p>"],
    ["a\u00a0b -\u00a0c", "<p>a\u00a0b -\u00a0c</p>"],
    ["```\n##\u00a0a\n```", "<pre><code>##\u00a0a\n</code></pre>"],
  ])("reads a wide space after a mark as a space: %p", (markdown, html) => {
    expect(markdownToHtml(markdown)).toBe(html);
  });

  const nested = (item: string) => `<ol>\n<li>One\n${item}\n</li>\n<li>Two</li>\n</ol>`;
  const a = "<ul>\n<li>a</li>\n</ul>";
  it.each([
    ["1. One\n  - a\n2. Two", nested(a)],
    ["1) One\n  •\u00a0a\n  • b\n2) Two", nested("<ul>\n<li>a</li>\n<li>b</li>\n</ul>")],
    ["1. One\n  1. a\n  2. b\n2. Two", nested("<ol>\n<li>a</li>\n<li>b</li>\n</ol>")],
    ["1. One\n  - a\n    - b\n2. Two", nested("<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>")],
    ["  1. One\n    - a\n  2. Two", nested(a)],
    ["   1. One\n     - a\n   2. Two", nested(a)],
    ["1.\tOne\n  - a\n2.\tTwo", nested(a)],
    ["> 1. One\n>   - a\n> 2. Two", `<blockquote>\n${nested(a)}\n</blockquote>`],
    ["- 1. One\n    - a\n  2. Two", `<ul>\n<li>\n${nested(a)}\n</li>\n</ul>`],
    ["1. One\n   > q\n  - a\n2. Two", nested(`<blockquote>\n<p>q</p>\n</blockquote>\n${a}`)],
    ["1. One\n   ```\n   c\n   ```\n  - a\n2. Two", nested(`<pre><code>c\n</code></pre>\n${a}`)],
    ["10. x\n  - a", '<ol start="10">\n<li>x\n<ul>\n<li>a</li>\n</ul>\n</li>\n</ol>'],
    ["100. x\n   - a", '<ol start="100">\n<li>x\n<ul>\n<li>a</li>\n</ul>\n</li>\n</ol>'],
    ["1. One\n\n  - a", `<ol>\n<li>\n<p>One</p>\n${a}\n</li>\n</ol>`],
    ["1. One\n\n  - a\n\n2. Two", `<ol>\n<li>\n<p>One</p>\n${a}\n</li>\n<li>\n<p>Two</p>\n</li>\n</ol>`],
  ])("puts a list that is indented by two or three columns into the numbered item above: %p", (markdown, html) => {
    expect(markdownToHtml(markdown)).toBe(html);
  });

  it.each([
    ["1. One\n - a", `<ol>\n<li>One</li>\n</ol>\n${a}`],
    ["1. a\n  2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>"],
    ["1. One\n  text", "<ol>\n<li>One<br>\ntext</li>\n</ol>"],
    ["1. One\n\n  text", "<ol>\n<li>One</li>\n</ol>\n<p>text</p>"],
    ["1. One\n\n       code", "<pre><code>code\n</code></pre>"],
    ["1. One\n  - - -", "<ol>\n<li>One</li>\n</ol>\n<hr>"],
    ["1. One\n  ---", "<ol>\n<li>One</li>\n</ol>\n<hr>"],
    ["- One\n - a", "<ul>\n<li>One</li>\n<li>a</li>\n</ul>"],
  ])("leaves everything else under a numbered item where it is: %p", (markdown, html) => {
    expect(markdownToHtml(markdown)).toContain(html);
  });

  it.each([
    "---\ntitle: X\ntags: [a]\n---\n\nText",
    "\uFEFF---\ntitle: X\n---\nText",
    "---\r\ntitle: X\r\n...\r\nText",
    "---\n# A comment\n\ntitle: X\ntags:\n- a\n  b: c\nlist: [\n  a\n]\n---\nText",
    '---\n"date created": 2024\ntítulo: x\n---\nText',
  ])("leaves out front matter: %p", (markdown) => {
    expect(markdownToHtml(markdown)).toBe("<p>Text</p>");
  });

  it.each([
    ["---\ntitle: X\nsome words\n---", "<hr>\n<h2>title: X\nsome words</h2>"],
    ["---\ntitle: X\n\nText", "<hr>\n<p>title: X</p>\n<p>Text</p>"],
    ["---\n---\n\nText", "<hr>\n<hr>\n<p>Text</p>"],
    ["\n---\ntitle: X\n---", "<hr>\n<h2>title: X</h2>"],
    ["Text\n\n---\ntitle: X\n---", "<p>Text</p>\n<hr>\n<h2>title: X</h2>"],
    ["> ---\n> a: b\n> ---", "<blockquote>\n<hr>\n<h2>a: b</h2>\n</blockquote>"],
    ["<div>\n---\na: b\n---\n</div>", "<hr>\n<h2>a: b</h2>"],
  ])("takes nothing else for front matter: %p", (markdown, html) => {
    expect(markdownToHtml(markdown)).toBe(html);
  });

  it.each([
    ["See [[Note]] and [[Note|these *words*]].", "<p>See Note and these *words*.</p>"],
    ["| a |\n| - |\n| [[Note\\|words]] |", "<td>words</td>"],
    ["**[[Note]]** [x [[Note]]](/y)", '<p><strong>Note</strong> <a href="/y">x Note</a></p>'],
    ["\\[\\[Note]] `[[Note]]` [[a\nb]] [[ ]] [[]]", "<p>[[Note]] <code>[[Note]]</code> [[a<br>\nb]] [[ ]] [[]]</p>"],
    ["[[1]](https://a.example)", '<p><a href="https://a.example">[1]</a></p>'],
    ["[[1]]\n\n[1]: /x", '<p>[<a href="/x">1</a>]</p>'],
    ["[[a [b](/c)]]", '<p>[[a <a href="/c">b</a>]]</p>'],
    ["[[Note]][[Other]]", "<p>NoteOther</p>"],
    ["![[image.png]]", ""],
    ["a ![[image.png|300]] b", "<p>a  b</p>"],
    ["## ![[image.png]]\n\ntext\n![[image.png]]\nmore", "<p>text<br>\nmore</p>"],
    ["![[a.png]]\ntext\n![b](c.png)", "<p>text</p>"],
    ["- a\n- ![[b.png]]", "<ul>\n<li>a</li>\n<li></li>\n</ul>"],
  ])("reads wiki links as their words, and leaves out embedded files: %p", (markdown, html) => {
    expect(markdownToHtml(markdown)).toContain(html);
    if (html === "") expect(markdownToHtml(markdown)).toBe("");
  });

  it("keeps a footnote in brackets", () => {
    expect(markdownToHtml("a [[^1]]\n\n[^1]: b")).toContain('[<sup><a href="#user-content-fn-1"');
  });

  it.each([
    "images/chart.png",
    "../chart.png",
    "file:///home/chart.png",
    "<C:\\Pictures\\chart.png>",
    "data:image/png;base64,AAAA",
    "%2Fchart.png",
    "",
  ])("leaves out a local picture with its alternative text, and the line it is on: %p", (address) => {
    expect(markdownToHtml(`![Chart](${address})`)).toBe("");
    expect(markdownToHtml(`a\n\n[*![Chart](${address})*](https://a.example)\nb ![Chart](${address})`)).toBe(
      "<p>a</p>\n<p>b </p>",
    );
  });

  it.each([
    ["![alt|300](https://a.example/i.png)", 'src="https://a.example/i.png" alt="alt"'],
    ["![alt|300x200](//a.example/i.png)", 'src="//a.example/i.png" alt="alt"'],
    ["![a|b](/i.png)", 'src="/i.png" alt="a|b"'],
    ["![a][r]\n\n[r]: https&#58;//a.example/i.png", 'src="https://a.example/i.png" alt="a"'],
  ])("keeps a picture that readers can load, without its size: %p", (markdown, html) => {
    expect(markdownToHtml(markdown)).toContain(html);
  });

  it.each([
    ["---\na: b\n---\n\nText", "frontMatter", [0, 3]],
    ["Text\n\n![a](b.png)", "localPicture", [2, 3]],
    ["---\na: b\n---\n\n![a](/b)![[c]]", "embeddedFile", [4, 5]],
    ["Text\n\na\n![[b.png]]", "embeddedFile", [2, 4]],
  ])("leaves a token that names what was left out of %p", (markdown, loss, map) => {
    const tokens = parseTokens(markdown, {}).flatMap((token) => [token, ...(token.children ?? [])]);
    expect(tokens.filter(({ meta }) => meta?.loss).at(-1)).toMatchObject({ meta: { loss }, map });
  });

  it.each([
    ["Replace <your-api-key> with the key.", "<p>Replace &#x3C;your-api-key> with the key.</p>"],
    ["Use Array<string>, not List<T>.", "<p>Use Array&#x3C;string>, not List&#x3C;T>.</p>"],
    ["the <head> element", "<p>the &#x3C;head> element</p>"],
    ["the <input> element, a <meta charset>", "<p>the &#x3C;input> element, a &#x3C;meta charset></p>"],
    ["<link> comes first", "<p>&#x3C;link> comes first</p>"],
    ["<head> comes first", "<p>&#x3C;head> comes first</p>"],
    ["<your-api-key>", "<p>&#x3C;your-api-key></p>"],
    ["an unclosed <b> and a stray </i>", "<p>an unclosed &#x3C;b> and a stray &#x3C;/i></p>"],
    ["<<b>script>alert(1)</script>", "<p>&#x3C;&#x3C;b>script>alert(1)&#x3C;/script></p>"],
    ["![a <key> b](https://a.example/x.png)", 'alt="a <key> b"'],
    ["<p>no end", "<p>&#x3C;p>no end</p>"],
    ["<li> is for items", "<p>&#x3C;li> is for items</p>"],
    ["<script>alert(1)", "<p>&#x3C;script>alert(1)</p>"],
    ["<your-key>\n- item", "<p>&#x3C;your-key></p>\n<ul>"],
    ["<Name>\n<Street and number>", "<p>&#x3C;Name><br>\n&#x3C;Street and number></p>"],
    ["<div>The <head> comes first</div>", "<p>The &#x3C;head> comes first</p>"],
    ["a <my-widget>b</my-widget> c", "<p>a &#x3C;my-widget>b&#x3C;/my-widget> c</p>"],
    ["<u>a **b</u> c**", "<p>&#x3C;u>a <strong>b&#x3C;/u> c</strong></p>"],
    ["**a <u>b** c</u>", "<p><strong>a &#x3C;u>b</strong> c&#x3C;/u></p>"],
    ["<b>a\n\nb</b>", "<p>&#x3C;b>a</p>\n<p>b&#x3C;/b></p>"],
    ["<table> is an element.\n\n```html\n</table>\n```", "<p>&#x3C;table> is an element.</p>"],
  ])("shows a tag without a partner as it was typed: %p", (markdown, html) => {
    expect(markdownToHtml(markdown)).toContain(html);
  });

  it.each([
    ["<script>alert(1)</script>", ""],
    ["<div>Kept &amp; **bold**</div>", "<p>Kept &#x26; <strong>bold</strong></p>"],
    ["<p>one</p>\n<p>two</p>", "<p>one</p>\n<p>two</p>"],
    ["<!-- a note -->\n\ntext <!-- another --> on", "<p>text  on</p>"],
    ["a<br>b", "<p>a<br>\nb</p>"],
    ["| a |\n| - |\n| x<br/>y |", "<td>x<br>\ny</td>"],
    ["a <svg><b>x</b> y</svg> b", "<p>a  b</p>"],
    ["<div><scr<b></b>ipt>alert(1)</div>", "<p>&#x3C;scr<strong></strong>ipt>alert(1)</p>"],
    ["<div>\n\n**Kept**\n\n</div>", "<p><strong>Kept</strong></p>"],
    ["<details><summary>More</summary>\n\nKept\n\n</details>", "<p>More</p>\n<p>Kept</p>"],
    ["<div>\n  # Heading\n  - item\n</div>", "<h1>Heading</h1>\n<ul>\n<li>item</li>\n</ul>"],
    ["Plan<div>Price</div>9", "<p>Plan<br>\nPrice<br>\n9</p>"],
    ["| a |\n| - |\n| <ul><li>x</li> <li>y</li></ul> |", "<td>• x<br>\n• y</td>"],
    ["<dl><dt>T</dt><dd>D</dd></dl>", "<p>T</p>\n<p>D</p>"],
    ["<span>a</span><span>b</span>", "<p>ab</p>"],
    ["a <button>OK</button> b <form><input>x</form>", "<p>a  b </p>"],
    ["<form><p>x</p></form>", ""],
  ])("leaves what is between tags that a post does not have: %p", (markdown, html) => {
    const rendered = markdownToHtml(markdown);
    if (html === "") expect(rendered).toBe("");
    else expect(rendered).toContain(html);
  });

  it.each([
    ["H<sub>2</sub>O, x<sup>2</sup>", "H<sub>2</sub>O, x<sup>2</sup>"],
    [
      "<u>u</u> <ins>i</ins> <mark class=x>m</mark> <kbd>Ctrl</kbd>",
      "<u>u</u> <u>i</u> <mark>m</mark> <kbd>Ctrl</kbd>",
    ],
    [
      "a <b onclick=alert(1)>b **c**</b> <i>d</i> <s>e</s>",
      "<strong>b <strong>c</strong></strong> <em>d</em> <del>e</del>",
    ],
    [
      '<a href="https://a.example/?a=1&amp;b=2" onclick="x()" title="T">x</a>',
      '<a href="https://a.example/?a=1&#x26;b=2" title="T">x</a>',
    ],
    ["[m <a href='/x'>y</a>](https://a.example)", '<a href="https://a.example">m y</a>'],
    [
      '<img src="https://a.example/i.png" alt="&quot;q&quot;" width=3>',
      '<img src="https://a.example/i.png" alt="&#x22;q&#x22;">',
    ],
    [
      '<p align="center">\n  <img src="https://a.example/i.png">\n</p>',
      '<p><img src="https://a.example/i.png" alt=""></p>',
    ],
    ["<h3>Title *x*</h3>", "<h3>Title <em>x</em></h3>"],
    ["<u>a\nb</u>", "<p><u>a\nb</u></p>"],
    ['a <img src="images/i.png" alt="x"> b', "<p>a  b</p>"],
    ["<mark>\nx\n</mark>", "<mark>\nx\n</mark>"],
    ["<blockquote>q</blockquote>", "<blockquote>\n<p>q</p>\n</blockquote>"],
    ["<pre>a &lt; b\n\n  *c* \\d</pre>", "<pre><code>a &#x3C; b\n\n  *c* \\d</code></pre>"],
    [
      "<ol start=3>\n  <li>One\n  <li><p>Two</p>\n\n    <ul><li>a</li></ul>\n</ol>",
      '<ol start="3">\n<li>One</li>\n<li><p>Two</p><ul>\n<li>a</li>\n</ul></li>\n</ol>',
    ],
    [
      "<table><caption>C</caption><tr><th>Plan<th>Price</tr>\n\n<tr><td>Basic</td><td align=right>**9**<p>x</p></td></tr></table>",
      '<caption>C</caption>\n<thead>\n<tr>\n<th>Plan</th>\n<th>Price</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>Basic</td>\n<td align="right"><strong>9</strong><br>\nx</td>',
    ],
    ["<table>\n<tr><td colspan=2 rowspan='3' style='x'>a</td></tr></table>", '<td colspan="2" rowspan="3">a</td>'],
    ["<table>stray<tr><td>1</td></tr></table>", "<p>stray</p>\n<table>"],
  ])("makes of HTML what Markdown makes of it: %p", (markdown, html) => {
    expect(markdownToHtml(markdown)).toContain(html);
  });

  it.each([
    ["# My *title*\n\ntext\n\n# Other", "my Title!", "<p>text</p>\n<h2>Other</h2>"],
    ["text\n\n# My title", "My title", "<p>text</p>\n<h2>My title</h2>"],
    ["# Another\n\n> # Quoted", "My title", "<h2>Another</h2>\n<blockquote>\n<h2>Quoted</h2>\n</blockquote>"],
    ["## My title", "My title", "<h2>My title</h2>"],
    ["# İki altın", "İKİ ALTIN", ""],
  ])("puts %p under the title %p once", (markdown, title, html) => {
    expect(toHtml(markdownToHast(markdown, title))).toBe(html);
  });

  it.each([
    ["https://youtu.be/abc", "YouTube"],
    ["<https://www.youtube.com/watch?v=abc>", "YouTube"],
    ["https://vimeo.com/1234", "Vimeo"],
    ["https://open.spotify.com/intl-de/track/1a", "Spotify"],
    ["https://x.com/someone/status/1", "X"],
  ])("shows the address %p, alone in its paragraph, as an embed", (address, name) => {
    expect(markdownToHtml(`a\n\n${address}\n\nb`)).toContain(`<figure data-embed="${name}">`);
  });

  it.each([
    "https://a.example/x",
    "https://www.amazon.com/dp/B000",
    "https://www.youtube.com/about",
    "https://youtube.com.evil.example/watch?v=a",
    "[https://youtu.be/abc](https://youtu.be/abc)",
    "[a film](https://youtu.be/abc)",
    "see https://youtu.be/abc",
    "- https://youtu.be/abc",
    "> https://youtu.be/abc",
  ])("leaves %p a link", (markdown) => {
    expect(markdownToHtml(markdown)).not.toContain("figure");
  });

  it.each([
    ["[x](Https://a.example/B)", '<a href="https://a.example/B">x</a>'],
    ["<MAILTO:a@b.example>", '<a href="mailto:a@b.example">MAILTO:a@b.example</a>'],
    ['<a href="HTTP://a.example">x</a>', '<a href="http://a.example">x</a>'],
    ["![x](HTTPS://a.example/B.jpg)", '<img src="https://a.example/B.jpg" alt="x">'],
    ["<img src=' https://a.example/b.jpg'>", '<img src="https://a.example/b.jpg" alt="">'],
  ])("keeps the address of %p, with a scheme that the sanitiser knows", (markdown, html) => {
    expect(markdownToHtml(markdown)).toBe(`<p>${html}</p>`);
  });

  it.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#115;cript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:alert(1))",
    "![x](javascript:alert(1))",
    "![x](data:image/svg+xml,<svg onload=alert(1)>)",
    '[x](https://a.example "\\" onmouseover=alert(1) x=\\"")',
    "<img src=x onerror=alert(1)>",
    "<iframe src=https://evil.example></iframe>",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "<svg><script>alert(1)</script></svg>",
    '<a href="javascript:alert(1)">x</a>',
    "<a href='  java&#115;cript:alert(1)'>x</a>",
    "<table><tr><td onclick=alert(1) style=x><img src=javascript:alert(1) onerror=alert(1)></td></tr></table>",
    "<table><caption><script>alert(1)</script></caption><tr><th><svg onload=alert(1)></th></tr></table>",
    "<ol start=alert(1)><li onmouseover=alert(1)><iframe src=x></iframe></li></ol>",
    "<u onclick=alert(1)>a</u><mark style=x>b</mark><kbd id=x>c</kbd><sub class=y>d</sub>",
    "<h3 onclick=alert(1)>a</h3><blockquote cite=javascript:alert(1)>b</blockquote>",
    "<pre onclick=alert(1)><script>alert(1)</script></pre>",
    "<figure data-embed=x onclick=alert(1)>a</figure><hr data-more=x onclick=alert(1)>",
    "<style>*{display:none}</style>",
    '![a](https://a.example/"onerror="alert(1))',
  ])("leaves nothing executable of %p", (markdown) => {
    const html = markdownToHtml(markdown);
    expect(html).not.toMatch(/<(?:script|iframe|svg|style|object)|<[^>]*(?:href|src)="(?:javascript|data|vbscript)/i);
    const attributes = [...html.matchAll(/<[a-z]+((?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*>/g)].map((tag) => tag[1] ?? "");
    expect(attributes.join(" ").replace(/="[^"]*"/g, "")).not.toMatch(/\son/i);
  });

  it("prefixes the ids of footnotes so that they do not clash with the page's", () => {
    const html = markdownToHtml("Text[^1]\n\n[^1]: note");
    expect(html).toContain('href="#user-content-fn-1"');
    expect(html).toContain('<li id="user-content-fn-1">');
  });

  it.each([">", "> ", "- ", "1. ", "> - "])("survives 100,000 characters of %p", (marker) => {
    const html = markdownToHtml(`${marker.repeat(100_000 / marker.length)}deep`);
    expect(html).toContain("deep");
    expect(html.match(/<(?:blockquote|ul|ol)>/g)?.length).toBe(50);
  });

  it.each([
    [20, '<p><img src="/b" alt="a"></p>'],
    [21, `<p>${"![".repeat(21)}a${"](/b)".repeat(21)}</p>`],
  ])("renders brackets nested up to 20 deep, and deeper ones as text: %i", (depth, html) => {
    expect(markdownToHtml(`${"![".repeat(depth)}a${"](/b)".repeat(depth)}`)).toBe(html);
  });

  it("renders a long thematic break as one", () => {
    expect(markdownToHtml(`a\n\n${"- ".repeat(80)}\n\n${"* ".repeat(80).trim()}`)).toBe("<p>a</p>\n<hr>\n<hr>");
  });

  it("renders 100,000 characters of ordinary text within ten seconds", () => {
    const section = `## A heading\n\n${"Some **bold** text with a [link](https://a.example) in it. ".repeat(8)}\n\n- a\n- b\n\n`;
    const text = section.repeat(Math.ceil(100_000 / section.length));
    expect(cpuTime(() => expect(markdownToHtml(text).length).toBeGreaterThan(100_000))).toBeLessThan(10_000);
  });
});

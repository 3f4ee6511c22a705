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
    ["3. c\n4. d", '<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>'],
    ["```js\na < b\n```", '<pre><code class="language-js">a &#x3C; b\n</code></pre>'],
    ["| a |\n| :-: |\n| 1 |", '<th align="center">a</th>'],
    ["- [x] done", '<input type="checkbox" checked disabled> done'],
    ["> quote", "<blockquote>\n<p>quote</p>\n</blockquote>"],
  ])("renders %p", (markdown, html) => {
    expect(markdownToHtml(markdown)).toContain(html);
  });

  it.each([
    ["Replace <your-api-key> with the key.", "<p>Replace &#x3C;your-api-key> with the key.</p>"],
    ["Use Array<string>, not List<T>.", "<p>Use Array&#x3C;string>, not List&#x3C;T>.</p>"],
    ["the <head> element", "<p>the &#x3C;head> element</p>"],
    ["<head> comes first", "<p>&#x3C;head> comes first</p>"],
    ["<your-api-key>", "<p>&#x3C;your-api-key></p>"],
    ["an unclosed <b> and a stray </i>", "<p>an unclosed &#x3C;b> and a stray &#x3C;/i></p>"],
    ["<<b>script>alert(1)</script>", "<p>&#x3C;&#x3C;b>script>alert(1)&#x3C;/script></p>"],
    ["![a <key> b](https://a.example/x.png)", 'alt="a <key> b"'],
  ])("shows a tag without a partner as it was typed: %p", (markdown, html) => {
    expect(markdownToHtml(markdown)).toContain(html);
  });

  it.each([
    ["<script>alert(1)</script>", ""],
    ["a <b onclick=alert(1)>b</b> c", "<p>a b c</p>"],
    ["<div>Kept &amp; **bold**</div>", "<p>Kept &#x26; <strong>bold</strong></p>"],
    ["<p>one</p>\n<p>two</p>", "<p>one</p>\n<p>two</p>"],
    ["<!-- a note -->\n\ntext <!-- another --> on", "<p>text  on</p>"],
    ["a<br>b", "<p>a<br>\nb</p>"],
    ["| a |\n| - |\n| x<br/>y |", "<td>x<br>\ny</td>"],
    ["a <svg><b>x</b> y</svg> b", "<p>a  b</p>"],
    ["<div><scr<b></b>ipt>alert(1)</div>", ""],
    ["<div>\n\n**Kept**\n\n</div>", "<p><strong>Kept</strong></p>"],
  ])("keeps the text of raw HTML and nothing else: %p", (markdown, html) => {
    const rendered = markdownToHtml(markdown);
    if (html === "") expect(rendered).toBe("");
    else expect(rendered).toContain(html);
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
    [20, '<p><img src="b" alt="a"></p>'],
    [21, `<p>${"![".repeat(21)}a${"](b)".repeat(21)}</p>`],
  ])("renders brackets nested up to 20 deep, and deeper ones as text: %i", (depth, html) => {
    expect(markdownToHtml(`${"![".repeat(depth)}a${"](b)".repeat(depth)}`)).toBe(html);
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

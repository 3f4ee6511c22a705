import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { renderPost } from "@/lib/wordpress/blocks";
import { RENDERER_VERSION } from "@/lib/wordpress/renderer";
import { EVERYTHING } from "@/tests/support/wordpress/every-markdown";

/** `<!-- wp:x -->…<!-- /wp:x -->` without its comments and line breaks. */
function bare(markdown: string): string {
  return renderPost(markdown)
    .replace(/<!-- \/?wp:.*? -->/gs, "")
    .replace(/\n+/g, "");
}

// Other HTML is another renderer: raise RENDERER_VERSION before the snapshots are written again.
it.each(["article", "outline", "pasted", "recipe", "tutorial", "world"])("renders the post %s as before", (name) => {
  const post = readFileSync(path.resolve("tests/support/posts", `${name}.md`), "utf8");
  expect(renderPost(post)).toMatchSnapshot(`renderer ${RENDERER_VERSION}`);
});

describe("Markdown as WordPress blocks", () => {
  it("writes a block as WordPress itself does", () => {
    expect(renderPost("Hello *you*")).toBe("<!-- wp:paragraph -->\n<p>Hello <em>you</em></p>\n<!-- /wp:paragraph -->");
    expect(renderPost("## Two\n\n### Three")).toBe(
      '<!-- wp:heading -->\n<h2 class="wp-block-heading">Two</h2>\n<!-- /wp:heading -->\n\n' +
        '<!-- wp:heading {"level":3} -->\n<h3 class="wp-block-heading">Three</h3>\n<!-- /wp:heading -->',
    );
  });

  it("nests lists and keeps the first number of a numbered one", () => {
    const markup = renderPost("7. seven\n   - below\n8. eight");
    expect(markup).toContain('<!-- wp:list {"ordered":true,"start":7} -->\n<ol start="7" class="wp-block-list">');
    expect(markup).toContain(
      '<li>seven<!-- wp:list -->\n<ul class="wp-block-list"><!-- wp:list-item -->\n<li>below</li>',
    );
    expect(renderPost("1. one")).toContain('<!-- wp:list {"ordered":true} -->\n<ol class="wp-block-list">');
  });

  it.each([
    [
      "a table with alignment",
      "| a | b |\n| :-: | - |\n| 1 | 2 |",
      [
        '<!-- wp:table {"hasFixedLayout":true} -->\n<figure class="wp-block-table"><table class="has-fixed-layout">',
        '<th class="has-text-align-center" data-align="center">a</th><th>b</th>',
        '<td class="has-text-align-center" data-align="center">1</td><td>2</td>',
      ],
    ],
    [
      "code with its language, with everything escaped that WordPress acts upon",
      "```js\n[gallery] <b>\nhttps://a.example/x\n```",
      [
        '<!-- wp:code {"className":"language-js"} -->\n<pre class="wp-block-code language-js"><code>&#091;gallery] &lt;b&gt;',
        "https:&#047;&#047;a.example/x</code></pre>",
      ],
    ],
    [
      "a heading that a link names",
      "[there](#own)\n\n## Title {#own}",
      ['<!-- wp:heading -->\n<h2 class="wp-block-heading" id="own">Title</h2>'],
    ],
    [
      "an image",
      'A ![Alt "&"](https://a.example/i.png?a=1&b=2 "Title")\n\n![](https://a.example/j.png "")',
      [
        '<img src="https://a.example/i.png?a=1&amp;b=2" alt="Alt &quot;&amp;&quot;" title="Title" />',
        '<figure class="wp-block-image"><img src="https://a.example/j.png" alt="" /></figure>',
      ],
    ],
    [
      "an image with its caption",
      '![a](https://a.example/i.png "*C* & <script>alert(1)</script> --> [x] \\"q\\"")',
      [
        '<!-- wp:image -->\n<figure class="wp-block-image"><img src="https://a.example/i.png" alt="a" /><figcaption class="wp-element-caption">*C* &amp; &lt;script&gt;alert(1)&lt;/script&gt; --&gt; [x] "q"</figcaption></figure>\n<!-- /wp:image -->',
      ],
    ],
    [
      "a linked image",
      "[![Alt](https://a.example/i.png)](https://a.example/)",
      [
        '<!-- wp:image {"linkDestination":"custom"} -->\n<figure class="wp-block-image"><a href="https://a.example/"><img',
      ],
    ],
    [
      "a linked image with its caption",
      '[![Alt](https://a.example/i.png "C")](https://a.example/)',
      [
        '<img src="https://a.example/i.png" alt="Alt" /></a><figcaption class="wp-element-caption">C</figcaption></figure>',
      ],
    ],
    [
      "an image with its caption in an item of a list",
      '- ![a](https://a.example/i.png "C")',
      [
        '<li><!-- wp:image -->\n<figure class="wp-block-image"><img src="https://a.example/i.png" alt="a" /><figcaption',
      ],
    ],
    ["a separator", "a\n\n---", ['<hr class="wp-block-separator has-alpha-channel-opacity" />']],
    [
      "a quote of blocks",
      "> a\n>\n> - b",
      [
        '<blockquote class="wp-block-quote"><!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:list -->',
      ],
    ],
    ["a task list as characters", "- [x] done\n- [ ] open", ["<li>☑ done</li>", "<li>☐ open</li>"]],
    ["hard breaks", "a  \nb", ["<p>a<br />b</p>"]],
    ["line breaks", "a\nb", ["<p>a<br />b</p>"]],
    [
      "a table of HTML with its spans, foot and caption",
      "<table><caption>C</caption><tr><td align=right colspan=2 rowspan=3>a</td></tr><tfoot><tr><td>f</td></tr></tfoot></table>",
      [
        '<tbody><tr><td class="has-text-align-right" data-align="right" colspan="2" rowspan="3">a</td></tr></tbody>',
        '<tfoot><tr><td>f</td></tr></tfoot></table><figcaption class="wp-element-caption">C</figcaption></figure>',
      ],
    ],
    [
      "the address of a film",
      "https://www.youtube.com/watch?v=a_b&t=1",
      [
        '<!-- wp:embed {"url":"https://www.youtube.com/watch?v=a_b\\u0026amp;t=1","type":"video","providerNameSlug":"youtube","responsive":true,"className":"wp-embed-aspect-16-9 wp-has-aspect-ratio"} -->\n',
        '<figure class="wp-block-embed is-type-video is-provider-youtube wp-block-embed-youtube wp-embed-aspect-16-9 wp-has-aspect-ratio"><div class="wp-block-embed__wrapper">\nhttps://www.youtube.com/watch?v=a_b&amp;t=1\n</div></figure>',
      ],
    ],
    [
      "the address of a song",
      "<https://open.spotify.com/track/1a>",
      ['<figure class="wp-block-embed is-type-rich is-provider-spotify wp-block-embed-spotify">'],
    ],
    ["the more mark", "a\n\n<!--more-->\n\nb", ["<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->"]],
    ["the more mark's words", "<!--more Go on-->", ['<!-- wp:more {"customText":"Go on"} -->\n<!--more Go on-->\n']],
    ["a loose item of a list", "- a\n\n  b\n\n- c", ["<li>a<br /><br />b</li>", "<li>c</li>"]],
    ["blocks in an item of a list", "- a\n\n  > b", ['<li>a<!-- wp:quote -->\n<blockquote class="wp-block-quote">']],
    ["shortcodes of the text, which are the author's own", "[gallery id=1]", ["<p>[gallery id=1]</p>"]],
    ["raw HTML as its text", "<div>Kept</div>", ["<p>Kept</p>"]],
  ])("renders %s", (_what, markdown, parts) => {
    const markup = renderPost(markdown);
    for (const part of parts) expect(markup).toContain(part);
  });

  it("has one more mark, at its top level", () => {
    expect(renderPost("a\n\n<!--more-->\n\nb\n\n<!--more-->").match(/wp:more/g)).toHaveLength(2);
    expect(renderPost("> a\n>\n> <!--more-->")).not.toContain("more");
  });

  it("numbers footnotes and lists them under a line, without ids that would clash on a page of posts", () => {
    const markup = renderPost("A[^x] and B[^y].\n\n[^x]: First\n\n[^y]: Second");
    expect(markup).toContain("<p>A<sup>1</sup> and B<sup>2</sup>.</p>");
    expect(markup).toMatch(/wp-block-separator.*<li>First<\/li>.*<li>Second<\/li>/s);
    expect(markup).not.toMatch(/ id=|href=|Footnotes|↩/);
  });

  it.each([
    "",
    "   \n\n",
    "<!-- only a comment -->",
    "<script>alert(1)</script>",
    "[a]: https://a.example",
    "#",
    "[](javascript:x)",
  ])("renders %p as nothing", (markdown) => {
    expect(bare(markdown)).toBe("");
  });

  it.each([
    ["[x](javascript:alert(1))", "<p>x</p>"],
    ["![alt](data:image/png;base64,AAAA)", ""],
    ["[![alt](data:image/png;base64,AAAA)](https://a.example/)", ""],
    ["[![alt](https://a.example/i.png)](javascript:x)", '<p><img src="https://a.example/i.png" alt="alt" /></p>'],
    [
      '[![alt](https://a.example/i.png "C")](javascript:x)',
      '<figure class="wp-block-image"><img src="https://a.example/i.png" alt="alt" /><figcaption class="wp-element-caption">C</figcaption></figure>',
    ],
    ['[x](https://a.example/"><script>)', '<p><a href="https://a.example/%22%3E%3Cscript%3E">x</a></p>'],
    ["`--><!-- wp:html -->`", "<p><code>--&gt;&lt;!-- wp:html --&gt;</code></p>"],
    ["```--><b>\nx\n```", '<pre class="wp-block-code"><code>x</code></pre>'],
  ])("lets nothing break out of its place: %p", (markdown, html) => {
    expect(bare(markdown)).toBe(html);
  });

  it("has nothing outside its blocks, and closes every one of them", () => {
    const pieces = [
      "a",
      "*b*",
      "- c",
      "  - d",
      "1. e",
      "> f",
      "# g",
      "```",
      "| h |\n| - |",
      "---",
      "<i>",
      "![](x)",
      "[^1]",
      "[^1]: n",
      " ",
      "\n",
      "\n\n",
      "--",
      "-->",
      "&",
      "[x](y)",
      "- [x] t",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }), (parts) => {
        expectWellFormed(renderPost(parts.join("")));
        expectWellFormed(renderPost(parts.join("\n")));
      }),
      { numRuns: 300 },
    );
    expectWellFormed(renderPost(EVERYTHING));
  });
});

function expectWellFormed(markup: string): void {
  const open: string[] = [];
  let rest = markup;
  for (const match of markup.matchAll(/<!-- (\/?)wp:([a-z-]+)(?: \{[^\n]*?\})? -->/g)) {
    const [whole, closes, name = ""] = match;
    rest = rest.replace(whole, "");
    if (open.length === 0) expect(closes).toBe("");
    if (closes) expect(open.pop()).toBe(name);
    else open.push(name);
  }
  expect(open).toEqual([]);
  expect(rest.replace(/<!--more[^\n]*-->/, "")).not.toContain("<!--");
  const between = markup.replace(/<!-- wp:([a-z-]+)[^\n]*-->\n[\s\S]*?\n<!-- \/wp:\1 -->/g, "");
  if (!/wp:(?:list|quote)/.test(markup)) expect(between.trim()).toBe("");
}

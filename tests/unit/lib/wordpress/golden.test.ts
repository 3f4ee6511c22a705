import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { renderPost } from "@/lib/wordpress/blocks";
import { RENDERER_VERSION } from "@/lib/wordpress/renderer";
import { CASES } from "@/tests/support/golden/cases";

/**
 * The output of renderer 1 (remark), kept as it was: *.blocks beside each post, cases.blocks for the cases.
 * Today's renderer makes the same except for the differences listed here, each with its reason. When this list changes,
 * raise RENDERER_VERSION.
 */
const FOLDER = path.join(process.cwd(), "tests/support/golden");

type Difference = { why: string; instead: [golden: string, today: string][] };

const DIFFERENCES: Record<string, Difference> = {
  "bold that begins with an emoji, after a letter": {
    why: "An emoji is a symbol, as CommonMark 0.31 counts it, and not a letter: no bold begins between a letter and a symbol.",
    instead: [["<strong>😀-</strong>", "**😀-**"]],
  },
  "emphasis of symbols after a bracket": {
    why: "`~` is a symbol, as CommonMark 0.31 counts it: a mark beside it cannot close before a letter.",
    instead: [["<em>~</em>", "*~*"]],
  },
  "spaces after <br>": {
    why: "White space after a line break is kept; no browser shows it.",
    instead: [["<br />b", "<br /> b"]],
  },
  "a tag after a hard break": {
    why: "White space after a line break is kept; no browser shows it.",
    instead: [["<br />b", "<br /> b"]],
  },
  "<br> on a line of its own": {
    why: "It was published as a backslash.",
    instead: [["<!-- wp:paragraph -->\n<p>\\</p>\n<!-- /wp:paragraph -->\n\n", ""]],
  },
  "<br> at the end of a box": { why: "It was published as a backslash.", instead: [["<p>a\\</p>", "<p>a</p>"]] },
  "a tab and two spaces at the end of a line": {
    why: "Two spaces at the end of a line are a hard break, whatever comes before them.",
    instead: [["a b", "a\t<br />b"]],
  },
  "a tab at the end of a line": { why: "White space that no browser shows.", instead: [["a b", "a\t b"]] },
  "a line that begins with a no-break space": {
    why: "A no-break space is a character of the text.",
    instead: [["a b", "a \u00a0b"]],
  },
  "a heading that looks like a one-column table": {
    why: "A line with a pipe over dashes is a table of one column, as GitHub has it with pipes around the dashes.",
    instead: [
      [
        '<!-- wp:heading -->\n<h2 class="wp-block-heading">Pros |</h2>\n<!-- /wp:heading -->',
        '<!-- wp:table {"hasFixedLayout":true} -->\n<figure class="wp-block-table"><table class="has-fixed-layout"><thead><tr><th>Pros</th></tr></thead></table></figure>\n<!-- /wp:table -->',
      ],
    ],
  },
  "a list after code by indentation": {
    why: "Only a paragraph keeps a list that begins with 2 from beginning; indented code does not.",
    instead: [
      [
        "<!-- wp:paragraph -->\n<p>2) a</p>\n<!-- /wp:paragraph -->",
        '<!-- wp:list {"ordered":true,"start":2} -->\n<ol start="2" class="wp-block-list"><!-- wp:list-item -->\n<li>a</li>\n<!-- /wp:list-item --></ol>\n<!-- /wp:list -->',
      ],
    ],
  },
  "a task of which only the box is on the line": {
    why: "A checkbox needs a text or a line break after it.",
    instead: [["☑ <br />", "[x]<br />"]],
  },
  "spaces at the end of a fence that is not closed": {
    why: "Spaces at the end of a text are not a line of its code.",
    instead: [["a\n </code>", "a</code>"]],
  },
  "a fence with a no-break space before its language": {
    why: "The language is read after any white space.",
    instead: [
      ["<!-- wp:code -->", '<!-- wp:code {"className":"language-a"} -->'],
      ['<pre class="wp-block-code">', '<pre class="wp-block-code language-a">'],
    ],
  },
  "blank lines after indented code of HTML": {
    why: "Blank lines after the code are not part of it.",
    instead: [["\n</code>", "</code>"]],
  },
  "a table of a line and dashes with one colon": {
    why: "A table needs a pipe somewhere: `:-` under a line is text.",
    instead: [
      [
        '<!-- wp:table {"hasFixedLayout":true} -->\n<figure class="wp-block-table"><table class="has-fixed-layout"><thead><tr><th class="has-text-align-left" data-align="left">a</th></tr></thead></table></figure>\n<!-- /wp:table -->',
        "<!-- wp:paragraph -->\n<p>a :-</p>\n<!-- /wp:paragraph -->",
      ],
      [
        '<!-- wp:table {"hasFixedLayout":true} -->\n<figure class="wp-block-table"><table class="has-fixed-layout"><thead><tr><th class="has-text-align-right" data-align="right">b</th></tr></thead></table></figure>\n<!-- /wp:table -->',
        "<!-- wp:paragraph -->\n<p>b -:</p>\n<!-- /wp:paragraph -->",
      ],
    ],
  },
  "a table whose header has no pipe": {
    why: "A table of one column needs a pipe in its header.",
    instead: [
      [
        '<!-- wp:table {"hasFixedLayout":true} -->\n<figure class="wp-block-table"><table class="has-fixed-layout"><thead><tr><th>a</th></tr></thead></table></figure>\n<!-- /wp:table -->',
        "<!-- wp:paragraph -->\n<p>a ---|</p>\n<!-- /wp:paragraph -->",
      ],
    ],
  },
  "a table indented by a no-break space": {
    why: "A no-break space before a table does not make it text.",
    instead: [
      [
        "<!-- wp:paragraph -->\n<p>| a | b | | - | - |</p>\n<!-- /wp:paragraph -->",
        '<!-- wp:table {"hasFixedLayout":true} -->\n<figure class="wp-block-table"><table class="has-fixed-layout"><thead><tr><th>a</th><th>b</th></tr></thead></table></figure>\n<!-- /wp:table -->',
      ],
    ],
  },
  "a table's delimiter row outside the quote": {
    why: "markdown-it looks for tables before quotes. Such a text is broken either way: the table's second line left the quote.",
    instead: [
      [
        '<!-- wp:quote -->\n<blockquote class="wp-block-quote"><!-- wp:paragraph -->\n<p>a | b |-|-|</p>\n<!-- /wp:paragraph --></blockquote>\n<!-- /wp:quote -->',
        '<!-- wp:table {"hasFixedLayout":true} -->\n<figure class="wp-block-table"><table class="has-fixed-layout"><thead><tr><th>&gt; a</th><th>b</th></tr></thead></table></figure>\n<!-- /wp:table -->',
      ],
    ],
  },
  "a table and a line with a no-break space": {
    why: "A line of white space ends a table and is not a row of it.",
    instead: [["<tbody><tr><td></td><td></td></tr></tbody>", ""]],
  },
  "an image with a tag in its text": {
    why: "Tags are dropped from the text of an image as from all other text.",
    instead: [["a &lt;b&gt;c&lt;/b&gt;", "a c"]],
  },
  "an image with a break in its text": {
    why: "A line break separates two words there too.",
    instead: [['alt="ab"', 'alt="a\nb"']],
  },
  "addresses with letters of other scripts": {
    why: "A per cent sign that begins no code is encoded itself: `%zz` is no valid address.",
    instead: [["%zz", "%25zz"]],
  },
  "bare addresses": {
    why: "`www.` with nothing after it is not an address.",
    instead: [['<a href="http://www">www</a>', "www"]],
  },
  "an address after a backslash": {
    why: "A backslash before an address keeps it from becoming a link.",
    instead: [['<a href="https://a.example">https://a.example</a>', "https://a.example"]],
  },
  "a www address before a backslash": {
    why: "An escaped character ends an address: its backslash is not part of it.",
    instead: [['"http://www.a.example%5C">www.a.example\\<', '"http://www.a.example">www.a.example<']],
  },
  "a www address before a reference": {
    why: "`&amp;` within an address is the character, not its spelling. At the end of an address it becomes part of it.",
    instead: [
      ["?a=1&amp;amp;b=2", "?a=1&amp;b=2"],
      [">www.a.example/?a=1&amp;amp;b=2", ">www.a.example/?a=1&amp;b=2"],
      [
        '<a href="http://www.a.example">www.a.example</a>&amp;',
        '<a href="http://www.a.example&amp;">www.a.example&amp;</a>',
      ],
      ['<a href="http://www.a.example">www.a.example</a>©', '<a href="http://www.a.example%C2%A9">www.a.example©</a>'],
    ],
  },
  "a mail address before a dot and a dash": {
    why: "A name that ends in a dash is not an address, as GFM says.",
    instead: [['<a href="mailto:a@b.example">a@b.example</a>.-', "a@b.example.-"]],
  },
  "a mail address with a scheme": {
    why: "The scheme belongs to the link, as GFM says; links to xmpp: are not allowed, so that its text stays text.",
    instead: [
      ['mailto:<a href="mailto:a@b.example">a@b.example</a>', '<a href="mailto:a@b.example">mailto:a@b.example</a>'],
      ['xmpp:<a href="mailto:a@b.example">a@b.example</a>', "xmpp:a@b.example"],
    ],
  },
  "footnotes within HTML": {
    why: "A reference within HTML finds its footnote; it was published as typed, without the note.",
    instead: [
      [
        "<p>a[^1]</p>\n<!-- /wp:paragraph -->",
        '<p>a<sup>1</sup></p>\n<!-- /wp:paragraph -->\n\n<!-- wp:separator -->\n<hr class="wp-block-separator has-alpha-channel-opacity" />\n<!-- /wp:separator -->\n\n<!-- wp:list {"ordered":true} -->\n<ol class="wp-block-list"><!-- wp:list-item -->\n<li>b</li>\n<!-- /wp:list-item --></ol>\n<!-- /wp:list -->',
      ],
    ],
  },
};

const golden = goldenCases();

describe("today's renderer, compared with the first one", () => {
  const posts = readdirSync(FOLDER).filter((file) => file.endsWith(".md"));

  it.each(posts)("sends the same HTML of %s", (file) => {
    const read = (name: string) => readFileSync(path.join(FOLDER, name), "utf8");
    expect(`${renderPost(read(file))}\n`).toBe(read(file.replace(/md$/, "blocks")));
  });

  it.each(Object.keys(CASES))("sends the same of %s, or differs as listed", (name) => {
    let expected = golden.get(name) ?? "not in cases.blocks";
    for (const [before, today] of DIFFERENCES[name]?.instead ?? []) {
      expect(expected).toContain(before);
      expected = expected.replace(before, () => today);
    }
    expect(renderPost(CASES[name] ?? "")).toBe(expected);
  });

  it("has one golden text for each case, and differences only of known cases", () => {
    expect([...golden.keys()]).toEqual(Object.keys(CASES));
    expect(Object.keys(DIFFERENCES).filter((name) => !golden.has(name))).toEqual([]);
    expect(posts.length).toBeGreaterThan(4);
  });

  it("is the version that these differences were listed for", () => {
    expect(RENDERER_VERSION).toBe(2);
  });
});

function goldenCases(): Map<string, string> {
  const [, ...parts] = readFileSync(path.join(FOLDER, "cases.blocks"), "utf8").split(/^%%% /m);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf("\n");
      return [part.slice(0, end), part.slice(end + 1, -1)];
    }),
  );
}

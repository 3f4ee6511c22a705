import { MAX_LOSSES } from "@/lib/markdown/losses";
import { renderMarkdown } from "@/lib/markdown/render";

const lossesOf = (text: string) => renderMarkdown(text).losses;

describe("what readers will not get of a text", () => {
  it.each([
    ["a <!-- note --> b", "comment", "<!-- note -->", "A comment is left out."],
    ["a\n\n<!-- one\n\ntwo -->\n\nb", "comment", "<!-- one", "A comment is left out."],
    ["<!--more-->\n\na\n\n<!--more-->", "comment", "<!--more-->", "A comment is left out."],
    [
      "a\n\n<script src=x>alert(1)</script>",
      "element",
      "<script",
      "<script src=x> is left out, with what is inside it.",
    ],
    ["a <button>b</button>", "element", "<button>", "<button> is left out, with what is inside it."],
    ["<div>\n<form>\na</form></div>", "element", "<form>", "<form> is left out, with what is inside it."],
    ["| a |\n| - |\n| <svg></svg> |", "element", "<svg>", "<svg> is left out, with what is inside it."],
    ["<embed src=x>", "element", "<embed", "<embed src=x> is left out, with what is inside it."],
    ["a [b](javascript:c)", "link", "javascript:c", "The link to javascript:c is left out, and its words stay"],
    ["a <a href='file:///x'>b</a>", "link", "file:///x", "The link to file:///x is left out"],
    [
      "a ![b](data:image/png;base64,AA)",
      "localPicture",
      "data:",
      "The picture data:image/png;base64,AA is not on the web.",
    ],
    ["a\n\n![b](images/c.png)", "localPicture", "images/", "The picture images/c.png is not on the web."],
    ["a\n\n![b]()", "localPicture", "![b]", "A picture is left out: it has no address."],
    ['a <img src="images/c.png">', "localPicture", "images/", "The picture images/c.png is not on the web."],
    [
      "a\n\n![b](https://lh7-rt.googleusercontent.com/docsz/AD_4?key=c)",
      "fadingPicture",
      "https://lh7",
      "will not last: its address expires within days.",
    ],
    [
      'a <img src="https://a.example/b.png?X-Amz-Expires=300">',
      "fadingPicture",
      "https://a.example",
      "The picture https://a.example/b.png?X-Amz-Expires=300 will not last",
    ],
    ["a\n\n![[b c.png]]", "embeddedFile", "b c.png", "The file b c.png is in your notes, not on the web."],
    ["---\na: b\n---\n\nText", "frontMatter", "---", "The front matter is left out."],
    [
      "a [b](#nowhere)\n\n## Somewhere",
      "target",
      "#nowhere",
      "The link to #nowhere leads nowhere: no heading has that name.",
    ],
    ["a\n\n[^b]: c", "footnote", "[^b]", "The footnote [^b] is left out: nothing refers to it."],
    ["a[^b]\n\n[^b]: c\n\n[^b]: d", "footnote", "[^b]: d", "The footnote"],
  ])("names it: %p", (text, kind, where, sentence) => {
    const [loss, ...others] = lossesOf(text);
    expect(others).toEqual([]);
    expect(loss).toMatchObject({ kind, sentence: expect.stringContaining(sentence) });
    expect(text.slice(loss?.position).startsWith(where)).toBe(true);
  });

  it.each([
    "Nothing is lost of **this**, H<sub>2</sub>O, <your-key> or <div>that</div>.",
    "[a](#b) and [top](#top)\n\n## B",
    "a[^b]\n\n[^b]: c",
    "<!--more-->",
    "[a](/within), [b](mailto:me@example.com), ![c](https://a.example/c.png)",
    '![a](https://a.example/a.png "A caption")',
    "`<!-- code -->`\n\n```\n<script>\n```",
  ])("is nothing of %p", (text) => {
    expect(lossesOf(text)).toEqual([]);
  });

  it("is in the text's order, and each at its own place", () => {
    const text = "a <!-- x --> b <!-- x -->\n\n<script></script>\n\n[c](#c) <!-- x -->";
    expect(lossesOf(text).map(({ position }) => position)).toEqual([2, 15, 27, 50, 54]);
  });

  it("ends after a hundred", () => {
    expect(lossesOf("<!-- a -->\n\n".repeat(300))).toHaveLength(MAX_LOSSES);
  });
});

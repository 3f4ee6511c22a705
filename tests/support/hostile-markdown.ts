/** Markdown whose cost for some parser exceeds its length: makes a text of about `bytes` characters. */
export type HostileShape = (bytes: number) => string;

/** cmark's pathological inputs, and shapes our own rules could be slow on. */
export const HOSTILE_MARKDOWN: Record<string, HostileShape> = {
  // Brackets, links, images
  "opening brackets": fill("["),
  "nested brackets": both("[", "a", "]"),
  "nested links": both("[", "a", "](b)"),
  "nested images": both("![", "a", "](/b)"),
  "unclosed images": fill("![a"),
  "unclosed links": fill("[a]("),
  "unclosed link destinations": fill("[a](<b"),
  "unclosed link titles": fill('[a](b "c'),
  "links of parentheses": (bytes) => `[a](${"(".repeat(bytes)}`,
  "brackets and parentheses": fill("[ (]("),
  "links that end too early": fill("[a]] "),
  "link reference definitions": numbered((n) => `[r${n}]: /u${n}\n`),
  "the same definition": fill("[a]: b\n\n"),
  "definitions and references": numbered((n) => `[r${n}]: /u${n}\n\n[x][r${n}]\n\n`),
  "references without definition": fill("[a][b] "),
  "unfinished definitions": fill("[a]: <\n"),
  "a definition with a long label": (bytes) => `[${"a".repeat(bytes)}]: /b`,
  "definition titles": fill("[a]: b '\n"),
  "a definition referred to everywhere": (bytes) => `[a]: b\n\n${"[a]".repeat(bytes / 3)}`,
  "images by reference": (bytes) => `[a]: /b\n\n${"![a]".repeat(bytes / 4)}`,
  "a long address referred to everywhere": (bytes) => `[a]: /${"x".repeat(bytes / 2)}\n\n${"[a]".repeat(bytes / 6)}`,
  "images in links in images": fill("![[a]("),
  "brackets around emphasis": fill("[*a"),
  "brackets around code": fill("[`a"),
  "brackets around HTML": fill("[<a"),
  "brackets around tags": fill("[ <div>![é)[a]{"),
  "brackets around declarations": fill(":##漢<![CDATA[<?- ~- "),
  links: fill("[a](b)"),
  images: fill("![a](/b)"),
  "closing brackets": fill("a]"),
  "brackets without closers": fill("[a"),
  "unclosed inline links": fill("[a](b"),
  "brackets and emphasis": fill("[ a_"),
  "images that end at once": fill("![[]()"),
  // Emphasis
  "nested emphasis": both("*a ", "b", " a*"),
  "alternating emphasis": both("*a **a ", "b", " a** a*"),
  "openers without closers": fill("_a "),
  "closers without openers": fill("a_ "),
  "openers and closers that do not match": fill("*a_ "),
  "openers, then closers of two kinds": (bytes) => "*a ".repeat(bytes / 8) + "_a*_ ".repeat(bytes / 8),
  "closers whose lengths add up to threes": (bytes) => `a**b${"c* ".repeat(bytes / 3)}`,
  "runs of stars": fill("*"),
  "long and short runs": fill("a**b_c* "),
  "mixed delimiters": fill("a*b_c~d "),
  "nested strikethrough": both("~~a ", "b", " a~~"),
  tildes: fill("~"),
  "single tildes": fill("~a "),
  "emphasis around links": fill("**x [a*b**c*](d)"),
  "words of emphasis": fill("*a*"),
  "words struck through": fill("~a~ "),
  "one star, one underscore": fill("*_"),
  // Code
  "backticks of every length": numbered((n) => `e${"`".repeat(n % 4_000)}`),
  "opening backticks": fill("`a"),
  "two and one backticks": fill("``a`"),
  "unclosed fences": fill("```\n"),
  "fence openers": numbered((n) => `${"`".repeat(3 + (n % 50))}\na\n`),
  "a fence of blank lines": (bytes) => `\`\`\`\n${"\n".repeat(bytes)}x`,
  "a fence of addresses": (bytes) => `\`\`\`\n${"https://a.example\n".repeat(bytes / 18)}`,
  "a fence of line separators": (bytes) => `\`\`\`\n${"\u2028".repeat(bytes)}`,
  "a fence of spaces after an address": (bytes) => `\`\`\`\nhttps://a${"\u00a0".repeat(bytes)}b`,
  // Blocks
  "setext headings": fill("a\n=\n"),
  "lines of equals signs": fill("=\n"),
  "equals signs": fill("="),
  "a paragraph and lines of equals signs": (bytes) => `a\n${" =".repeat(bytes / 2)}`,
  "nested quotes": (bytes) => `${">".repeat(bytes)}a`,
  "quotes one deeper each line": triangle((n) => `${">".repeat(n)}a\n`),
  "lists one deeper each line": triangle((n) => `${" ".repeat(2 * n)}- a\n`),
  "numbered lists one deeper each line": triangle((n) => `${" ".repeat(3 * n)}1. a\n`),
  "fifty lists deeper each line": triangle((n) => `${" ".repeat(100 * n)}${"- ".repeat(50)}a\n`),
  "nested lists on a line": fill("- "),
  "nested stars on a line": (bytes) => `${"* ".repeat(bytes / 2)}a`,
  "nested numbers on a line": (bytes) => `${"1. ".repeat(bytes / 3)}a`,
  "quotes and lists on a line": (bytes) => `${"> - ".repeat(bytes / 4)}a`,
  "blank lines in nested lists": (bytes) => `${"- ".repeat(bytes / 3)}x${"\n".repeat(bytes / 3)}`,
  "blank lines in nested lists in a quote": (bytes) => `> ${"- ".repeat(bytes / 4)}x\n${">\n".repeat(bytes / 4)}`,
  "emphasis in nested quotes": (bytes) => `${">".repeat(bytes / 3)}${"a*".repeat(bytes / 3)}`,
  "deep lines, again and again": numbered(() => `${"> ".repeat(60)}a\n`),
  "deep lists, again and again": numbered((n) => `${n % 2 ? "- " : "* "}${"- ".repeat(60)}a\n`),
  "quoted fences": fill("> ```\n"),
  "items of a list": fill("- a\n"),
  paragraphs: fill("a\n\n"),
  "lists in lists": fill("- a\n  - b\n    - c\n"),
  "lists on every line": fill(`${"- ".repeat(49)}a\n`),
  "quotes on every line": fill(`${">".repeat(50)}a\n\n`),
  "lazy lines after quotes": (bytes) => `${"> ".repeat(40)}a\n${"b\n".repeat(bytes / 2)}`,
  "loose items": fill("- a\n\n"),
  "empty items": fill("-\n"),
  "alternating bullets": fill("- a\n+ a\n"),
  "thematic breaks": fill("- - -\n"),
  "headings without text": fill("#\n"),
  "a heading of spaces": (bytes) => `## a${" ".repeat(bytes)}b`,
  "a heading of hashes": (bytes) => `# a ${"# ".repeat(bytes / 2)}b`,
  "lines of spaces": fill("          \n"),
  "blank lines": (bytes) => `a${"\n".repeat(bytes)}b`,
  "a paragraph of spaces": (bytes) => `a${" ".repeat(bytes)}b`,
  "a paragraph of tabs": (bytes) => `a${"\t".repeat(bytes)}b`,
  "hard breaks": fill("a\\\n"),
  "lines of one letter": fill("a\n"),
  "one word": fill("a"),
  "line breaks by reference": fill("&#10;"),
  // Marks of other applications
  "bullets of other apps": fill("• a\n"),
  "single bullets of other apps": fill("• a\nb\n"),
  "bullets of other apps on a line": (bytes) => `${"• ".repeat(bytes / 2)}\n• a`,
  "wide spaces after marks": fill("-\u00a0a\n"),
  "quotes with wide spaces on a line": (bytes) => `${">\u00a0".repeat(bytes / 2)}a`,
  "lists under numbers": fill("1. a\n  - b\n"),
  "lists under numbers, one deeper each line": triangle((n) => `${"  ".repeat(n)}1. a\n`),
  "numbers on a line, then a list": (bytes) => `${"1. ".repeat(bytes / 3)}a\n  - b`,
  "front matter without an end": (bytes) => `---\n${"a: b\n".repeat(bytes / 5)}`,
  "wiki links": fill("[[a|b]] "),
  "unclosed wiki links": fill("[[a"),
  "one unclosed wiki link": (bytes) => `[[${"a".repeat(bytes)}`,
  "embedded files": fill("![[a]]\n"),
  "embedded files in emphasis": both("*a **", "![[b]]", "** a*"),
  "embedded files in links": fill("[![[a]]](/b)"),
  "local pictures": fill("*![a](b)*\n\n"),
  // Tables
  "a wide table": (bytes) => {
    const columns = Math.floor(Math.sqrt(bytes) / 2);
    return `|${"a|".repeat(columns)}\n|${"-|".repeat(columns)}\n${`|${"b|".repeat(columns)}\n`.repeat(Math.ceil(columns / 2))}`;
  },
  "a wide table with short rows": (bytes) => {
    const columns = Math.floor(bytes / 8);
    return `|${"a|".repeat(columns)}\n|${"-|".repeat(columns)}\n${"a\n".repeat(bytes / 4)}`;
  },
  "a table of 316 columns with short rows": (bytes) =>
    `|${"a|".repeat(316)}\n|${"-|".repeat(316)}\n${"b\n".repeat(bytes / 2)}`,
  "tables, again and again": fill("|a|b|\n|-|-|\n|c|d|\n\n"),
  "headers without a delimiter row": fill("| a | b |\n"),
  "delimiter rows": fill("|-|-|\n"),
  "pipes on a line": (bytes) => `${"|".repeat(bytes)}\n|-|`,
  "a delimiter row of dashes": (bytes) => `a\n${"-".repeat(bytes)}:x`,
  "escaped pipes": (bytes) => `|a|\n|-|\n|${"\\|".repeat(bytes / 2)}|`,
  // HTML
  "unclosed tags": fill("<a "),
  "opening angle brackets": fill("<"),
  "formulas without an end": fill("\\(_"),
  dollars: fill("$$a "),
  "tags without a partner": fill("a <b>"),
  "tags with a partner": both("a<b>", "c", "</b>"),
  "hidden tags in each other": both("a<svg>", "c", "</svg>"),
  "tags with many attributes": (bytes) => `a <a${" b=c".repeat(bytes / 4)}`,
  "unclosed attribute values": fill('a <a b="'),
  "unclosed comments": fill("a <!--"),
  "unclosed comments as blocks": fill("<!--\n"),
  "unclosed processing instructions": fill("a <?"),
  "unclosed declarations": fill("a <!A "),
  "unclosed CDATA": fill("a <![CDATA["),
  "unclosed scripts": fill("<script>\n"),
  "unclosed styles in a block": (bytes) => `<div>\n${"<style ".repeat(bytes / 7)}`,
  "unclosed end tags in a block": (bytes) => `<div>\n${"</script ".repeat(bytes / 9)}`,
  "line breaks in a block": (bytes) => `<div>\n${"<br ".repeat(bytes / 4)}`,
  "spaces in a tag": (bytes) => `a <br${" ".repeat(bytes)}b`,
  "spaces in a block": (bytes) => `<div>\n${"<br            ".repeat(bytes / 15)}`,
  "tables of HTML without an end": fill("<table>\n"),
  "tables of HTML in each other": both("<table><tr><td>", "a", "</td></tr></table>\n"),
  "lists of HTML in each other": both("<ul><li>", "a", "</li></ul>\n"),
  "ends of lists that never began": (bytes) => `<ul>\n${"</ol>".repeat(bytes / 5)}</ul>`,
  "items without an end": (bytes) => `<ul>\n${"<li>a".repeat(bytes / 5)}</ul>`,
  "cells of HTML": (bytes) => `<table>\n${"<tr><td>a".repeat(bytes / 9)}</table>`,
  "cells of marks": (bytes) => `<table>\n${"<tr><td>*a* <b>b</b>".repeat(bytes / 20)}</table>`,
  "paragraphs of HTML in each other": both("<p>", "a", "</p>\n"),
  "wrappers in each other": both("<div>", "a", "</div>"),
  "wrappers of one line each": (bytes) => `${"<div>\n\n".repeat(bytes / 14)}${"</div>\n\n".repeat(bytes / 14)}`,
  "tags that never pair": (bytes) => "a <b>".repeat(bytes / 10) + "</i>".repeat(bytes / 8),
  "blocks of HTML in a line": (bytes) => `a ${"<div> </div> ".repeat(bytes / 13)}`,
  "unclosed quotes in tags": (bytes) => `<div>\n${"<p a='".repeat(bytes / 6)}`,
  "attributes of a cell": (bytes) => `<table><tr><td${" a=b".repeat(bytes / 4)}>x</td></tr></table>`,
  "references in an attribute": (bytes) => `<a href="${"&amp;".repeat(bytes / 5)}">x</a>`,
  "code of tags": (bytes) => `<pre>${"<b>a</b>".repeat(bytes / 8)}</pre>`,
  "soft breaks between marks": fill("**漢**\n**字**\n"),
  "addresses of films": fill("https://youtu.be/a\n\n"),
  "more marks": fill("<!--more-->\n\n"),
  "HTML blocks": fill("<div>\n*a*\n\n"),
  "HTML blocks of Markdown": (bytes) => `<div>\n${"*a **b ".repeat(bytes / 7)}\n</div>`,
  // Addresses
  "e-mail addresses in a row": fill("a@"),
  "unfinished e-mail addresses": fill("a@a"),
  "one long name before an @": (bytes) => `${"a".repeat(bytes)}@`,
  "dots before an @": (bytes) => `${".".repeat(bytes)}@a.b`,
  "plus signs": fill("+a."),
  "www and nothing": fill("www."),
  "schemes and nothing": fill("http://"),
  "schemes with a letter": fill("http://a"),
  "colons and slashes": fill("://"),
  "schemes with a dash": fill("http://-"),
  "schemes at the end of words": fill("ahttp://a "),
  "e-mail addresses": fill("a@b.c "),
  "addresses without spaces": fill("https://a.b"),
  "addresses with parentheses": (bytes) => `https://a.example/${"(".repeat(bytes / 2)}${")".repeat(bytes / 2)}`,
  "addresses with closing parentheses": (bytes) => `https://a.example/${")".repeat(bytes)}`,
  "addresses that end in punctuation": (bytes) => `https://a.example/${"?!.,".repeat(bytes / 4)}`,
  "addresses that end in references": (bytes) => `https://a.example/${"&amp;".repeat(bytes / 5)}`,
  "addresses of underscores": fill("www.a_b._c "),
  "unclosed autolinks": fill("<http://a"),
  "autolinks of colons": fill("<a:"),
  // Characters
  "character references": fill("&amp;"),
  "unfinished references": fill("&a"),
  ampersands: fill("&"),
  "numeric references": fill("&#x22;"),
  backslashes: fill("\\"),
  "escaped stars": fill("\\*"),
  "null characters": fill("a\0"),
  "line separators": fill("\u2028 "),
  // Footnotes and tasks
  footnotes: numbered((n) => `[^${n}]: a[^${n}]\n\n`),
  "references to one footnote": (bytes) => `${"[^1]".repeat(bytes / 4)}\n\n[^1]: a`,
  "references to a long footnote": (bytes) => `[^1]: ${"x".repeat(bytes / 2)}\n\n${"[^1]".repeat(bytes / 8)}`,
  "footnote references without definition": fill("[^a]"),
  "unclosed footnote references": fill("[^"),
  "nested footnote definitions": fill("[^a]: "),
  "footnotes that cite the next": numbered((n) => `[^${n}]: [^${n + 1}]\n\n`, "[^1]\n\n"),
  "tasks in a list": fill("- [ ] a\n"),
};

/** From cmark's list of pathological inputs, which every parser must survive. */
export const PATHOLOGICAL = [
  ...["alternating emphasis", "closers without openers", "openers without closers", "closing brackets"],
  ...["opening brackets", "brackets without closers", "openers and closers that do not match"],
  ...["openers, then closers of two kinds", "closers whose lengths add up to threes", "brackets and emphasis"],
  ...["brackets and parentheses", "images that end at once", "nested brackets", "nested links", "nested images"],
  ...["nested emphasis", "nested quotes", "emphasis in nested quotes", "lists one deeper each line"],
  ...["nested lists on a line", "blank lines in nested lists", "blank lines in nested lists in a quote"],
  ...["backticks of every length", "unclosed link destinations", "unclosed inline links", "unclosed comments"],
  ...["unclosed processing instructions", "unclosed declarations", "unclosed CDATA", "link reference definitions"],
  ...["a wide table", "a wide table with short rows", "character references", "numeric references"],
  ...[
    "setext headings",
    "lines of equals signs",
    "unclosed images",
    "footnotes",
    "unclosed autolinks",
    "a heading of spaces",
  ],
] as const satisfies (keyof typeof HOSTILE_MARKDOWN)[];

/** Repeats the unit. */
function fill(unit: string): HostileShape {
  return (bytes) => unit.repeat(Math.ceil(bytes / unit.length));
}

/** As many openers before the middle as closers after it. */
function both(open: string, middle: string, close: string): HostileShape {
  return (bytes) => {
    const times = Math.ceil(bytes / (open.length + close.length));
    return open.repeat(times) + middle + close.repeat(times);
  };
}

/** Lines that differ in their number. */
function numbered(line: (n: number) => string, before = ""): HostileShape {
  return (bytes) => {
    const lines = [before];
    for (let length = 0, n = 1; length < bytes; n += 1) {
      const next = line(n);
      lines.push(next);
      length += next.length;
    }
    return lines.join("");
  };
}

/** Lines of increasing length, until the text is long enough. */
function triangle(line: (n: number) => string): HostileShape {
  return numbered((n) => line(n - 1));
}

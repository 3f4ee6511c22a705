/** @jest-environment jsdom */
import { markdownToHast } from "@/lib/markdown/render";
import { captionsIn } from "@/tests/support/block-structure";
import { editorAt, editorOf } from "@/tests/support/markdown-editor";

/** The lines of the editor as they look while it has no focus. */
function linesOf(text: string): Element[] {
  const { view } = editorOf(text);
  return [...view.contentDOM.querySelectorAll(".cm-line")];
}

it("shows front matter as source, and none of its marks as formatting", () => {
  const lines = linesOf("---\ntitle: **X**\n---\n\nText");
  expect(lines.map((line) => line.classList.contains("cm-html"))).toEqual([true, true, true, false, false]);
  expect(lines[1]?.textContent).toBe("title: **X**");
});

it.each([
  ["[[Note]] and [[Note|words]]", "Note and words"],
  ["`[[Note]]`", "[[Note]]"],
  ["![[image.png]]", "![[image.png]]"],
  ["![Chart](images/chart.png)", "![Chart](images/chart.png)"],
  ["[[1]]\n\n[1]: https://a.example", "[[1]]"],
  ["##\u00a0Title", "Title"],
  [">\u00a0quoted", "quoted"],
])("shows %p as %p", (text, shown) => {
  expect(linesOf(text)[0]?.textContent).toBe(shown);
});

it("dims an embedded file, which is not published", () => {
  expect(linesOf("![[image.png]]")[0]?.querySelector(".cm-mark")?.textContent).toBe("![[image.png]]");
});

it("links brackets that the text defines", () => {
  expect(linesOf("[[1]]\n\n[1]: https://a.example")[0]?.querySelector(".cm-link")?.textContent).toBe("[1]");
});

it.each(["[beans]()", "[beans]( )", "[beans](https://)", "[](https://a.example)", "![]()", "![A bed](https://)"])(
  "marks what would be nothing to readers: %p",
  (text) => {
    const [line] = linesOf(`Soak ${text} well.`);
    const mark = line?.querySelector(".cm-unfinished");
    expect([line?.textContent, mark?.textContent]).toEqual([`Soak ${text} well.`, text]);
    expect(mark?.getAttribute("title")).toMatch(/^This (?:link|picture) needs /);
  },
);

it.each(["[beans](/beans)", "[beans][1]\n\n[1]: https://a.example", "![](https://a.example/i.png)", "[beans](#x)"])(
  "does not mark what is whole: %p",
  (text) => {
    expect(linesOf(text)[0]?.querySelector(".cm-unfinished")).toBeNull();
  },
);

it("shows other applications' bullets, and the wide space after them, as a list's", () => {
  const [first, second] = linesOf("• one\n◦\u00a0two");
  expect([first, second].map((line) => line?.classList.contains("cm-list"))).toEqual([true, true]);
  expect(second?.textContent?.endsWith("two")).toBe(true);
  expect(second?.textContent).not.toContain("\u00a0");
});

it("sets headings apart from what is above them, and items from those before", () => {
  const withClass = (text: string, name: string) => linesOf(text).map((line) => line.classList.contains(name));
  expect(withClass("## a\n\n## b\n\nc\n===\n\n> d\n>\n> ## e", "cm-apart")).toEqual([
    false,
    false,
    true,
    false,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(withClass("- a\n  - b\n- c\n\n1. d", "cm-next-item")).toEqual([false, false, true, false, false]);
});

it.each([
  ["## a|", true],
  ["> ## a|", false],
  ["- ## a|", false],
])("shows the marks of the heading %j beside it: %p", (text, isBeside) => {
  const { view } = editorAt(text);
  view.focus();
  view.dispatch({ selection: view.state.selection });
  expect(view.contentDOM.querySelector(".cm-heading")?.textContent).toContain("## ");
  expect(view.contentDOM.querySelector(".cm-heading-mark") !== null).toBe(isBeside);
});

it("leaves out the size of a picture", () => {
  const [line] = linesOf("![alt|300](https://a.example/i.png)");
  expect(line?.querySelector<HTMLImageElement>(".cm-image img")?.alt).toBe("alt");
});

const PICTURE = '![a](https://a.example/i.png "C")';

it.each([
  PICTURE,
  "![a](https://a.example/i.png '*C* \"q\" \\\\ &amp; &#x1F331; \\&lt; <b>')",
  "![a](https://a.example/i.png (c  d))",
  `![a](https://a.example/i.png "${"بوابة ".repeat(800)}")`,
  '![a](https://a.example/i.png "")',
  `${PICTURE}\n![b](https://a.example/i.png) ${PICTURE}\\\n${PICTURE}`,
  `[${PICTURE}](https://b.example "T")`,
  `[${PICTURE} b](https://b.example)`,
  `a ${PICTURE}`,
  `${PICTURE} a`,
  `*${PICTURE}*`,
  `# ${PICTURE}`,
  `${PICTURE}\n===`,
  `> ${PICTURE}\n> ${PICTURE}`,
  `- ${PICTURE}\n- [ ] ${PICTURE}\n- a\n\n  ${PICTURE}`,
  `${PICTURE}\n[a]\n\n[a]: https://b.example`,
])("shows the captions that the Preview shows: %p", (text) => {
  const shown = linesOf(text).flatMap((line) => [...line.querySelectorAll(".cm-caption")]);
  expect(shown.map(({ textContent }) => textContent)).toEqual(captionsIn(markdownToHast(text)));
});

it("says that a picture does not load, above its caption, and measures the line again", () => {
  const { view } = editorOf('![a](https://a.example/i.png "ب <b>")');
  const measured = jest.spyOn(view, "requestMeasure");
  const frame = view.contentDOM.querySelector(".cm-image");
  frame?.querySelector("img")?.dispatchEvent(new Event("error"));
  expect([...(frame?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    "The image “a” does not load",
    "ب <b>",
  ]);
  expect(frame?.lastElementChild?.getAttribute("dir")).toBe("auto");
  expect(measured).toHaveBeenCalledTimes(1);
});

it("shows another caption as soon as it is another", () => {
  const { view } = editorOf(`${PICTURE}\n\nb`);
  view.dispatch({ changes: { from: PICTURE.indexOf("C"), insert: "My " } });
  expect(view.contentDOM.querySelector(".cm-caption")?.textContent).toBe("My C");
});

it.each([
  ["H<sub>2</sub>O", ["<sub>", "</sub>"]],
  ["the key <your-key> and List<T>", []],
])("shows the tags of HTML as code, and not words that only look like one: %p", (text, tags) => {
  expect([...(linesOf(text)[0]?.querySelectorAll(".cm-code-mark") ?? [])].map((tag) => tag.textContent)).toEqual(tags);
});

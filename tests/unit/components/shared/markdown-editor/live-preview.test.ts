/** @jest-environment jsdom */
import { editorOf } from "@/tests/support/markdown-editor";

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

it("leaves out the size of a picture", () => {
  const [line] = linesOf("![alt|300](https://a.example/i.png)");
  expect(line?.querySelector<HTMLImageElement>(".cm-image img")?.alt).toBe("alt");
});

it.each([
  ["H<sub>2</sub>O", ["<sub>", "</sub>"]],
  ["the key <your-key> and List<T>", []],
])("shows the tags of HTML as code, and not words that only look like one: %p", (text, tags) => {
  expect([...(linesOf(text)[0]?.querySelectorAll(".cm-code-mark") ?? [])].map((tag) => tag.textContent)).toEqual(tags);
});

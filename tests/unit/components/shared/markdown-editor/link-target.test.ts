/** @jest-environment jsdom */
import { undo } from "@codemirror/commands";
import {
  type LinkKind,
  type LinkTarget,
  linkAddress,
  linkMarkdown,
  linkTargetAt,
  pictureAddress,
} from "@/components/shared/markdown-editor/link-target";
import { editorAt, marked, press } from "@/tests/support/markdown-editor";

const at = (text: string, kind: LinkKind = "link") => linkTargetAt(editorAt(text).view.state, kind);

it.each([
  ["what is selected", "see |the guide| here", { source: "the guide", isThere: false, text: "the guide", address: "" }],
  ["the word at the caret", "see gui|de here", { source: "guide", isThere: false, text: "guide", address: "" }],
  ["nothing between words", "see |", { source: "", isThere: false, text: "", address: "" }],
  ["a selected address", "|https://a.example|", { isThere: false, text: "", address: "https://a.example" }],
  ["nothing of several lines", "|one\ntwo|", { source: "", text: "", address: "" }],
  [
    "a link at the caret",
    "[a **b|c**](https://a.example)",
    { isThere: true, text: "a **bc**", address: "https://a.example" },
  ],
  ["a link with a title", '[a|](https://a.example "T")', { isThere: true, text: "a", title: "T" }],
  ["a link without an address", "[a|]()", { isThere: true, source: "[a]()", text: "a", address: "" }],
  ["brackets without escapes", "<https://a.ex|ample/b\\_c&amp;d>", { address: "https://a.example/b\\_c&amp;d" }],
  ["a link with escapes", "[a|](https://a.example/b_\\(c\\))", { isThere: true, address: "https://a.example/b_(c)" }],
  ["a link in brackets", "x <https://a.ex|ample> y", { isThere: true, source: "<https://a.example>", text: "" }],
  ["no picture", "![a|](https://a.example/a.png)", { isThere: false, text: "a" }],
])("finds %s", (_what, text, expected) => {
  expect(at(text)).toMatchObject(expected);
});

it.each([
  [{ text: "a", address: "https://a.example/b_(c)", title: "" }, "[a](https://a.example/b_%28c%29)"],
  [{ text: " a\n b ", address: "/here", title: 'say "T"' }, '[a b](/here "say \\"T\\"")'],
  [{ text: "a [b] c", address: "#c", title: "" }, "[a [b] c](#c)"],
  [{ text: "a] [b", address: "#c", title: "" }, "[a\\] \\[b](#c)"],
  [{ text: "a \\] b", address: "#c", title: "" }, "[a \\] b](#c)"],
  [{ text: "", address: "https://a.example", title: "" }, "<https://a.example>"],
  [{ text: "", address: "/here", title: "" }, "[/here](/here)"],
])("writes %j", (parts, markdown) => {
  expect(linkMarkdown("link", parts)).toBe(markdown);
});

it.each([
  ["https://a.example/b?c=d#e", "https://a.example/b?c=d#e"],
  [" example.com/page ", "https://example.com/page"],
  ["bücher.example", "https://bücher.example"],
  ["ann@example.com", "mailto:ann@example.com"],
  ["tel:+4930123", "tel:+4930123"],
  ["#soil", "#soil"],
  ["/digging", "/digging"],
  ["<https://a.example>", "https://a.example"],
  ["raised beds", undefined],
  ["beans", undefined],
  ["javascript:alert(1)", undefined],
  ["https://", undefined],
  ["#", undefined],
  ["", undefined],
])("takes %j for the address %j", (typed, address) => {
  expect(linkAddress(typed)).toBe(address);
});

it.each([
  ["what is selected", "see |the bed| here", { source: "the bed", isThere: false, text: "the bed" }],
  ["no word at the caret", "see be|d here", { source: "", isThere: false, text: "" }],
  ["a picture at the caret", '![a b|ed](https://a.example/b.png "T")', { isThere: true, text: "a bed", title: "T" }],
  [
    "a picture with escapes in its title",
    '![|](https://a.example/b.png "C:\\\\dir \\"q\\" \\&amp; R&amp;D")',
    { isThere: true, title: 'C:\\dir "q" &amp; R&D' },
  ],
  ["no link", "[a|](https://a.example)", { isThere: false, text: "" }],
])("finds %s, for a picture", (_what, text, expected) => {
  expect(at(text, "picture")).toMatchObject({ kind: "picture", ...expected });
});

it.each([
  [
    { text: "a bed]", address: "https://a.example/b(1).png", title: "T" },
    '![a bed\\]](https://a.example/b%281%29.png "T")',
  ],
  [
    { text: "", address: "https://a.example/b.png", title: ' C:\\dir | "q"\n&amp; R&D ' },
    '![](https://a.example/b.png "C:\\\\dir \\| \\"q\\" \\&amp; R&D")',
  ],
  [{ text: "", address: "https://a.example/b.png?a&copy;=1", title: "" }, "![](https://a.example/b.png?a&amp;copy;=1)"],
])("writes the picture %j", (parts, markdown) => {
  expect(linkMarkdown("picture", parts)).toBe(markdown);
});

it.each([
  ["example.com/b.png", "https://example.com/b.png"],
  ["/b.png", "/b.png"],
  ["tel:1", undefined],
  ["#b", undefined],
  ["file:///b.png", undefined],
])("takes %j for the picture's address %j", (typed, address) => {
  expect(pictureAddress(typed)).toBe(address);
});

function asking(text: string) {
  const asked: LinkTarget[] = [];
  const editor = editorAt(text, { onLink: (target) => asked.push(target) });
  return { editor, asked };
}

it("asks by its key and by the toolbar, and changes nothing before it is answered", () => {
  const { editor, asked } = asking("see |the guide| here");
  press(editor, "Ctrl+K");
  editor.run("link");
  expect(asked.map(({ text }) => text)).toEqual(["the guide", "the guide"]);
  expect(marked(editor)).toBe("see |the guide| here");
});

it("refuses a place that the text above has moved, also where nothing is selected", () => {
  const { editor } = asking("One. |Two.");
  editor.view.dispatch({ selection: { anchor: 5 } });
  const target = linkTargetAt(editor.view.state, "picture");
  editor.replace("Another one. Two.");
  expect(editor.putLink(target, { text: "", address: "https://a.example/i.png", title: "" })).toBe(false);
  editor.replace("");
  expect(editor.putLink(target, { text: "", address: "https://a.example/i.png", title: "" })).toBe(false);
  expect(editor.text()).toBe("");
});

it("puts the link in its place in one step of undo, takes it away again, and refuses a text that has changed", () => {
  const { editor } = asking("see |the guide| here");
  const target = linkTargetAt(editor.view.state, "link");
  expect(editor.putLink(target, { text: "a guide", address: "https://a.example", title: "" })).toBe(true);
  expect(marked(editor)).toBe("see [a guide](https://a.example)| here");
  expect(editor.putLink(target, null)).toBe(false);
  expect(editor.putLink(linkTargetAt(editor.view.state, "link"), null)).toBe(true);
  expect(marked(editor)).toBe("see a guide| here");
  undo(editor.view);
  undo(editor.view);
  expect(editor.text()).toBe("see the guide here");
});

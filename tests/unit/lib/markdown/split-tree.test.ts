import fc from "fast-check";
import type { Element, ElementContent, Root, RootContent } from "hast";
import { toHtml } from "hast-util-to-html";
import { element, text } from "@/lib/markdown/nodes";
import { previewOf } from "@/lib/markdown/preview";
import { splitTree } from "@/lib/markdown/split-tree";
import { markdownToHtml } from "@/tests/support/markdown";
import { EVERYTHING } from "@/tests/support/wordpress/every-markdown";

const LIMITS = { elements: 8, characters: 20 };

function figures(node: Root | RootContent): { elements: number; characters: number; text: string } {
  if (node.type === "text") return { elements: 0, characters: node.value.length, text: node.value };
  const sum = { elements: node.type === "element" ? 1 : 0, characters: 0, text: "" };
  for (const child of "children" in node ? node.children : []) {
    const of = figures(child);
    sum.elements += of.elements;
    sum.characters += of.characters;
    sum.text += of.text;
  }
  return sum;
}

function root(...children: ElementContent[]): Root {
  return { type: "root", children };
}

function list(count: number, tagName = "ul", properties = {}): Element {
  return element(
    tagName,
    properties,
    Array.from({ length: count }, (_, n) => element("li", {}, [text(`${n}`)])),
  );
}

const tree: fc.Arbitrary<ElementContent> = fc.letrec<{ node: ElementContent }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: fc.constantFrom("a", "é", "😀", " "), maxLength: 50 }).map(text),
    fc
      .tuple(fc.constantFrom("p", "ul", "li", "em", "ol"), fc.array(tie("node"), { maxLength: 12 }))
      .map(([tag, children]) => element(tag, {}, children)),
  ),
})).node;

describe("a tree in parts", () => {
  it("keeps every part within its limits and all of the text, and splits no character", () => {
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 6 }), (children) => {
        const whole = root(...children);
        const parts = splitTree(structuredClone(whole), LIMITS);
        expect(parts.map((part) => figures(part).text).join("")).toBe(figures(whole).text);
        for (const part of parts) {
          const { elements, characters, text: partText } = figures(part);
          expect(elements).toBeLessThanOrEqual(LIMITS.elements);
          expect(characters).toBeLessThanOrEqual(LIMITS.characters);
          expect(partText).not.toMatch(/\p{Cs}/u);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("does not split an element that fits into a part", () => {
    const [first, second, ...rest] = splitTree(root(list(5), list(6)), LIMITS);
    expect([first, second, rest]).toEqual([root(list(5)), root(list(6)), []]);
  });

  it("continues a split list with the next number, and leaves no empty list behind", () => {
    const paragraph = element("p", {}, [text("0123456789abcdefghi")]);
    const parts = splitTree(root(paragraph, list(16, "ol", { start: 3 })), { elements: 8, characters: 20 });
    expect(parts[0]).toEqual(root(paragraph));
    const starts = parts.slice(1).map((part) => (part.children[0] as Element).properties.start);
    expect(starts).toEqual([3, 10, 17]);
  });

  it("is a single part for a short text, unchanged but for the ids of headings", () => {
    const preview = previewOf({ text: EVERYTHING });
    if (!("parts" in preview)) throw new Error(preview.problem);
    expect(preview.parts).toHaveLength(1);
    const shown = JSON.parse(preview.parts[0] ?? "", (key, value) => (key === "dir" ? undefined : value));
    const published = markdownToHtml(EVERYTHING);
    expect(published).toContain('<h3 id="own">');
    expect(toHtml(shown)).toBe(published.replace(/<h3 id="[^"]*">/g, "<h3>"));
  });
});

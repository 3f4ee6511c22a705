import type { Html, Literal, Nodes, PhrasingContent, RootContent } from "mdast";

declare module "mdast" {
  interface RootContentMap {
    math: DisplayedFormula;
    inlineMath: InlineFormula;
  }
  interface PhrasingContentMap {
    math: DisplayedFormula;
    inlineMath: InlineFormula;
  }
}

interface DisplayedFormula extends Literal {
  type: "math";
}

interface InlineFormula extends Literal {
  type: "inlineMath";
}

/** A tag among words. The name keeps the library from taking it for a block. */
export function tag(value: string): Html {
  return { type: "html", value, data: { hName: "span" } };
}

/** A break where no line may end, as in a cell. */
export function lineBreak(): Html {
  return tag("<br>");
}

/** A line break of Markdown, or the tag for one. */
export function isBreak(node: Nodes | undefined): boolean {
  return node?.type === "break" || (node?.type === "html" && node.value === "<br>");
}

/** Blocks as the words of one paragraph, cell or heading, with a break between what stood on lines of its own. */
export function wordsOfBlocks(nodes: readonly RootContent[], breakOf: () => PhrasingContent): PhrasingContent[] {
  const words: PhrasingContent[] = [];
  let isAfterBlock = false;
  for (const node of nodes) {
    const isBlock = !isPhrasing(node);
    const made = isBlock ? linesOfBlock(node, breakOf) : [isBreak(node) ? breakOf() : node];
    if (made.length === 0) continue;
    const isApart = words.length > 0 && (isBlock || isAfterBlock) && !isSpace(made);
    if (isApart && !isBreak(words.at(-1))) words.push(breakOf());
    words.push(...made);
    isAfterBlock = isBlock || (isAfterBlock && isSpace(made));
  }
  return words;
}

const WORDS: ReadonlySet<string> = new Set(
  "break delete emphasis html image inlineCode inlineMath link strong text".split(" "),
);

export function isPhrasing(node: RootContent): node is PhrasingContent {
  return WORDS.has(node.type);
}

function isSpace(nodes: readonly PhrasingContent[]): boolean {
  return nodes.every((node) => node.type === "text" && node.value.trim() === "");
}

function linesOfBlock(node: RootContent, breakOf: () => PhrasingContent): PhrasingContent[] {
  switch (node.type) {
    case "code":
      return node.value.split("\n").flatMap((line, index): PhrasingContent[] => {
        const code: PhrasingContent[] = line.trim() === "" ? [] : [{ type: "inlineCode", value: line }];
        return index > 0 ? [breakOf(), ...code] : code;
      });
    case "math":
      return [node];
    case "list": {
      const items = node.children.map((item, index): RootContent => {
        const mark = node.ordered ? `${(node.start ?? 1) + index}. ` : "";
        const box = typeof item.checked === "boolean" ? (item.checked ? "☑ " : "☐ ") : "";
        const words = wordsOfBlocks(item.children, breakOf);
        return { type: "paragraph", children: [{ type: "text", value: mark + box }, ...words] };
      });
      return wordsOfBlocks(items, breakOf);
    }
    case "table":
      return wordsOfBlocks(
        node.children.map((row) => ({
          type: "paragraph",
          children: row.children.flatMap((cell) => [...cell.children, { type: "text", value: " " } as const]),
        })),
        breakOf,
      );
    default:
      return "children" in node ? wordsOfBlocks(node.children as RootContent[], breakOf) : [];
  }
}

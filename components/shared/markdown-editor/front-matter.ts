import type { Input } from "@lezer/common";
import type { BlockContext, Line, MarkdownConfig } from "@lezer/markdown";
import { frontMatterEnd, MAX_FRONT_MATTER } from "@/lib/utils/front-matter";

/** The YAML with which a file may begin, and which is not published. */
export const frontMatter: MarkdownConfig = {
  defineNodes: [{ name: "FrontMatter", block: true }],
  parseBlock: [
    {
      name: "FrontMatter",
      before: "IndentedCode",
      parse(context: BlockContext, line: Line) {
        if (context.lineStart > 0 || context.depth > 1) return false;
        const { input } = context as unknown as { input: Input };
        const end = beginsWithDashes(input) ? frontMatterEnd(input.read(0, MAX_FRONT_MATTER)) : 0;
        if (end === 0) return false;
        while (context.lineStart + line.text.length < end) context.nextLine();
        context.addElement(context.elt("FrontMatter", 0, end));
        context.nextLine();
        return true;
      },
    },
  ],
};

/** Whether a change of any of the first lines may make or end front matter. */
export function beginsWithDashes(input: Input): boolean {
  return /^\uFEFF?---/.test(input.read(0, Math.min(input.length, 4)));
}

/** @jest-environment jsdom */
import { renderPost } from "@/lib/wordpress/blocks";
import { loadEditor, type ParsedBlock } from "@/tests/support/wordpress/editor";
import { EVERYTHING } from "@/tests/support/wordpress/every-markdown";

function flatten(blocks: ParsedBlock[]): ParsedBlock[] {
  return blocks.flatMap((block) => [block, ...flatten(block.innerBlocks)]);
}

describe("WordPress' own editor", () => {
  let parse: ReturnType<typeof loadEditor>;
  beforeAll(() => {
    parse = loadEditor();
  });

  it("accepts every block of a post as valid", () => {
    const blocks = flatten(parse(renderPost(EVERYTHING)));
    expect(blocks.filter((block) => !block.isValid).map((block) => block.originalContent)).toEqual([]);
    const kinds = new Set(blocks.map((block) => block.name));
    expect([...kinds].sort()).toEqual([
      "core/code",
      "core/embed",
      "core/heading",
      "core/image",
      "core/list",
      "core/list-item",
      "core/more",
      "core/paragraph",
      "core/quote",
      "core/separator",
      "core/table",
    ]);
  });

  it("rejects an invalid block", () => {
    const [block] = parse('<!-- wp:table -->\n<table class="has-fixed-layout"></table>\n<!-- /wp:table -->');
    expect(block?.isValid).toBe(false);
  });
});

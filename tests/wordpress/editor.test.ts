/** @jest-environment jsdom */
import { renderPost } from "@/lib/wordpress/blocks";
import { buildFolder } from "@/scripts/wordpress-builds";
import { testedSites } from "@/scripts/wordpress-sites";
import { corpusPosts } from "@/tests/support/post-corpus";
import { loadEditor, type ParsedBlock } from "@/tests/support/wordpress/editor";
import { EVERYTHING } from "@/tests/support/wordpress/every-markdown";

function flatten(blocks: ParsedBlock[]): ParsedBlock[] {
  return blocks.flatMap((block) => [block, ...flatten(block.innerBlocks)]);
}

/** The editor of 6.1 does not know cells that span others; the post shows them, and later editors accept them. */
function hasSpans({ name, originalContent }: ParsedBlock): boolean {
  return name === "core/table" && / (?:col|row)span=/.test(originalContent);
}

const builds = new Set(testedSites(process.env.WORDPRESS_SITES).map(({ options }) => options.build));
const editors: [string, string, (block: ParsedBlock) => boolean][] = [["6.1", "/usr/share/wordpress", hasSpans]];
if (builds.has("newest")) editors.push(["6.7 alpha", buildFolder("newest"), () => false]);

describe.each(editors)("the block editor of WordPress %s", (_version, folder, isExcepted) => {
  let parse: ReturnType<typeof loadEditor>;
  beforeAll(() => {
    parse = loadEditor(folder);
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

  it.each(corpusPosts())("accepts every block of $slug as valid", ({ markdown, title }) => {
    const invalid = flatten(parse(renderPost(markdown, title))).filter((block) => !block.isValid);
    expect(invalid.filter((block) => !isExcepted(block)).map((block) => block.originalContent)).toEqual([]);
  });

  it("rejects an invalid block", () => {
    const [block] = parse('<!-- wp:table -->\n<table class="has-fixed-layout"></table>\n<!-- /wp:table -->');
    expect(block?.isValid).toBe(false);
  });
});

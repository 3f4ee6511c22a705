import { renderPost } from "@/lib/wordpress/blocks";
import { outlineOf } from "@/tests/support/block-outline";
import { corpusPosts } from "@/tests/support/post-corpus";

it.each(corpusPosts())(
  "gives the readers of $slug the blocks that its writer means",
  ({ markdown, title, outline }) => {
    expect(outlineOf(renderPost(markdown, title))).toEqual(outline);
  },
);

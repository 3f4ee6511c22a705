import { renderPost } from "@/lib/wordpress/blocks";
import { outlineOf } from "@/tests/support/block-outline";
import { corpusPosts } from "@/tests/support/post-corpus";

describe.each(corpusPosts())("the post $slug", ({ slug, markdown, title, outline }) => {
  const markup = renderPost(markdown, title);

  it("has the blocks that its writer means", () => {
    expect(outlineOf(markup)).toEqual(outline);
  });

  it("has a heading for each link within it", () => {
    const named = [...markup.matchAll(/href="#([^"]*)"/g)].map(([, name = ""]) => decodeURIComponent(name));
    const ids = [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    // It links to a table of lamps that was never written.
    expect(named.filter((name) => !ids.includes(name))).toEqual(slug === "article" ? ["lamps"] : []);
  });

  it("shows no mark as it was typed", () => {
    const words = markup.replace(/<code>.*?<\/code>/gs, "").replace(/<[^>]*>/g, "");
    const marks = words.match(/\*\*|~~|\]\(|\[\[|\]\]|\[!|\[\^|\{#|&amp;(?:amp|lt|nbsp);/g) ?? [];
    // It escapes a link, and an ampersand.
    const typed: Record<string, string[]> = { tutorial: ["]("], "head-element": ["&amp;lt;"] };
    expect(marks).toEqual(typed[slug] ?? []);
  });
});

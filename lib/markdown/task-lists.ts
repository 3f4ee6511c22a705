import type { MarkdownIt } from "markdown-it";

/** A markdown-it plugin: list items that begin with `[ ]` or `[x]` get `meta.checked` and lose the mark. */
export function taskLists({ core }: MarkdownIt): void {
  core.ruler.before("inline", "task_lists", ({ tokens }) => {
    for (const [index, item] of tokens.entries()) {
      if (item.type !== "list_item_open" || tokens[index + 1]?.type !== "paragraph_open") continue;
      const text = tokens[index + 2];
      const mark = text && /^\[([ \t\nxX])\](?:\n|[ \t]+(?=\S))/.exec(text.content);
      if (!text || !mark) continue;
      item.meta = { checked: /x/i.test(mark[1] ?? "") };
      text.content = text.content.slice("[x] ".length);
    }
  });
}

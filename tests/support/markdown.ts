import { toHtml } from "hast-util-to-html";
import { markdownToHast } from "@/lib/markdown/render";

export function markdownToHtml(markdown: string): string {
  return toHtml(markdownToHast(markdown));
}

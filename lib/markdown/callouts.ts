import type { Element } from "hast";
import { element, text } from "@/lib/markdown/nodes";

/** As GitHub and Obsidian write them: `> [!NOTE]`, in Obsidian also with a sign for whether it is folded. */
const MARKER = /^\[!([a-z]{1,20})\][+-]?[ \t]*/i;

/** Makes the marker of a callout its word in bold, with which the quote begins. */
export function openCallout(quote: Element): void {
  const paragraph = quote.children.find((child) => child.type === "element");
  const first = paragraph?.children[0];
  if (paragraph?.tagName !== "p" || first?.type !== "text") return;
  const [marker, word = ""] = MARKER.exec(first.value) ?? [];
  if (marker === undefined) return;
  first.value = first.value.slice(marker.length);
  const next = paragraph.children[1];
  if (first.value === "" && next?.type === "element" && next.tagName === "br") paragraph.children.splice(1, 2);
  const name = `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`;
  paragraph.children.unshift(element("strong", {}, [text(name)]), text(" "));
}

import type { Element, Root } from "hast";
import { attribute, classesOf, replaceElements } from "@/lib/markdown/from-html/tree";
import { element, text, textOf } from "@/lib/markdown/nodes";
import { willNotLast } from "@/lib/markdown/temporary-pictures";
import { encodeBrackets } from "@/lib/utils/web-address";

/** Leaves pictures that have an address, and counts those that had none or whose address will not last. */
export function readablePictures(root: Root): { temporary: number; lost: number } {
  const count = { temporary: 0, lost: 0 };
  replaceElements(root, (node) => {
    if (node.tagName !== "img" && node.tagName !== "image") return undefined;
    const words = attribute(node, "alt").replace(/\s+/g, " ").trim();
    if (isEmoji(node)) return [text(words)];
    // What is loaded as one scrolls has another address until then.
    const address = ["src", "dataSrc"]
      .map((name) => absolute(attribute(node, name)))
      .find((each) => /^https?:/i.test(each));
    if (!address) {
      count.lost += 1;
      return [];
    }
    if (willNotLast(address)) count.temporary += 1;
    return [element("img", { src: encodeBrackets(address), alt: words.replace(/[[\]]/g, " ").trim() })];
  });
  return count;
}

/** Chats and blogs draw emoji as pictures. */
function isEmoji(node: Element): boolean {
  if (attribute(node, "alt") === "") return false;
  return (
    attribute(node, "dataStringifyType") === "emoji" ||
    classesOf(node).some((name) => /^(?:emoji|wp-smiley|twemoji)$/.test(name))
  );
}

/** Keeps links that a post may have, and only the words of others. */
export function readableLinks(root: Root): void {
  replaceElements(root, (node) => {
    if (node.tagName !== "a") return undefined;
    const address = absolute(attribute(node, "href"));
    const title = attribute(node, "title").replace(/\s+/g, " ").trim();
    if (/^(?:https?|mailto|tel):/i.test(address))
      node.properties = { href: encodeBrackets(address), ...(title === textOf(node).trim() ? {} : { title }) };
    else Object.assign(node, { tagName: "span", properties: {} });
    return undefined;
  });
}

function absolute(address: string): string {
  const bare = address.trim();
  return bare.startsWith("//") ? `https:${bare}` : bare;
}

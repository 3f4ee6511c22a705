import type { ElementContent, Root, RootContent } from "hast";
import { AppError } from "@/lib/errors";

/** Ordinary Markdown of the longest allowed text makes a fifth of this, and more a site's answer could not repeat. */
const MOST_CHARACTERS = 4_000_000;
/** Tags and block comments around an element. */
const MARKUP = 40;

/**
 * Throws TOO_COMPLEX for a tree that would become more than about 4 MB of HTML: an address that is defined once and
 * referred to 60,000 times is one string in the tree, but not in the text, and a single allocation that large would end
 * the whole process.
 */
export function refuseHuge(tree: Root): void {
  let characters = 0;
  const open: (RootContent | ElementContent)[] = [...tree.children];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === "text") characters += node.value.length;
    if (node.type !== "element") continue;
    characters += MARKUP;
    for (const value of Object.values(node.properties)) if (typeof value === "string") characters += value.length;
    if (characters > MOST_CHARACTERS) throw new AppError("TOO_COMPLEX", { message: TOO_LONG });
    for (const child of node.children) open.push(child);
  }
}

const TOO_LONG =
  "This text would make a post of more than 4 MB of HTML: it has too many elements, or repeats a long link address too often. Shorten or divide it, then try again.";

import type { ElementContent, Root, RootContent } from "hast";
import { AppError } from "@/lib/errors";

/** Five times the longest ordinary text, and more than we could read back from a site. */
const MAX_CHARACTERS = 4_000_000;
/** Tags and block comments of one element. */
const MARKUP = 40;

/**
 * Throws TOO_COMPLEX for a tree of more than about 4 MB of HTML: a URL defined once and referenced 60,000 times is one
 * string in the tree but not in the text, and an allocation that large ends the whole process.
 */
export function assertTreeSize(tree: Root): void {
  let characters = 0;
  const open: (RootContent | ElementContent)[] = [...tree.children];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === "text") characters += node.value.length;
    if (node.type !== "element") continue;
    characters += MARKUP;
    for (const value of Object.values(node.properties)) if (typeof value === "string") characters += value.length;
    if (characters > MAX_CHARACTERS) throw new AppError("TOO_COMPLEX", { message: TOO_LONG });
    for (const child of node.children) open.push(child);
  }
}

const TOO_LONG =
  "This text would make a post of more than 4 MB of HTML: it has too many elements, or repeats a long link address too often. Shorten or divide it, then try again.";

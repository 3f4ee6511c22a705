import type { Element, ElementContent, Root, RootContent } from "hast";

type Node = RootContent | ElementContent;
type Bounds = { elements: number; characters: number };

/**
 * Splits a tree into parts that each render in one go. Whatever fits stays whole; larger elements continue in the next
 * part as copies: a list of 10,000 items becomes several, numbered on.
 */
export function splitTree({ children }: Root, max: Bounds): Root[] {
  const parts: Root[] = [];
  const open: Open[] = [];
  let room = beginPart();

  function beginPart(): Bounds {
    const part: Root = { type: "root", children: [] };
    let parent: { children: Node[] } = part;
    for (const [depth, each] of open.entries()) {
      const { node, items } = each;
      // Inside an item, its number is already used.
      const start = Number(node.properties.start ?? 1) + items - (depth < open.length - 1 ? 1 : 0);
      each.copy = copyOf(node, node.tagName === "ol" && items > 0 ? { start } : {});
      parent.children.push(each.copy);
      parent = each.copy;
    }
    parts.push(part);
    return { elements: max.elements - open.length, characters: max.characters };
  }

  function continueInNextPart(): void {
    dropEmpty(parts.at(-1), open);
    room = beginPart();
  }

  function isUsed(): boolean {
    return room.characters < max.characters || room.elements < max.elements - open.length;
  }

  function add(node: Node): void {
    const size = sizeOf(node);
    const fits = size.elements <= room.elements && size.characters <= room.characters;
    const fitsNext = size.elements <= max.elements - open.length && size.characters <= max.characters;
    if (!fits && (fitsNext || room.elements <= 0 || room.characters <= 0) && isUsed()) continueInNextPart();
    if (node.type === "text") addText(node.value);
    if (node.type === "element") addElement(node);
  }

  function addText(value: string): void {
    for (let at = 0; at < value.length; ) {
      if (room.characters < 2) continueInNextPart();
      const piece = wholeCharacters(value, at, room.characters);
      (open.at(-1)?.copy ?? parts.at(-1))?.children.push({ type: "text", value: piece });
      room.characters -= piece.length;
      at += piece.length;
    }
  }

  function addElement(node: Element): void {
    const around = open.at(-1);
    if (around && node.tagName === "li") around.items += 1;
    const copy = copyOf(node);
    (around?.copy ?? parts.at(-1))?.children.push(copy);
    room.elements -= 1;
    open.push({ node, copy, items: 0 });
    for (const child of node.children) add(child);
    open.pop();
  }

  for (const child of children) add(child);
  return parts;
}

/** An element being split: `copy` is its copy in this part, `items` counts its items so far. */
type Open = { node: Element; copy: Element; items: number };

function copyOf(node: Element, properties: Element["properties"] = {}): Element {
  return { ...node, properties: { ...node.properties, ...properties }, children: [] };
}

/** Elements opened at the end of a part are still empty. */
function dropEmpty(part: Root | undefined, open: readonly Open[]): void {
  for (let depth = open.length - 1; depth >= 0; depth -= 1) {
    const parent = open[depth - 1]?.copy ?? part;
    if (open[depth]?.copy.children.length === 0) parent?.children.pop();
  }
}

const SIZES = new WeakMap<Node, Bounds>();

function sizeOf(node: Node): Bounds {
  if (node.type === "text") return { elements: 0, characters: node.value.length };
  if (node.type !== "element") return { elements: 0, characters: 0 };
  const known = SIZES.get(node);
  if (known) return known;
  const size = { elements: 1, characters: 0 };
  for (const child of node.children) {
    const { elements, characters } = sizeOf(child);
    size.elements += elements;
    size.characters += characters;
  }
  SIZES.set(node, size);
  return size;
}

/** Takes at most `max` UTF-16 units (two or more), without splitting a character. */
function wholeCharacters(value: string, at: number, max: number): string {
  const piece = value.slice(at, at + max);
  const last = piece.charCodeAt(piece.length - 1);
  return last >= 0xd800 && last < 0xdc00 && piece.length === max ? piece.slice(0, -1) : piece;
}

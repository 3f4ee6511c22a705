import type { Element, ElementContent, Root, RootContent } from "hast";

type Node = RootContent | ElementContent;
type Bounds = { elements: number; characters: number };

/**
 * A tree in parts that are each drawn in one go. What fits into a part is not divided; what is larger goes on in the next
 * part, in copies of the elements around it: a list of 10,000 items becomes several lists that count on.
 */
export function inParts({ children }: Root, most: Bounds): Root[] {
  const parts: Root[] = [];
  const open: Open[] = [];
  let room = beginPart();

  function beginPart(): Bounds {
    const part: Root = { type: "root", children: [] };
    let parent: { children: Node[] } = part;
    for (const [depth, each] of open.entries()) {
      const { node, items } = each;
      // Within an item its number has been given already.
      const start = Number(node.properties.start ?? 1) + items - (depth < open.length - 1 ? 1 : 0);
      each.copy = copyOf(node, node.tagName === "ol" && items > 0 ? { start } : {});
      parent.children.push(each.copy);
      parent = each.copy;
    }
    parts.push(part);
    return { elements: most.elements - open.length, characters: most.characters };
  }

  function goOn(): void {
    dropEmpty(parts.at(-1), open);
    room = beginPart();
  }

  function isUsed(): boolean {
    return room.characters < most.characters || room.elements < most.elements - open.length;
  }

  function add(node: Node): void {
    const size = sizeOf(node);
    const fits = size.elements <= room.elements && size.characters <= room.characters;
    const fitsNext = size.elements <= most.elements - open.length && size.characters <= most.characters;
    if (!fits && (fitsNext || room.elements <= 0 || room.characters <= 0) && isUsed()) goOn();
    if (node.type === "text") addText(node.value);
    if (node.type === "element") addElement(node);
  }

  function addText(value: string): void {
    for (let at = 0; at < value.length; ) {
      if (room.characters < 2) goOn();
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

/** An element whose children are being placed; `copy` is the one of this part, `items` how many items it has got in all. */
type Open = { node: Element; copy: Element; items: number };

function copyOf(node: Element, properties: Element["properties"] = {}): Element {
  return { ...node, properties: { ...node.properties, ...properties }, children: [] };
}

/** What was opened at the very end of a part has nothing in it there. */
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

/** At most so many UTF-16 units from here on, two or more; a character that they would cut in two is left for the next part. */
function wholeCharacters(value: string, at: number, most: number): string {
  const piece = value.slice(at, at + most);
  const last = piece.charCodeAt(piece.length - 1);
  return last >= 0xd800 && last < 0xdc00 && piece.length === most ? piece.slice(0, -1) : piece;
}

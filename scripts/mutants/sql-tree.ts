/** A token of a statement. A hole is a template's `${…}`. */
export type Leaf = { kind: "word" | "symbol" | "value" | "hole"; text: string; start: number; end: number };
/** The contents of parentheses or CASE … END; `inner` excludes the delimiters. */
export type Group = { kind: "parentheses" | "case"; inner: Node[]; start: number; end: number };
export type Node = Leaf | Group;
/** The words from one keyword (`head`) to the next; `head` is null where a list continues. */
export type Clause = { head: string | null; nodes: Node[] };

const TOKEN =
  /\s+|--[^\n]*|'(?:[^']|'')*'|"[^"]*"|[A-Za-z_][A-Za-z0-9_]*|\d+(?:\.\d+)?|::|<=|>=|<>|!=|!~|=>|\|\||->>?|[^\s]/g;

/** Parses a statement into a tree; `holes` are the positions of its `${…}`, and `offset` is its start in the file. */
export function parseSql(text: string, offset: number, holes: { start: number; end: number }[]): Node[] {
  const leaves: Leaf[] = [];
  let at = offset;
  for (const hole of [...holes, { start: offset + text.length, end: offset + text.length }]) {
    leaves.push(...tokens(text.slice(at - offset, hole.start - offset), at));
    if (hole.end > hole.start) leaves.push({ kind: "hole", text: "", ...hole });
    at = hole.end;
  }
  return nest(leaves);
}

function tokens(text: string, offset: number): Leaf[] {
  return [...text.matchAll(TOKEN)].flatMap(({ 0: token, index }) => {
    if (/^\s|^--/.test(token)) return [];
    const kind = /^[A-Za-z_]/.test(token) ? "word" : /^['"\d]/.test(token) ? "value" : "symbol";
    return [{ kind, text: token, start: offset + index, end: offset + index + token.length } as const];
  });
}

function nest(leaves: Leaf[]): Node[] {
  const root: Node[] = [];
  const open: Group[] = [];
  for (const leaf of leaves) {
    const inner = open.at(-1)?.inner ?? root;
    const word = leaf.kind === "hole" ? "" : leaf.text.toUpperCase();
    if (word === "(" || word === "CASE") {
      const group: Group = { kind: word === "(" ? "parentheses" : "case", inner: [], start: leaf.start, end: leaf.end };
      inner.push(group);
      open.push(group);
    } else if (word === ")" || word === "END") {
      const group = open.pop();
      if (group) group.end = leaf.end;
    } else inner.push(leaf);
  }
  return root;
}

const HEADS = new Set(
  `SELECT FROM WHERE SET HAVING ON WHEN THEN ELSE ORDER GROUP LIMIT OFFSET FOR RETURNING JOIN LEFT INNER CROSS VALUES UPDATE
   INSERT DELETE WITH UNION AS USING`.split(/\s+/),
);

/** Splits a level of the tree at its keywords, and at its commas except in SET. */
export function clausesOf(nodes: Node[]): Clause[] {
  const clauses: Clause[] = [{ head: null, nodes: [] }];
  nodes.forEach((node, place) => {
    const current = clauses.at(-1);
    if (isHead(nodes, place)) clauses.push({ head: wordOf(node), nodes: [] });
    else if (isComma(node) && current?.head !== "SET") clauses.push({ head: null, nodes: [] });
    else current?.nodes.push(node);
  });
  return clauses.filter(({ head, nodes }) => head !== null || nodes.length > 0);
}

/** LEFT (…) is a function, and IS DISTINCT FROM an operator. */
function isHead(nodes: Node[], place: number): boolean {
  const word = wordOf(nodes[place]);
  if (!HEADS.has(word)) return false;
  return nodes[place + 1]?.kind === "parentheses" ? word !== "LEFT" : wordOf(nodes[place - 1]) !== "DISTINCT";
}

/** A keyword or name in upper case; empty for anything else. */
export function wordOf(node: Node | undefined): string {
  return node?.kind === "word" ? node.text.toUpperCase() : "";
}

/** An operator or other symbol; empty for anything else. */
export function symbolOf(node: Node | undefined): string {
  return node?.kind === "symbol" ? node.text : "";
}

export function isComma(node: Node): boolean {
  return symbolOf(node) === ",";
}

export function splitAt(nodes: Node[], isBetween: (node: Node, place: number) => boolean): Node[][] {
  const parts: Node[][] = [[]];
  nodes.forEach((node, place) => {
    if (isBetween(node, place)) parts.push([]);
    else parts.at(-1)?.push(node);
  });
  return parts;
}

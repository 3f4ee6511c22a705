import {
  type Clause,
  clausesOf,
  isComma,
  type Node,
  parseSql,
  splitAt,
  symbolOf,
  wordOf,
} from "@/scripts/mutants/sql-tree";

/** Replaces the text from `start` to `end`. */
export type Change = { start: number; end: number; replacement: string };

/** All single changes to a statement in a template; see parseSql for the arguments. */
export function sqlChanges(text: string, offset: number, holes: { start: number; end: number }[]): Change[] {
  const nodes = parseSql(text, offset, holes);
  const source = (start: number, end: number) => text.slice(start - offset, end - offset);
  const changes = isAssignments(nodes)
    ? assignmentChanges(nodes, source)
    : [...wholeCondition(nodes), ...levelChanges(nodes, source)];
  return changes
    .filter(({ start, end, replacement }) => source(start, end) !== replacement)
    .sort((a, b) => a.start - b.start);
}

type Source = (start: number, end: number) => string;

/** A fragment that is a single condition, whose WHERE is in another template. */
function wholeCondition(nodes: Node[]): Change[] {
  const [only, ...more] = clausesOf(nodes);
  if (!only || only.head !== null || more.length > 0 || connectives(only.nodes).length > 0) return [];
  return only.nodes.some((node) => COMPARISONS[symbolOf(node)]) ? [replaced(only.nodes, "true")] : [];
}

/** A fragment of a SET: assignments, or holes for them. */
function isAssignments(nodes: Node[]): boolean {
  const parts = splitAt(nodes, isComma);
  return (
    parts.length > 1 && parts.every(([first, next]) => symbolOf(next) === "=" || (first?.kind === "hole" && !next))
  );
}

/** One level of parentheses and everything inside. */
function levelChanges(nodes: Node[], source: Source): Change[] {
  const clauses = clausesOf(nodes);
  const isSimpleCase = clauses[0]?.head === null && clauses[1]?.head === "WHEN";
  return [
    ...clauses.flatMap((clause) => clauseChanges(clause, isSimpleCase, source)),
    ...nodes.flatMap((_, place) => locks(nodes, place)),
    ...nodes.flatMap((node, place) => defaults(node, nodes[place - 1], source)),
    ...nodes.flatMap((node) => ("inner" in node ? levelChanges(node.inner, source) : [])),
  ];
}

function clauseChanges({ head, nodes }: Clause, isSimpleCase: boolean, source: Source): Change[] {
  if (nodes.length === 0 || (head === "WHEN" && isSimpleCase)) return [];
  if (head === "SET") return assignmentChanges(nodes, source);
  const within = expressionChanges(nodes);
  const isSingle = connectives(nodes).length === 0;
  const isCondition = head === "WHERE" || head === "HAVING" || (head === "ON" && wordOf(nodes[0]) !== "CONFLICT");
  // Inverting a single comparison already negates it.
  const isNegated = head === "WHEN" && !(isSingle && within.length > 0);
  return [
    ...(isNegated ? [replaced(nodes, `NOT (${source(startOf(nodes), endOf(nodes))})`)] : []),
    ...(isCondition && isSingle ? [replaced(nodes, "true")] : []),
    ...withoutOperands(nodes),
    ...within,
  ];
}

/** Drops each assignment and mutates its value; the `=` of an assignment is not a comparison. */
function assignmentChanges(nodes: Node[], source: Source): Change[] {
  const assignments = splitAt(nodes, isComma);
  return assignments.flatMap((assignment, place) => {
    const [next, previous] = [assignments[place + 1], assignments[place - 1]];
    const gone = next
      ? { start: startOf(assignment), end: startOf(next), replacement: "" }
      : previous && { start: endOf(previous), end: endOf(assignment), replacement: "" };
    const value = assignment.slice(assignment.findIndex((node) => symbolOf(node) === "=") + 1);
    return [...(gone ? [gone] : []), ...clauseChanges({ head: null, nodes: value }, false, source)];
  });
}

/** Drops each operand of AND and OR. */
function withoutOperands(nodes: Node[]): Change[] {
  const alternatives = splitAt(nodes, (node) => wordOf(node) === "OR");
  return [
    ...(alternatives.length > 1 ? withoutEach(alternatives) : []),
    ...alternatives.flatMap((alternative) => {
      const between = new Set(connectives(alternative).filter((node) => wordOf(node) === "AND"));
      const operands = splitAt(alternative, (node) => between.has(node));
      return operands.length > 1 ? withoutEach(operands) : [];
    }),
  ];
}

function withoutEach(operands: Node[][]): Change[] {
  return operands.flatMap((operand, place) => {
    if (operand.length === 0) return [];
    const [next, previous] = [operands[place + 1], operands[place - 1]];
    // A fragment may start with AND: its left operand is in another template.
    if (previous?.length) return [{ start: endOf(previous), end: endOf(operand), replacement: "" }];
    if (next && place === 0) return [{ start: startOf(operand), end: startOf(next), replacement: "" }];
    return [replaced(operand, "true")];
  });
}

/** The ANDs and ORs of a level, except the AND of BETWEEN. */
function connectives(nodes: Node[]): Node[] {
  let isBetween = false;
  return nodes.filter((node) => {
    const word = wordOf(node);
    if (word === "BETWEEN") isBetween = true;
    if (word !== "AND" && word !== "OR") return false;
    if (word === "OR" || !isBetween) return true;
    isBetween = false;
    return false;
  });
}

const COMPARISONS: Record<string, string> = {
  "=": "<>",
  "<>": "=",
  "!=": "=",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "~": "!~",
  "!~": "~",
};

/** No row hits the exact moment of now(), so invert the order instead. */
const OPPOSITES: Record<string, string> = { "<": ">=", "<=": ">", ">": "<=", ">=": "<" };

function expressionChanges(nodes: Node[]): Change[] {
  return nodes.flatMap((node, place) => {
    const isMoment = wordOf(nodes[place + 1]) === "NOW" || wordOf(nodes[place - 2]) === "NOW";
    const comparison = (isMoment && OPPOSITES[symbolOf(node)]) || COMPARISONS[symbolOf(node)];
    if (comparison) return [replaced([node], comparison)];
    const word = wordOf(node);
    const next = nodes[place + 1];
    if (word === "TRUE") return [replaced([node], "false")];
    if (word === "FALSE") return [replaced([node], "true")];
    // NOT EXISTS, NOT x, IS NOT NULL
    if (word === "NOT" && next) return [{ start: startOf([node]), end: startOf([next]), replacement: "" }];
    if (word === "IS" && wordOf(next) === "NULL") return [replaced([node], "IS NOT")];
    return [];
  });
}

const STRENGTHS = ["NO", "KEY", "UPDATE", "SHARE"];

/** Drops FOR UPDATE or a weaker lock with its options. */
function locks(nodes: Node[], place: number): Change[] {
  const node = nodes[place];
  if (!node || wordOf(node) !== "FOR" || !STRENGTHS.includes(wordOf(nodes[place + 1]))) return [];
  let last = place;
  while (STRENGTHS.includes(wordOf(nodes[last + 1]))) last++;
  if (wordOf(nodes[last + 1]) === "OF") last += 2;
  while (symbolOf(nodes[last + 1]) === ",") last += 2;
  if (wordOf(nodes[last + 1]) === "SKIP") last += 2;
  return [replaced(nodes.slice(place, last + 1), "")];
}

/** coalesce(a, b) becomes b. */
function defaults(node: Node, before: Node | undefined, source: Source): Change[] {
  if (!("inner" in node) || !before || wordOf(before) !== "COALESCE") return [];
  const last = splitAt(node.inner, isComma).at(-1);
  if (!last?.length) return [];
  return [{ start: before.start, end: node.end, replacement: source(startOf(last), endOf(last)) }];
}

function replaced(nodes: Node[], replacement: string): Change {
  return { start: startOf(nodes), end: endOf(nodes), replacement };
}

function startOf(nodes: Node[]): number {
  return nodes[0]?.start ?? 0;
}

function endOf(nodes: Node[]): number {
  return nodes.at(-1)?.end ?? 0;
}

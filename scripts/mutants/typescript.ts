import { parseSync } from "@swc/core";
import type { Mutant } from "@/scripts/mutants/mutant";
import { type Change, sqlChanges } from "@/scripts/mutants/sql";

/** A syntax node, as far as we need it; swc counts positions in bytes, from 1. */
type Syntax = { type: string; span?: { start: number; end: number }; [field: string]: unknown };
type At = (node: Syntax) => { start: number; end: number; text: string };

/** All single changes to a file's code, except in imports, types, messages and descriptions. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const tree = parse(file, source);
  const at = placesIn(source);
  const mutants: Mutant[] = [];
  function visit(node: Syntax): void {
    if (isSkipped(node)) return;
    if (isSqlTemplate(node, at)) mutants.push(...templateChanges(node, source, at).map(asMutant("SQL")));
    else mutants.push(...changesOf(node, at).map(asMutant("TypeScript")).filter(isParsed));
    for (const child of childrenOf(node)) visit(child);
  }
  const asMutant = (kind: Mutant["kind"]) => (change: Change) => ({ file, kind, ...change });
  const isParsed = ({ start, end, replacement }: Mutant) =>
    canParse(file, source.slice(0, start) + replacement + source.slice(end));
  visit(tree);
  return mutants.sort((a, b) => a.start - b.start);
}

function parse(file: string, source: string): Syntax {
  return parseSync(source, { syntax: "typescript", tsx: file.endsWith(".tsx") }) as unknown as Syntax;
}

function canParse(file: string, source: string): boolean {
  try {
    parse(file, source);
    return true;
  } catch {
    return false;
  }
}

/** Converts swc's byte positions to offsets into the text. */
function placesIn(source: string): At {
  const places: number[] = [];
  let place = 0;
  for (const character of source) {
    const bytes = Buffer.byteLength(character);
    for (let byte = 0; byte < bytes; byte++) places.push(place);
    place += character.length;
  }
  places.push(place);
  return (node) => {
    const span = spanOf(node);
    const [start, end] = [places[span.start - 1] ?? 0, places[span.end - 1] ?? 0];
    return { start, end, text: source.slice(start, end) };
  };
}

/** Two node types have no span. */
function spanOf(node: Syntax): { start: number; end: number } {
  if (node.span) return node.span;
  const [first, last] = (
    node.type === "SpreadElement" ? [node.spread, node.arguments] : [node.key, node.value]
  ) as Syntax[];
  const start = first && "start" in first ? Number(first.start) : first && spanOf(first).start;
  return { start: start ?? 1, end: last ? spanOf(last).end : 1 };
}

function isSyntax(value: unknown): value is Syntax {
  return typeof value === "object" && value !== null && "type" in value;
}

/** swc wraps arguments and array elements in an object without a type. */
function childrenOf(node: Syntax): Syntax[] {
  return Object.values(guarded(node) ?? node)
    .flat()
    .map((value) => (isSyntax(value) ? value : (value as { expression?: unknown } | null)?.expression))
    .filter(isSyntax);
}

/** Dropping an `if` drops its only statement too, so mutate just what is inside that statement. */
function guarded(node: Syntax): Syntax | undefined {
  if (node.type !== "IfStatement" || node.alternate) return undefined;
  const consequent = node.consequent as Syntax;
  const statements = consequent.type === "BlockStatement" ? (consequent.stmts as Syntax[]) : [consequent];
  const [only, ...more] = statements;
  if (only?.type !== "ExpressionStatement" || more.length > 0) return undefined;
  return { ...node, consequent: only.expression };
}

const TEXT_ONLY = new Set(["meta", "describe"]);
const PRINTS = /^(log|console)\./;
/** How a thing looks is for eyes, not for tests. */
const LOOKS = new Set(["className", "rows", "side", "size", "style", "variant"]);
/** Guesses of how high a line will be, until it is measured: only the scroll bar shows them. */
const ESTIMATE = /(^|_)HEIGHTS?$/;

function isSkipped(node: Syntax): boolean {
  if (/^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type)) return true;
  if (node.type.startsWith("Ts") && !/^Ts(As|NonNull|Satisfies|Const)/.test(node.type)) return true;
  if (node.type === "JSXAttribute") return LOOKS.has(nameOf(node.name));
  if (node.type === "KeyValueProperty" && nameOf(node.key) === "variant") return true;
  if (node.type === "VariableDeclarator" && ESTIMATE.test(nameOf(node.id))) return true;
  return node.type === "CallExpression" && TEXT_ONLY.has(methodOf(node));
}

function nameOf(node: unknown): string {
  return String((node as { value?: unknown }).value);
}

function methodOf(call: Syntax): string {
  const callee = call.callee as Syntax;
  return String((callee.property as { value?: unknown } | undefined)?.value ?? "");
}

function isSqlTemplate(node: Syntax, at: At): boolean {
  return (
    node.type === "TaggedTemplateExpression" && /(^|\.)(sql|\$queryRaw|\$executeRaw)$/.test(at(node.tag as Syntax).text)
  );
}

function templateChanges(node: Syntax, source: string, at: At): Change[] {
  const texts = ((node.template as Syntax).quasis as Syntax[]).map(at);
  const [start, end] = [texts[0]?.start ?? 0, texts.at(-1)?.end ?? 0];
  const holes = texts.slice(1).map((text, place) => ({ start: texts[place]?.end ?? 0, end: text.start }));
  return sqlChanges(source.slice(start, end), start, holes);
}

const OPERATORS: Record<string, string> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
};

/** No test hits the exact moment of a clock reading, so invert the order instead. */
const OPPOSITES: Record<string, string> = { "<": ">=", "<=": ">", ">": "<=", ">=": "<" };
const NOW = /\bnew Date\(\)|\bDate\.now\(\)/;

function changesOf(node: Syntax, at: At): Change[] {
  const { start, end } = at(node);
  const become = (replacement: string): Change => ({ start, end, replacement });
  switch (node.type) {
    case "BinaryExpression":
      return binaryChanges(node, at);
    case "UnaryExpression":
      return node.operator === "!" ? [become(at(node.argument as Syntax).text)] : [];
    case "ConditionalExpression": {
      const [test, yes, no] = [node.test, node.consequent, node.alternate].map((part) => at(part as Syntax).text);
      return [become(`${test} ? ${no} : ${yes}`)];
    }
    case "IfStatement":
      return node.alternate || onlyPrints(node, at) ? [] : [become(";")];
    case "ExpressionStatement": {
      const called = at(node.expression as Syntax).text;
      return isCall(node.expression as Syntax) && !PRINTS.test(called) ? [become(";")] : [];
    }
    case "NumericLiteral": {
      const value = Number(node.value);
      return [value + 1, ...(value > 0 ? [value - 1] : [])].map((other) => become(String(other)));
    }
    case "BooleanLiteral":
      return [become(String(!node.value))];
    case "ObjectExpression":
      return ((node.properties as Syntax[]) ?? []).flatMap((part) =>
        part.type === "SpreadElement" ? spread(part, at) : [],
      );
    case "KeyValueProperty":
      return filterChanges(node, at);
    default:
      return [];
  }
}

function onlyPrints(node: Syntax, at: At): boolean {
  const only = guarded(node)?.consequent;
  return only !== undefined && PRINTS.test(at(only as Syntax).text);
}

function isCall(node: Syntax): boolean {
  return node.type === "CallExpression" || (node.type === "AwaitExpression" && isCall(node.argument as Syntax));
}

function binaryChanges(node: Syntax, at: At): Change[] {
  const { start, end, text } = at(node);
  const [left, right] = [at(node.left as Syntax), at(node.right as Syntax)];
  if (node.operator === "??") return [left, right].map(({ text }) => ({ start, end, replacement: `(${text})` }));
  const operator = String(node.operator);
  const place = start + text.indexOf(operator, left.end - start);
  const isMoment = NOW.test(left.text) || NOW.test(right.text);
  const other = (isMoment && OPPOSITES[operator]) || OPERATORS[operator];
  return other ? [{ start: place, end: place + operator.length, replacement: other }] : [];
}

/** `...rest` spreads nothing. */
function spread(part: Syntax, at: At): Change[] {
  const place = at(part.arguments as Syntax);
  return [{ start: place.start, end: place.end, replacement: "{}" }];
}

/** Drops each property of a query's `where` or `data`. */
function filterChanges(node: Syntax, at: At): Change[] {
  const key = nameOf(node.key);
  const value = node.value as Syntax;
  if (!["where", "data"].includes(key) || value.type !== "ObjectExpression") return [];
  const object = at(value);
  return (value.properties as Syntax[]).flatMap((property, place, all) => {
    if (property.type === "SpreadElement") return [];
    const rest = all.filter((_, other) => other !== place).map((other) => at(other).text);
    return [{ start: object.start, end: object.end, replacement: rest.length > 0 ? `{ ${rest.join(", ")} }` : "{}" }];
  });
}

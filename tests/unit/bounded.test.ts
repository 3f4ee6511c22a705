/** @jest-environment node */
import { readdirSync, readFileSync } from "node:fs";
import { parseSync } from "@swc/core";

type Node = { type: string; span?: { start: number; end: number }; [member: string]: unknown };

/** Those that begin empty and live no longer than a call. */
const OF_A_CALL: Record<string, string> = {
  "lib/markdown/footnotes.ts: env[DEFINED] ??= new Set<string>()": "one rendering",
  "lib/markdown/tags.ts: open": "one text",
  "lib/markdown/tags.ts: places": "one text",
  "lib/transport/server/body-buffer.ts: entries": "one look for the largest caller",
  "lib/transport/server/own-cookies.ts: values.get(name) ?? new Set()": "one header",
};
/** Arrays with a bound of their own. */
const BOUNDED_ARRAYS: Record<string, string> = {
  "components/shared/markdown-editor/parser-in-parts.ts: parts": "one parsing",
  "components/shared/markdown-editor/parser-in-parts.ts: positions": "one parsing",
  "components/shared/toast-area.tsx: kept": "its assignments cut it",
  "inngest/local-server/queue.ts: items": "live runs, which the engine bounds",
  "lib/client/toast.ts: early": "its assignments cut it",
  "lib/wordpress/pace.ts: atWork": "`serve` adds none beyond `most`",
};

it("bounds everything that lives as long as its process or page and grows", () => {
  const found = sources().flatMap((file) => growing(file, readFileSync(file, "utf8")));
  expect([...new Set(found)].sort()).toEqual(Object.keys({ ...OF_A_CALL, ...BOUNDED_ARRAYS }).sort());
});

it.each([
  ["a Map of a module", "const open = new Map<string, number>();"],
  ["a Map of a module that begins with contents", "const names = new Map(ALL); function add(a) { names.set(a, 1); }"],
  ["a Set in an object of a module", "const room = { max: 3, readings: new Set() };"],
  ["a member that is made when it is first needed", "function all() { kept.sessions ??= new Map(); }"],
  ["a value of another Map", "function of(key) { return all.get(key) ?? new Map(); }"],
  ["a field of a class", "class Saver { readonly #listeners = new Set<() => void>(); }"],
  [
    "what a factory's result keeps",
    "function createPool() { const threads = new Set(); return { add: (t) => threads.add(t) }; }",
  ],
  ["an array of a module that is pushed to", "const early = []; function add(one) { early.push(one); }"],
  ["an array of a module that is replaced", "let early: string[] = []; function add(one) { early = [...early, one]; }"],
  ["an array of a factory", "function createPace() { const atWork = []; return () => atWork.push(1); }"],
])("finds %s", (_what, text) => {
  expect(growing("lib/some.ts", text)).toHaveLength(1);
});

it.each([
  ["a table with contents", 'const NAMES = new Set(["a", "b"]);'],
  ["an empty array that nobody writes", "const NONE: string[] = [];"],
  [
    "what a call makes and uses",
    "function unique(all) { const seen = new Set(); for (const one of all) seen.add(one); return seen; }",
  ],
  ["what goes with its key", "const sizes = new WeakMap();"],
  ["what is bounded", 'const open = bounded("open", 10, "A reason.");'],
])("leaves alone %s", (_what, text) => {
  expect(growing("lib/some.ts", text)).toEqual([]);
});

function sources(): string[] {
  const inFolders = ["app", "components", "inngest", "lib"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const isSource = (file: string) => /\.tsx?$/.test(file) && !file.includes("/generated/");
  return [...inFolders.filter(isSource), "instrumentation-client.ts", "instrumentation.ts", "proxy.ts"];
}

const FUNCTIONS = /Function(Declaration|Expression)$|Method|Constructor|Property$/;
const FACTORY = /^(bounded|connect|create|guard|lazy)/;

/** The empty Maps, Sets and arrays of a file that grow while the process runs. */
function growing(file: string, text: string): string[] {
  const bytes = Buffer.from(text);
  const tree = parseSync(text, { syntax: "typescript", tsx: file.endsWith("x") }) as unknown as Node;
  const nodes = nodesOf(tree);
  const offset = offsetOf(nodes, bytes);
  const source = ({ span }: Node) => bytes.subarray((span?.start ?? 0) - offset, (span?.end ?? 0) - offset).toString();
  const written = nodes.flatMap(({ node, above }) => ({ name: writtenBy(node), functions: functionsIn(above) }));

  return nodes.flatMap(({ node, above }) => {
    const isArray = node.type === "ArrayExpression" && (node.elements as unknown[]).length === 0;
    const isEmpty = isEmptyCollection(node);
    if (!isArray && !isEmpty && !isCollection(node)) return [];
    const parent = above.at(-1) as Node;
    const functions = functionsIn(above);
    const name = declaredName(parent);
    const isField =
      (/Property$/.test(parent.type) && parent.type.startsWith("Class")) || parent.type === "PrivateProperty";
    const isModules = functions.length === 0;
    const isFactorys = functions.length === 1 && FACTORY.test(nameOf(functions[0]) ?? "");
    const isWritten =
      name !== undefined && written.some((write) => write.name === name && write.functions.length > functions.length);
    const isMember = parent.type === "KeyValueProperty" || parent.type === "AssignmentExpression";
    const isDefault = parent.type === "BinaryExpression";
    const isKept = isField || (!isArray && isEmpty && (isModules || isMember || isDefault));
    const grows = isKept || ((isModules || isFactorys) && isWritten);
    return grows ? `${file}: ${keyOf(parent) ?? source(parent)}` : [];
  });
}

type Found = { node: Node; above: Node[] };

function nodesOf(value: unknown, above: Node[] = []): Found[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => nodesOf(each, above));
  const node = value as Node;
  const isNode = typeof node.type === "string";
  const inside = Object.entries(node).flatMap(([name, each]) =>
    name === "span" ? [] : nodesOf(each, isNode ? [...above, node] : above),
  );
  return isNode ? [{ node, above }, ...inside] : inside;
}

/** Where the file begins in the parser's count, which goes on from file to file. */
function offsetOf(nodes: Found[], bytes: Buffer): number {
  const end = nodes[0]?.node.span?.end ?? 0;
  return end - Buffer.byteLength(bytes.toString().trimEnd());
}

function functionsIn(above: Node[]): Node[] {
  return above.filter(({ type }) => FUNCTIONS.test(type) && !/^(KeyValue|Class|Private)Property$/.test(type));
}

function nameOf(node: Node | undefined): string | undefined {
  return (node?.identifier as { value?: string } | undefined)?.value;
}

function declaredName({ type, id }: Node): string | undefined {
  return type === "VariableDeclarator" ? (id as { value?: string }).value : undefined;
}

/** The name of a member or variable that this node defines. */
function keyOf({ key, id }: Node): string | undefined {
  const named = (key ?? id) as { value?: string; id?: { value?: string } } | undefined;
  return named?.value ?? named?.id?.value;
}

function isCollection({ type, callee }: Node): boolean {
  const name = (callee as { value?: string } | undefined)?.value;
  return type === "NewExpression" && (name === "Map" || name === "Set");
}

function isEmptyCollection(node: Node): boolean {
  return isCollection(node) && !(node.arguments as unknown[] | null)?.length;
}

const WRITES = new Set(["add", "push", "set", "splice", "unshift"]);

/** The variable to which this node adds, or which it replaces. */
function writtenBy({ type, callee, left }: Node): string | undefined {
  const { object, property } = (callee ?? {}) as { object?: Node; property?: { value?: string } };
  if (type === "CallExpression" && WRITES.has(property?.value ?? "")) return object?.value as string | undefined;
  return type === "AssignmentExpression" ? (left as { value?: string }).value : undefined;
}

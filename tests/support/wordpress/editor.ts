import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

export type ParsedBlock = { name: string; isValid: boolean; originalContent: string; innerBlocks: ParsedBlock[] };

/** The block editor's own parser and validator, from the scripts of this WordPress. Needs jsdom. */
export function loadEditor(wordpress: string): (content: string) => ParsedBlock[] {
  // A window of its own: two editors in one would share what they register.
  const frame = document.createElement("iframe");
  document.body.append(frame);
  const window = frame.contentWindow as Window & typeof globalThis;
  // jsdom lacks matchMedia.
  const anyScreen = {
    matches: false,
    addListener() {},
    removeListener() {},
    addEventListener() {},
    removeEventListener() {},
  };
  Object.assign(window, { matchMedia: () => anyScreen });
  const includes = path.join(wordpress, "wp-includes");
  for (const name of inOrder("wp-block-library", includes)) {
    const script = window.document.createElement("script");
    script.textContent = source(name, includes);
    window.document.head.append(script);
    // WordPress does the same: both names refer to the same library.
    if (name === "lodash") Object.assign(window, { lodash: Reflect.get(window, "_") });
  }
  const { blockLibrary, blocks } = Reflect.get(window, "wp") as {
    blockLibrary: { registerCoreBlocks(): void };
    blocks: { parse(content: string): ParsedBlock[] };
  };
  // The validator logs why a block is invalid; the result already says so.
  for (const name of ["error", "warn", "info", "log", "groupCollapsed"] as const) window.console[name] = () => {};
  blockLibrary.registerCoreBlocks();
  return (content) => blocks.parse(content);
}

/** A script and its dependencies, in loading order. */
function inOrder(wanted: string, includes: string): string[] {
  const list = readFileSync(`${includes}/assets/script-loader-packages.min.php`, "utf8");
  const needs = new Map<string, string[]>(["react-dom", "react-jsx-runtime"].map((name) => [name, ["react"]]));
  for (const [, name, names = ""] of list.matchAll(
    /'([\w-]+)\.min\.js' => array\('dependencies' => array\(([^)]*)\)/g,
  )) {
    needs.set(
      `wp-${name}`,
      [...names.matchAll(/'([^']+)'/g)].map(([, need]) => need ?? ""),
    );
  }
  const order = new Set<string>();
  const visit = (name: string) => {
    for (const need of needs.get(name) ?? []) if (!order.has(need)) visit(need);
    order.add(name);
  };
  visit(wanted);
  order.delete("wp-polyfill");
  return [...order];
}

function source(name: string, includes: string): string {
  const vendor = `${includes}/js/dist/vendor/${name}.min.js`;
  return readFileSync(existsSync(vendor) ? vendor : `${includes}/js/dist/${name.replace(/^wp-/, "")}.min.js`, "utf8");
}

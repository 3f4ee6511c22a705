import { existsSync, readFileSync } from "node:fs";

export type ParsedBlock = { name: string; isValid: boolean; originalContent: string; innerBlocks: ParsedBlock[] };

const INCLUDES = "/usr/share/wordpress/wp-includes";

/** The block editor's own parser and validator, from the scripts in Debian's WordPress package. Needs jsdom. */
export function loadEditor(): (content: string) => ParsedBlock[] {
  // jsdom lacks matchMedia.
  const anyScreen = {
    matches: false,
    addListener() {},
    removeListener() {},
    addEventListener() {},
    removeEventListener() {},
  };
  Object.assign(window, { matchMedia: () => anyScreen });
  for (const name of inOrder("wp-block-library")) {
    const script = document.createElement("script");
    script.textContent = source(name);
    document.head.append(script);
    // WordPress does the same: both names refer to the same library.
    if (name === "lodash") Object.assign(window, { lodash: Reflect.get(window, "_") });
  }
  const { blockLibrary, blocks } = Reflect.get(window, "wp") as {
    blockLibrary: { registerCoreBlocks(): void };
    blocks: { parse(content: string): ParsedBlock[] };
  };
  blockLibrary.registerCoreBlocks();
  return (content) => silently(() => blocks.parse(content));
}

/** A script and its dependencies, in loading order. */
function inOrder(wanted: string): string[] {
  const list = readFileSync(`${INCLUDES}/assets/script-loader-packages.php`, "utf8");
  const needs = new Map<string, string[]>([["react-dom", ["react"]]]);
  for (const [, name, names = ""] of list.matchAll(/'([\w-]+)\.js' => array\('dependencies' => array\(([^)]*)\)/g)) {
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

function source(name: string): string {
  const vendor = `${INCLUDES}/js/dist/vendor/${name}.js`;
  return readFileSync(existsSync(vendor) ? vendor : `${INCLUDES}/js/dist/${name.replace(/^wp-/, "")}.js`, "utf8");
}

/** The validator logs why a block is invalid; the result already says so. */
function silently<T>(run: () => T): T {
  const spies = (["error", "warn", "info", "log", "groupCollapsed"] as const).map((name) =>
    jest.spyOn(console, name).mockImplementation(() => {}),
  );
  try {
    return run();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

import type { Element } from "hast";
import { attribute, classesOf } from "@/lib/markdown/from-html/tree";

/** The language that a class or an attribute of the elements names, the first one first; else "". */
export function languageOfClasses(elements: readonly Element[]): string {
  for (const node of elements) {
    const named = attribute(node, "dataLanguage") || attribute(node, "dataLang");
    const found = [...classesOf(node).map((name) => CLASS.exec(name)?.[1] ?? ""), named].find(isLanguage);
    if (found) return NAMES[found.toLowerCase()] ?? found;
  }
  return "";
}

/** GitHub names the grammar: `highlight-source-shell`, `highlight-text-html-basic`. */
const CLASS = /^(?:language-|lang-|highlight-source-|highlight-text-)([\w+#.-]+)$/;

function isLanguage(name: string): boolean {
  return /^[\w+#.-]{1,40}$/.test(name) && !isNoLanguage(name);
}

export function isNoLanguage(name: string): boolean {
  return /^(?:none|auto|plain|plaintext|plain text|text|txt|undefined|null)$/i.test(name.trim());
}

/** The language that a bar above code names in words, as in `C++`; else "". */
export function languageNamed(label: string): string {
  const name = label.trim().toLowerCase().replace(/\s+/g, " ");
  return NAMES[name] ?? (KNOWN.has(name) ? name : "");
}

const NAMES: Record<string, string> = {
  "html-basic": "html",
  "c++": "cpp",
  "c#": "csharp",
  "f#": "fsharp",
  "objective-c": "objectivec",
  "visual basic": "vb",
  "shell session": "console",
  "html-erb": "erb",
  "js.jsx": "jsx",
};

const KNOWN: ReadonlySet<string> = new Set(
  (
    "apache asm awk bash bat batch c clojure cmake cmd console cpp csharp css csv dart diff docker dockerfile elixir elm erlang " +
    "fish fortran fsharp go golang gradle graphql groovy handlebars haskell hcl html http ini java javascript jinja jinja2 js " +
    "json json5 jsonc jsx julia kotlin latex less liquid lisp lua makefile markdown matlab md mermaid nginx nix objectivec ocaml " +
    "pascal perl php powershell prisma prolog protobuf ps1 python py r regex ruby rb rust rs sass scala scss sh shell " +
    "solidity sql svelte svg swift tcl terraform tex toml ts tsx twig typescript vb vim vue wasm xml yaml yml zig zsh"
  ).split(" "),
);

import { OPERATIONS } from "@/lib/transport/generated/operations";

/** What calls change and queries show. */
export type Noun =
  | "project"
  | "persona"
  | "topic"
  | "keyword"
  | "piece"
  | "unfinished"
  | "queue"
  | "publishing"
  | "category"
  | "site"
  | "account"
  | "instruction"
  | "session";

/** What a route's spec says for the browser; `npm run generate` copies it. */
export type BrowserFacts = {
  /** The nouns that a write changes; empty when no query shows them. Each write that needs a session has it. */
  changes?: readonly Noun[];
  /** The first changes of a write show while it is still running. */
  isIncremental?: true;
  /** The nouns in the answer of a read that the browser keeps, and the title of the toast when it does not load. */
  shows?: { nouns: readonly Noun[]; failed: string };
  /**
   * Takes an Idempotency-Key: a repeated call gets the first response and does nothing. Needs a reply. `creation`: the
   * verb stores the key with what it creates (createOnce). `paid`: the call costs money, so the key is stored first and
   * the response kept.
   */
  idempotent?: "creation" | "paid";
};

export type Operation = BrowserFacts & {
  /** Its route's maxDuration: how long the server may keep working after the page that asked is gone. */
  maxSeconds?: number;
  /** Has a protocol of its own: lib/transport/external.ts. */
  external?: true;
};

type Operations = Readonly<Record<string, Operation>>;

const operations: Readonly<Record<string, Operations>> = OPERATIONS;

/** Paths with parameters; exact paths win, as in Next. */
const PATTERNS = Object.entries(operations)
  .filter(([path]) => path.includes("["))
  .map(([path, methods]) => {
    const pattern = path.replace(/\[\.\.\.\w+\]/g, ".+").replace(/\[\w+\]/g, "[^/]+");
    return [new RegExp(`^${pattern}$`), methods] as const;
  });

/** The operations of a path by method; undefined for an unknown path. */
export function operationsAt(pathname: string): Operations | undefined {
  return operations[pathname] ?? PATTERNS.find(([pattern]) => pattern.test(pathname))?.[1];
}

/** The methods of a path, HEAD and OPTIONS included; undefined for an unknown path. */
export function allowedMethods(pathname: string): readonly string[] | undefined {
  const methods = operationsAt(pathname);
  return methods && [...Object.keys(methods), ...("GET" in methods ? ["HEAD"] : []), "OPTIONS"];
}

/** Served from `public`. */
export const PUBLIC_FILES = [
  "/icon.svg",
  "/favicon.ico",
  "/manifest.webmanifest",
  "/robots.txt",
  "/wordpress/content-planner-fields.php",
];

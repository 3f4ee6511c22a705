import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "@swc/core";

/** Sessions and sign-in are one noun on two layers: lib/auth cannot import a feature. */
const PERSON = ["auth", "features/account"];

/** The folders of lib that may name a table; all others call their functions and use their SQL fragments. */
const OWNERS: Record<string, string[]> = {
  users: PERSON,
  sites: ["features/sites"],
  site_connections: ["features/sites"],
  accounts: PERSON,
  sessions: PERSON,
  verification_tokens: PERSON,
  password_resets: PERSON,
  saved_instructions: ["features/instructions"],
  projects: ["features/projects"],
  buyer_personas: ["features/projects"],
  topics: ["features/topics"],
  keywords: ["features/topics"],
  content_pieces: ["features/content"],
  content_revisions: ["features/content"],
  piece_posts: ["features/sites"],
  written_sections: ["features/generation"],
  provider_gates: ["features/work"],
  provider_waits: ["features/work"],
  work_totals: ["features/work"],
  processing_jobs: ["features/work"],
  processing_queue: ["features/work"],
  chat_sessions: ["features/assistant"],
  chat_messages: ["features/assistant"],
  publishing_jobs: ["features/work"],
  publishing_items: ["features/work"],
  abandoned_posts: ["features/sites"],
  leases: ["lease"],
  idempotency_keys: ["idempotency"],
  audit_events: ["audit"],
  rate_limits: ["limits"],
  usage: ["limits"],
  usage_changes: ["limits"],
  engine_state: ["events"],
};

/** May only shrink. */
const EXCEPTIONS = [
  {
    folder: "features/account/own-data",
    reason: "Exports every row of a person; reads only.",
    tables: [
      "audit_events",
      "chat_messages",
      "chat_sessions",
      "content_pieces",
      "content_revisions",
      "keywords",
      "processing_jobs",
      "processing_queue",
      "users",
    ],
  },
  {
    folder: "features/sites",
    reason: "The default site's address and credentials are still in its owner's row.",
    tables: ["users"],
  },
  {
    folder: "features/topics",
    reason: "Counts a topic's pieces in the statement that lists topics; topics cannot import content.",
    tables: ["content_pieces"],
  },
];

it("names a table only in its owner's folder", () => {
  const excepted = EXCEPTIONS.flatMap(({ folder, tables }) => tables.map((table) => `${folder}: ${table}`));
  expect(foreignTables()).toEqual(excepted.sort());
});

it("gives every table an owner", () => {
  expect([...delegates().values()].sort()).toEqual(Object.keys(OWNERS).sort());
});

/** "folder: table" for each table that SQL or a Prisma delegate names outside its owner's folder; relations do not count. */
function foreignTables(): string[] {
  const files = readdirSync("lib", { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.startsWith("db/generated/"),
  );
  const found = files.flatMap((file) => {
    const folder = /^features\/(account\/own-data|[^/]+)/.exec(file)?.[0] ?? path.dirname(file);
    return tablesIn(path.join("lib", file))
      .filter((table) => !OWNERS[table]?.includes(folder))
      .map((table) => `${folder}: ${table}`);
  });
  return [...new Set(found)].sort();
}

/** A node of swc's syntax tree. */
type Syntax = { type?: string; value?: string; raw?: string; [field: string]: unknown };

function tablesIn(file: string): string[] {
  const models = delegates();
  const tables = new Set<string>();
  function visit(node: Syntax): void {
    if (node.type === "TaggedTemplateExpression" && nameOf(node.tag) === "Prisma.sql")
      addWords(node.template as Syntax);
    if (node.type === "CallExpression" && nameOf(node.callee) === "Prisma.raw") addWords(node);
    const [object, delegate] = nameOf(node)?.split(".") ?? [];
    const table = object === "prisma" || object === "db" ? models.get(delegate ?? "") : undefined;
    if (table) tables.add(table);
    for (const child of childrenOf(node)) visit(child);
  }
  function addWords(node: Syntax): void {
    const words = textOf(node).replace(/--.*$/gm, "").match(/\w+/g) ?? [];
    for (const word of words) if (Object.hasOwn(OWNERS, word)) tables.add(word);
  }
  visit(parseSync(readFileSync(file, "utf8"), { syntax: "typescript" }) as unknown as Syntax);
  return [...tables];
}

/** "object.property" of a member expression. */
function nameOf(node: unknown): string | undefined {
  const { type, object, property } = node as { type?: string; object?: Syntax; property?: Syntax };
  return type === "MemberExpression" ? `${object?.value}.${property?.value}` : undefined;
}

function textOf(node: Syntax): string {
  const own = node.type === "TemplateElement" ? node.raw : node.type === "StringLiteral" ? node.value : "";
  return [own, ...childrenOf(node).map(textOf)].join(" ");
}

function childrenOf(node: Syntax): Syntax[] {
  return Object.values(node)
    .flat()
    .filter((child): child is Syntax => typeof child === "object" && child !== null);
}

/** Prisma's delegates and their tables. */
function delegates(): Map<string, string> {
  const schema = readFileSync("prisma/schema.prisma", "utf8");
  const models = [...schema.matchAll(/^model (\w+) \{[\s\S]*?@@map\("(\w+)"\)/gm)];
  return new Map(models.map(([, name = "", table = ""]) => [name.charAt(0).toLowerCase() + name.slice(1), table]));
}

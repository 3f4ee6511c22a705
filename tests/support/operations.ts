import { z } from "zod";
import { OPERATIONS } from "@/lib/transport/generated/operations";
import type { Operation } from "@/lib/transport/paths";
import type { RouteHandler, RouteSpec } from "@/lib/transport/route";
import { type Answer, type Caller, routes } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { PASSWORD } from "@/tests/support/factories";
import { storeReset, type World } from "@/tests/support/world";

/** All operations of `app/api`, with what the browser knows of each. `name` is such as `PATCH /api/topics/[id]`. */
const all = Object.entries<Record<string, Operation>>(OPERATIONS).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, facts]) => ({ name: `${method} ${path}`, facts })),
);

/** The names of the operations that `isWanted`, by default all but those with a protocol of their own. */
export function operationNames(isWanted: (facts: Operation) => unknown = () => true): string[] {
  return all.filter(({ facts }) => !facts.external && isWanted(facts)).map(({ name }) => name);
}

export const writeNames = operationNames().filter((name) => !name.startsWith("GET "));
export const externalNames = all.filter(({ facts }) => facts.external).map(({ name }) => name);

type Values = Record<string, unknown>;

/** What an operation needs to be called correctly beyond its example and the ids of its path. */
type Special = {
  params?: (world: World) => Values;
  query?: (world: World) => Values;
  body?: (world: World) => Values;
  headers?: (world: World) => Record<string, string>;
  /** Set-up the call needs to succeed. */
  before?: (world: World) => Promise<unknown>;
};

const freeName = () => `n${Math.random().toString(36).slice(2, 12)}`;
const publish = ({ caller, pieceId }: World) => caller.post(`/api/content/${pieceId}/publish`, {});

const SPECIAL: Record<string, Special> = {
  "PATCH /api/user": { body: () => ({ username: freeName(), currentPassword: PASSWORD }) },
  "DELETE /api/user": { body: ({ username }) => ({ confirm: username, password: PASSWORD }) },
  "POST /api/login": { body: ({ username }) => ({ username, password: PASSWORD }) },
  "POST /api/register": { body: () => ({ username: freeName() }) },
  "POST /api/firebase-auth": { headers: ({ idToken }) => ({ authorization: `Bearer ${idToken}` }) },
  "POST /api/password-reset": { body: () => ({ email: `${freeName()}@example.com` }) },
  "POST /api/password-reset/confirm": { before: storeReset, body: ({ resetToken }) => ({ token: resetToken }) },
  "POST /api/projects/[id]/buyer-persona": {
    // A project has one persona, so delete the other one first.
    before: ({ personaId }) => query("DELETE FROM buyer_personas WHERE id = $1", [personaId]),
  },
  "POST /api/topics/[id]/suggest-keywords": { query: () => ({ autoSave: "true" }) },
  "GET /api/content": { query: () => ({ limit: 2, search: "piece" }) },
  "GET /api/content/reviews": { query: ({ pieceId }) => ({ ids: pieceId }) },
  "POST /api/content/[id]/unpublish": { before: publish },
  "POST /api/content/[id]/sync": { before: publish },
  "POST /api/content/[id]/generate-outline": { params: ({ titleId }) => ({ id: titleId }) },
  "POST /api/content/[id]/generate-from-outline": { params: ({ outlinedId }) => ({ id: outlinedId }) },
  "POST /api/sites": {
    // A world has one sample site, which is its default one.
    before: ({ caller }) => caller.patch("/api/user/settings", { wordpressUrl: "" }),
    body: ({ siteLogin }) => siteLogin,
  },
  "GET /api/queue/items": { query: () => ({ kind: "outline_generation" }) },
  "POST /api/queue/items/[id]/retry": { params: ({ failedItemId }) => ({ id: failedItemId }) },
  "POST /api/queue/jobs/[id]/retry": { params: ({ failedJobId }) => ({ id: failedJobId }) },
  "POST /api/wordpress/connect": { body: ({ siteUrl }) => ({ url: siteUrl }) },
  "POST /api/chat/message": { before: ({ caller, projectId }) => caller.post("/api/chat/start", { projectId }) },
};

type Own = Record<string, (world: World) => unknown>;

/** What a world has for an `[id]`, by the folder before it. */
const FOLDERS: Own = {
  projects: ({ projectId }) => projectId,
  topics: ({ topicId }) => topicId,
  content: ({ pieceId }) => pieceId,
  keywords: ({ keywordId }) => keywordId,
  instructions: ({ instructionId }) => instructionId,
  "buyer-personas": ({ personaId }) => personaId,
  "publishing-jobs": ({ publishingJobId }) => publishingJobId,
  sites: ({ siteId }) => siteId,
  jobs: ({ liveJobId }) => liveJobId,
  items: ({ liveItemId }) => liveItemId,
};

/** What a world has for other parameters, and for the fields of queries and bodies. */
const FIELDS: Own = {
  revisionId: ({ revisionId }) => revisionId,
  state: ({ connectionState }) => connectionState,
  projectId: ({ projectId }) => projectId,
  topicId: ({ topicId }) => topicId,
  contentIds: ({ pieceId }) => [pieceId],
  siteId: ({ siteId }) => siteId,
  ids: ({ pieceId }) => pieceId,
  sessionId: ({ chatId }) => chatId,
  search: ({ mark }) => mark,
};

/** The caller's own path parameters; empty for a path without any. */
export function paramsOf(name: string, world: World): Record<string, string | number> {
  const own = [...name.matchAll(/([\w-]+)\/\[(\w+)\]/g)].map(([, folder = "", parameter = ""]) => {
    const value = (parameter === "id" ? FOLDERS[folder] : FIELDS[parameter])?.(world);
    if (!value) throw new Error(`${name}: tests/support/operations.ts does not know whose [${parameter}] this is`);
    return [parameter, value];
  });
  return { ...Object.fromEntries(own), ...SPECIAL[name]?.params?.(world) };
}

/** The operation's example with the caller's own ids and names; undefined without one. */
export async function bodyOf(name: string, world: World): Promise<Values | undefined> {
  const { example } = await specOf(name);
  if (!example) return undefined;
  const own = Object.entries(example).map(([field, value]) => [field, FIELDS[field]?.(world) ?? value]);
  return { ...Object.fromEntries(own), ...SPECIAL[name]?.body?.(world) };
}

/** Makes what the call needs to succeed. */
export async function prepare(name: string, world: World): Promise<void> {
  await SPECIAL[name]?.before?.(world);
}

/** Requests that name something of `theirs` outside the path, one for each field that can: it must be treated as missing. */
export async function foreignRequests(name: string, theirs: World, mine: World): Promise<Given[]> {
  const spec = await specOf(name);
  const body = await bodyOf(name, mine);
  const foreign = (fields: string[]) =>
    fields.flatMap((field) => (FIELDS[field] ? [{ [field]: FIELDS[field](theirs) }] : []));
  return [
    ...foreign(fieldsOf(spec.query)).map((query) => ({ query }) as Given),
    ...foreign(fieldsOf(spec.body)).map((own) => ({ body: { ...body, ...own } })),
  ];
}

/** The names of a body's or query's fields. */
export function fieldsOf(schema: z.ZodType | undefined): string[] {
  type Json = { properties?: object; anyOf?: Json[]; oneOf?: Json[] };
  const json = schema && (z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as Json);
  const kinds = [json, ...(json?.anyOf ?? []), ...(json?.oneOf ?? [])];
  return [...new Set(kinds.flatMap((kind) => Object.keys(kind?.properties ?? {})))];
}

export async function specOf(name: string): Promise<RouteSpec> {
  const [method = "", path] = name.split(" ");
  const module = await routes.find((route) => route.path === path)?.load();
  const handler = module?.[method] as RouteHandler | undefined;
  if (!handler) throw new Error(`${name} has no handler`);
  return handler.spec;
}

/** Its status when it succeeds. */
export async function successOf(name: string): Promise<number> {
  // Loaded late: routes read their environment once.
  const { statusOf } = await import("@/lib/transport/route");
  return statusOf(await specOf(name));
}

export async function listOperations(): Promise<{ name: string; method: string; spec: RouteSpec }[]> {
  return Promise.all(
    operationNames().map(async (name) => ({ name, method: name.split(" ")[0] ?? "", spec: await specOf(name) })),
  );
}

type Given = {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
};

/** Calls an operation correctly, but for what is given. */
export async function callOperation(name: string, caller: Caller, world: World, given: Given = {}): Promise<Answer> {
  const { method, url, body, headers } = await buildRequest(name, world, given);
  return caller.call(method, url, body, headers);
}

export async function buildRequest(name: string, world: World, given: Given = {}) {
  const [method = "", path = ""] = name.split(" ");
  const params: Values = { ...paramsOf(name, world), ...given.params };
  const filled = path.replace(/\[(\w+)\]/g, (_, key: string) => encodeURIComponent(String(params[key])));
  const search = new URLSearchParams(
    Object.entries(given.query ?? SPECIAL[name]?.query?.(world) ?? {}).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    ),
  );
  return {
    method,
    url: search.size > 0 ? `${filled}?${search}` : filled,
    body: "body" in given ? given.body : await bodyOf(name, world),
    headers: { ...SPECIAL[name]?.headers?.(world), ...given.headers },
  };
}

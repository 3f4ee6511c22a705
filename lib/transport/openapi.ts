import "server-only";
import { z } from "zod";
import { SESSION_COOKIE } from "@/lib/auth/sessions";
import { ERROR_TYPES } from "@/lib/errors";
import { KEY_PATTERN } from "@/lib/idempotency/key";
import { MUTATING, type RouteSpec } from "@/lib/transport/route";
import { KEY_HEADER } from "@/lib/utils/idempotency-key";
import { trimmedTexts } from "@/lib/utils/zod";

type Json = Record<string, unknown>;

/** A route's module: its handlers by method, each carrying its spec. */
export type RouteModule = Partial<Record<Method, { spec: RouteSpec }>>;

const METHODS = ["GET", "POST", "PATCH", "DELETE", "PUT"] as const;
type Method = (typeof METHODS)[number];

/** Doors that speak a protocol of their own: named in the document, described elsewhere. */
export type ForeignDoor = { methods: Method[]; summary: string };

/**
 * The API as an OpenAPI 3.1 document, made from the very schemas the routes parse with (spec.openapis.org/oas/v3.1.1).
 * `modules` and `foreign` by path as Next names it, such as `/api/projects/[id]`.
 */
export function openApiDocument(modules: Record<string, RouteModule>, foreign: Record<string, ForeignDoor>): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const [path, module] of Object.entries(modules)) {
    const item: Json = {};
    for (const method of METHODS) {
      const handler = module[method];
      if (handler) item[method.toLowerCase()] = operation(path, method, handler.spec, components);
    }
    paths[templated(path)] = item;
  }
  for (const [path, door] of Object.entries(foreign)) paths[templated(path)] = foreignItem(path, door);
  components.Failure = schemaOf(failure, "output", components);
  return {
    openapi: "3.1.1",
    info: {
      title: "Content Planner",
      version: "1",
      description:
        "Plan, write and publish blog content. Every call sends the session's cookie; a body is JSON. Texts are trimmed and stored in NFC, and measured in UTF-16 units; one with more than 30 accents or marks in a row is refused. Lists are plain arrays; where the next page begins stands in the Link header.",
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: components,
      securitySchemes: { session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE } },
    },
  };
}

const failure = z.looseObject({
  error: z.string().meta({ description: "A sentence for a person, which says what to do next." }),
  type: z.enum(ERROR_TYPES),
  fields: z.record(z.string(), z.array(z.string())).optional(),
  requestId: z.string().meta({ description: "The same id stands in the log." }),
  detail: z.string().optional().meta({ description: "CONNECTION_ERROR: what else is known, as a sentence." }),
  jobId: z.uuid().optional().meta({ description: "ALREADY_RUNNING: the job that is." }),
  current: z.unknown().optional().meta({ description: "VERSION_CONFLICT: the resource as it stands now." }),
});

function operation(path: string, method: Method, spec: RouteSpec, components: Json): Json {
  const { body } = spec;
  return {
    operationId: operationId(path, method),
    summary: spec.summary,
    tags: [path.split("/")[2] ?? ""],
    ...(spec.access === "anyone" ? { security: [] } : { security: [{ session: [] }] }),
    parameters: [
      ...parameters(spec.params, "path", components),
      ...parameters(spec.query, "query", components),
      ...(spec.idempotent ? [KEY_PARAMETER] : []),
    ],
    ...(body
      ? {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: { "application/json": { schema: schemaOf(body, "input", components) } },
          },
        }
      : {}),
    responses: { ...success(method, spec, components), ...failures(method, spec) },
  };
}

function parameters(schema: RouteSpec["params"], place: "path" | "query", components: Json): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "output", components) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: value,
  }));
}

const KEY_PARAMETER = {
  name: KEY_HEADER,
  in: "header",
  required: false,
  description:
    "Makes the call safe to repeat for 24 hours: the same key with the same call answers again and does nothing. A new key for each new call; one whose call made nothing is free again.",
  schema: { type: "string", pattern: KEY_PATTERN },
  example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
};

function success(method: Method, spec: RouteSpec, components: Json): Json {
  const status = spec.status ?? (spec.reply || spec.produces ? 200 : 204);
  if (!spec.reply && !spec.produces) return { [status]: { description: "Done." } };
  const content = {
    ...(spec.reply ? { "application/json": { schema: schemaOf(spec.reply, "output", components) } } : {}),
    ...(spec.produces ? { [spec.produces]: {} } : {}),
    ...(spec.streams ? { "text/event-stream": { schema: { type: "string" } } } : {}),
  };
  const isPage = method === "GET" && spec.query instanceof z.ZodObject && "cursor" in spec.query.shape;
  return { [status]: { description: "Done.", ...(isPage ? { headers: NEXT_PAGE } : {}), content } };
}

const NEXT_PAGE = {
  Link: { description: 'Where the next page begins, rel="next"; absent at the end.', schema: { type: "string" } },
};

/** What can go wrong in any call of this kind has a line; what the verb itself refuses comes under `default`. */
function failures(method: Method, spec: RouteSpec): Json {
  const statuses = [
    ...(spec.access === "anyone" ? [] : [401]),
    ...(MUTATING.has(method) ? [403, 415] : []),
    ...(spec.body ? [400, 413] : []),
    ...(spec.query ? [400] : []),
    ...(spec.idempotent ? [400, 409, 422] : []),
    ...(spec.params ? [404] : []),
    405,
    ...(spec.limit || MUTATING.has(method) ? [429] : []),
    503,
  ];
  const line = (description: string) => ({
    description,
    content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
  });
  return {
    ...Object.fromEntries([...new Set(statuses)].map((status) => [status, line(MEANING[status] ?? "Refused.")])),
    default: line("Refused; `type` says why."),
  };
}

const MEANING: Record<number, string> = {
  400: "Something sent is not valid; `fields` names it.",
  401: "Nobody is signed in.",
  403: "The call came from another site.",
  404: "It does not exist, or belongs to somebody else.",
  405: "The path does not take this method; Allow names those it takes.",
  409: "The same call is at work, or what is there now is in the way; `type` says which.",
  413: "The body is too large.",
  415: "The body is not application/json.",
  422: "The Idempotency-Key was used for another call, or the text is too complex; `type` says which.",
  429: "Too often; Retry-After tells the seconds to wait.",
  503: "Not available right now; Retry-After tells the seconds to wait.",
};

/** JSON Schema 2020-12; named schemas go to the components and are referred to. */
function schemaOf(schema: z.ZodType, io: "input" | "output", components: Json): Json {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      tidy(jsonSchema, io);
      const trimmed = trimmedTexts.get(zodSchema);
      if (trimmed) jsonSchema.pattern ??= patternOf(trimmed.min);
    },
  });
  const { $schema: _, $defs = {}, ...rest } = made as Json & { $defs?: Record<string, Json> };
  for (const [name, { id: __, ...definition }] of Object.entries($defs)) components[name] = hoisted(definition);
  const { id, ...root } = rest;
  if (typeof id !== "string") return hoisted(root) as Json;
  components[id] = hoisted(root);
  return { $ref: `#/components/schemas/${id}` };
}

/** A text without NUL that has `min` characters once it is trimmed. */
function patternOf(min: number): string {
  const [any, seen] = ["[^\\u0000]", "[^\\s\\u0000]"];
  if (min === 0) return `^${any}*$`;
  return min === 1 ? `^${any}*${seen}${any}*$` : `^${any}*${seen}${any}{${min - 2},}${seen}${any}*$`;
}

/** What says nothing to a reader: patterns beside a format that says it all, the bounds of safe integers in an answer. */
function tidy(schema: Json, io: "input" | "output"): void {
  if (schema.format === "uuid" || schema.format === "date-time") delete schema.pattern;
  if (io === "input") return;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function hoisted(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function foreignItem(path: string, { methods, summary }: ForeignDoor): Json {
  const line = (method: Method) => ({
    operationId: operationId(path, method),
    summary,
    tags: [path.split("/")[2] ?? ""],
    security: [],
    responses: { default: { description: "As its own protocol says." } },
  });
  return {
    ...(path.includes("[") ? { parameters: pathNames(path).map(pathParameter) } : {}),
    ...Object.fromEntries(methods.map((method) => [method.toLowerCase(), line(method)])),
  };
}

function pathParameter(name: string): Json {
  return { name, in: "path", required: true, schema: { type: "string" } };
}

function pathNames(path: string): string[] {
  return [...path.matchAll(/\[(?:\.\.\.)?(\w+)\]/g)].map((match) => match[1] ?? "");
}

/** `/api/projects/[id]` as `/api/projects/{id}`. */
function templated(path: string): string {
  return path.replace(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}");
}

/** `PATCH /api/projects/[id]` as `patch-projects-id`. */
function operationId(path: string, method: Method): string {
  return [method.toLowerCase(), ...(path.replace("/api/", "").match(/[\w-]+/g) ?? [])].join("-");
}

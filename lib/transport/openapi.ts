import "server-only";
import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathItemObject,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import { SESSION_COOKIE } from "@/lib/auth/sessions";
import { ERROR_TYPES } from "@/lib/errors";
import { KEY_HEADER } from "@/lib/idempotency/header";
import { KEY_PATTERN } from "@/lib/idempotency/key";
import { needsSession } from "@/lib/transport/access";
import type { ExternalSpec } from "@/lib/transport/external";
import { MUTATING, type RouteSpec, statusOf } from "@/lib/transport/route";
import { OCTETS } from "@/lib/transport/zip";
import { trimmedTexts } from "@/lib/utils/zod";

/** A route's module: its handlers by method, each carrying its spec. */
export type RouteModule = Partial<Record<Method, { spec: RouteSpec | ExternalSpec }>>;

const METHODS = ["GET", "POST", "PATCH", "DELETE", "PUT"] as const;
type Method = (typeof METHODS)[number];

/**
 * The API as an OpenAPI 3.1 document, made from the very schemas the routes parse with (spec.openapis.org/oas/v3.1.1).
 * `modules` by path as Next names it, such as `/api/projects/[id]`.
 */
export function openApiDocument(modules: Record<string, RouteModule>) {
  const paths: ZodOpenApiPathsObject = {};
  for (const [path, module] of Object.entries(modules)) {
    const item: ZodOpenApiPathItemObject = {};
    for (const method of METHODS) {
      const spec = module[method]?.spec;
      if (!spec) continue;
      const isExternal = "external" in spec;
      Object.assign(item, {
        [method.toLowerCase()]: isExternal ? externalOperation(path, spec) : operation(path, method, spec),
      });
      if (isExternal && path.includes("[")) item.parameters = pathNames(path).map(pathParameter);
    }
    paths[templated(path)] = item;
  }
  return createDocument(
    {
      openapi: "3.1.1",
      info: {
        title: "Content Planner",
        version: "1",
        description:
          "Plan, write and publish blog content. Every call sends the session's cookie; a body is JSON. Texts are trimmed and stored in NFC, and measured in UTF-16 units; one with more than 30 accents or marks in a row is refused. Lists are plain arrays, of at most a megabyte; where the next page begins stands in the Link header.",
      },
      servers: [{ url: "/" }],
      paths,
      components: { securitySchemes: { session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE } } },
    },
    { override: tidy, outputIdSuffix: "" },
  );
}

const failure = z
  .looseObject({
    error: z.string().meta({ description: "A sentence for a person, which says what to do next." }),
    type: z.enum(ERROR_TYPES),
    fields: z.record(z.string(), z.array(z.string())).optional(),
    requestId: z.string().meta({ description: "The same id stands in the log." }),
    detail: z.string().optional().meta({ description: "CONNECTION_ERROR: what else is known, as a sentence." }),
    jobId: z.uuid().optional().meta({ description: "ALREADY_RUNNING: the job that is." }),
    current: z.unknown().optional().meta({ description: "VERSION_CONFLICT: the resource as it stands now." }),
  })
  .meta({ id: "Failure" });

function operation(path: string, method: Method, spec: RouteSpec): ZodOpenApiOperationObject {
  const { body, example } = spec;
  return {
    operationId: spec.operationId,
    summary: spec.summary,
    tags: tagsOf(path),
    security: needsSession(spec) ? [{ session: [] }] : [],
    requestParams: {
      ...(spec.params && { path: spec.params }),
      ...(spec.query && { query: spec.query }),
    },
    parameters: spec.idempotent ? [KEY_PARAMETER] : [],
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { "application/json": { schema: body, ...(example === undefined ? {} : { example }) } },
      },
    }),
    responses: { ...success(method, spec), ...failures(method, spec) },
  };
}

const KEY_PARAMETER = {
  name: KEY_HEADER,
  in: "header" as const,
  required: false,
  description:
    "Makes the call safe to repeat for 24 hours: the same key with the same call answers again and does nothing. A new key for each new call; one whose call made nothing is free again.",
  schema: { type: "string" as const, pattern: KEY_PATTERN },
  example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
};

/** The first folder below /api. */
function tagsOf(path: string): string[] {
  return path.split("/").slice(2, 3);
}

function success(method: Method, spec: RouteSpec) {
  const status = statusOf(spec);
  if (!spec.reply && !spec.produces) return { [status]: { description: "Done." } };
  const content = {
    ...(spec.reply ? { "application/json": { schema: spec.reply } } : {}),
    ...(spec.produces ? { [spec.produces]: { schema: BINARY }, [OCTETS]: { schema: BINARY } } : {}),
    ...(spec.streams ? { "text/event-stream": { schema: EVENTS } } : {}),
    ...(spec.sends ? { "text/event-stream": { schema: { type: "string" as const, description: spec.sends } } } : {}),
  };
  const isPage = method === "GET" && spec.query && "cursor" in spec.query.shape;
  return { [status]: { description: "Done.", ...(isPage ? { headers: NEXT_PAGE } : {}), content } };
}

const BINARY = { type: "string" as const, format: "binary" };

const EVENTS = {
  type: "string" as const,
  description:
    "Server-sent events, each with JSON in `data`: `section` ({ index, count, heading, restart }) when one begins, `thinking` ({}) while the model thinks, `delta` ({ text }) as its words come, and last either `done` with the answer of application/json or `error` with a Failure.",
  example: 'event: delta\ndata: {"text":"Water in the morning"}\n\n',
};

const NEXT_PAGE = {
  Link: {
    description: 'Where the next page begins, rel="next"; absent at the end.',
    schema: { type: "string" as const },
  },
};

/** What can go wrong in any call of this kind has a line; what the verb itself refuses comes under `default`. */
function failures(method: Method, spec: RouteSpec) {
  const statuses = [
    ...statusesIf(needsSession(spec), 401),
    ...statusesIf(MUTATING.has(method), 403, 415),
    ...statusesIf(spec.body, 400, 413),
    ...statusesIf(spec.query, 400),
    ...statusesIf(spec.idempotent, 400, 409, 422),
    ...statusesIf(spec.params, 404),
    ...statusesIf(spec.limit || MUTATING.has(method), 429),
    ...statusesIf(true, 405, 503),
  ];
  const line = (description: string) => ({
    description,
    content: { "application/json": { schema: failure } },
  });
  return {
    ...Object.fromEntries([...new Set(statuses)].map((status) => [status, line(MEANING[status])])),
    default: line("Refused; `type` says why."),
  };
}

function statusesIf(applies: unknown, ...statuses: (keyof typeof MEANING)[]) {
  return applies ? statuses : [];
}

const MEANING = {
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
} as const;

/** A text without NUL that has `min` characters once it is trimmed. */
function patternOf(min: number): string {
  const [any, seen] = ["[^\\u0000]", "[^\\s\\u0000]"];
  if (min === 0) return `^${any}*$`;
  return min === 1 ? `^${any}*${seen}${any}*$` : `^${any}*${seen}${any}{${min - 2},}${seen}${any}*$`;
}

/** Removes what tells a reader nothing: patterns beside a format that says it all, bounds of safe integers in an answer. */
const tidy: ZodOpenApiOverride = ({ zodSchema, jsonSchema, io }) => {
  if (jsonSchema.format === "uuid" || jsonSchema.format === "date-time") delete jsonSchema.pattern;
  const trimmed = trimmedTexts.get(zodSchema);
  if (trimmed) jsonSchema.pattern ??= patternOf(trimmed.min);
  if (io === "input") return;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

function externalOperation(path: string, { operationId, summary }: ExternalSpec): ZodOpenApiOperationObject {
  const responses = { default: { description: "As its own protocol says." } };
  return { operationId, summary, tags: tagsOf(path), security: [], responses };
}

function pathParameter(name: string) {
  return { name, in: "path" as const, required: true, schema: { type: "string" as const } };
}

function pathNames(path: string): string[] {
  return [...path.matchAll(/\[(?:\.\.\.)?(\w+)\]/g)].map(([, name = ""]) => name);
}

/** `/api/projects/[id]` as `/api/projects/{id}`. */
function templated(path: string): string {
  return path.replace(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}");
}

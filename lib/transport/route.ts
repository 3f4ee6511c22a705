import "server-only";
import type { z } from "zod";
import { type Actor, actorFromToken, type RequestContext, requestContextOf } from "@/lib/auth/actor";
import { sessionTokenFrom, slideSession } from "@/lib/auth/sessions";
import { AppError } from "@/lib/errors";
import { openStream } from "@/lib/limits/place";
import { consumeLimits, type LimitName } from "@/lib/limits/rate-limits";
import { nameRequest, observeCall } from "@/lib/telemetry/meters";
import { needsSession, type RouteAccess } from "@/lib/transport/access";
import { MAX_BODY, MAX_OPEN_BODY, parseJson, readBody, requireJsonContentType } from "@/lib/transport/body";
import { deviceCookie, expiredSessionCookie, sessionCookie } from "@/lib/transport/cookie";
import { rejectCrossSite } from "@/lib/transport/cross-site";
import { acceptsEvents, type EventSink, eventStream } from "@/lib/transport/event-stream";
import { type StoredById, withIdempotencyKey, withReplay } from "@/lib/transport/idempotency";
import type { BrowserFacts } from "@/lib/transport/paths";
import { failureBody, Reply, toAppError, validationError } from "@/lib/transport/reply";
import { endReplacedSession } from "@/lib/transport/session";

type Schema = z.ZodType | undefined;
type Fields = z.ZodObject | undefined;
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;
type Sent<S extends Schema> = S extends z.ZodType ? z.input<S> : undefined;

type Spec<P extends Fields, Q extends Fields, B extends Schema, R extends Schema, Access> = BrowserFacts & {
  /** The operation in the API document: generated clients name their function by it, so it never changes. */
  operationId: string;
  /** One line for the API document. */
  summary: string;
  /** Path parameters; NOT_FOUND when they do not parse. */
  params?: P;
  query?: Q;
  /** Without it the body is not read. */
  body?: B;
  /** A body for the API document, and for the tests that call every operation: required where a body is. */
  example?: Sent<B>;
  /** Every response is parsed with it, so that no stray column leaks. Absent: 204 without a body. */
  reply?: R;
  /** The media type of a response that is not JSON; the verb returns a Response. */
  produces?: string;
  /** The events of a stream that the verb returns, for the API document. */
  sends?: string;
  /** The status of a success: 200, or 204 without a reply, by default. */
  status?: number;
  access?: Access | undefined;
  /** Counted per user, or per address for anonymous callers, before the body is parsed. */
  limit?: LimitName;
  maxBody?: number;
  /** The part of a paid call's response that is stored by id. */
  storedById?: StoredById;
};

type VerbArgs<P extends Fields, Q extends Fields, B extends Schema, Access> = {
  actor: Access extends "user" ? Actor : Actor | undefined;
  context: RequestContext;
  request: Request;
  sessionToken: string | undefined;
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
};

/** What the API document and the tests that visit every route read. */
export type RouteSpec = Spec<Fields, Fields, Schema, Schema, RouteAccess> & { streams: boolean };

export type RouteHandler = ((request: Request, next?: NextContext) => Promise<Response>) & { spec: RouteSpec };

type NextContext = { params: Promise<Record<string, string | string[] | undefined>> };

export const MUTATING = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * One documented path and method. Failures are checked in this order: 401, 403, 413 and 415, 429, 400 (shape), 404,
 * then the verb's own. `stream` serves callers that accept text/event-stream; its result is sent as `done`.
 */
export function route<
  P extends Fields = undefined,
  Q extends Fields = undefined,
  B extends Schema = undefined,
  R extends Schema = undefined,
  Access extends RouteAccess = "user",
>(
  spec: Spec<P, Q, B, R, Access>,
  verb: (args: VerbArgs<P, Q, B, Access>) => Promise<unknown>,
  stream?: (args: VerbArgs<P, Q, B, Access>, sink: EventSink) => Promise<unknown>,
): RouteHandler {
  const reply = withReplay(spec.reply, spec);
  return Object.assign(handler, { spec: { ...spec, reply, streams: stream !== undefined } as RouteSpec });

  async function handler(request: Request, next?: NextContext): Promise<Response> {
    const context = requestContextOf(request.headers);
    const began = performance.now();
    nameRequest(spec.operationId, context.requestId);
    const answer = await respond(request, next, context);
    observeCall(spec.operationId, answer.status, performance.now() - began);
    return answer;
  }

  async function respond(request: Request, next: NextContext | undefined, context: RequestContext): Promise<Response> {
    let cookie: Record<string, string> | undefined;
    try {
      const sessionToken = spec.access === "monitor" ? undefined : sessionTokenFrom(request.headers);
      const session = await actorFromToken(sessionToken, context);
      if (session && sessionToken) cookie = await renewedCookie(sessionToken, session.expires);
      if (!session && needsSession(spec)) throw new AppError("UNAUTHENTICATED");
      if (MUTATING.has(request.method)) {
        rejectCrossSite(request.headers);
        requireJsonContentType(request.headers);
      }
      const raw = spec.body ? await readBody(request, maxBodyOf(spec)) : "";
      if (spec.limit) await consumeLimits({ name: spec.limit, subject: session?.actor.userId ?? context.address });
      const parsed = {
        actor: session?.actor,
        context,
        request,
        sessionToken,
        query: parse(spec.query, Object.fromEntries(new URL(request.url).searchParams)),
        body: parse(spec.body, parseJson(raw)),
        params: parseParams(spec.params, next ? await next.params : {}),
      } as VerbArgs<P, Q, B, Access>;
      if (stream && acceptsEvents(request)) {
        // This comes before the key: a stream that is refused must not leave its key at work.
        const close = openStream(session?.actor.userId ?? context.address);
        const { args, once } = await withIdempotencyKey(spec, parsed).catch((error: unknown) => {
          close();
          throw error;
        });
        const produce = async (sink: EventSink) => {
          try {
            const result = await once(() => stream(args, sink));
            sink("done", reply?.parse(result));
          } finally {
            close();
          }
        };
        return eventStream(produce, context.requestId, cookie);
      }
      const { args, once } = await withIdempotencyKey(spec, parsed);
      const result = await once(() => verb(args));
      await endReplacedSession(result, sessionToken);
      return success({ ...spec, reply }, result, context.requestId, cookie);
    } catch (error) {
      return failure(toAppError(error, context.requestId), context.requestId, cookie);
    }
  }
}

/** The status of a success. */
export function statusOf({ status, reply, produces }: Pick<RouteSpec, "status" | "reply" | "produces">): number {
  return status ?? (reply || produces ? 200 : 204);
}

/** A caller who is not signed in has nothing long to say. */
function maxBodyOf({ maxBody, access = "user" }: { maxBody?: number; access?: RouteAccess | undefined }): number {
  return maxBody ?? (access === "user" ? MAX_BODY : MAX_OPEN_BODY);
}

async function renewedCookie(token: string, expires: Date): Promise<Record<string, string> | undefined> {
  const renewed = await slideSession(token, expires);
  return renewed ? { "set-cookie": sessionCookie(token, renewed) } : undefined;
}

function success(
  spec: { reply?: Schema; status?: number },
  result: unknown,
  requestId: string,
  cookie: Record<string, string> | undefined,
): Response {
  if (result instanceof Response) return cookie ? withCookie(result, cookie) : result;
  const { data, options } = result instanceof Reply ? result : new Reply(result);
  const headers = new Headers({ ...baseHeaders(requestId), ...cookie, ...options.headers });
  if (options.session === "ended") headers.set("set-cookie", expiredSessionCookie());
  else if (options.session) headers.set("set-cookie", sessionCookie(options.session.token, options.session.expires));
  if (options.device) headers.append("set-cookie", deviceCookie(options.device));
  const status = options.status ?? statusOf(spec);
  if (!spec.reply || status === 204 || status === 304) return new Response(null, { status, headers });
  return Response.json(spec.reply.parse(data), { status, headers });
}

/** The headers of the verb's Response are immutable. */
function withCookie({ body, status, headers: given }: Response, cookie: Record<string, string>): Response {
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(cookie)) headers.append(name, value);
  return new Response(body, { status, headers });
}

function failure(error: AppError, requestId: string, cookie: Record<string, string> | undefined): Response {
  const headers = new Headers({ ...baseHeaders(requestId), ...cookie });
  const wait = error.retryAfter ?? (error.status === 429 ? DEFAULT_RETRY_SECONDS : undefined);
  if (wait !== undefined) headers.set("retry-after", String(Math.ceil(wait)));
  return Response.json(failureBody(error, requestId), { status: error.status, headers });
}

/** Retry-After of a 429 that names no time. */
const DEFAULT_RETRY_SECONDS = 20;

function baseHeaders(requestId: string): Record<string, string> {
  return { "cache-control": "no-store", "x-content-type-options": "nosniff", "x-request-id": requestId };
}

function parse(schema: Schema, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value ?? undefined);
  if (!parsed.success) throw validationError(parsed.error);
  return parsed.data;
}

function parseParams(schema: Schema, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new AppError("NOT_FOUND");
  return parsed.data;
}

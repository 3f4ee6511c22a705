import "server-only";
import type { z } from "zod";
import { type Actor, actorOfToken, type Origin, originOf } from "@/lib/auth/actor";
import { sessionTokenOf, slideSession } from "@/lib/auth/sessions";
import { AppError } from "@/lib/errors";
import { countHits, type LimitName } from "@/lib/limits/limits";
import { MAX_BODY, parseJson, readBody, refuseOtherMediaTypes } from "@/lib/transport/body";
import { deviceCookie, endedCookie, sessionCookie } from "@/lib/transport/cookie";
import { type EventSink, eventStream } from "@/lib/transport/event-stream";
import { type Idempotent, type KeptById, keyedContext } from "@/lib/transport/keyed";
import { refuseCrossSite } from "@/lib/transport/origin";
import { failureOf, Reply, toAppError, validationError } from "@/lib/transport/reply";
import { endReplaced } from "@/lib/transport/session";

type Schema = z.ZodType | undefined;
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

type Spec<P extends Schema, Q extends Schema, B extends Schema, R extends Schema, Access> = {
  /** What the operation does, in one line: the API document shows it. */
  summary: string;
  /** Path parameters; one that does not parse is NOT_FOUND. */
  params?: P;
  query?: Q;
  /** The JSON body's schema. Without it a body is not read. */
  body?: B;
  /** What goes out is parsed by it, so that a stray column cannot leak. Absent: 204 without a body. */
  reply?: R;
  /** The media type of an answer that is not JSON; the verb then returns a Response. */
  produces?: string;
  /** Status of a success; 200, or 204 without a reply. */
  status?: number;
  /** Who may call: a signed-in person, or anybody. */
  access?: Access;
  /** Counted per user (or per address when anybody may call) before the body is looked at. */
  limit?: LimitName;
  maxBody?: number;
  /** Takes an Idempotency-Key: with the same one again it answers again, and does nothing. Needs a reply. */
  idempotent?: Idempotent;
  /** What of a paid call's answer is kept by its id alone. */
  keptById?: KeptById;
};

type Context<P extends Schema, Q extends Schema, B extends Schema, Access> = {
  actor: Access extends "anyone" ? Actor | undefined : Actor;
  origin: Origin;
  request: Request;
  /** The cookie's token as it came; signing out ends it. */
  sessionToken: string | undefined;
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
};

/** What a handler tells of itself to the API document and to the tests that walk all doors. */
export type RouteSpec = Spec<Schema, Schema, Schema, Schema, "user" | "anyone"> & { streams: boolean };

export type RouteHandler = ((request: Request, next?: NextContext) => Promise<Response>) & { spec: RouteSpec };

type NextContext = { params: Promise<Record<string, string | string[] | undefined>> };

/** Methods that change something. */
export const MUTATING = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * One documented path and method. Order of refusal: 401, then 403, 413 and 415, 429, 400 (shape), 404, and what the verb
 * itself refuses. `stream`, when given, serves callers that accept text/event-stream; what it answers ends the stream as
 * `done`.
 */
export function route<
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
  R extends Schema = undefined,
  Access extends "user" | "anyone" = "user",
>(
  spec: Spec<P, Q, B, R, Access>,
  verb: (context: Context<P, Q, B, Access>) => Promise<unknown>,
  stream?: (context: Context<P, Q, B, Access>, sink: EventSink) => Promise<unknown>,
): RouteHandler {
  return Object.assign(handler, { spec: { ...spec, streams: stream !== undefined } });

  async function handler(request: Request, next?: NextContext): Promise<Response> {
    const origin = originOf(request.headers);
    let cookie: Record<string, string> | undefined;
    try {
      const sessionToken = sessionTokenOf(request.headers);
      const found = await actorOfToken(sessionToken, origin);
      if (found) cookie = await renewedCookie(sessionToken ?? "", found.expires);
      if (!found && spec.access !== "anyone") throw new AppError("UNAUTHENTICATED");
      if (MUTATING.has(request.method)) {
        refuseCrossSite(request.headers);
        refuseOtherMediaTypes(request.headers);
      }
      const raw = spec.body ? await readBody(request, spec.maxBody ?? MAX_BODY) : "";
      if (spec.limit) await countHits({ name: spec.limit, subject: found?.actor.userId ?? origin.address });
      const asked = {
        actor: found?.actor,
        origin,
        request,
        sessionToken,
        query: parse(spec.query, Object.fromEntries(new URL(request.url).searchParams)),
        body: parse(spec.body, parseJson(raw)),
        params: parseParams(spec.params, next ? await next.params : {}),
      } as Context<P, Q, B, Access>;
      const { context, once } = await keyedContext(spec, asked);
      if (stream && request.headers.get("accept")?.includes("text/event-stream")) {
        const produce = async (sink: EventSink) => {
          const result = await once(() => stream(context, sink));
          sink("done", spec.reply?.parse(result));
        };
        return eventStream(produce, origin.requestId, cookie);
      }
      const result = await once(() => verb(context));
      await endReplaced(result, sessionToken);
      return success(spec, result, origin.requestId, cookie);
    } catch (error) {
      return failure(toAppError(error, origin.requestId), origin.requestId, cookie);
    }
  }
}

/** The session's cookie with its new end, when that has moved on. */
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
  if (options.session === "ended") headers.set("set-cookie", endedCookie());
  else if (options.session) headers.set("set-cookie", sessionCookie(options.session.token, options.session.expires));
  if (options.device) headers.append("set-cookie", deviceCookie(options.device));
  const status = options.status ?? spec.status ?? (spec.reply ? 200 : 204);
  if (!spec.reply || status === 204 || status === 304) return new Response(null, { status, headers });
  return Response.json(spec.reply.parse(data), { status, headers });
}

/** The verb's own answer, whose headers may not be changed. */
function withCookie({ body, status, headers: given }: Response, cookie: Record<string, string>): Response {
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(cookie)) headers.append(name, value);
  return new Response(body, { status, headers });
}

function failure(error: AppError, requestId: string, cookie: Record<string, string> | undefined): Response {
  const headers = new Headers({ ...baseHeaders(requestId), ...cookie });
  const wait = error.retryAfter ?? (error.status === 429 ? UNTOLD_WAIT_SECONDS : undefined);
  if (wait !== undefined) headers.set("retry-after", String(Math.ceil(wait)));
  return Response.json(failureOf(error, requestId), { status: error.status, headers });
}

/** Seconds that a 429 asks for where nobody has said how long. */
const UNTOLD_WAIT_SECONDS = 20;

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

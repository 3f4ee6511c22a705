import type { Call } from "@/lib/client/changes";
import { clearIdempotencyKeys, idempotencyKey, releaseIdempotencyKey } from "@/lib/client/idempotency-keys";
import { noteCall } from "@/lib/client/presses";
import { statusText } from "@/lib/client/status-text";
import type { ErrorType } from "@/lib/errors";
import { KEY_HEADER } from "@/lib/idempotency/header";
import { boundedCache } from "@/lib/utils/bounded";

/** A failed call. `message` is "<status>: <text>"; a toast shows `text` alone. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    /** Our sentence, else the response's text, else the status text. */
    readonly text: string,
    /** Whether `text` is a sentence of ours. */
    readonly isOurs: boolean,
    readonly type?: ErrorType,
    readonly fields: Record<string, string[]> = {},
    /** The whole body: `jobId` of ALREADY_RUNNING, `current` of VERSION_CONFLICT, `requestId`. */
    readonly details: Record<string, unknown> = {},
  ) {
    super(`${status}: ${text}`);
  }
}

/** The result of a server action; mirrors lib/transport/action.ts. */
type ActionResult<T> =
  | { ok: true; data: T }
  | {
      ok: false;
      error: { error: string; type: ErrorType; status: number; fields?: Record<string, string[]>; requestId: string };
    };

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** Calls our API with the session cookie. Returns the JSON, or undefined without any; throws ApiError. */
export async function api<T>(method: Method, url: string, body?: unknown, init: RequestInit = {}): Promise<T> {
  if (method === "GET") return POLLED.has(url) ? getWithEtag<T>(url, init) : readJson<T>(method, url, body, init);
  return trackCall({ method, url, body }, () => readJson<T>(method, url, body, init));
}

async function readJson<T>(method: Method, url: string, body: unknown, init: RequestInit): Promise<T> {
  const answer = (await jsonOf(await send(method, url, body, init))) as T;
  releaseIdempotencyKey({ method, url, body });
  return answer;
}

/** Called when a write starts; what it returns is called when the write ends. */
type CallListener = (call: Call) => (answer: unknown, error?: unknown) => void;

const NO_LISTENER: CallListener = () => () => undefined;
let callListener = NO_LISTENER;

/** Subscribes to all writes (lib/client/invalidation.ts). Returns the unsubscribe function. */
export function onApiCall(listener: CallListener): () => void {
  callListener = listener;
  return () => {
    if (callListener === listener) callListener = NO_LISTENER;
  };
}

/** Reports a write that does not go through `api`, such as a server action, under the path that does the same. */
export async function trackCall<T>(call: Call, work: () => Promise<T>): Promise<T> {
  noteCall();
  const ended = callListener(call);
  try {
    const answer = await work();
    ended(answer);
    return answer;
  } catch (error) {
    ended(undefined, error);
    throw error;
  }
}

/** A page of a list, and the address of the next one. */
export async function apiPage<T>(url: string, init?: RequestInit): Promise<{ items: T[]; next: string | null }> {
  const response = await send("GET", url, undefined, init);
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1] ?? null;
  return { items: (await jsonOf(response)) as T[], next };
}

/** A whole list: the server may answer it in several pages. */
export async function apiList<T>(url: string, init?: RequestInit): Promise<T[]> {
  const items: T[] = [];
  for (let next: string | null = url; next; ) {
    const page: { items: T[]; next: string | null } = await apiPage<T>(next, init);
    items.push(...page.items);
    next = page.next;
  }
  return items;
}

/**
 * The raw response, for streams and files; throws ApiError when it is not a success. The caller releases the idempotency key
 * once it has read the answer.
 */
export async function send(method: Method, url: string, body?: unknown, init: RequestInit = {}): Promise<Response> {
  const key = idempotencyKey({ method, url, body });
  const response = await fetch(url, {
    ...init,
    method,
    credentials: "same-origin",
    cache: "no-store",
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key ? { [KEY_HEADER]: `"${key}"` } : {}),
      ...init.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.ok) return response;
  const error = await apiErrorOf(response, `${method} ${url}`);
  // The call under the same key may still be at work, and its answer is yet to come.
  if (error.isOurs && error.type !== "ALREADY_RUNNING") releaseIdempotencyKey({ method, url, body });
  throw error;
}

/** The data of a signed-in user's server action. Throws ApiError; a 401 ends the session as in `api`. */
export async function actionData<T>(answer: Promise<ActionResult<T>>): Promise<T> {
  return publicActionData(answer).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) reportSessionEnd(error);
    throw error;
  });
}

/** The data of a server action that anyone may call: its 401 is a wrong password, not the end of a session. */
export async function publicActionData<T>(answer: Promise<ActionResult<T>>): Promise<T> {
  noteCall();
  const result = await answer;
  if (result.ok) return result.data;
  const { error, type, status, fields } = result.error;
  throw new ApiError(status, error, true, type, fields, result.error);
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.type === "NOT_FOUND";
}

/** The sentence for a toast: the server's if it is one of ours, else the fallback. */
export function errorText(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return error.isOurs ? error.text : fallback;
  // Fetch throws a TypeError for any network failure.
  if (!(error instanceof TypeError)) return fallback;
  return globalThis.navigator?.onLine === false ? OFFLINE : UNREACHABLE;
}

const OFFLINE = "You seem to be offline. Check your connection, then try again.";
const UNREACHABLE = "The server did not answer. Wait a moment, then try again.";

/** A fallback for `errorText`. */
export const NO_ANSWER = "The server did not answer. Check your connection, then try again.";

/** The rejected fields of a failed call, for its form. */
export function fieldErrorsOf(error: unknown): Record<string, string[]> {
  return error instanceof ApiError ? error.fields : {};
}

export function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** The types with a 5xx status. A stream's status was already 200 when it failed. */
const SERVER_FAILURES: ReadonlySet<ErrorType | undefined> = new Set([
  "INTERNAL",
  "AI_PROVIDER_ERROR",
  "AI_BAD_ANSWER",
  "AI_ACCESS_DENIED",
  "CONNECTION_ERROR",
  "WORDPRESS_REJECTED",
  "SERVICE_UNAVAILABLE",
  "AI_TIMEOUT",
]);

/** What to quote when reporting a server failure: the start of the request id in the server's log. */
export function referenceOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || (error.status < 500 && !SERVER_FAILURES.has(error.type))) return undefined;
  const { requestId } = error.details;
  return typeof requestId === "string" ? requestId.slice(0, 8) : undefined;
}

/** A second sentence that the server sent with its own. */
export function detailOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { detail } = error.details;
  return error.isOurs && typeof detail === "string" && detail !== "" ? detail : undefined;
}

/** Polled addresses, asked for with their last ETag: an unchanged answer has no body. */
const POLLED: ReadonlySet<string> = new Set(["/api/queue/status"]);
const etags = boundedCache<string, { etag: string; body: unknown }>(
  "etags",
  10,
  "There is one for each polled address.",
);

async function getWithEtag<T>(url: string, init: RequestInit): Promise<T> {
  const known = etags.get(url);
  const response = await fetch(url, {
    ...init,
    credentials: "same-origin",
    cache: "no-store",
    headers: known ? { "if-none-match": known.etag } : {},
  });
  if (response.status === 304 && known) return known.body as T;
  if (!response.ok) throw await apiErrorOf(response, `GET ${url}`);
  const body = await response.json();
  const etag = response.headers.get("etag");
  if (etag) etags.set(url, { etag, body });
  return body as T;
}

async function jsonOf(response: Response): Promise<unknown> {
  return response.status === 204 ? undefined : response.json();
}

/** `call` may be "GET /api/user", whose 401 is the answer that nobody is signed in. */
async function apiErrorOf(response: Response, call: string): Promise<ApiError> {
  const raw = await response.text().catch(() => "");
  const ours = parseFailure(raw);
  const text = ours?.error ?? (raw || response.statusText || statusText(response.status));
  const error = new ApiError(response.status, text, ours !== null, ours?.type, ours?.fields, ours ?? {});
  if (response.status === 401 && call !== "GET /api/user") reportSessionEnd(error);
  return error;
}

type Failure = { error: string; type: ErrorType; fields?: Record<string, string[]> };

function parseFailure(raw: string): Failure | null {
  try {
    const parsed = JSON.parse(raw) as Partial<Failure> | null;
    return typeof parsed?.error === "string" && typeof parsed.type === "string" ? (parsed as Failure) : null;
  } catch {
    return null;
  }
}

let sessionEndListener: () => void = () => undefined;
const sessionEndErrors = new WeakSet<object>();

function reportSessionEnd(error: ApiError): void {
  sessionEndErrors.add(error);
  clearApiState();
  sessionEndListener();
}

/** The session had ended when this call was made. The whole page says so, so that its caller need not. */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof ApiError && sessionEndErrors.has(error);
}

/** Sets the listener; the providers do so once. */
export function onSessionEnd(listener: () => void): void {
  sessionEndListener = listener;
}

/** Drops this user's ETags, polled answers and idempotency keys from memory. */
export function clearApiState(): void {
  etags.clear();
  clearIdempotencyKeys();
}

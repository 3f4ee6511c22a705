import type { Call } from "@/lib/client/changes";
import { endIntention, forgetIntentions, keyOf } from "@/lib/client/intentions";
import { statusText } from "@/lib/client/status-text";
import type { ErrorType } from "@/lib/errors";
import { KEY_HEADER } from "@/lib/utils/idempotency-key";

/** A call that failed. `message` is "<status>: <text>"; a toast shows `text` alone. */
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
    /** The whole answer: `jobId` of ALREADY_RUNNING, `current` of VERSION_CONFLICT, `requestId`. */
    readonly details: Record<string, unknown> = {},
  ) {
    super(`${status}: ${text}`);
  }
}

/** What a server action answers; mirrors lib/transport/action.ts. */
type ActionAnswer<T> =
  | { ok: true; data: T }
  | {
      ok: false;
      error: { error: string; type: ErrorType; status: number; fields?: Record<string, string[]>; requestId: string };
    };

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** One call of our API with the session's cookie. Answers the JSON, or undefined without one; throws ApiError. */
export async function api<T>(method: Method, url: string, body?: unknown, init: RequestInit = {}): Promise<T> {
  if (method === "GET") return TAGGED.has(url) ? getTagged<T>(url, init) : readJson<T>(method, url, body, init);
  return watched({ method, url, body }, () => readJson<T>(method, url, body, init));
}

async function readJson<T>(method: Method, url: string, body: unknown, init: RequestInit): Promise<T> {
  const answer = (await jsonOf(await send(method, url, body, init))) as T;
  endIntention({ method, url, body });
  return answer;
}

/** Hears of each call that may change something; answers what hears of its end. */
type CallListener = (call: Call) => (answer: unknown, error?: unknown) => void;

let onCall: CallListener = () => () => undefined;

/** What is done about calls that change something: set by lib/client/live.ts. */
export function whenCalled(listener: CallListener): () => void {
  onCall = listener;
  return () => {
    if (onCall === listener) onCall = () => () => undefined;
  };
}

/** A call that does not go through `api`, such as a server action: named by the path that does the same. */
export async function watched<T>(call: Call, work: () => Promise<T>): Promise<T> {
  const ended = onCall(call);
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

/**
 * A response as it comes, for streams. What creates or costs money has its intention's key; who has read the answer says
 * so (endIntention). Throws ApiError when it is not a success.
 */
export async function send(method: Method, url: string, body?: unknown, init: RequestInit = {}): Promise<Response> {
  const key = keyOf({ method, url, body });
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
  if (!response.ok) throw await failureOf(response, `${method} ${url}`);
  return response;
}

/** The data of a signed-in person's server action; throws ApiError as a call would, and a 401 signs out as there. */
export async function actionData<T>(answer: Promise<ActionAnswer<T>>): Promise<T> {
  return publicActionData(answer).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) tellSignedOut(error);
    throw error;
  });
}

/** The data of a server action that anybody may call: there a 401 is a wrong password. */
export async function publicActionData<T>(answer: Promise<ActionAnswer<T>>): Promise<T> {
  const result = await answer;
  if (result.ok) return result.data;
  const { error, type, status, fields } = result.error;
  throw new ApiError(status, error, true, type, fields, result.error);
}

/** Is what was asked for not there, or no longer? */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.type === "NOT_FOUND";
}

/** The sentence for a toast: ours, else the call's fallback of the specification. */
export function errorText(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return error.isOurs ? error.text : fallback;
  // Fetch fails with a TypeError for any reason; only the browser knows whether there is a network at all.
  if (!(error instanceof TypeError)) return fallback;
  return globalThis.navigator?.onLine === false ? OFFLINE : NO_ANSWER;
}

const OFFLINE = "You seem to be offline. Check your connection, then try again.";
const NO_ANSWER = "The server did not answer. Wait a moment, then try again.";

/** The page gave the call up itself: nobody has to be told. */
export function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** The kinds that answer 5xx. A stream has answered 200 by then, so the status alone does not tell. */
const SERVER_FAILURES: ReadonlySet<ErrorType | undefined> = new Set([
  "INTERNAL",
  "AI_PROVIDER_ERROR",
  "AI_BAD_ANSWER",
  "CONNECTION_ERROR",
  "WORDPRESS_REJECTED",
  "SERVICE_UNAVAILABLE",
  "AI_TIMEOUT",
]);

/** What to name when telling of a failure of ours: the first characters of the id that stands in the server's log. */
export function referenceOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || (error.status < 500 && !SERVER_FAILURES.has(error.type))) return undefined;
  const { requestId } = error.details;
  return typeof requestId === "string" ? requestId.slice(0, 8) : undefined;
}

/** What else the server knows of a failure: a sentence to show beside its own. */
export function detailOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { detail } = error.details;
  return error.isOurs && typeof detail === "string" && detail !== "" ? detail : undefined;
}

/** Polled addresses: their ETag and body are kept in memory, and an unchanged answer costs no body. */
const TAGGED: ReadonlySet<string> = new Set(["/api/queue/status"]);
const tagged = new Map<string, { etag: string; body: unknown }>();

async function getTagged<T>(url: string, init: RequestInit): Promise<T> {
  const known = tagged.get(url);
  const response = await fetch(url, {
    ...init,
    credentials: "same-origin",
    cache: "no-store",
    headers: known ? { "if-none-match": known.etag } : {},
  });
  if (response.status === 304 && known) return known.body as T;
  if (!response.ok) throw await failureOf(response, `GET ${url}`);
  const body = await response.json();
  const etag = response.headers.get("etag");
  if (etag) tagged.set(url, { etag, body });
  return body as T;
}

async function jsonOf(response: Response): Promise<unknown> {
  return response.status === 204 ? undefined : response.json();
}

/** `call` such as "GET /api/user", which asks whether anybody is here: its 401 is an answer. */
async function failureOf(response: Response, call: string): Promise<ApiError> {
  const raw = await response.text().catch(() => "");
  const ours = parseFailure(raw);
  const text = ours?.error ?? (raw || response.statusText || statusText(response.status));
  const error = new ApiError(response.status, text, ours !== null, ours?.type, ours?.fields, ours ?? {});
  if (response.status === 401 && call !== "GET /api/user") tellSignedOut(error);
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

let onSignedOut: () => void = () => undefined;
const endings = new WeakSet<object>();

function tellSignedOut(error: ApiError): void {
  endings.add(error);
  onSignedOut();
}

/** Did this call find the session ended? The whole page says so then. */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof ApiError && endings.has(error);
}

/** What happens when a call finds that the session has ended: set once by the providers. */
export function whenSignedOut(react: () => void): void {
  onSignedOut = () => {
    forgetAnswers();
    react();
  };
}

/** Drops what is kept in memory of this person's calls and their answers. */
export function forgetAnswers(): void {
  tagged.clear();
  forgetIntentions();
}

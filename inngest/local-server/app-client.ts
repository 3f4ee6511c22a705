import http from "node:http";
import https from "node:https";
import { parseJson, registration } from "@/inngest/local-server/protocol";
import { canonicalJson, signBody } from "@/inngest/local-server/signature";
import { boundedSet } from "@/lib/utils/bounded";

type AppRequest = { method: "POST" | "PUT"; headers: Record<string, string>; body: string; signal: AbortSignal };

type AppResponse = {
  status: number;
  headers: { get: (name: string) => string | null };
  text: () => Promise<string>;
};

/** HTTP by default; tests pass the app's route handlers. */
export type AppFetch = (url: string, request: AppRequest) => Promise<AppResponse>;

export type AppAnswer =
  | { kind: "unreachable"; reason: string }
  | { kind: "answer"; status: number; noRetry: boolean; retryAfter?: string; body: unknown };

export type AppClient = ReturnType<typeof createAppClient>;

/** Inngest's own limit. */
const CALL_TIMEOUT_MS = 2 * 60 * 60 * 1000;
const SYNC_TIMEOUT_MS = 30_000;

/** Calls the app's Inngest endpoint; signs if there is a signing key. */
export function createAppClient(options: { signingKey?: string; fetch?: AppFetch; now: () => number }) {
  const { signingKey, now } = options;
  const own = options.fetch ? undefined : createHttpFetch();
  const appFetch = options.fetch ?? own?.fetch;
  const calls = boundedSet<AbortController>("calls to the app", 1_000, "The queue makes 200 at once.");

  async function send(
    method: "POST" | "PUT",
    url: string,
    value: unknown,
    extra: Record<string, string>,
    timeoutMs: number,
  ) {
    const body = canonicalJson(value);
    const headers = {
      "content-type": "application/json",
      "x-inngest-server-kind": signingKey ? "cloud" : "dev",
      ...(signingKey ? { "x-inngest-signature": signBody(body, signingKey, now()) } : {}),
      ...extra,
    };
    const call = new AbortController();
    const timeout = setTimeout(() => call.abort(new Error("no answer in time")), timeoutMs);
    calls.add(call);
    try {
      const response = await (appFetch as AppFetch)(url, { method, headers, body, signal: call.signal });
      return { response, text: await response.text() };
    } finally {
      clearTimeout(timeout);
      calls.delete(call);
    }
  }

  /** Fetches the app's functions. Throws an error with a readable message. */
  async function fetchFunctions(url: string): Promise<unknown[]> {
    const extra = { "x-inngest-sync-kind": "in_band" };
    const { response, text } = await send("PUT", url, { url }, extra, SYNC_TIMEOUT_MS).catch((error: unknown) => {
      throw new Error(`The app does not answer at ${url} (${reasonOf(error)}).`);
    });
    if (response.status !== 200) throw new Error(refusedSentence(url, response.status));
    const parsed = registration.safeParse(parseJson(text, `The answer of ${url}`));
    if (!parsed.success) throw new Error(`${url} did not answer with its functions.`);
    return parsed.data.functions;
  }

  /** Continues a run. Any answer that is not the SDK's (no server, a compile error) is "unreachable". */
  async function callFunction(url: string, runId: string, body: unknown): Promise<AppAnswer> {
    try {
      const { response, text } = await send(
        "POST",
        url,
        body,
        { "x-run-id": runId, "x-inngest-req-version": "2" },
        CALL_TIMEOUT_MS,
      );
      if (!response.headers.get("x-inngest-sdk"))
        return { kind: "unreachable", reason: refusedSentence(url, response.status) };
      return {
        kind: "answer",
        status: response.status,
        noRetry: response.headers.get("x-inngest-no-retry") === "true",
        retryAfter: response.headers.get("retry-after") ?? undefined,
        body: parseJson(text, "The app's answer"),
      };
    } catch (error) {
      return { kind: "unreachable", reason: reasonOf(error) };
    }
  }

  function close(): void {
    for (const call of calls) call.abort(new Error("the engine is closing"));
    own?.close();
  }

  return { fetchFunctions, callFunction, close };
}

function refusedSentence(url: string, status: number): string {
  if (status === 401)
    return `${url} refused the signature (401): is INNGEST_SIGNING_KEY the same for the app and the engine?`;
  return `${url} is not an Inngest endpoint or not ready (${status}).`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && error.code ? String(error.code) : error.message;
}

/** Replaces fetch, which gives up after 300 seconds without headers. */
function createHttpFetch(): { fetch: AppFetch; close: () => void } {
  const agents = { "http:": new http.Agent({ keepAlive: true }), "https:": new https.Agent({ keepAlive: true }) };

  function fetch(url: string, request: AppRequest, retried = false): Promise<AppResponse> {
    const secure = new URL(url).protocol === "https:";
    const { method, body, signal } = request;
    const headers = { ...request.headers, "content-length": String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const agent = secure ? agents["https:"] : agents["http:"];
      const sent = (secure ? https : http).request(url, { method, headers, signal, agent }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => resolve(toResponse(incoming, Buffer.concat(chunks))));
      });
      sent.on("error", (error: NodeJS.ErrnoException) => {
        // The app may close an idle connection just as it is reused: try once more.
        if (sent.reusedSocket && error.code === "ECONNRESET" && !retried) resolve(fetch(url, request, true));
        else reject(error);
      });
      sent.end(body);
    });
  }

  return {
    fetch: (url, request) => fetch(url, request),
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Avoids a Response, which costs more than the rest of a call. */
function toResponse({ statusCode = 500, headers }: http.IncomingMessage, body: Buffer): AppResponse {
  return {
    status: statusCode,
    headers: { get: (name) => headers[name]?.toString() ?? null },
    text: async () => body.toString("utf8"),
  };
}

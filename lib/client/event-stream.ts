import { type EventSourceMessage, EventSourceParserStream } from "eventsource-parser/stream";
import { ApiError, send } from "@/lib/client/api";
import { releaseIdempotencyKey } from "@/lib/client/idempotency-keys";
import type { ErrorType } from "@/lib/errors";

export type ServerEvent = { event: string; data: unknown };

/** The longest piece, body and outline, with every character escaped. */
const MAX_EVENT_CHARACTERS = 4_000_000;

/** POSTs and yields the answer's server-sent events. Throws ApiError for a refused call and for an `error` event. */
export async function* apiEvents(url: string, signal?: AbortSignal, body?: unknown): AsyncGenerator<ServerEvent> {
  // A stream that was ended here is not a lost answer: the next call like it is a new one.
  signal?.addEventListener("abort", () => releaseIdempotencyKey({ method: "POST", url, body }), { once: true });
  const response = await send("POST", url, body, { headers: { accept: "text/event-stream" }, signal });
  for await (const { event = "message", data: json } of messagesOf(response)) {
    const data: unknown = JSON.parse(json);
    if (event === "done" || event === "error") releaseIdempotencyKey({ method: "POST", url, body });
    if (event === "error") throw streamError(data);
    yield { event, data };
  }
}

/** The wait before a stream is opened again doubles up to the longest. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** The wait where there is no stream. */
const NO_STREAM_MS = 5 * 60_000;
/** A stream that lasted so long was a good one. */
const LASTED_MS = 10_000;

/**
 * Reads a stream of changes until `signal` says so, and opens it again when it ends. `url` is asked for each time, `onNone` is
 * called where the server has no stream now, and `onBroken` when a stream was refused or ended by a failure.
 */
export async function followChanges<T>(
  url: () => string,
  onChanges: (changes: T) => void,
  { signal, onNone, onBroken }: { signal: AbortSignal; onNone?: () => void; onBroken?: () => void },
): Promise<void> {
  for (let waitMs = FIRST_WAIT_MS; !signal.aborted; ) {
    const begunAt = Date.now();
    try {
      const events = await eventsOf(url(), signal);
      if (!events) {
        onNone?.();
        await pause(NO_STREAM_MS, signal);
        continue;
      }
      for await (const { event, data } of events) {
        if (event === "changes") onChanges(data as T);
        if (event === "error") onBroken?.();
      }
    } catch {
      if (!signal.aborted) onBroken?.();
    }
    waitMs = Date.now() - begunAt > LASTED_MS ? FIRST_WAIT_MS : Math.min(2 * waitMs, LONGEST_WAIT_MS);
    await pause(waitMs, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}

/** GETs a stream, and yields its server-sent events; null where the server has none (204). Throws ApiError for a refused call. */
async function eventsOf(url: string, signal: AbortSignal): Promise<AsyncGenerator<ServerEvent> | null> {
  const response = await send("GET", url, undefined, { headers: { accept: "text/event-stream" }, signal });
  return response.status === 204 ? null : parsed(response);
}

async function* parsed(response: Response): AsyncGenerator<ServerEvent> {
  for await (const { event = "message", data } of messagesOf(response)) yield { event, data: JSON.parse(data) };
}

async function* messagesOf(response: Response): AsyncGenerator<EventSourceMessage> {
  if (!response.body) return;
  const reader = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_EVENT_CHARACTERS }))
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Closes the connection when the caller stops early.
    await reader.cancel().catch(() => undefined);
  }
}

function streamError(data: unknown): ApiError {
  const { error, type } = data as { error: string; type: ErrorType };
  // The response's status was already 200 when the failure happened.
  return new ApiError(200, error, true, type, {}, data as Record<string, unknown>);
}

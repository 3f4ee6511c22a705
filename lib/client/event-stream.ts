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

/** GETs a stream, and yields its server-sent events; null where the server has none (204). Throws ApiError for a refused call. */
export async function eventsOf(url: string, signal: AbortSignal): Promise<AsyncGenerator<ServerEvent> | null> {
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

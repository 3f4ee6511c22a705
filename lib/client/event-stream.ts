import { ApiError, send } from "@/lib/client/api";
import { endIntention } from "@/lib/client/intentions";
import type { ErrorType } from "@/lib/errors";

export type ServerEvent = { event: string; data: unknown };

/**
 * A call answered as server-sent events (WHATWG HTML, section 9.2), one by one as they come. An `error` event, and an
 * answer that is not a success, are thrown as ApiError.
 */
export async function* apiEvents(url: string, signal?: AbortSignal): AsyncGenerator<ServerEvent> {
  const response = await send("POST", url, undefined, { headers: { accept: "text/event-stream" }, signal });
  for await (const block of blocksOf(response)) {
    const event = parseEvent(block);
    if (!event) continue;
    if (event.event === "error") throw failureOf(event.data);
    if (event.event === "done") endIntention({ method: "POST", url });
    yield event;
  }
}

/** The stream cut at its blank lines; a block that is not finished waits for the rest of it. */
async function* blocksOf(response: Response): AsyncGenerator<string> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      yield* blocks;
      if (done) return;
    }
  } finally {
    // Whoever stops listening early lets the connection go.
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): ServerEvent | undefined {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ""] = /^([a-z]+):\s?(.*)$/.exec(line) ?? [];
    if (field === "event") event = value;
    if (field === "data") data.push(value);
  }
  return data.length > 0 ? { event, data: JSON.parse(data.join("\n")) } : undefined;
}

function failureOf(data: unknown): ApiError {
  const { error, type } = data as { error: string; type: ErrorType };
  // The answer's own status was 200 when its first words went out.
  return new ApiError(200, error, true, type, {}, data as Record<string, unknown>);
}

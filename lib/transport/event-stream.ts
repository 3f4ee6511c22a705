import "server-only";
import { STREAM_COMMENT_MS } from "@/lib/limits/bounds";
import { leavePlace } from "@/lib/limits/place";
import { failureBody, toAppError } from "@/lib/transport/reply";

export function acceptsEvents({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/event-stream") ?? false;
}

/** `data` is sent as JSON. */
export type EventSink = (event: "section" | "thinking" | "delta" | "done" | "changes", data: unknown) => void;

/** What `produce` may know of the client: whether it has read what was sent, and when it has gone. */
export type EventReader = { hasRead: () => boolean; gone: AbortSignal };

/**
 * A response of server-sent events (WHATWG HTML, section 9.2), ending with `error` when `produce` throws. The work
 * continues when the client disconnects: what it finished is kept for the next try. A comment every 15 seconds shows
 * that it does.
 */
export function eventStream(
  produce: (sink: EventSink, reader: EventReader) => Promise<unknown>,
  requestId: string,
  headers: Record<string, string> = {},
): Response {
  const encoder = new TextEncoder();
  const gone = new AbortController();
  let open = true;
  let comments: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (text: string) => {
        if (open) controller.enqueue(encoder.encode(text));
      };
      const send = (event: string, data: unknown) => {
        leavePlace();
        write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      };
      comments = setInterval(write, STREAM_COMMENT_MS, ": still at work\n\n").unref();
      try {
        await produce(send, { hasRead: () => (controller.desiredSize ?? 0) > 0, gone: gone.signal });
      } catch (error) {
        send("error", failureBody(toAppError(error, requestId), requestId));
      }
      clearInterval(comments);
      if (open) controller.close();
      open = false;
    },
    cancel() {
      clearInterval(comments);
      open = false;
      gone.abort();
    },
  });
  return new Response(body, {
    headers: {
      ...headers,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      // Buffering proxies would delay the first words.
      "x-accel-buffering": "no",
      "x-request-id": requestId,
    },
  });
}

/**
 * Callbacks that report the progress of an AI call: which section begins, whether the model still
 * thinks, and the text as it arrives.
 */
export function progressEvents(send: EventSink) {
  return {
    onSection: (section: { index: number; count: number; heading: string; restart: boolean }) =>
      send("section", section),
    onThinking: () => send("thinking", {}),
    onDelta: (text: string) => send("delta", { text }),
  };
}

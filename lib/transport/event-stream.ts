import "server-only";
import { failureOf, toAppError } from "@/lib/transport/reply";

/** Sends one server-sent event; `data` is JSON. */
export type EventSink = (event: "section" | "delta" | "done", data: unknown) => void;

/**
 * An answer as server-sent events (WHATWG HTML, section 9.2): what `produce` sends, at last `error` when it throws.
 * A caller who goes away does not end the work: what is finished is kept for the next try.
 */
export function eventStream(
  produce: (sink: EventSink) => Promise<unknown>,
  requestId: string,
  headers: Record<string, string> = {},
): Response {
  const encoder = new TextEncoder();
  let open = true;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (event: string, data: unknown) => {
        if (open) controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      };
      try {
        await produce(send);
      } catch (error) {
        send("error", failureOf(toAppError(error, requestId), requestId));
      }
      if (open) controller.close();
      open = false;
    },
    cancel() {
      open = false;
    },
  });
  return new Response(body, {
    headers: {
      ...headers,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      // A proxy that buffers would hold the first words back.
      "x-accel-buffering": "no",
      "x-request-id": requestId,
    },
  });
}

/** Passes on what a person watching an AI call sees: which section begins, and its words as they come. */
export function watcherOf(send: EventSink) {
  return {
    onSection: (section: { index: number; count: number; heading: string; restart: boolean }) =>
      send("section", section),
    onDelta: (text: string) => send("delta", { text }),
  };
}

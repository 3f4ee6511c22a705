import "server-only";
import type { Attributes } from "@opentelemetry/api";
import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace-base";

/**
 * What may leave with a span: plain facts, never a text, a name, an address with its query or a header. Libraries set more, and
 * an update may add to it, so this is a list of what stays.
 */
const KEPT = new Set([
  ...["http.method", "http.request.method", "http.route", "http.status_code", "http.response.status_code"],
  ...[
    "http.url",
    "url.full",

    "url.scheme",
    "server.address",
    "server.port",
    "net.peer.name",
    "net.peer.port",
  ],
  ...["db.system", "db.system.name", "db.name", "db.namespace", "db.operation", "db.operation.name"],
  // Statements have placeholders, and their values are not recorded.
  ...["db.statement", "db.query.text"],
  ...["next.route", "next.span_type", "next.rsc", "error.type"],
  ...["gen_ai.operation.name", "gen_ai.request.model", "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"],
  ...[
    "planner.operation",
    "planner.request_id",
    "planner.job_id",
    "planner.item_id",
    "planner.attempt",
    "planner.outcome",
  ],
]);
/** Only the origin of an address stays: paths hold keys (the job engine's), slugs and searches. */
const ADDRESSES = ["http.url", "url.full"];

/** Passes ended spans on without anything that is not meant for a monitor. */
export function scrubbing(next: SpanProcessor): SpanProcessor {
  return {
    onStart: (span, context) => next.onStart(span, context),
    onEnd: (span) => {
      scrub(span);
      next.onEnd(span);
    },
    forceFlush: () => next.forceFlush(),
    shutdown: () => next.shutdown(),
  };
}

/** A span that has ended is only read by its exporter. */
function scrub(span: ReadableSpan): void {
  const attributes = span.attributes as Attributes;
  for (const name of Object.keys(attributes)) if (!KEPT.has(name)) delete attributes[name];
  for (const name of ADDRESSES) if (name in attributes) attributes[name] = originOf(String(attributes[name]));
  // A failure's message can quote what a user wrote; its type is in error.type.
  for (const event of span.events) delete event.attributes;
  const written = span as { name: string; status: ReadableSpan["status"] };
  written.name = span.name.replace(/https?:\/\/\S+/g, originOf).replace(/[?#].*$/s, "");
  written.status = { code: span.status.code };
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : "";
}

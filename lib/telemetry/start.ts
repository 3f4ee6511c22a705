import "server-only";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { PgInstrumentation } from "@opentelemetry/instrumentation-pg";
import { RuntimeNodeInstrumentation } from "@opentelemetry/instrumentation-runtime-node";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { createAllowListAttributesProcessor } from "@opentelemetry/sdk-metrics";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { Env } from "@/lib/env";
import { log } from "@/lib/log";
import { scrubbing } from "@/lib/telemetry/scrub";

/**
 * Starts the OpenTelemetry SDK; call it before the first database client is loaded. It reads OTEL_EXPORTER_OTLP_ENDPOINT and
 * the other standard variables (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/) itself,
 * with the defaults of lib/env.ts. Next.js makes the spans of requests and pages. An endpoint that does not answer costs
 * nothing but one line in the log.
 */
export function startTelemetry({ OTEL_EXPORTER_OTLP_PROTOCOL, VERCEL }: Env): void {
  const exporter = OTEL_EXPORTER_OTLP_PROTOCOL === "http/json" ? new JsonExporter() : new ProtobufExporter();
  const spans = new BatchSpanProcessor(reporting(exporter));
  const sdk = new NodeSDK({
    spanProcessors: [scrubbing(VERCEL === "1" ? flushing(spans) : spans)],
    instrumentations: [
      new PgInstrumentation({ requireParentSpan: true }),
      new UndiciInstrumentation({ requireParentforSpans: true }),
      new RuntimeNodeInstrumentation(),
    ],
    // One series per user's site would be too many, and says whose site it is.
    views: [
      {
        instrumentName: "http.client.request.duration",
        attributesProcessors: [
          createAllowListAttributesProcessor(["http.request.method", "http.response.status_code", "error.type"]),
        ],
      },
    ],
  });
  sdk.start();
  flushOnShutdown(() => spans.forceFlush());
}

/** Says once that the endpoint fails, and once that it is back. */
function reporting(exporter: SpanExporter): SpanExporter {
  let isFailing = false;
  const note = (failed: boolean) => {
    if (failed !== isFailing)
      log.warn(failed ? "the telemetry endpoint does not take spans" : "the telemetry endpoint is back");
    isFailing = failed;
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        note(result.code !== 0);
        done(result);
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}

/** A function on Vercel may be frozen after its answer, unless it says what it still waits for. */
function flushing(spans: BatchSpanProcessor): BatchSpanProcessor {
  const onEnd = spans.onEnd.bind(spans);
  spans.onEnd = (span) => {
    onEnd(span);
    if (!span.parentSpanContext) requestContext()?.waitUntil?.(spans.forceFlush());
  };
  return spans;
}

/** What Vercel's launcher gives each request (https://nextjs.org/docs/app/api-reference/functions/after). */
function requestContext(): { waitUntil?: (work: Promise<unknown>) => void } | undefined {
  const holder = (globalThis as Record<symbol, { get?: () => object | undefined } | undefined>)[
    Symbol.for("@next/request-context")
  ];
  return holder?.get?.();
}

const FLUSH_EVERY_MS = 500;

/** Next.js exits by itself once its requests are done, and waits for nobody: what has ended is sent on the way. */
function flushOnShutdown(flush: () => Promise<void>): void {
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.once(signal, () => {
      const send = () => void flush().catch(() => undefined);
      send();
      setInterval(send, FLUSH_EVERY_MS).unref();
    });
  }
}

import "server-only";
import { type Counter, type Histogram, type Meter, metrics, SpanStatusCode, trace } from "@opentelemetry/api";
import { AppError } from "@/lib/errors";

/** The instruments and spans of our own. Without an SDK (lib/telemetry/start.ts) they do nothing. */
const NAME = "content-planner";

let made: { calls: Histogram; ai: Histogram; tokens: Histogram; writes: Counter } | undefined;

/** The meter of the SDK, if there is one by now. */
export function ourMeter(): Meter {
  return metrics.getMeter(NAME);
}

function instruments() {
  made ??= {
    calls: ourMeter().createHistogram("planner.call.duration", { unit: "s", description: "API calls" }),
    // https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/
    ai: ourMeter().createHistogram("gen_ai.client.operation.duration", { unit: "s" }),
    tokens: ourMeter().createHistogram("gen_ai.client.token.usage", { unit: "{token}" }),
    writes: ourMeter().createCounter("planner.publishing.writes", { description: "Writes to WordPress sites" }),
  };
  return made;
}

/** An API call has been answered. */
export function observeCall(operation: string, status: number, ms: number): void {
  instruments().calls.record(ms / 1_000, { operation, status });
}

/** Puts the request id on the trace of this request, so that one finds the other. */
export function nameRequest(operation: string, requestId: string): void {
  trace.getActiveSpan()?.setAttributes({ "planner.operation": operation, "planner.request_id": requestId });
}

/** One step of the work on an item of a queue, as a span around all that it does. */
export function inItemSpan<T>(
  item: { jobId: string; itemId: string; attempt: number },
  work: () => Promise<T>,
): Promise<T> {
  const attributes = {
    "planner.job_id": item.jobId,
    "planner.item_id": item.itemId,
    "planner.attempt": item.attempt,
  };
  return trace.getTracer(NAME).startActiveSpan("queue item", { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setAttribute("error.type", typeOf(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Writes to a site have been answered, or not. */
export function countWrites(outcomes: { ok: boolean; error?: unknown }[]): void {
  for (const { ok, error } of outcomes) instruments().writes.add(1, { outcome: ok ? "done" : typeOf(error) });
}

export type AiSpan = {
  answered(usage: { tokensIn: number; tokensOut: number }): void;
  failed(error: unknown): void;
  end(): void;
};

/** One call of the AI provider. `end` is called last, whatever became of it. */
export function startAiSpan(model: string): AiSpan {
  const began = performance.now();
  const about = { "gen_ai.operation.name": "chat", "gen_ai.request.model": model };
  const span = trace.getTracer(NAME).startSpan(`chat ${model}`, { attributes: about });
  let problem: string | undefined;
  return {
    answered({ tokensIn, tokensOut }) {
      span.setAttributes({ "gen_ai.usage.input_tokens": tokensIn, "gen_ai.usage.output_tokens": tokensOut });
      instruments().tokens.record(tokensIn, { ...about, "gen_ai.token.type": "input" });
      instruments().tokens.record(tokensOut, { ...about, "gen_ai.token.type": "output" });
    },
    failed(error) {
      problem = typeOf(error);
      span.setAttribute("error.type", problem);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end() {
      instruments().ai.record((performance.now() - began) / 1_000, {
        ...about,
        ...(problem ? { "error.type": problem } : {}),
      });
      span.end();
    },
  };
}

function typeOf(error: unknown): string {
  if (error instanceof AppError) return error.type;
  return error instanceof Error ? error.name : "unknown";
}

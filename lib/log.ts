import "server-only";
import { metrics, trace } from "@opentelemetry/api";
import pino from "pino";
import { env } from "@/lib/env";

/** Fields whose values never reach the log. */
const SECRET_FIELDS = [
  "password",
  "passwordHash",
  "currentPassword",
  "openaiApiKey",
  "wordpressPassword",
  "apiKey",
  "authorization",
  "cookie",
  "token",
  "sessionToken",
];

const redact = SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/**
 * The one logger: JSON lines with secrets redacted. It writes to stdout itself, because pino's own destination retries
 * forever at exit when nobody reads its output.
 */
export const log = createLog({ write: (line) => process.stdout.write(line) });

export function createLog(destination: pino.DestinationStream) {
  const options: pino.LoggerOptions = {
    level: env.LOG_LEVEL,
    base: null,
    redact: { paths: [...redact, 'headers["set-cookie"]'], censor: "[redacted]" },
    serializers: { err: pino.stdSerializers.errWithCause },
    mixin: (_line, level) => {
      countLine(level);
      return currentTrace();
    },
  };
  return pino(options, destination);
}

/** Leads from a line to its trace, if traces are collected (lib/telemetry). */
function currentTrace(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

const WARN = 40;

/** Counts warnings and errors, for an alarm. */
function countLine(level: number): void {
  if (level < WARN) return;
  metrics
    .getMeter("content-planner")
    .createCounter("planner.log.lines")
    .add(1, { level: pino.levels.labels[level] ?? "" });
}

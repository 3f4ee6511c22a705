import "server-only";
import pino from "pino";
import { env } from "@/lib/env";

/** Names under which a secret could reach a log line; their values are never written. */
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
 * The one logger: JSON lines with secrets redacted. Pass the request's id as `requestId`. Not pino's own destination: when
 * nobody reads its lines any more, it tries for ever to write the last ones before the process ends.
 */
export const log = createLog({ write: (line) => process.stdout.write(line) });

/** A logger that writes to `destination`. */
export function createLog(destination: pino.DestinationStream) {
  const options: pino.LoggerOptions = {
    level: env.LOG_LEVEL,
    base: null,
    redact: { paths: [...redact, 'headers["set-cookie"]'], censor: "[redacted]" },
    serializers: { err: pino.stdSerializers.errWithCause },
  };
  return pino(options, destination);
}

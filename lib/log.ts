import "server-only";
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
  };
  return pino(options, destination);
}

import { TextDecoderStream, TransformStream } from "node:stream/web";

/** The environment of one jest worker; its database is a private copy made by global-setup.ts. */
const values: Record<string, string> = {
  APP_URL: "http://localhost:3000",
  AUTH_SECRET: "a secret for tests alone, 32 bytes or more",
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
  LOG_LEVEL: "silent",
  // Each caller has its own address, so that suites do not use up each other's limits.
  TRUSTED_PROXY_HOPS: "1",
  // Configured, but unreachable; tests of a real provider set their own.
  GOOGLE_CLIENT_ID: "test",
  GOOGLE_CLIENT_SECRET: "test",
  GOOGLE_ISSUER: "http://127.0.0.1:9",
  INNGEST_EVENT_KEY: "test",
  INNGEST_DEV: "1",
};
Object.assign(process.env, values);

const base = process.env.TEST_DATABASE_BASE;
if (base) {
  const url = new URL(base);
  url.pathname = `/worker_${process.env.JEST_WORKER_ID ?? "1"}`;
  process.env.DIRECT_DATABASE_URL = url.href;
  // The app is behind the pooler; the tests' own statements are not (db.ts).
  if (process.env.TEST_POOLER_PORT) url.port = process.env.TEST_POOLER_PORT;
  process.env.DATABASE_URL = url.href;
}

// jsdom has no streams; lib/client/event-stream.ts needs them when it is imported.
globalThis.TransformStream ??= TransformStream as typeof globalThis.TransformStream;
globalThis.TextDecoderStream ??= TextDecoderStream as typeof globalThis.TextDecoderStream;

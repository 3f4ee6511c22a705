import type { AppFetch } from "@/inngest/local-server/app-client";
import { type LocalInngest, startLocalInngest } from "@/inngest/local-server/server";
import { freePort } from "@/scripts/ports";
import { type SampleAiProvider, startSampleAiProvider } from "@/scripts/samples/ai-provider";
import { routes } from "@/tests/support/app";
import { query } from "@/tests/support/db";

export type Backend = {
  ai: SampleAiProvider;
  engine: LocalInngest;
  /** Replaces the engine by a new one that remembers nothing. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/** A request of the engine to the app. */
export type EngineCall = { url: string } & Omit<Parameters<AppFetch>[1], "signal">;

const SIGNING_KEY = `signkey-test-${"ab".repeat(32)}`;
const EVENT_KEY = "test-event-key";

/**
 * The sample AI provider and the embedded engine, connected in process to the app's Inngest endpoint with signed calls.
 * Call it before the first route is loaded, when they read their environment. `seen` gets the app's responses to the
 * engine, `sent` the engine's requests before the app does.
 */
export async function startBackend(
  seen: (text: string) => void = () => undefined,
  sent: (call: EngineCall) => Promise<void> | void = () => undefined,
): Promise<Backend> {
  // Work left by other suites must not run here.
  await query("DELETE FROM processing_jobs WHERE completed_at IS NULL");
  const ai = await startSampleAiProvider();
  const port = await freePort();
  delete process.env.INNGEST_DEV;
  // Before the engine starts: its first call loads the app, which reads its environment once.
  Object.assign(process.env, {
    INNGEST_BASE_URL: `http://127.0.0.1:${port}`,
    INNGEST_SIGNING_KEY: SIGNING_KEY,
    INNGEST_EVENT_KEY: EVENT_KEY,
    OPENAI_BASE_URL: ai.url,
  });
  const startEngine = () =>
    startLocalInngest({
      appUrl: "http://localhost:3000/api/inngest",
      signingKey: SIGNING_KEY,
      eventKey: EVENT_KEY,
      port,
      backoff: () => 20,
      fetch: async (url, { method, headers, body }) => {
        const route = routes.find(({ pattern }) => pattern.test("/api/inngest"));
        const handler = (await route?.load())?.[method];
        if (!handler) throw new Error(`no ${method} of /api/inngest`);
        await sent({ url, method, headers, body });
        const answer = await handler(new Request(url, { method, headers, body }), { params: Promise.resolve({}) });
        seen(await answer.clone().text());
        return answer;
      },
    });
  const backend: Backend = {
    ai,
    engine: await startEngine(),
    restart: async () => {
      backend.engine = await startEngine();
    },
    close: async () => {
      await backend.engine.close();
      await ai.close();
    },
  };
  return backend;
}

/** Polls until the condition holds; fails with the last value. */
export async function eventually<T>(
  read: () => Promise<T>,
  isSo: (value: T) => boolean,
  timeoutMs = 15_000,
): Promise<T> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > until) throw new Error(`Still waiting; last seen: ${JSON.stringify(value)?.slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

import { type Env, isLoopbackHost } from "@/lib/env";
import type { Secrets } from "@/scripts/secrets";

/** How the app reaches Inngest, and what has to be ended with it. */
export type Engine = {
  kind: "configured" | "dev server" | "embedded";
  environment: Record<string, string>;
  close(): Promise<void>;
};

export type EngineOptions = {
  /** How this machine reaches the app. */
  appUrl: string;
  secrets: () => Secrets;
  embeddedOnly: boolean;
  log: (line: string) => void;
  /** Where to look for an Inngest dev server; by default at its own port. */
  devServer?: string;
};

/** Where `inngest-cli dev` listens. */
export const DEV_SERVER = "http://127.0.0.1:8288";

/**
 * Connects to what the environment names; otherwise to the Inngest dev server when one answers on its port, unless
 * `embeddedOnly` or other machines reach the app, because it signs nothing; otherwise to our own engine, whose requests are
 * signed.
 */
export async function connectEngine(values: Env, options: EngineOptions): Promise<Engine> {
  const { appUrl, devServer = DEV_SERVER } = options;
  const nothing = async () => undefined;
  if (values.deployed || values.INNGEST_BASE_URL || values.INNGEST_DEV) {
    return { kind: "configured", environment: {}, close: nothing };
  }
  const mayBeUnsigned = !options.embeddedOnly && isLoopbackHost(values.HOST);
  if (mayBeUnsigned && (await isDevServer(devServer))) {
    const environment = { INNGEST_DEV: devServer, INNGEST_SERVE_ORIGIN: appUrl };
    return { kind: "dev server", environment, close: nothing };
  }
  const { startLocalInngest } = await import("@/inngest/local-server/server");
  const { INNGEST_SIGNING_KEY, INNGEST_EVENT_KEY } = options.secrets();
  const engine = await startLocalInngest({
    appUrl: `${appUrl}/api/inngest`,
    signingKey: INNGEST_SIGNING_KEY,
    eventKey: INNGEST_EVENT_KEY,
    log: options.log,
  });
  return {
    kind: "embedded",
    environment: {
      INNGEST_BASE_URL: engine.url,
      INNGEST_SIGNING_KEY,
      INNGEST_EVENT_KEY,
      INNGEST_SERVE_ORIGIN: appUrl,
    },
    close: engine.close,
  };
}

/** True if an Inngest dev server answers here. Another program's page on that port is not one. */
export async function isDevServer(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/dev`, { signal: AbortSignal.timeout(1_000) });
    const about: unknown = await answer.json();
    return typeof about === "object" && about !== null && "version" in about && "startOpts" in about;
  } catch {
    return false;
  }
}

import type { Env } from "@/lib/env";
import type { Secrets } from "@/scripts/secrets";

/** How the app reaches Inngest, and what has to be ended with it. */
export type Engine = {
  kind: "configured" | "dev server" | "embedded";
  environment: Record<string, string>;
  /** Tells an Inngest dev server where the app is; the others know. */
  announce(appUrl: string): Promise<void>;
  close(): Promise<void>;
};

const DEV_SERVER = "http://127.0.0.1:8288";

/**
 * What the environment names; otherwise the Inngest dev server when one answers on its port (unless `embeddedOnly`);
 * otherwise our own engine, whose requests are signed, so that /api/inngest is never open.
 */
export async function openEngine(
  values: Env,
  options: { appUrl: string; secrets: () => Secrets; embeddedOnly: boolean; log: (line: string) => void },
): Promise<Engine> {
  const nothing = async () => undefined;
  if (values.deployed || values.INNGEST_BASE_URL || values.INNGEST_DEV) {
    return { kind: "configured", environment: {}, announce: nothing, close: nothing };
  }
  if (!options.embeddedOnly && (await isDevServer(DEV_SERVER))) {
    return { kind: "dev server", environment: { INNGEST_DEV: DEV_SERVER }, announce: register, close: nothing };
  }
  const { startLocalInngest } = await import("@/inngest/local-server/server");
  const { INNGEST_SIGNING_KEY, INNGEST_EVENT_KEY } = options.secrets();
  const engine = await startLocalInngest({
    appUrl: `${options.appUrl}/api/inngest`,
    signingKey: INNGEST_SIGNING_KEY,
    log: options.log,
  });
  return {
    kind: "embedded",
    environment: { INNGEST_BASE_URL: engine.url, INNGEST_SIGNING_KEY, INNGEST_EVENT_KEY },
    announce: nothing,
    close: engine.close,
  };
}

/** Does an Inngest dev server answer here? Another program's page on that port is not one. */
export async function isDevServer(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/dev`, { signal: AbortSignal.timeout(1_000) });
    const about: unknown = await answer.json();
    return typeof about === "object" && about !== null && "version" in about && "startOpts" in about;
  } catch {
    return false;
  }
}

async function register(appUrl: string): Promise<void> {
  await fetch(`${appUrl}/api/inngest`, { method: "PUT" }).catch(() => undefined);
}

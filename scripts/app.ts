import type { Writable } from "node:stream";
import { reachableHost } from "@/lib/env";
import { type Child, installed, startChild } from "@/scripts/child";
import { isFree } from "@/scripts/ports";
import { pause } from "@/scripts/processes";

export type AppOptions = {
  mode: "dev" | "start";
  /** What is run as the app; Next.js unless told. */
  command?: string[] | undefined;
  host: string;
  port: number;
  environment: NodeJS.ProcessEnv;
  /** Names this process on the leases it takes. */
  bootId: string;
  /** What has to outlive it. */
  holds: Writable | undefined;
  onLine: (line: string) => void;
};

const READY_TIMEOUT_MS = 120_000;
/** For requests in flight, an AI call among them, when the app is asked to end: below the 30 s that platforms wait. */
export const DRAIN_MS = 25_000;

/** Starts the app as a child. Use `untilReady` before telling anybody. */
export function startApp(options: AppOptions): Child {
  const next = installed("next/dist/bin/next", options.mode, "-H", options.host, "-p", String(options.port));
  return startChild(options.command ?? next, {
    env: {
      ...options.environment,
      NODE_ENV: options.mode === "dev" ? "development" : "production",
      NEXT_TELEMETRY_DISABLED: "1",
      HOST: options.host,
      PORT: String(options.port),
      BOOT_ID: options.bootId,
    },
    tied: true,
    holds: options.holds,
    onLine: options.onLine,
    ...(options.mode === "start" ? { graceMs: DRAIN_MS } : {}),
  });
}

/** Waits until GET /api/health answers 200. Throws with the app's last lines when it ends or stays unwell. */
export async function untilReady(app: Child, host: string, port: number): Promise<void> {
  const url = `http://${reachableHost(host)}:${port}/api/health`;
  const until = Date.now() + READY_TIMEOUT_MS;
  let gone: { lastLines: string } | undefined;
  app.ended.then((result) => {
    gone = result;
  });
  while (!(await isHealthy(url))) {
    if (gone) throw new Error(`${gone.lastLines}\n\nThe app ended while it was starting: see the lines above.`);
    if (Date.now() > until) throw new Error(`The app did not become ready within 2 minutes (${url}).`);
    await pause(100);
  }
}

/** Throws one sentence when another program has the port. */
export async function requireFreePort(port: number, host: string, command: string): Promise<void> {
  // A program on the other address family would be the one that http://localhost opens.
  const hosts = host === "127.0.0.1" ? [host, "::1"] : [host];
  for (const each of hosts) {
    if (await isFree(port, each)) continue;
    throw new Error(
      `Port ${port} is taken by another program: end that, or choose another port with PORT=${port + 1} npm run ${command}.`,
    );
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(30_000) })).status === 200;
  } catch {
    return false;
  }
}

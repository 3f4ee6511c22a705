import type { Writable } from "node:stream";
import { reachableHost } from "@/lib/env";
import { type Child, packageCommand, startChild } from "@/scripts/child";
import { isFree } from "@/scripts/ports";
import { pause } from "@/scripts/processes";

export type AppOptions = {
  mode: "dev" | "start";
  /** The command to run as the app; Next.js by default. */
  command?: string[] | undefined;
  host: string;
  port: number;
  environment: NodeJS.ProcessEnv;
  /** Recorded on the leases the process takes. */
  bootId: string;
  /** Kept open by the app for as long as it lives. */
  keepsOpen: Writable | undefined;
  onLine: (line: string) => void;
};

const READY_TIMEOUT_MS = 120_000;
/** Time for in-flight requests, including AI calls, on shutdown: below the 30 s that platforms allow. */
export const DRAIN_MS = 25_000;

/**
 * Longer than proxies keep an idle connection (nginx 60 s, Caddy 120 s), so that none sends a request on one that is just
 * being closed: it would answer 502, and a POST is not sent again. The Dockerfile says the same.
 */
const KEEP_ALIVE_MS = 130_000;

/** Starts the app as a child process; wait for `waitUntilReady` before announcing it. */
export function startApp(options: AppOptions): Child {
  const next = packageCommand(
    "next/dist/bin/next",
    options.mode,
    ...["-H", options.host, "-p", String(options.port)],
    ...(options.mode === "start" ? ["--keepAliveTimeout", String(KEEP_ALIVE_MS)] : []),
  );
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
    keepsOpen: options.keepsOpen,
    onLine: options.onLine,
    ...(options.mode === "start" ? { graceMs: DRAIN_MS } : {}),
  });
}

/** Waits until GET /api/ready returns 200. Throws with the app's last lines if it exits or does not get ready. */
export async function waitUntilReady(app: Child, host: string, port: number): Promise<void> {
  const url = `http://${reachableHost(host)}:${port}/api/ready`;
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let exited: { lastLines: string } | undefined;
  app.ended.then((result) => {
    exited = result;
  });
  while (!(await isReady(url))) {
    if (exited) throw new Error(`${exited.lastLines}\n\nThe app exited while starting; see the lines above.`);
    if (Date.now() > deadline) throw new Error(`The app did not become ready within 2 minutes (${url}).`);
    await pause(100);
  }
}

export async function requireFreePort(port: number, host: string, command: string): Promise<void> {
  // Check IPv6 too: http://localhost would open a program listening there.
  const hosts = host === "127.0.0.1" ? [host, "::1"] : [host];
  for (const each of hosts) {
    if (await isFree(port, each)) continue;
    throw new Error(
      `Port ${port} is in use by another program: stop it, or choose another port with PORT=${port + 1} npm run ${command}.`,
    );
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(30_000) })).status === 200;
  } catch {
    return false;
  }
}

import type { Instrumentation } from "next";
import type { Env } from "@/lib/env";

/**
 * Runs once at start, never in `next build`: checks the deployment, registers with the job engine and resumes waiting
 * work.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || process.env.NEXT_PHASE === "phase-production-build") return;
  const { env, requireDeployable, startupWarnings } = await import("@/lib/env");
  const { guardServer } = await import("@/lib/transport/server/guard");
  // First: no request may reach Next unguarded.
  guardServer({ platform: env.VERCEL === "1" });
  const { ignoreBrokenPipe } = await import("@/lib/utils/broken-pipe");
  ignoreBrokenPipe();
  requireDeployable(env);
  // This runs before the first database client is created, so that it is watched too.
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT) await observe(env);
  const { log } = await import("@/lib/log");
  // The launcher prints them itself when it runs this process.
  if (!env.BOOT_ID) for (const warning of startupWarnings(env)) log.warn(warning);
  // On Vercel every function instance starts and may end at any time: only the schedule sweeps there.
  if (env.VERCEL === "1") return;
  if (env.BOOT_ID) (await import("@/lib/transport/launcher")).exitWithLauncher();
  const { resumeAfterOutage } = await import("@/lib/features/work/writes/sending");
  const { keepRegistered } = await import("@/lib/events/registration");
  keepRegistered(env, resumeAfterOutage);
}

/** Starts telemetry, of which nothing is loaded unless a collector is configured. */
async function observe(env: Env): Promise<void> {
  (await import("@/lib/telemetry/start")).startTelemetry(env);
  const { observeGauges } = await import("@/lib/telemetry/gauges");
  const { queueDepth } = await import("@/lib/features/work/reads");
  const { enginePresence } = await import("@/lib/events/presence");
  observeGauges({ queue: queueDepth, engine: enginePresence });
}

/**
 * Logs a failed page under the request id that its error page shows (lib/transport/page-failure.ts). The digest is
 * Next's own where it is not that id.
 */
export const onRequestError: Instrumentation.onRequestError = async (error, request, { routePath }) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { log } = await import("@/lib/log");
  const { digest } = error as { digest?: string };
  const requestId = request.headers["x-request-id"];
  log.error({ err: error, requestId, digest, route: routePath, method: request.method }, "a page failed");
};

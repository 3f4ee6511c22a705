import type { Instrumentation } from "next";

/** Once at start, never in `next build`: refuse a deployment that misses something, then keep known to the job engine and send what was left waiting. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || process.env.NEXT_PHASE === "phase-production-build") return;
  const { dropUnwritable } = await import("@/lib/utils/output");
  dropUnwritable();
  const { env, requireDeployable, warningsAtStart } = await import("@/lib/env");
  requireDeployable(env);
  const { log } = await import("@/lib/log");
  // The launcher has printed them already, where it watches this process.
  if (!env.BOOT_ID) for (const warning of warningsAtStart(env)) log.warn(warning);
  // On Vercel every function instance starts, and the platform ends them: there the schedule alone sweeps.
  if (env.VERCEL === "1") return;
  const { drainWhenAsked } = await import("@/lib/transport/drain");
  drainWhenAsked();
  if (env.BOOT_ID) (await import("@/lib/transport/launcher")).endWithLauncher();
  const { engineBack, freeLost } = await import("@/lib/features/jobs/writes/recover");
  // Before the first request: the engine calls again for what the last process died of, and that has to cost an attempt.
  await freeLost().catch((error: unknown) => log.warn({ err: error }, "lost items are not counted yet"));
  const { keepRegistered } = await import("@/lib/events/registration");
  keepRegistered(env, engineBack);
}

/**
 * A page that failed, in the log under the id that the person sees (see lib/transport/page-failure.ts). The digest is
 * Next's own number where it is not that id.
 */
export const onRequestError: Instrumentation.onRequestError = async (error, request, { routePath }) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { log } = await import("@/lib/log");
  const { digest } = error as { digest?: string };
  const requestId = request.headers["x-request-id"];
  log.error({ err: error, requestId, digest, route: routePath, method: request.method }, "a page failed");
};

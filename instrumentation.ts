/** Once at start, never in `next build`: refuse a deployment that misses something, then pick up what was left waiting. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || process.env.NEXT_PHASE === "phase-production-build") return;
  const { env, requireDeployable } = await import("@/lib/env");
  requireDeployable(env);
  // On Vercel every function instance starts, and the platform ends them: there the schedule alone sweeps.
  if (env.VERCEL === "1") return;
  const { drainWhenAsked } = await import("@/lib/transport/drain");
  drainWhenAsked();
  const [{ sweepAtStart }, { log }] = await Promise.all([import("@/lib/features/jobs/writes"), import("@/lib/log")]);
  sweepAtStart().catch((error: unknown) => log.warn({ err: error }, "first sweep failed; the schedule tries again"));
}

import type { Bench } from "@/tests/bench/benchmark";
import type { Attack, Prepared } from "@/tests/bench/fairness/attack";
import { startQueue, waitUntilSent } from "@/tests/bench/fairness/queue";
import { newUser } from "@/tests/bench/fairness/users";

/** How long all users waited after a cancel when this was measured first. */
const AFTERWARDS_SECONDS = 16;

/** A user cancels a long queue, as any user may. */
export const cancelAttacks: Attack[] = [
  { ...attack("cancel-1000", 1_000), seconds: AFTERWARDS_SECONDS },
  { ...attack("cancel-10000", 10_000), seconds: 4 * AFTERWARDS_SECONDS, isLarge: true },
];

function attack(name: string, items: number): Attack {
  const shown = items.toLocaleString("en");
  return {
    name,
    about: `a user cancels ${shown} queued outlines at the beginning: POST /api/queue/jobs/{id}/cancel`,
    pattern: { kind: "once" },
    prepare: (bench) => queued(bench, items),
  };
}

async function queued(bench: Bench, items: number): Promise<Prepared> {
  return async (isAttacked) => {
    if (!isAttacked) return { calls: [] };
    // A slow provider: the queue hardly moves until it is cancelled.
    const user = await newUser(bench, { latencyMs: 60_000 });
    const jobId = await startQueue(bench, user, items);
    await waitUntilSent(bench, jobId);
    return { calls: [{ method: "POST", path: `/api/queue/jobs/${jobId}/cancel`, cookie: user.cookie }] };
  };
}

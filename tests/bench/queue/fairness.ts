import { setTimeout as wait } from "node:timers/promises";
import { ask, newUser } from "@/tests/bench/fairness/users";
import { type Counts, insertTopic, measureJob, queueOutlines, type Side } from "@/tests/bench/queue/side";

const FEW = 5;
const UNDER_WAY = "SELECT 1 FROM processing_queue WHERE job_id = $1 AND status = 'completed' HAVING count(*) >= 20";
const ENDED = "SELECT 1 FROM processing_jobs WHERE id = $1 AND completed_at IS NOT NULL";

/** A small job alone, and behind another user's large one, which is cancelled afterwards. */
export async function measureFairness(side: Side, behind: number): Promise<Counts> {
  const { bench, engine, user } = side;
  const alone = await measureJob(side, user, await insertTopic(side, user, FEW));
  const other = await newUser(bench);
  const jobId = await queueOutlines(side, other, await insertTopic(side, other, behind));
  await side.until(UNDER_WAY, jobId);
  const after = await measureJob(side, user, await insertTopic(side, user, FEW));
  await ask(bench, "POST", `/api/queue/jobs/${jobId}/cancel`, { cookie: other.cookie });
  await side.until(ENDED, jobId);
  while (await engine.ask("busy")) await wait(100);
  return { "fairness: alone, s": alone, "fairness: behind, s": after, "fairness: ratio": after / alone };
}

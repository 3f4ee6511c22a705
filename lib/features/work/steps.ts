import "server-only";
import { announceChange } from "@/lib/db/announce";
import { findItemOfRun, type Sending } from "@/lib/features/work/sql/items";
import { cancelOrphans } from "@/lib/features/work/sql/jobs";
import { pruneJobs, pruneUnbegun } from "@/lib/features/work/sql/pruning";
import { endLiveItem, STOPPED } from "@/lib/features/work/writes/run";
import { releaseForChangedKeys, releaseHeld, sendProbes, sendUnsent } from "@/lib/features/work/writes/sending";

export { workOnItem } from "@/lib/features/work/writes/run";

/** Sends a job's waiting items to the engine, oldest first. May run twice: it sends what is not sent yet. */
export function dispatchJob(jobId: string): Promise<number> {
  return sendUnsent({ jobId });
}

/**
 * Ends the item of a run that was failed or cancelled in the engine, unless it has ended, another run has claimed it or it was
 * sent again. `sent` is the event that started the run.
 */
export async function endItemOfRun(
  { runId, sent }: { runId: string; sent: Sending | null },
  as: "failed" | "cancelled",
): Promise<boolean> {
  const item = await findItemOfRun(runId, sent);
  if (!item) return false;
  const [move, error] = as === "failed" ? (["giveUp", STOPPED] as const) : (["cancel", CANCELLED] as const);
  return endLiveItem({ ...item, runId }, move, error);
}

const CANCELLED = "Its run was cancelled in the job engine.";

/** The user entered another key: sends the items that were held for the old one. */
export function resumeHeldItems(userId: string): Promise<number> {
  return releaseHeld(userId);
}

/** What a job's own dispatch may be sending is spared. */
const SWEEP_GRACE_SECONDS = 60;
/** Items that wait for so long without a claim may be lost. */
const QUIET_SECONDS = 120;

/** Removes the rows of old work; a user's counts stay. */
export async function pruneWork(): Promise<void> {
  while ((await pruneJobs()) > 0);
  await pruneUnbegun();
}

/** Every five minutes: ends what nobody works on, and sends what no run comes for or the engine may have lost. */
export async function sweep(): Promise<number> {
  await releaseForChangedKeys();
  for (const userId of await cancelOrphans(null)) announceChange(userId);
  const sent = await sendUnsent({}, SWEEP_GRACE_SECONDS);
  return sent + (await sendProbes(null, { quietSeconds: QUIET_SECONDS }));
}

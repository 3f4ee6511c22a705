import "server-only";
import { retryOnDeadlock } from "@/lib/db/retry";
import type { ItemRun } from "@/lib/features/work/schema";
import { endItem, findItemOfRun, isUnwanted as isUnwantedRow } from "@/lib/features/work/sql/items";
import { selectUndispatched } from "@/lib/features/work/sql/waiting";
import { BATCH_SIZE, sendItems } from "@/lib/features/work/writes/dispatch";
import { releaseHeldItems } from "@/lib/features/work/writes/gate";
import { recoverItems, releaseForChangedKeys } from "@/lib/features/work/writes/recover";
import { uuid } from "@/lib/utils/zod";

/** Sends a job's waiting items to the engine, oldest first. May run twice: the engine drops event ids it has seen. */
export async function dispatchJob(jobId: string): Promise<number> {
  let sent = 0;
  for (;;) {
    const items = await selectUndispatched(jobId, BATCH_SIZE);
    await sendItems(items);
    sent += items.length;
    if (items.length < BATCH_SIZE) return sent;
  }
}

/** Is a run that begins now for nothing? Its item was cancelled, dispatched again or deleted meanwhile. */
export function isUnwanted(run: ItemRun): Promise<boolean> {
  return isUnwantedRow(run);
}

/**
 * Ends the item of a run that was failed or cancelled in the engine, unless it has ended or was dispatched again. Without a
 * `dispatch` only a run that has claimed its item is known.
 */
export async function endItemOfRun(
  { runId, dispatch }: { runId: string; dispatch: string | null },
  as: "failed" | "cancelled",
): Promise<boolean> {
  const itemId = uuid.safeParse(dispatch?.slice(0, 36)).data ?? null;
  const run = await findItemOfRun(runId, itemId);
  if (!run) return false;
  const [move, error] = as === "failed" ? (["giveUp", STOPPED] as const) : (["cancel", CANCELLED] as const);
  return retryOnDeadlock(() => endItem({ ...run, dispatch: dispatch ?? run.dispatch }, move, error));
}

const STOPPED = "The work stopped before it was done. Try again.";
const CANCELLED = "Its run was cancelled in the job engine.";

/** The user entered another key: sends the items that were held for the old one. */
export function resumeHeldItems(userId: string): Promise<number> {
  return releaseHeldItems(userId);
}

const SWEEP_GRACE_SECONDS = 60;

/** Every five minutes: reclaims items whose lease expired, and sends those that were never sent or that the engine has lost. */
export async function sweep(): Promise<number> {
  await releaseForChangedKeys();
  return recoverItems(null, SWEEP_GRACE_SECONDS);
}

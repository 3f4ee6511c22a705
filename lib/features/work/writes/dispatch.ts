import "server-only";
import pLimit from "p-limit";
import { contentItemQueued, jobQueued, outlineItemQueued } from "@/lib/events/catalogue";
import { cancelRun } from "@/lib/events/engine";
import { type Sent, sendEvents } from "@/lib/events/send";
import { markDispatched, type WaitingItem } from "@/lib/features/work/sql/waiting";
import { MAX_UNWANTED_CALLS } from "@/lib/limits/bounds";
import { log } from "@/lib/log";
import { afterResponse } from "@/lib/transport/after-response";

/** Events per request to the engine. */
export const BATCH_SIZE = 500;

/** Asks the engine to dispatch a job's items. Undefined: it is away, and the items are sent when it is back. */
export async function announceJob(userId: string, jobId: string): Promise<Sent | undefined> {
  try {
    return await sendEvents(jobQueued.create({ jobId, userId }));
  } catch (error) {
    log.warn({ err: error, jobId }, "job not announced; the sweep will send its items");
    return undefined;
  }
}

export async function sendItems(items: WaitingItem[]): Promise<void> {
  for (let at = 0; at < items.length; at += BATCH_SIZE) {
    const batch = items.slice(at, at + BATCH_SIZE);
    const { ids } = await sendEvents(batch.map(itemEvent));
    const sent = batch.map(({ itemId, dispatch }, place) => ({ itemId, dispatch, eventRef: ids[place] }));
    await markDispatched(sent);
  }
}

function itemEvent({ itemId, jobType, jobId, userId, dispatch }: WaitingItem) {
  const type = jobType === "outline_generation" ? outlineItemQueued : contentItemQueued;
  return { ...type.create({ itemId, jobId, userId, dispatch }), id: `item-${dispatch}` };
}

const cancelling = pLimit(MAX_UNWANTED_CALLS);

/** Cancels runs in the engine, after the response. If it does not take one, the rest end when they wake up. */
export function cancelRuns(runIds: string[]): void {
  if (runIds.length === 0) return;
  afterResponse("cancelling runs", async () => {
    let failure: unknown;
    const cancel = async (runId: string) => {
      if (failure !== undefined) return;
      await cancelRun(runId).catch((error: unknown) => {
        failure = error;
      });
    };
    await Promise.all(runIds.map((runId) => cancelling(cancel, runId)));
    if (failure) log.warn({ err: failure, runs: runIds.length }, "runs not cancelled; they end when they wake up");
  });
}

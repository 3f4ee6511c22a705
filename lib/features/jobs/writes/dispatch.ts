import "server-only";
import { contentItemQueued, itemCancelled, jobQueued, outlineItemQueued } from "@/lib/events/catalogue";
import { type Sent, sendEvents } from "@/lib/events/send";
import { markDispatched, type WaitingItem } from "@/lib/features/jobs/sql/waiting";
import { log } from "@/lib/log";

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

/** Ends the runs of items that were cancelled or dispatched again; a run that wakes up first ends by itself. */
export async function cancelRuns(dispatches: string[]): Promise<void> {
  try {
    for (let at = 0; at < dispatches.length; at += BATCH_SIZE) {
      const batch = dispatches.slice(at, at + BATCH_SIZE);
      await sendEvents(batch.map((dispatch) => itemCancelled.create({ dispatch })));
    }
  } catch (error) {
    log.warn({ err: error, runs: dispatches.length }, "runs not cancelled; they end when they wake up");
  }
}

import "server-only";
import { contentItemQueued, itemCancelled, jobQueued, outlineItemQueued } from "@/lib/events/catalogue";
import { type Sent, sendEvents } from "@/lib/events/send";
import { markDispatched, selectUndispatched, type WaitingItem } from "@/lib/features/jobs/sql/waiting";
import { log } from "@/lib/log";

/** Events sent in one request. */
const BATCH = 500;

/**
 * Tells the engine of a job whose items wait to be handed out. Undefined: it is away; they stay, and are sent when it is
 * back.
 */
export async function announce(userId: string, jobId: string): Promise<Sent | undefined> {
  try {
    return await sendEvents(jobQueued.create({ jobId, userId }));
  } catch (error) {
    log.warn({ err: error, jobId }, "job not announced; the sweep will send its items");
    return undefined;
  }
}

/** Hands a job's waiting items to the engine, oldest first. May run twice: the engine drops an event id it has seen. */
export async function dispatchJob(jobId: string): Promise<number> {
  let sent = 0;
  for (;;) {
    const items = await selectUndispatched(jobId, BATCH);
    await sendItems(items);
    sent += items.length;
    if (items.length < BATCH) return sent;
  }
}

/** Starts a run an item. */
export async function sendItems(items: WaitingItem[]): Promise<void> {
  for (let at = 0; at < items.length; at += BATCH) {
    const batch = items.slice(at, at + BATCH);
    const { ids } = await sendEvents(batch.map(itemEvent));
    const sent = batch.map(({ itemId, dispatch }, place) => ({ itemId, dispatch, eventRef: ids[place] }));
    await markDispatched(sent);
  }
}

function itemEvent({ itemId, jobType, jobId, userId, dispatch }: WaitingItem) {
  const type = jobType === "outline_generation" ? outlineItemQueued : contentItemQueued;
  return { ...type.create({ itemId, jobId, userId, dispatch }), id: `item-${dispatch}` };
}

/** Ends the runs of items that were cancelled or handed over again. A run that wakes up first sees it by itself. */
export async function cancelRuns(dispatches: string[]): Promise<void> {
  try {
    for (let at = 0; at < dispatches.length; at += BATCH) {
      const batch = dispatches.slice(at, at + BATCH);
      await sendEvents(batch.map((dispatch) => itemCancelled.create({ dispatch })));
    }
  } catch (error) {
    log.warn({ err: error, runs: dispatches.length }, "runs not cancelled; they end when they wake up");
  }
}

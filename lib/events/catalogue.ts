import { eventType } from "inngest";
import { z } from "zod";

/**
 * Every event, with ids only: what an item is about stands in its row, and whose it is too. `dispatch` names one handing
 * over of an item: whatever is sent for it again has another.
 */
const item = z.object({ itemId: z.uuid(), jobId: z.uuid(), userId: z.uuid(), dispatch: z.string() });

/** A job's items wait to be handed out. */
export const jobQueued = eventType("jobs/job.queued", { schema: z.object({ jobId: z.uuid(), userId: z.uuid() }) });

/** One outline, one post to write: the event that starts the item's one run. */
export const outlineItemQueued = eventType("jobs/outline-item.queued", { schema: item });
export const contentItemQueued = eventType("jobs/content-item.queued", { schema: item });

/** Sent by a run whose item was cancelled while it was at work: the engine cancels the run of this dispatch. */
export const itemCancelled = eventType("jobs/item.cancelled", { schema: z.object({ dispatch: z.string() }) });

/** A publishing job has pieces that wait. */
export const publishingQueued = eventType("publishing/job.queued", {
  schema: z.object({ jobId: z.uuid(), userId: z.uuid() }),
});

/** A user entered or removed the provider's key. */
export const providerKeyChanged = eventType("account/provider-key.changed", {
  schema: z.object({ userId: z.uuid() }),
});

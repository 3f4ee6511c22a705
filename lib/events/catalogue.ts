import { eventType } from "inngest";
import { z } from "zod";

/**
 * Every event, with ids only: what an item is about stands in its row, and whose it is too. `dispatch` is the item with the
 * number of the sending: the release before knows its events by it, and sends no `jobType`.
 */
const item = z.object({
  itemId: z.uuid(),
  jobId: z.uuid(),
  userId: z.uuid(),
  dispatch: z.string(),
  jobType: z.enum(["outline_generation", "content_generation"]).optional(),
});

/** Which sending of its item an event is. */
export function sendsOf({ itemId, dispatch }: { itemId: string; dispatch: string }): number {
  return Number(dispatch.slice(itemId.length + 1));
}

/** A job's items wait to be handed out. */
export const jobQueued = eventType("jobs/job.queued", { schema: z.object({ jobId: z.uuid(), userId: z.uuid() }) });

/** One outline, one post to write: the event that starts the item's one run. */
export const outlineItemQueued = eventType("jobs/outline-item.queued", { schema: item });
export const contentItemQueued = eventType("jobs/content-item.queued", { schema: item });

/** An item of either kind that the user has moved to the front. */
export const nextItemQueued = eventType("jobs/next-item.queued", { schema: item });

/** A publishing job has pieces that wait. */
export const publishingQueued = eventType("publishing/job.queued", {
  schema: z.object({ jobId: z.uuid(), userId: z.uuid() }),
});

/** A user entered or removed the provider's key. */
export const providerKeyChanged = eventType("account/provider-key.changed", {
  schema: z.object({ userId: z.uuid() }),
});

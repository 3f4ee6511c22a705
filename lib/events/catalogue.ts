import { eventType } from "inngest";
import { z } from "zod";

/** Every event, with ids only: what an item is about stands in its row, and whose it is too. */
const item = z.object({ itemId: z.uuid(), jobId: z.uuid(), userId: z.uuid() });

/** A job's items wait to be handed out. */
export const jobQueued = eventType("jobs/job.queued", { schema: z.object({ jobId: z.uuid(), userId: z.uuid() }) });

/** One outline, one post to write. */
export const outlineItemQueued = eventType("jobs/outline-item.queued", { schema: item });
export const contentItemQueued = eventType("jobs/content-item.queued", { schema: item });

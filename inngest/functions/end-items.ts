import { z } from "zod";
import { MAX_RETRIES, withEngineErrors } from "@/inngest/failures";
import { sendsOf } from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import { endItemOfRun } from "@/lib/features/work/steps";
import { MAX_UNWANTED_CALLS } from "@/lib/limits/bounds";

const OF_ITEMS = ["generate-outlines", "write-content", "work-on-next"].map(
  (id) => `event.data.function_id == '${inngest.id}-${id}'`,
);

/** The engine's event about a run that ended: its id, and usually the event that started it. */
const ended = z.object({
  name: z.string(),
  data: z.object({
    run_id: z.string(),
    event: z
      .object({ data: z.object({ itemId: z.uuid(), dispatch: z.string() }).optional().catch(undefined) })
      .optional(),
  }),
});

/** Ends the item of a run that was cancelled or failed in the engine. It has no steps, so it takes one call a run. */
export const endItems = inngest.createFunction(
  {
    id: "end-items",
    name: "End an item with its run",
    triggers: OF_ITEMS.flatMap((expression) => [
      { event: "inngest/function.cancelled", if: expression },
      { event: "inngest/function.failed", if: expression },
    ]),
    retries: MAX_RETRIES,
    concurrency: MAX_UNWANTED_CALLS,
  },
  ({ event }) => {
    const { name, data } = ended.parse(event);
    const sent = data.event?.data;
    const run = { runId: data.run_id, sent: sent ? { itemId: sent.itemId, sends: sendsOf(sent) } : null };
    const as = name === "inngest/function.failed" ? "failed" : "cancelled";
    return withEngineErrors(() => endItemOfRun(run, as));
  },
);

import { RETRIES } from "@/inngest/failures";
import { endRun, ITEM_RUN, turn } from "@/inngest/item-run";
import { env } from "@/lib/env";
import { outlineItemQueued } from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import { writeOutlineItem } from "@/lib/features/generation/steps/outline";

/** outline_generation: one item, one AI call. Each person's items share that person's places at the provider. */
export const generateOutlines = inngest.createFunction(
  {
    id: "generate-outlines",
    name: "Generate an outline",
    triggers: [outlineItemQueued],
    retries: RETRIES,
    concurrency: { key: "event.data.userId", limit: env.AI_MAX_CONCURRENCY_PER_USER },
    ...ITEM_RUN,
  },
  async ({ event, step, runId }) => {
    const run = { itemId: event.data.itemId, dispatch: event.data.dispatch, runId };
    return endRun(step, await turn(step, { id: "outline", name: "Outline" }, () => writeOutlineItem(run)), run);
  },
);

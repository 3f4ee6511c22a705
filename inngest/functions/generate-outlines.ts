import { MAX_RETRIES } from "@/inngest/failures";
import { ITEM_RUN_OPTIONS, runItem, runStep } from "@/inngest/item-run";
import { env } from "@/lib/env";
import { outlineItemQueued } from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import { writeOutlineItem } from "@/lib/features/generation/steps/outline";

/** outline_generation: one item, one AI call. Concurrency is limited per user. */
export const generateOutlines = inngest.createFunction(
  {
    id: "generate-outlines",
    name: "Generate an outline",
    triggers: [outlineItemQueued],
    retries: MAX_RETRIES,
    concurrency: { key: "event.data.userId", limit: env.AI_MAX_CONCURRENCY_PER_USER },
    ...ITEM_RUN_OPTIONS,
  },
  ({ event, step, runId, isFirstCall }) => {
    const run = { itemId: event.data.itemId, dispatch: event.data.dispatch, runId };
    return runItem({ step, run, isFirstCall }, () =>
      runStep(step, { id: "outline", name: "Outline" }, () => writeOutlineItem(run)),
    );
  },
);

import { RETRIES, settled } from "@/inngest/failures";
import { env } from "@/lib/env";
import { outlineItemQueued } from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import { writeOutlineItem } from "@/lib/features/generation/steps";

/** outline_generation: one item, one AI call. Each person's items share that person's places at the provider. */
export const generateOutlines = inngest.createFunction(
  {
    id: "generate-outlines",
    triggers: [outlineItemQueued],
    retries: RETRIES,
    concurrency: { key: "event.data.userId", limit: env.AI_MAX_CONCURRENCY_PER_USER },
  },
  async ({ event, step, runId }) => {
    for (let attempt = 0; ; attempt++) {
      const outcome = await step.run(`outline-${attempt}`, () =>
        settled(() => writeOutlineItem(event.data.itemId, runId)),
      );
      if (outcome.next !== "wait") return outcome;
      await step.sleep(`wait-${attempt}`, outcome.waitSeconds * 1000);
    }
  },
);

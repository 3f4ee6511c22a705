import { RETRIES, settled } from "@/inngest/failures";
import { env } from "@/lib/env";
import { contentItemQueued } from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import { finishContentItem, writeSectionItem } from "@/lib/features/generation/steps";

/** content_generation: one item, one AI call a step, each section saved before the next begins. */
export const writeContent = inngest.createFunction(
  {
    id: "write-content",
    triggers: [contentItemQueued],
    retries: RETRIES,
    concurrency: { key: "event.data.userId", limit: env.AI_MAX_CONCURRENCY_PER_USER },
  },
  async ({ event, step, runId }) => {
    const { itemId } = event.data;
    for (let turn = 0; ; turn++) {
      const outcome = await step.run(`section-${turn}`, () => settled(() => writeSectionItem(itemId, runId)));
      if (outcome.next === "end") return outcome;
      if (outcome.next === "finish") return step.run("finish", () => settled(() => finishContentItem(itemId, runId)));
      if (outcome.next === "wait") await step.sleep(`wait-${turn}`, outcome.waitSeconds * 1000);
    }
  },
);

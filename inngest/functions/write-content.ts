import { MAX_RETRIES } from "@/inngest/failures";
import { ITEM_RUN_OPTIONS, runItem, runStep } from "@/inngest/item-run";
import { env } from "@/lib/env";
import { contentItemQueued } from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import { finishText, prepareText, writeSectionItem } from "@/lib/features/generation/steps/text";

/** content_generation: one AI call per step; each section is saved before the next begins. */
export const writeContent = inngest.createFunction(
  {
    id: "write-content",
    name: "Write a post",
    triggers: [contentItemQueued],
    retries: MAX_RETRIES,
    concurrency: { key: "event.data.userId", limit: env.AI_MAX_CONCURRENCY_PER_USER },
    ...ITEM_RUN_OPTIONS,
  },
  ({ event, step, runId, isFirstCall }) => {
    const run = { itemId: event.data.itemId, dispatch: event.data.dispatch, runId };
    return runItem({ step, run, isFirstCall }, async () => {
      let outcome = await runStep(step, { id: "prepare", name: "Look at the outline" }, () => prepareText(run));
      while (outcome.next === "section") {
        const { index, count } = outcome;
        const section = { id: `section-${index}`, name: `Section ${index} of ${count}` };
        outcome = await runStep(step, section, () => writeSectionItem(run, index));
      }
      if (outcome.next !== "finish") return outcome;
      return runStep(step, { id: "finish", name: "Put the sections together" }, () => finishText(run));
    });
  },
);

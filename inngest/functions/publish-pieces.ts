import { MAX_RETRIES, withEngineErrors } from "@/inngest/failures";
import { publishingQueued } from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import { publishSlice } from "@/lib/features/publishing/steps";

/** The engine ends a run at 1,000 steps; a run hands over before, and a slice may be followed by a wait. */
const MAX_SLICES = 400;

/** A publishing job, slice by slice. Any number of runs may work on a job: its lease admits one at a time. */
export const publishPieces = inngest.createFunction(
  {
    id: "publish-pieces",
    name: "Publish or unpublish many pieces",
    triggers: [publishingQueued],
    retries: MAX_RETRIES,
    concurrency: { key: "event.data.jobId", limit: 1 },
  },
  async ({ event, step }) => {
    const { jobId, userId } = event.data;
    for (let slice = 1; slice <= MAX_SLICES; slice++) {
      const outcome = await step.run({ id: `slice-${slice}`, name: `Slice ${slice}` }, () =>
        withEngineErrors(() => publishSlice(jobId)),
      );
      if (outcome.next === "end") return;
      if (outcome.next === "wait") await step.sleep({ id: `wait-${slice}`, name: "Wait" }, outcome.waitSeconds * 1000);
    }
    await step.sendEvent({ id: "hand-over", name: "Hand over" }, publishingQueued.create({ jobId, userId }));
  },
);

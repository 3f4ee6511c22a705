import { RETRIES, settled } from "@/inngest/failures";
import { jobQueued } from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import { dispatchJob } from "@/lib/features/jobs/writes/dispatch";

/** A job was queued: hand its items out, one event each. */
export const dispatchItems = inngest.createFunction(
  { id: "dispatch-items", name: "Hand out a job's items", triggers: [jobQueued], retries: RETRIES },
  ({ event, step }) =>
    step.run({ id: "dispatch", name: "Start a run an item" }, () => settled(() => dispatchJob(event.data.jobId))),
);

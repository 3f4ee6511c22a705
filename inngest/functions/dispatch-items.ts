import { RETRIES, settled } from "@/inngest/failures";
import { jobQueued } from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import { dispatchJob } from "@/lib/features/jobs/writes";

/** A job was queued: hand its items out, one event each. */
export const dispatchItems = inngest.createFunction(
  { id: "dispatch-items", triggers: [jobQueued], retries: RETRIES },
  ({ event, step }) => step.run("dispatch", () => settled(() => dispatchJob(event.data.jobId))),
);

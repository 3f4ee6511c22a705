import { MAX_RETRIES, withEngineErrors } from "@/inngest/failures";
import { jobQueued } from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import { dispatchJob } from "@/lib/features/work/steps";

export const dispatchItems = inngest.createFunction(
  { id: "dispatch-items", name: "Hand out a job's items", triggers: [jobQueued], retries: MAX_RETRIES },
  ({ event, step }) =>
    step.run({ id: "dispatch", name: "Start a run an item" }, () =>
      withEngineErrors(() => dispatchJob(event.data.jobId)),
    ),
);

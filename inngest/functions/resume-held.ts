import { RETRIES, settled } from "@/inngest/failures";
import { providerKeyChanged } from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import { askAgain } from "@/lib/features/jobs/writes/gate";

/** A person entered another key: what was held for the old one goes on. */
export const resumeHeld = inngest.createFunction(
  { id: "resume-held", name: "Resume what waited for a key", triggers: [providerKeyChanged], retries: RETRIES },
  ({ event, step }) =>
    step.run({ id: "resume", name: "Send the held items" }, () => settled(() => askAgain(event.data.userId))),
);

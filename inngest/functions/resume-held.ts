import { MAX_RETRIES, withEngineErrors } from "@/inngest/failures";
import { providerKeyChanged } from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import { resumeHeldItems } from "@/lib/features/work/steps";

/** Sends the items held for the old key once the user has changed it. */
export const resumeHeld = inngest.createFunction(
  { id: "resume-held", name: "Resume what waited for a key", triggers: [providerKeyChanged], retries: MAX_RETRIES },
  ({ event, step }) =>
    step.run({ id: "resume", name: "Send the held items" }, () =>
      withEngineErrors(() => resumeHeldItems(event.data.userId)),
    ),
);

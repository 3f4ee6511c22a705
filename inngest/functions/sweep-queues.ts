import { cron } from "inngest";
import { withEngineErrors } from "@/inngest/failures";
import { inngest } from "@/lib/events/client";
import { pruneExpired } from "@/lib/features/account/steps";
import { countLengths } from "@/lib/features/content/steps";
import { removeDeleted } from "@/lib/features/deletion/steps";
import { pruneWork, sweep } from "@/lib/features/work/steps";
import { REMOVING_MS } from "@/lib/limits/bounds";
import { pruneLimits } from "@/lib/limits/rate-limits";
import { recountUsers } from "@/lib/limits/storage-quota";

/** Every five minutes: recovers stuck items, deletes what has expired, removes what was deleted, counts words and recounts storage. */
export const sweepQueues = inngest.createFunction(
  { id: "sweep-queues", name: "Sweep the queues", triggers: [cron("*/5 * * * *")], retries: 2 },
  async ({ step }) => {
    const resent = await step.run({ id: "sweep", name: "Send what nobody comes for" }, () => withEngineErrors(sweep));
    await step.run({ id: "prune-work", name: "Forget old work" }, () => withEngineErrors(pruneWork));
    await step.run({ id: "prune-limits", name: "Forget limits" }, () => withEngineErrors(pruneLimits));
    await step.run({ id: "forget-ended", name: "Forget what has run out" }, () => withEngineErrors(pruneExpired));
    await step.run({ id: "remove-deleted", name: "Remove what is deleted" }, () =>
      withEngineErrors(() => removeDeleted({ ms: REMOVING_MS })),
    );
    await step.run({ id: "count-words", name: "Count words" }, () => withEngineErrors(countLengths));
    await step.run({ id: "recount", name: "Recount storage" }, () => withEngineErrors(recountUsers));
    return { resent };
  },
);

import { cron } from "inngest";
import { settled } from "@/inngest/failures";
import { inngest } from "@/lib/events/client";
import { sweep } from "@/lib/features/jobs/writes";
import { pruneLimits } from "@/lib/limits/limits";

/** Every five minutes: send again what nobody will come for, and forget counts that have run out. */
export const sweepQueues = inngest.createFunction(
  { id: "sweep-queues", triggers: [cron("*/5 * * * *")], retries: 2 },
  async ({ step }) => {
    const resent = await step.run("sweep", () => settled(sweep));
    await step.run("prune-limits", () => settled(pruneLimits));
    return { resent };
  },
);

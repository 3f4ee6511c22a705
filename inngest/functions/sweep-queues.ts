import { cron } from "inngest";
import { settled } from "@/inngest/failures";
import { inngest } from "@/lib/events/client";
import { forgetEnded } from "@/lib/features/account/writes/forget";
import { sweep } from "@/lib/features/jobs/writes";
import { pruneLimits } from "@/lib/limits/limits";

/** Every five minutes: send again what nobody will come for, and forget what has run out: counts, sessions, reset links, failures of nobody. */
export const sweepQueues = inngest.createFunction(
  { id: "sweep-queues", triggers: [cron("*/5 * * * *")], retries: 2 },
  async ({ step }) => {
    const resent = await step.run("sweep", () => settled(sweep));
    await step.run("prune-limits", () => settled(pruneLimits));
    await step.run("forget-ended", () => settled(forgetEnded));
    return { resent };
  },
);

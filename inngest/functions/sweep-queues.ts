import { cron } from "inngest";
import { settled } from "@/inngest/failures";
import { inngest } from "@/lib/events/client";
import { forgetEnded } from "@/lib/features/account/writes/forget";
import { sweep } from "@/lib/features/jobs/writes/recover";
import { pruneLimits } from "@/lib/limits/limits";

/** Every five minutes: send again what nobody will come for, and forget what has run out: counts, sessions, reset links, failures of nobody. */
export const sweepQueues = inngest.createFunction(
  { id: "sweep-queues", name: "Sweep the queues", triggers: [cron("*/5 * * * *")], retries: 2 },
  async ({ step }) => {
    const resent = await step.run({ id: "sweep", name: "Send what nobody comes for" }, () => settled(sweep));
    await step.run({ id: "prune-limits", name: "Forget limits and leases" }, () => settled(pruneLimits));
    await step.run({ id: "forget-ended", name: "Forget what has run out" }, () => settled(forgetEnded));
    return { resent };
  },
);

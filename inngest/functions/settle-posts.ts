import { cron } from "inngest";
import { withEngineErrors } from "@/inngest/failures";
import { inngest } from "@/lib/events/client";
import { resumePublishing, settlePosts } from "@/lib/features/publishing/steps";
import { pruneFormerSites } from "@/lib/features/sites/steps";

/**
 * Every five minutes: hands publishing jobs that nobody works on to the engine, and finds out what became of writes that a
 * site did not answer.
 */
export const settlePostsOnSchedule = inngest.createFunction(
  { id: "settle-posts", name: "Settle unanswered publishing", triggers: [cron("*/5 * * * *")], retries: 0 },
  async ({ step }) => {
    await step.run({ id: "resume-jobs", name: "Hand over idle jobs" }, () => withEngineErrors(resumePublishing));
    await step.run({ id: "forget-sites", name: "Forget former sites" }, () => withEngineErrors(pruneFormerSites));
    return step.run({ id: "settle", name: "Look at the posts" }, () => withEngineErrors(settlePosts));
  },
);

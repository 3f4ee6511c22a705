import { cron } from "inngest";
import { withEngineErrors } from "@/inngest/failures";
import { inngest } from "@/lib/events/client";
import { settlePosts } from "@/lib/features/publishing/steps";

/** Every five minutes: finds out what became of writes that a site did not answer. */
export const settlePostsOnSchedule = inngest.createFunction(
  { id: "settle-posts", name: "Settle unanswered publishing", triggers: [cron("*/5 * * * *")], retries: 0 },
  ({ step }) => step.run({ id: "settle", name: "Look at the posts" }, () => withEngineErrors(settlePosts)),
);

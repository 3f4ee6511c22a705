import { z } from "zod";
import { publishingJobOut } from "@/lib/features/publishing/schema";
import { retryPublishing } from "@/lib/features/publishing/writes/job";
import { siteInput } from "@/lib/features/sites/schema";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "retryPublishingJob",
    summary: "Publishes the failed pieces of a publishing job again.",
    changes: ["project", "site", "publishing", "piece", "category"],
    params,
    body: siteInput,
    reply: publishingJobOut,
    limit: "publishing",
  },
  ({ actor, params, body }) => retryPublishing(actor, params.id, body),
);

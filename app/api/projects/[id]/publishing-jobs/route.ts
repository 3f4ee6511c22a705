import { z } from "zod";
import { latestPublishingJob } from "@/lib/features/publishing/reads";
import { latestPublishingOut, startedPublishingOut, startPublishingInput } from "@/lib/features/publishing/schema";
import { startPublishing } from "@/lib/features/publishing/writes/job";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const GET = route(
  {
    operationId: "getLatestPublishingJob",
    summary: "The latest publishing job of a project.",
    shows: { nouns: ["publishing"], failed: "The publishing job did not load" },
    params,
    reply: latestPublishingOut,
  },
  ({ actor, params }) => latestPublishingJob(actor, params.id),
);

export const POST = route(
  {
    operationId: "startPublishing",
    summary: "Publishes, updates or unpublishes many pieces of a project in the background.",
    // These change in the background: a tab that shows the job follows its progress (useFollowPublishing).
    changes: ["project", "site", "publishing", "piece", "category"],
    params,
    body: startPublishingInput,
    example: { verb: "publish_selected", contentIds: ["8e03978e-40d5-43e8-bc93-6894a57f9324"] },
    reply: startedPublishingOut,
    limit: "publishing",
    status: 202,
  },
  ({ actor, params, body }) => startPublishing(actor, params.id, body),
);

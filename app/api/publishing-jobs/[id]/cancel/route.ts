import { z } from "zod";
import { publishingJobOut } from "@/lib/features/publishing/schema";
import { cancelPublishing } from "@/lib/features/publishing/writes/job";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "cancelPublishingJob",
    summary: "Cancels a publishing job: pending pieces end, processing ones finish.",
    changes: ["publishing"],
    params,
    reply: publishingJobOut,
  },
  ({ actor, params }) => cancelPublishing(actor, params.id),
);

import { z } from "zod";
import { ownedPublishingJob } from "@/lib/features/publishing/reads";
import { publishingJobOut } from "@/lib/features/publishing/schema";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const GET = route(
  { operationId: "getPublishingJob", summary: "A publishing job and how far it is.", params, reply: publishingJobOut },
  ({ actor, params }) => ownedPublishingJob(actor, params.id),
);

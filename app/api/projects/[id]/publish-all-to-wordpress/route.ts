import { z } from "zod";
import { publishAllOut } from "@/lib/features/publishing/schema";
import { publishAll } from "@/lib/features/publishing/writes/project";
import { siteInput } from "@/lib/features/sites/schema";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

export const maxDuration = 300;

const params = z.object({ id: intId });

export const POST = route(
  {
    operationId: "publishAllToWordpress",
    summary: "Publishes everything publishable in a project.",
    changes: ["project", "site", "piece", "category", "publishing"],
    isIncremental: true,
    params,
    body: siteInput,
    reply: publishAllOut,
    limit: "publishing",
  },
  ({ actor, params, body, request }) => publishAll(actor, params.id, body, { signal: request.signal }),
);

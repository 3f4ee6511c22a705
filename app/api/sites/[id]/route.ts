import { z } from "zod";
import { removeSiteOfNoJob } from "@/lib/features/publishing/writes/job";
import { siteOut, updateSiteInput } from "@/lib/features/sites/schema";
import { updateSite } from "@/lib/features/sites/writes/manage";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const PATCH = route(
  {
    operationId: "updateSite",
    summary: "Changes a site's name, address or credentials, or makes it the default one.",
    changes: ["site", "account", "category", "piece"],
    params,
    body: updateSiteInput,
    example: { name: "Garden blog" },
    reply: siteOut,
  },
  ({ actor, params, body }) => updateSite(actor, params.id, body),
);

export const DELETE = route(
  {
    operationId: "removeSite",
    summary: "Removes a site. Nothing is deleted there.",
    changes: ["site", "account", "category", "piece"],
    params,
  },
  ({ actor, params }) => removeSiteOfNoJob(actor, params.id),
);

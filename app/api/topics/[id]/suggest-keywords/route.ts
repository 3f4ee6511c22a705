import { z } from "zod";
import { suggestOut, suggestQuery } from "@/lib/features/generation/schema";
import { autoAddKeywords, suggestKeywords } from "@/lib/features/generation/writes/suggestions";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

export const maxDuration = 300;

const params = z.object({ id: intId });

export const POST = route(
  {
    operationId: "suggestKeywords",
    summary: "Suggests keywords for a topic; with autoSave=true saves them.",
    changes: ["keyword"],
    params,
    query: suggestQuery,
    reply: suggestOut,
    limit: "ai",
    idempotent: "paid",
  },
  ({ actor, params, query }) =>
    query.autoSave === "true" ? autoAddKeywords(actor, params.id) : suggestKeywords(actor, params.id),
);

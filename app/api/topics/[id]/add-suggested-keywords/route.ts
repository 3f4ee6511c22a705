import { z } from "zod";
import { addSuggestedInput, addSuggestedOut } from "@/lib/features/topics/schema";
import { addSuggestedKeywords } from "@/lib/features/topics/writes";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const POST = route(
  {
    operationId: "addSuggestedKeywords",
    summary: "Adds chosen suggestions; those already there are skipped.",
    changes: ["keyword"],
    params,
    body: addSuggestedInput,
    example: { keywords: ["rain barrels", "drip lines"] },
    reply: addSuggestedOut,
    idempotent: "creation",
  },
  ({ actor, params, body }) => addSuggestedKeywords(actor, params.id, body),
);

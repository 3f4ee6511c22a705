import { z } from "zod";
import { keywordInput, keywordOut } from "@/lib/features/topics/schema";
import { deleteKeyword, updateKeyword } from "@/lib/features/topics/writes";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const PATCH = route(
  {
    operationId: "updateKeyword",
    summary: "Changes a keyword.",
    changes: ["keyword"],
    params,
    body: keywordInput,
    example: { keyword: "watering cans" },
    reply: keywordOut,
  },
  ({ actor, params, body }) => updateKeyword(actor, params.id, body),
);

export const DELETE = route(
  { operationId: "deleteKeyword", summary: "Deletes a keyword.", changes: ["keyword"], params },
  ({ actor, params }) => deleteKeyword(actor, params.id),
);

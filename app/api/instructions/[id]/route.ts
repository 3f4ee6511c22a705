import { z } from "zod";
import { instructionInput, instructionOut } from "@/lib/features/instructions/schema";
import { deleteInstruction, updateInstruction } from "@/lib/features/instructions/writes";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const PATCH = route(
  {
    operationId: "updateInstruction",
    summary: "Changes a saved instruction.",
    changes: ["instruction"],
    params,
    body: instructionInput,
    example: { text: "Metric units." },
    reply: instructionOut,
  },
  ({ actor, params, body }) => updateInstruction(actor, params.id, body),
);

export const DELETE = route(
  { operationId: "deleteInstruction", summary: "Deletes a saved instruction.", changes: ["instruction"], params },
  ({ actor, params }) => deleteInstruction(actor, params.id),
);

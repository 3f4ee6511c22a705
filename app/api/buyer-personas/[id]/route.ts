import { z } from "zod";
import { personaOut, updatePersonaInput } from "@/lib/features/projects/schema";
import { updatePersona } from "@/lib/features/projects/writes";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const PATCH = route(
  {
    operationId: "updateBuyerPersona",
    summary: "Changes a buyer persona.",
    changes: ["persona"],
    params,
    body: updatePersonaInput,
    example: { age: 33, interests: ["Soil"], challenges: ["Time"] },
    reply: personaOut,
  },
  ({ actor, params, body }) => updatePersona(actor, params.id, body),
);

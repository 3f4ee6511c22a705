import { z } from "zod";
import { personaOf } from "@/lib/features/projects/reads";
import { createPersonaInput, personaOut } from "@/lib/features/projects/schema";
import { createPersona } from "@/lib/features/projects/writes";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const GET = route(
  {
    operationId: "getBuyerPersona",
    summary: "The project's buyer persona, or null.",
    shows: { nouns: ["persona"], failed: "The buyer persona did not load" },
    params,
    reply: personaOut.nullable(),
  },
  ({ actor, params }) => personaOf(actor, params.id),
);

export const POST = route(
  {
    operationId: "createBuyerPersona",
    summary: "Creates the project's buyer persona.",
    changes: ["persona"],
    params,
    body: createPersonaInput,
    example: {
      name: "Patient beginner",
      description: "Little and often.",
      age: 33,
      interests: ["Soil"],
      challenges: ["Time"],
    },
    reply: personaOut,
    status: 201,
    idempotent: "creation",
  },
  ({ actor, params, body }) => createPersona(actor, params.id, body),
);

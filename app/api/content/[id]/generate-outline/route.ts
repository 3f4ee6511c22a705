import { z } from "zod";
import { ownedContent } from "@/lib/features/content/reads";
import { generateOutlineOut, writeInput } from "@/lib/features/generation/schema";
import { generateOutline } from "@/lib/features/generation/writes/pieces";
import { progressEvents } from "@/lib/transport/event-stream";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

export const maxDuration = 300;

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "generateOutline",
    summary: "Generates an outline for a piece.",
    changes: ["piece"],
    params,
    body: writeInput,
    reply: generateOutlineOut,
    limit: "ai",
    idempotent: "paid",
    storedById: { member: "outline", one: ownedContent },
  },
  ({ actor, params, body }) => generateOutline(actor, params.id, {}, body),
  ({ actor, params, body }, send) => generateOutline(actor, params.id, progressEvents(send), body),
);

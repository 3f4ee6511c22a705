import { z } from "zod";
import { ownedContent } from "@/lib/features/content/reads";
import { generateOutlineOut } from "@/lib/features/generation/schema";
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
    params,
    reply: generateOutlineOut,
    limit: "ai",
    idempotent: "paid",
    storedById: { member: "outline", one: ownedContent },
  },
  ({ actor, params }) => generateOutline(actor, params.id),
  ({ actor, params }, send) => generateOutline(actor, params.id, progressEvents(send)),
);

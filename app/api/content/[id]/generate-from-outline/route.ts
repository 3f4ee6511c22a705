import { z } from "zod";
import { ownedContent } from "@/lib/features/content/reads";
import { writeContentOut, writeContentQuery, writeInput } from "@/lib/features/generation/schema";
import { writeContent } from "@/lib/features/generation/writes/pieces";
import { progressEvents } from "@/lib/transport/event-stream";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

export const maxDuration = 300;

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "generateContent",
    summary: "Writes the body from the outline, section by section.",
    changes: ["piece", "unfinished"],
    params,
    query: writeContentQuery,
    body: writeInput,
    reply: writeContentOut,
    limit: "ai",
    idempotent: "paid",
    storedById: { member: "content", one: ownedContent },
  },
  ({ actor, params, query, body }) => writeContent(actor, params.id, {}, { ...query, ...body }),
  ({ actor, params, query, body }, send) => writeContent(actor, params.id, progressEvents(send), { ...query, ...body }),
);

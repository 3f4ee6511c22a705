import { z } from "zod";
import { rewriteInput, rewriteOut } from "@/lib/features/generation/schema";
import { rewriteText } from "@/lib/features/generation/writes/rewrite";
import { progressEvents } from "@/lib/transport/event-stream";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

export const maxDuration = 300;

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "rewriteText",
    summary: "Proposes a new text for a part of a piece. Nothing is saved.",
    changes: [],
    params,
    body: rewriteInput,
    example: { selection: "Fill the tray. Wait.", action: "shorter" },
    reply: rewriteOut,
    limit: "ai",
    idempotent: "paid",
  },
  ({ actor, params, body }) => rewriteText(actor, params.id, body),
  // Nothing of it is kept, so a user who stops it or goes away pays for no more.
  ({ actor, params, body, request: { signal } }, send) =>
    rewriteText(actor, params.id, body, { ...progressEvents(send), signal }),
);

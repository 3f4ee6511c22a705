import { z } from "zod";
import { queueOutlines } from "@/lib/features/generation/writes/queues";
import { queuedOut } from "@/lib/features/work/schema";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const POST = route(
  {
    operationId: "queueOutlines",
    summary: "Queues outlines for a topic's pieces that have none.",
    changes: ["queue"],
    params,
    reply: queuedOut,
    status: 202,
    limit: "ai",
    idempotent: "paid",
  },
  ({ actor, params }) => queueOutlines(actor, params.id),
);

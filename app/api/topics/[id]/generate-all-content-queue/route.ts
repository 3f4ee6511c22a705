import { z } from "zod";
import { queueContent } from "@/lib/features/generation/writes/queues";
import { queuedOut } from "@/lib/features/work/schema";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const POST = route(
  {
    operationId: "queueAllContent",
    summary: "Queues the writing of a topic's outlined pieces.",
    changes: ["queue"],
    params,
    reply: queuedOut,
    status: 202,
    limit: "ai",
    idempotent: "paid",
  },
  ({ actor, params }) => queueContent(actor, params.id),
);

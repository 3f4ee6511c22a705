import { z } from "zod";
import { queueItemOut } from "@/lib/features/work/schema";
import { retryItem } from "@/lib/features/work/writes/items";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "retryItem",
    summary: "Retries a failed item of a queue.",
    changes: ["queue"],
    params,
    reply: queueItemOut,
    status: 202,
  },
  ({ actor, params }) => retryItem(actor, params.id),
);

import { z } from "zod";
import { queueItemOut } from "@/lib/features/work/schema";
import { cancelItem } from "@/lib/features/work/writes/items";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "cancelItem",
    summary: "Cancels an item that waits or is being worked on; an ended one stays as it is.",
    changes: ["queue"],
    params,
    reply: queueItemOut,
  },
  ({ actor, params }) => cancelItem(actor, params.id),
);

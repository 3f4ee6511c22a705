import { z } from "zod";
import { queueItemOut } from "@/lib/features/work/schema";
import { beginNext } from "@/lib/features/work/writes/items";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "beginNext",
    summary: "Starts a waiting item ahead of the others in its queue.",
    changes: ["queue"],
    params,
    reply: queueItemOut,
    status: 202,
  },
  ({ actor, params }) => beginNext(actor, params.id),
);

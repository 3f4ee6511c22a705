import { z } from "zod";
import { jobOut } from "@/lib/features/work/schema";
import { retryJob } from "@/lib/features/work/writes/jobs";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "retryJob",
    summary: "Sends the failed items of an ended job again.",
    changes: ["queue"],
    params,
    reply: jobOut,
    status: 202,
  },
  ({ actor, params }) => retryJob(actor, params.id),
);

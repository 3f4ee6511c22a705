import { z } from "zod";
import { jobOut } from "@/lib/features/work/schema";
import { cancelJob } from "@/lib/features/work/writes/jobs";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "cancelJob",
    summary: "Cancels a job: pending items end at once, processing ones by themselves.",
    changes: ["queue"],
    params,
    reply: jobOut,
  },
  ({ actor, params }) => cancelJob(actor, params.id),
);

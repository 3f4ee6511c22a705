import { z } from "zod";
import { jobOut } from "@/lib/features/jobs/schema";
import { cancelJob } from "@/lib/features/jobs/writes/jobs";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const POST = route(
  { summary: "Cancels a job: what waits ends at once, what runs ends by itself.", params, reply: jobOut },
  ({ actor, params }) => cancelJob(actor, params.id),
);

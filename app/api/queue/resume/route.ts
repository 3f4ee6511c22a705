import { resumeOut } from "@/lib/features/work/schema";
import { resumeProcessing } from "@/lib/features/work/writes/sending";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "resumeQueues",
    summary: "Sends the pending items of the user's queues again.",
    changes: ["queue"],
    reply: resumeOut,
  },
  ({ actor }) => resumeProcessing(actor),
);

import { pauseOut } from "@/lib/features/work/schema";
import { pauseProcessing } from "@/lib/features/work/writes/sending";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "pauseProcessing",
    summary: "Pauses the user's AI queues until they are resumed; calls under way finish.",
    changes: ["queue"],
    reply: pauseOut,
  },
  ({ actor }) => pauseProcessing(actor),
);

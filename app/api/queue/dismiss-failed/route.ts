import { dismissedOut, dismissFailedInput } from "@/lib/features/work/schema";
import { dismissFailed } from "@/lib/features/work/writes/items";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "dismissFailed",
    summary:
      "Dismisses failed items, which then no longer need the user: of both queues, or of one type, reason and project.",
    changes: ["queue"],
    body: dismissFailedInput,
    example: { jobType: "outline_generation" },
    reply: dismissedOut,
  },
  ({ actor, body }) => dismissFailed(actor, body),
);

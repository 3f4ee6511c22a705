import { dismissedOut, dismissFailedInput } from "@/lib/features/work/schema";
import { dismissFailed } from "@/lib/features/work/writes/items";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "dismissFailed",
    summary: "Dismisses failures, which then ask for the user no more: all, or those of one type and reason.",
    changes: ["queue"],
    body: dismissFailedInput,
    example: { jobType: "outline_generation" },
    reply: dismissedOut,
  },
  ({ actor, body }) => dismissFailed(actor, body),
);

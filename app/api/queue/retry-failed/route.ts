import { retriedOut, retryFailedInput } from "@/lib/features/work/schema";
import { retryFailed } from "@/lib/features/work/writes/items";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "retryFailed",
    summary: "Retries failed items that still need it: of both queues, or of one type and reason.",
    changes: ["queue"],
    body: retryFailedInput,
    example: { jobType: "outline_generation" },
    reply: retriedOut,
    status: 202,
  },
  ({ actor, body }) => retryFailed(actor, body),
);

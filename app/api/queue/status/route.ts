import { queueStatus, queueVersion } from "@/lib/features/work/reads";
import { queueStatusOut } from "@/lib/features/work/schema";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

/** Clients poll it: it answers 304 while nothing has changed since the ETag that the caller sends. */
export const GET = route(
  {
    operationId: "getQueueStatus",
    summary: "The user's jobs and both queues.",
    // A job has the name of its topic; what failed to be published has its project's.
    shows: { nouns: ["queue", "topic", "publishing", "project"], failed: "The queues did not load" },
    reply: queueStatusOut,
  },
  async ({ actor, request }) => {
    const etag = await queueVersion(actor);
    if (request.headers.get("if-none-match") === etag) return new Reply(null, { status: 304, headers: { etag } });
    return new Reply(await queueStatus(actor), { headers: { etag } });
  },
);

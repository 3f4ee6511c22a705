import { followQueue, queueChanges } from "@/lib/features/work/reads";
import { queueChangesOut, queueChangesQuery } from "@/lib/features/work/schema";
import { acceptsEvents } from "@/lib/transport/event-stream";
import { liveStream } from "@/lib/transport/live-stream";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

export const maxDuration = 300;

/** A stream for those who accept one: 204 where nobody tells when something changes. Others get what has changed until now. */
export const GET = route(
  {
    operationId: "followQueue",
    summary: "What changes of the user's queues, as it changes; 204 without a body where there is no stream.",
    query: queueChangesQuery,
    reply: queueChangesOut,
    sends: "`changes` with the answer of application/json, at once and after each change.",
  },
  async ({ actor, query: { since }, request, context, sessionToken }) => {
    if (!acceptsEvents(request)) return queueChanges(actor, since);
    const stream = await liveStream(followQueue(actor, since), { userId: actor.userId, context, sessionToken });
    return stream ?? new Reply(null, { status: 204 });
  },
);

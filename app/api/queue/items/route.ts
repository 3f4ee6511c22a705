import { listQueueItems } from "@/lib/features/work/reads";
import { queueItemOut, queueItemsQuery } from "@/lib/features/work/schema";
import { pageReply } from "@/lib/transport/page";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "listQueueItems",
    summary: "The items of a queue, 200 at a time: live ones oldest first, ended ones latest first.",
    // An item has the names of its piece and its topic.
    shows: { nouns: ["queue", "piece", "topic"], failed: "The items did not load" },
    query: queueItemsQuery,
    reply: queueItemOut.array(),
  },
  async ({ actor, query, request }) => pageReply(request, await listQueueItems(actor, query)),
);

import { listContent } from "@/lib/features/content/reads";
import { contentSummaryOut, listContentQuery } from "@/lib/features/content/schema";
import { pageReply } from "@/lib/transport/page";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "listContent",
    summary: "The user's matching pieces, newest first, without body and outline.",
    shows: { nouns: ["piece"], failed: "Failed to fetch content" },
    query: listContentQuery,
    reply: contentSummaryOut.array(),
  },
  async ({ actor, query, request }) => pageReply(request, await listContent(actor, query, request.signal)),
);

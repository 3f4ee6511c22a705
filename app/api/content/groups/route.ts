import { contentGroups } from "@/lib/features/content/reads";
import { contentGroupOut, contentGroupsQuery } from "@/lib/features/content/schema";
import { pageReply } from "@/lib/transport/page";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "listContentGroups",
    summary: "How many pieces match in each project and topic.",
    shows: { nouns: ["project", "topic", "piece"], failed: "Error fetching content" },
    query: contentGroupsQuery,
    reply: contentGroupOut.array(),
  },
  async ({ actor, query, request }) =>
    pageReply(request, await contentGroups(actor, query, { signal: request.signal })),
);

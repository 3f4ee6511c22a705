import { search } from "@/lib/features/search/reads";
import { searchOut, searchQuery } from "@/lib/features/search/schema";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "search",
    summary: "The user's projects, topics and pieces whose titles fit a text best.",
    shows: { nouns: ["project", "topic", "piece"], failed: "Failed to search" },
    query: searchQuery,
    reply: searchOut,
  },
  ({ actor, query, request }) => search(actor, query, request.signal),
);
